// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsSnapshot
@testable import ClaimsStore

/// A merge that is held at each of its steps while everything else goes on. Afterwards all is told as of one base with the
/// same records, and so it is after a restart.
@Suite struct HeldMergeTests {
    /// The events of a collection while a merge is under way.
    enum Event: String, CaseIterable, CustomTestStringConvertible {
        case marked, unmarked, changed, manyChanged, vanished, returned, forgotten, reshaped, tidied, wholeAnswer
        case markedAndGone, goneAndBack, folded, crashed

        var testDescription: String { rawValue }

        /// - Parameter bounds: those of the collection.
        func happen(to fixture: OpenerFixture, _ bounds: RecentBounds) throws {
            let at: Int64 = 100
            func take(_ records: String, at later: Int64 = 0) throws {
                try fixture.take([.changes(records)], at: at + later, bounds: bounds)
            }
            switch self {
            case .marked: try fixture.mark([1, 5, 20, 150, 160], isArchiving: true)
            case .unmarked: try fixture.mark([2, 5, 11], isArchiving: false)
            case .changed: try take(SmallStack.records([1, 20, 180], "amid"))
            case .manyChanged: try take(SmallStack.records(1..<8, "amid"))
            case .vanished: try take(SmallStack.gone([5, 20, 150]))
            case .returned: try take(SmallStack.records([7, 10], "back"))
            case .forgotten: try fixture.forget([5, 7, 20])
            case .reshaped:
                try #require(fixture.opener.reload([SmallStack.definition(searchesLabel: true)]) == [:])
            case .tidied: try fixture.opener.tidy("things")
            case .wholeAnswer:
                let answer = TestAnswer.whole(SmallStack.records(3..<45, "whole"))
                try fixture.take([answer], at: at, bounds: bounds)
            case .markedAndGone:
                try fixture.mark([1, 20, 160], isArchiving: true)
                try take(SmallStack.gone([1, 20, 160]))
                try take(SmallStack.records([1, 160], "back"), at: 1)
            case .goneAndBack:
                try take(SmallStack.gone([5, 6]))
                try take(SmallStack.records([5], "back"), at: 1)
                try take(SmallStack.gone([5]), at: 2)
                try take(SmallStack.records([5, 6], "back again"), at: 3)
            case .folded: _ = try fixture.opener.fold("things")
            case .crashed:
                // A start of another daemon on what is there now.
                let told = try fixture.told()
                let found = try fixture.crashed()
                #expect(try found.told() == told && found.reported.isEmpty)
            }
        }

        /// Whether a merge that was begun before can still be put in.
        var letsMergeEnd: Bool {
            switch self {
            case .forgotten, .reshaped, .wholeAnswer: false
            default: true
            }
        }
    }

    /// Where a merge is held.
    enum Step: CaseIterable {
        /// Before the first record is carried.
        case begun
        /// Before the records are sorted and indexed.
        case carried
        /// Between the new file and the transaction that names it.
        case written
    }

    /// A collection in files, and the same in one base.
    private struct Pair {
        let layered: OpenerFixture
        let plain: OpenerFixture

        init(_ state: StackState) throws {
            layered = try state.make()
            plain = try state.makePlain()
        }

        func happen(_ events: [Event]) throws {
            for event in events {
                try event.happen(to: layered, SmallStack.bounds)
                try event.happen(to: plain, .none)
            }
        }

        func compare(_ events: [Event], _ step: Step) throws {
            let definition = try #require(layered.view).definition
            let told = try plain.told()
            let found = try layered.told()
            #expect(found == told, "\(events) \(step): \(OpenerFixture.difference(found, told))")
            let again = try layered.crashed(definition)
            #expect(try again.told() == told && again.reported.isEmpty, "\(events) \(step): \(again.reported)")
            #expect(Set(again.files) == again.namedFiles, "\(events) \(step)")
        }
    }

