// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot
import Synchronization

/// The overlay of many operations while a start makes it. Two threads share the records: a thread of its own, and the
/// starting thread, which joins after it has opened files and read state.db. Each thread gets the next few records when
/// it is done with some, because one may be slower than the other.
///
/// ```swift
/// let starting = StartingOverlay(operations, over: committed, definition, joined: joined)
/// // …
/// let overlay = try starting.finish()
/// ```
final class StartingOverlay: Sendable {
    /// One part of the records, with their entries.
    private struct Half: Sendable {
        var entries: [ServedEntry]
        var part: OverlayPart?
    }

    /// The operations of each record, from which both threads get their work.
    private final class Lanes: Sendable {
        private let lanes: [[Operation]]
        private let taken = Atomic<Int>(0)

        init(_ lanes: [[Operation]]) { self.lanes = lanes }

        /// Removes and returns the next lanes; nil once there are none.
        func take() -> ArraySlice<[Operation]>? {
            let start = taken.wrappingAdd(Self.takenAtOnce, ordering: .relaxed).oldValue
            return start < lanes.count ? lanes[start..<min(start + Self.takenAtOnce, lanes.count)] : nil
        }

        private static let takenAtOnce = 16
    }

    private let lanes: Lanes
    private let committed: CommittedRecords?
    private let definition: Definition
    private let joined: JoinTable?
    private let result = Monitor<Result<Half, StoreError>?>(nil)
    private let thread: NamedThread?
    private let hasThread: Bool

    /// The number of records below which a second thread does not pay.
    private static let minRecords = 64

    /// Begins with some records, if they are worth a thread.
    ///
    /// - Parameter joined: the values of the definition's second request.
    init(
        _ operations: [StoredOperation], over committed: CommittedRecords?, _ definition: Definition,
        joined: JoinTable?
    ) {
        let all = OverlayComposer.lanes(operations)
        lanes = Lanes(all)
        self.committed = committed
        self.definition = definition
        self.joined = joined
        guard all.count >= Self.minRecords else {
            thread = nil
            hasThread = false
            return
        }
        // Without a second thread this thread makes all.
        let thread = try? NamedThread("overlay") { [result, lanes] in
            let half = Result { () throws(StoreError) in
                try Self.half(lanes, over: committed, definition, joined: joined)
            }
            result.update { $0 = half }
        }
        hasThread = thread != nil
        self.thread = thread
    }

    /// Makes what is left, and waits for the rest.
    ///
    /// - Returns: nil if there are no records.
    /// - Throws: the error of getting the memory.
    func finish() throws(StoreError) -> RecordOverlay? {
        let rest = try Self.half(lanes, over: committed, definition, joined: joined)
        guard hasThread, let first = result.wait({ $0 }) else {
            return try RecordOverlay.build(
                rest.entries, part: rest.part, over: committed, definition: definition)
        }
        let older = try first.get()
        return try RecordOverlay.build(
            older.entries, part: older.part, newer: rest.entries, part: rest.part, over: committed,
            definition: definition)
    }

    private static func half(
        _ lanes: Lanes, over committed: CommittedRecords?, _ definition: Definition, joined: JoinTable?
    ) throws(StoreError) -> Half {
        let composer = OverlayComposer(definition, base: committed)
        var decoder = OverlayDecoder(definition, joined: joined, over: committed)
        var writer = try OverlayPartWriter(definition)
        var half = Half(entries: [])
        while let some = lanes.take() {
            for lane in some {
                guard let entry = composer.entry(of: lane) else { continue }
                let served = decoder.decode(entry)
                try writer.append(served)
                half.entries.append(served)
            }
        }
        half.part = try writer.finish()
        return half
    }
}
