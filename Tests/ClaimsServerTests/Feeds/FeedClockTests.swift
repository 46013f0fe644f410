// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsTestSupport
import Testing

@testable import ClaimsServer
@testable import ClaimsStore

@Suite struct FeedClockTests {
    private let codec = FeedClockCodec(key: (3, 4))
    private let revision = Revision(epoch: 0xABC, seq: 17)

    @Test func `a clock is read as it was written, and no other text is`() throws {
        for time in [nil, Int64(-5), 1_800_000_000_000] {
            for names in [nil, UInt64(9)] {
                let clock = FeedClock(revision: revision, bound: .init(feed: 77, time: time, names: names))
                let text = codec.encode(clock)
                #expect(text.hasPrefix("abc.17-"))
                #expect(try codec.decode(text, epoch: 0xABC) == clock)
                #expect(throws: RequestError.self) { try codec.decode("abc.18" + text.dropFirst(6), epoch: 0xABC) }
                #expect(throws: RequestError.self) {
                    try FeedClockCodec(key: (3, 5)).decode(text, epoch: 0xABC)
                }
                // The secret goes with the epoch.
                #expect(try codec.decode(text, epoch: 1).bound == nil)
            }
        }
        #expect(try codec.decode("abc.17", epoch: 0xABC) == FeedClock(revision: revision, bound: nil))
        #expect(try codec.since("now", epoch: 1) == .now)
        for text in ["ABC.17", "abc.017", "abc.17-", "abc", "", "abc.17.1", "abc.17-AAAA", "Now"] {
            #expect(throws: RequestError.self, "\(text)") { try codec.since(text, epoch: 0xABC) }
        }
    }

    @Test func `a cursor is read as it was written, whatever the phases`() throws {
        let phases: [FeedPosition.Phase] = [
            .rest, .delta, .set(after: nil), .set(after: Array("ä".utf8)), .time(after: nil), .time(after: []),
        ]
        let parts = phases.enumerated().map { index, phase in
            FeedCursor.Part(
                collection: "c\(index)", feed: UInt64(index),
                position: FeedPosition(
                    since: 1, processed: .max, forcedAfter: 3, time: -4, target: 5, phase: phase))
        }
        for names in [nil, UInt64(8)] {
            let cursor = FeedCursor(request: 6, epoch: 7, names: names, time: -9, parts: parts)
            let text = codec.encode(cursor)
            #expect(try codec.cursor(text) == cursor)
            for index in text.indices {
                var changed = text
                changed.replaceSubrange(index...index, with: text[index] == "A" ? "B" : "A")
                #expect(throws: RequestError.self) { try codec.cursor(changed) }
            }
        }
        let clock = codec.encode(FeedClock(revision: revision, bound: .init(feed: 1, time: nil, names: nil)))
        #expect(throws: RequestError.self) { try codec.cursor(String(clock.dropFirst(7))) }
    }

    @Test func `the first reason that applies is told`() throws {
        func view(start: UInt64 = 0, definition: UInt64 = 0, floor: UInt64 = 0, changed: UInt64 = 17) -> CollectionView
        {
            var row = CollectionRow(number: 1, name: "shelf")
            (row.startSeq, row.definitionSeq, row.floor) = (start, definition, floor)
            var condition = CollectionCondition(row: row)
            condition.changed(at: changed)
            return CollectionView(
                definition: Shelf.definition, snapshot: nil, archive: ArchiveOverlay(), condition: condition)
        }
        func reason(
            _ view: CollectionView, _ epoch: UInt64 = 0xABC, _ seq: UInt64 = 10,
            _ bound: FeedClock.Bound? = .init(feed: 5, time: 1, names: nil), timed: Bool = true
        ) -> FreshReason? {
            let clock = FeedClock(revision: Revision(epoch: epoch, seq: seq), bound: bound)
            return FeedStart(since: .clock(clock), names: nil).reason(
                hash: 5, dependsOnTime: timed, isLimited: false, in: view, revision: revision)
        }
        let late = view(start: 11, definition: 11, floor: 11)
        #expect(reason(late, 1, 99, nil) == .epoch)
        #expect(reason(late, 0xABC, 18, nil) == .ahead)
        #expect(reason(late, 0xABC, 10, nil) == .start)
        #expect(reason(view(definition: 11), 0xABC, 10, nil) == .filter)
        #expect(reason(view(definition: 11), 0xABC, 10, .init(feed: 6, time: 1, names: nil)) == .filter)
        #expect(reason(view(definition: 11, floor: 11)) == .definition)
        #expect(reason(view(definition: 11, floor: 11), 0xABC, 10, nil, timed: false) == .definition)
        #expect(reason(view(floor: 11)) == .compacted)
        #expect(reason(view(floor: 10)) == nil)
        #expect(reason(view(floor: 11, changed: 10)) == nil)
        #expect(reason(view(start: 10, definition: 10, floor: 10)) == nil)
        #expect(
            FeedStart(since: .nothing).reason(
                hash: 5, dependsOnTime: false, isLimited: false, in: late, revision: revision) == .start)
        #expect(
            FeedStart(since: .now).reason(hash: 5, dependsOnTime: false, isLimited: false, in: late, revision: revision)
                == nil)
    }

    @Test func `collections that came or went are another reason than another feed`() throws {
        let clock = FeedClock(revision: revision, bound: .init(feed: 5 << 32 | 6, time: nil, names: 1))
        let view = CollectionView(
            definition: Shelf.definition, snapshot: nil, archive: ArchiveOverlay(),
            condition: CollectionCondition(row: CollectionRow(number: 1, name: "shelf")))
        func reason(_ hash: UInt64, names: UInt64?) -> FreshReason? {
            FeedStart(since: .clock(clock), names: names).reason(
                hash: hash, dependsOnTime: false, isLimited: false, in: view, revision: revision)
        }
        #expect(reason(5 << 32 | 6, names: 1) == nil)
        #expect(reason(5 << 32 | 7, names: 1) == .filter)
        #expect(reason(5 << 32 | 7, names: 2) == .definition)
        #expect(reason(4 << 32 | 6, names: 2) == .filter)
        #expect(reason(5 << 32 | 6, names: nil) == .filter)
    }

    @Test func `rows are undone from the newest to the oldest`() throws {
        var tape = JSONTape()
        let served = Array(#"{"id":"1","a":3,"b":"x"}"#.utf8)
        func row(_ operation: LoggedOperation, _ values: String = "") -> LoggedChange {
            LoggedChange(
                seq: 1, at: 0, generation: 1, cause: .refresh, operation: operation, id: [0x31],
                values: Array(values.utf8))
        }
        func before(_ rows: [LoggedChange], isServed: Bool = true) -> String? {
            var undo = RecordUndo(isServed: isServed, isArchived: false)
            for row in rows.reversed() { undo.undo(row, &tape) }
            guard undo.isPresent else { return nil }
            return String(decoding: undo.document(served: served.rawSpan, &tape) ?? served, as: UTF8.self)
        }
        #expect(before([]) == #"{"id":"1","a":3,"b":"x"}"#)
        #expect(
            before([row(.updated, #"{"a":[1,2]}"#), row(.updated, #"{"a":[2,3],"c":[{"d":null},null]}"#)])
                == #"{"id":"1","b":"x","a":1,"c":{"d":null}}"#)
        #expect(before([row(.updated, #"{"b":[null,"x"]}"#)]) == #"{"id":"1","a":3}"#)
        #expect(before([row(.added)]) == nil)
        #expect(before([row(.removed, #"{"id":"1"}"#), row(.added), row(.updated, #"{"a":[2,3]}"#)]) == #"{"id":"1"}"#)
        #expect(
            before([row(.updated, #"{"a":[7,8]}"#), row(.removed, #"{"id":"1","a":8}"#)], isServed: false)
                == #"{"id":"1","a":7}"#)
        var marks = RecordUndo(isServed: true, isArchived: true)
        marks.undo(row(.archived), &tape)
        #expect(!marks.isArchived && marks.base == .served)
        marks.undo(row(.unarchived), &tape)
        #expect(marks.isArchived)
    }
}