    /// Holds a merge at a step while events happen, and lets it go on; returns whether it was put in.
    private func merge(_ pair: Pair, holdingAt step: Step, _ events: [Event]) throws -> Bool {
        let opener = pair.layered.opener
        var looks = 0
        var failure: (any Error)?
        let file = try opener.writer.writeMerged("things") {
            looks += 1
            guard looks == (step == .begun ? 1 : 2), step != .written else { return true }
            do { try pair.happen(events) } catch { failure = error }
            return true
        }
        if let failure { throw failure }
        if step == .written { try pair.happen(events) }
        guard let file else { return false }
        try pair.compare(events, step)
        do throws(StoreError) {
            try opener.writer.put(file)
            return true
        } catch {
            guard error.code == .mismatch else { throw error }
            return false
        }
    }

    @Test(arguments: Event.allCases)
    func `whatever happens at whichever step of a merge, all is told as of one base`(event: Event) throws {
        for state in [StackState.recentOverMiddle, .all] {
            for step in Step.allCases {
                let pair = try Pair(state)
                let isMerged = try merge(pair, holdingAt: step, [event])
                let isSame = event == .wholeAnswer ? true : isMerged == event.letsMergeEnd
                #expect(isSame, "\(state) \(step)")
                try pair.compare([event], step)
                // Another merge, of what is left.
                _ = try pair.layered.opener.merge("things")
                try pair.compare([event], step)
            }
        }
    }

    @Test func `two things that happen amid a merge do not spoil each other`() throws {
        // Those that change which records there are.
        let events: [Event] = [.changed, .manyChanged, .vanished, .returned, .markedAndGone, .goneAndBack]
        for first in events {
            for second in events + [.folded, .forgotten] where second != first {
                let pair = try Pair(.all)
                _ = try merge(pair, holdingAt: .carried, [first, second])
                try pair.compare([first, second], .carried)
            }
        }
    }

    @Test func `while the rows of a large base are carried, all goes on between two looks`() throws {
        let (count, events) = (9000, Event.allCases.filter { $0.letsMergeEnd && $0 != .crashed })
        let fixtures = try [
            OpenerFixture(definitions: [SmallStack.definition()]),
            OpenerFixture(definitions: [SmallStack.definition()]),
        ]
        let bounds = [SmallStack.bounds, RecentBounds.none]
        for fixture in fixtures { try fixture.take([.whole(SmallStack.records(0..<count, "first"))]) }
        for (fixture, bounds) in zip(fixtures, bounds) {
            try fixture.mark([2, 5, 8000], isArchiving: true)
            try fixture.take([.changes(SmallStack.records(4000..<4008, "middle"))], at: 5, bounds: bounds)
        }
        var looks = 0
        var failure: (any Error)?
        let isMerged = try fixtures[0].opener.merge("things") {
            let event = events[looks % events.count]
            looks += 1
            do { for (fixture, bounds) in zip(fixtures, bounds) { try event.happen(to: fixture, bounds) } } catch {
                failure = error
            }
            return true
        }
        if let failure { throw failure }
        // At each 4,096th record, and before they are indexed.
        #expect(isMerged && looks == 4)
        let told = try fixtures[1].told()
        #expect(try fixtures[0].told() == told)
        let found = try fixtures[0].crashed()
        #expect(try found.told() == told && found.reported.isEmpty)
    }

    @Test func `two merges in a row, each with changes amid it, lose nothing`() throws {
        let pair = try Pair(.all)
        for event in [Event.manyChanged, .vanished, .returned, .goneAndBack, .markedAndGone] {
            _ = try merge(pair, holdingAt: .carried, [event])
            try pair.compare([event], .carried)
            // A middle file is due again.
            for (fixture, bounds) in [(pair.layered, SmallStack.bounds), (pair.plain, RecentBounds.none)] {
                try fixture.take([.changes(SmallStack.records(25..<32, "after \(event)"))], at: 200, bounds: bounds)
            }
            try pair.compare([event], .written)
        }
    }

