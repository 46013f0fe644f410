// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import Synchronization

/// Gathers records' values on a thread of its own, while the next records are being decoded.
///
/// The thread is started by the first full batch: few records do not need one. Without it, as with it let go early,
/// nothing is left behind.
struct GatheringThread: ~Copyable {
    /// So many batches may wait for the thread.
    private static let batchesMax = 4

    private let columns: [ColumnKind]
    private let shared: Shared
    private var batch = ValueBatch()
    private var thread: NamedThread?

    init(_ columns: [ColumnKind], directory: String, seed: UInt64) {
        self.columns = columns
        shared = Shared(ValueGatherer(columns, directory: directory, seed: seed))
    }

    deinit { shared.close() }

    mutating func append(_ record: borrowing DecodedRecord) throws(StoreError) {
        batch.append(record, columns)
        if batch.isFull { try send() }
    }

    /// Ends the gathering, after the values of records of an earlier snapshot.
    mutating func seal(_ carried: CarriedRecords?) throws(StoreError) -> GatheredValues {
        shared.end()
        // Waits for the thread.
        thread = nil
        if let error = shared.error { throw error }
        let last = batch
        batch = ValueBatch()
        return try shared.gatherer.withLock { gatherer throws(StoreError) in
            try gatherer.append(last)
            if let carried { try gatherer.append(carried) }
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
        try shared.exchange(&batch)
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

        /// Forgets what waits, too.
        func close() {
            queue.update {
                $0.isEnded = true
                $0.waiting = []
            }
        }

        /// Leaves a full batch for an empty one, when few enough are waiting.
        ///
        /// Nobody else may hold a batch that is passed on, or filling it again would copy it.
        func exchange(_ batch: inout ValueBatch) throws(StoreError) {
            let error = queue.wait { queue -> StoreError?? in
                if let error = queue.error { return .some(error) }
                guard queue.waiting.count < GatheringThread.batchesMax else { return nil }
                queue.waiting.append(batch)
                batch = queue.spare.popLast() ?? ValueBatch()
                return .some(nil)
            }
            if let error = error ?? nil { throw error }
        }

        func work() {
            var batch = ValueBatch()
            while take(&batch) {
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
        private func take(_ batch: inout ValueBatch) -> Bool {
            queue.wait { queue -> Bool? in
                if queue.waiting.isEmpty { return queue.isEnded ? false : nil }
                batch = queue.waiting.removeFirst()
                return true
            } ?? false
        }
    }
}
