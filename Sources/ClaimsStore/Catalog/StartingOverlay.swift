// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot

/// The overlay of many operations while it is made at a start: the older half of the records on a thread of its own, the
/// other half on the thread that waits for both, which opens files and reads state.db before that.
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

    private let lanes: [[Operation]]
    /// The number of lanes that the other thread has.
    private let count: Int
    private let committed: CommittedRecords?
    private let definition: Definition
    private let joined: JoinTable?
    private let result = Monitor<Result<Half, StoreError>?>(nil)
    private let thread: NamedThread?

    /// A thread costs more than so many records.
    private static let minRecords = 64

    /// Begins with the first half, where it is worth a thread.
    ///
    /// - Parameter joined: the values of the definition's second request.
    init(
        _ operations: [StoredOperation], over committed: CommittedRecords?, _ definition: Definition,
        joined: JoinTable?
    ) {
        lanes = OverlayComposer.lanes(operations)
        self.committed = committed
        self.definition = definition
        self.joined = joined
        let first = lanes.count < Self.minRecords ? [] : Array(lanes[..<(lanes.count / 2)])
        guard !first.isEmpty else {
            thread = nil
            count = 0
            return
        }
        let result = result
        let thread = try? NamedThread("overlay") {
            let half = Result { () throws(StoreError) in
                try Self.half(first, over: committed, definition, joined: joined)
            }
            result.update { $0 = half }
        }
        // Without a thread this one makes all.
        count = thread == nil ? 0 : first.count
        self.thread = thread
    }

    /// Makes the other half, and waits for the first one.
    ///
    /// - Returns: nil where there are no records.
    /// - Throws: the error of getting the memory.
    func finish() throws(StoreError) -> RecordOverlay? {
        let rest = try Self.half(Array(lanes[count...]), over: committed, definition, joined: joined)
        guard count > 0, let first = result.wait({ $0 }) else {
            return try RecordOverlay.build(
                rest.entries, part: rest.part, over: committed, definition: definition)
        }
        let older = try first.get()
        return try RecordOverlay.build(
            older.entries, part: older.part, newer: rest.entries, part: rest.part, over: committed,
            definition: definition)
    }

    private static func half(
        _ lanes: [[Operation]], over committed: CommittedRecords?, _ definition: Definition, joined: JoinTable?
    ) throws(StoreError) -> Half {
        let composer = OverlayComposer(definition, base: committed)
        var decoder = OverlayDecoder(definition, joined: joined, over: committed)
        var writer = try OverlayPartWriter(definition)
        var half = Half(entries: [])
        for lane in lanes {
            guard let entry = composer.entry(of: lane) else { continue }
            let served = decoder.decode(entry)
            try writer.append(served)
            half.entries.append(served)
        }
        half.part = try writer.finish()
        return half
    }
}