    @Test func `a record that a merge has stays gone, whichever files are made before the merge ends`() throws {
        for isAmid in [false, true] {
            let pair = try Pair(.youngOverMiddle)
            let merged = try #require(try pair.layered.opener.writer.writeMerged("things"))
            func take(_ records: String, _ amid: () throws -> Void = {}) throws {
                try pair.layered.take([.changes(records)], at: 100, bounds: SmallStack.bounds, amid: amid)
                try pair.plain.take([.changes(records)], at: 100, bounds: .none)
            }
            // They came with the middle file, which the next one takes the place of.
            try take(SmallStack.gone([150, 151, 20, 21]))
            #expect(pair.layered.roles == [.base, .middle])
            // No file has a record of them any more, but the merge.
            try take(SmallStack.records(30..<36, "amid")) { if isAmid { try pair.layered.opener.writer.put(merged) } }
            #expect(pair.layered.roles == [.base, .middle])
            if !isAmid { try pair.layered.opener.writer.put(merged) }
            try pair.compare([.vanished], .written)
            // Over the new base they need not be told for ever.
            try take(SmallStack.records(40..<46, "later"))
            let id = Array("150".utf8)
            let middle = try #require(pair.layered.view?.committed?.files[.middle]?.snapshot)
            let base = try #require(pair.layered.view?.committed?.file)
            #expect(middle.mentions(id.rawSpan) == (base.row(forID: id.rawSpan) != nil))
            try pair.compare([.vanished], .written)
        }
    }

    @Test func `a young file that is made amid a merge stays over the new base`() throws {
        let pair = try Pair(.recentOverMiddle)
        let merged = try #require(try pair.layered.opener.writer.writeMerged("things"))
        let young = try #require(try pair.layered.opener.writer.writeRecent("things", SmallStack.bounds))
        let roomy = RecentBounds(maxChanges: 1, maxRecords: 10, layers: SmallStack.layers)
        for (fixture, bounds) in [(pair.layered, roomy), (pair.plain, RecentBounds.none)] {
            try fixture.take([.changes(SmallStack.records([20], "amid"))], at: 100, bounds: bounds)
        }
        try pair.layered.opener.writer.put(merged)
        try pair.compare([.changed], .written)
        try pair.layered.opener.writer.put(young)
        #expect(pair.layered.roles == [.base, .young])
        try pair.compare([.changed], .written)
    }

    @Test func `a record that goes while it is folded and merged stays gone`() throws {
        let pair = try Pair(.base)
        let roomy = RecentBounds(maxChanges: 10, maxRecords: 10, layers: SmallStack.layers)
        for (fixture, bounds) in [(pair.layered, roomy), (pair.plain, RecentBounds.none)] {
            try fixture.take([.changes(SmallStack.records(900..<905, "new"))], at: 50, bounds: bounds)
        }
        #expect(pair.layered.roles == [.base])
        // The file without it is made before the others.
        let answer = TestAnswer.changes(SmallStack.gone([900]), SmallStack.records(1...6, "amid"))
        var merged: StackWriter.WrittenFile?
        try pair.layered.take([answer], at: 60, bounds: SmallStack.bounds) {
        } beforeCommit: {
            let opener = pair.layered.opener
            let folded = try #require(try opener.writer.writeRecent("things", SmallStack.bounds))
            try opener.writer.put(folded)
            #expect(pair.layered.roles == [.base, .middle])
            merged = try opener.writer.writeMerged("things")
        }
        try pair.plain.take([answer], at: 60, bounds: .none)
        try pair.compare([.vanished], .begun)
        try pair.layered.opener.writer.put(try #require(merged))
        try pair.compare([.vanished], .written)
    }

    @Test func `a removed collection ends its merge, and comes back with what it had`() throws {
        let pair = try Pair(.all)
        let told = try pair.plain.told()
        let opener = pair.layered.opener
        let files = pair.layered.files
        #expect(
            try opener.merge("things") {
                opener.reload([])
                return true
            } == false)
        #expect(pair.layered.files.sorted() == files.sorted())
        #expect(opener.reload([try SmallStack.definition()]) == [:])
        #expect(try pair.layered.told() == told)
    }
}
