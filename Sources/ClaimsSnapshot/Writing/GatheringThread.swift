// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import Synchronization

/// Gathers records' values on a thread of its own, while the next records are being decoded.
///
/// The first full batch starts the thread; fewer records are gathered on the calling thread. Releasing it before `seal`
/// stops the thread and leaves nothing behind.
struct GatheringThread: ~Copyable {
    /// The maximal number of full batches that wait for the thread.
    private static let maxBatches = 4

    private let columns: [ColumnKind]
    private let shared: Shared
    private var batch = ValueBatch()
    private var thread: NamedThread?

    init(_ columns: [ColumnKind], medium: BuildMedium, seed: UInt64) {
        self.columns = columns
        shared = Shared(ValueGatherer(columns, medium: medium, seed: seed))
    }

    deinit { shared.close() }

    /// Appends a record's values. Waits while as many batches wait as may.
    ///
    /// - Throws: the error of gathering an earlier record.
    mutating func append(_ record: borrowing DecodedRecord) throws(StoreError) {
        batch.append(record, columns)
        if batch.isFull { try send() }
    }

    /// Ends the gathering and returns the values. Nothing may be appended afterwards.
    ///
    /// - Parameter addLast: appends values of further records, after the values of all records that were appended here.
    /// - Throws: the error of this call, or of earlier work on the thread.
    mutating func seal(
        _ addLast: (inout ValueGatherer) throws(StoreError) -> Void = { _ in }
    ) throws(StoreError) -> GatheredValues {
        shared.end()
        // Waits for the thread.
        thread = nil
        if let error = shared.error { throw error }
        let last = batch
        batch = ValueBatch()
        return try shared.gatherer.withLock { gatherer throws(StoreError) in
            try gatherer.append(last)
            try addLast(&gatherer)
            return try gatherer.seal()
        }
    }

    private mutating func send() throws(StoreError) {
        if thread == nil {
            let shared = shared
            thread = try? NamedThread("gather") { shared.work() }
        }
        guard thread != nil else {
            let full = batch
            try shared.gatherer.withLock { gatherer throws(StoreError) in try gatherer.append(full) }
            batch.removeAll()
            return
        }
        try shared.pass(&batch)
    }

    private final class Shared: Sendable {
        private struct Queue {
            var waiting: [ValueBatch] = []
            var spare: [ValueBatch] = []
            /// No more batches will come.
            var isEnded = false
            var error: StoreError?
        }

        let gatherer: Mutex<ValueGatherer>
        private let queue = Monitor(Queue())

        init(_ gatherer: ValueGatherer) { self.gatherer = Mutex(gatherer) }

        var error: StoreError? { queue.read(\.error) }

        func end() { queue.update { $0.isEnded = true } }

        /// Stops the thread, and drops the batches that wait.
        func close() {
            queue.update {
                $0.isEnded = true
                $0.waiting = []
            }
        }

        /// Passes a full batch on and replaces it with an empty one, as soon as a further batch may wait.
        ///
        /// Nothing else may refer to a batch that is passed on, or filling it again would copy it.
        func pass(_ batch: inout ValueBatch) throws(StoreError) {
            let error = queue.wait { queue -> StoreError?? in
                if let error = queue.error { return .some(error) }
                guard queue.waiting.count < GatheringThread.maxBatches else { return nil }
                queue.waiting.append(batch)
                batch = queue.spare.popLast() ?? ValueBatch()
                return .some(nil)
            }
            if let error = error ?? nil { throw error }
        }

        func work() {
            var batch = ValueBatch()
            while receive(&batch) {
                do throws(StoreError) {
                    try gatherer.withLock { gatherer throws(StoreError) in try gatherer.append(batch) }
                } catch {
                    queue.update {
                        $0.error = error
                        $0.waiting = []
                    }
                    return
                }
                batch.removeAll()
                queue.update {
                    $0.spare.append(batch)
                    batch = ValueBatch()
                }
            }
        }

        /// Waits for a full batch; false: there are no more.
        private func receive(_ batch: inout ValueBatch) -> Bool {
            queue.wait { queue -> Bool? in
                if queue.waiting.isEmpty { return queue.isEnded ? false : nil }
                batch = queue.waiting.removeFirst()
                return true
            } ?? false
        }
    }
}

/// Gathers the parts of all records that are sorted and indexed: the ids' keys, the columns' values and their terms.
struct ValueGatherer: Sendable {
    private var idKeys: SpillStream<UInt8>
    private var idKeyCounts: SpillStream<UInt32>
    /// One for each column; records append their values to all of them, in the same order.
    var columns: [ColumnCollector]
    var terms: TermTable

    init(_ kinds: [ColumnKind], medium: BuildMedium, seed: UInt64) {
        idKeys = SpillStream(medium)
        idKeyCounts = SpillStream(medium)
        terms = TermTable(medium, seed: seed)
        columns = kinds.map { ColumnCollector($0, medium: medium, seed: seed ^ UInt64($0.columnID)) }
    }

    /// Appends the values of a batch, column by column, so that the memory of one column stays in the cache.
    mutating func append(_ batch: borrowing ValueBatch) throws(StoreError) {
        for record in 0..<batch.records { try append(idKey: batch.idKey(record)) }
        let count = columns.count
        for index in 0..<count { try columns[index].append(batch, index, of: count, terms: &terms) }
    }

    /// Appends the natural key of a record's id.
    mutating func append(idKey: RawSpan) throws(StoreError) {
        try idKeys.append(idKey)
        try idKeyCounts.append(UInt32(truncatingIfNeeded: idKey.byteCount))
    }

    /// Ends the gathering and returns all values. Nothing may be appended afterwards.
    mutating func seal() throws(StoreError) -> GatheredValues {
        var collected: [CollectedColumn] = []
        for index in columns.indices { collected.append(try columns[index].seal()) }
        return GatheredValues(
            idKeys: try idKeys.seal(), idKeyCounts: try idKeyCounts.seal(), columns: collected,
            terms: try terms.seal())
    }
}

/// The gathered ids, values and terms of all records.
struct GatheredValues: Sendable {
    /// The natural keys of the ids in the order of arrival, end to end.
    let idKeys: SpilledElements<UInt8>
    /// The lengths of the keys in the order of arrival, in bytes.
    let idKeyCounts: SpilledElements<UInt32>
    let columns: [CollectedColumn]
    let terms: TermList
}
