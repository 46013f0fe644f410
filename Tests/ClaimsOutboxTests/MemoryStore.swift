// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsOutbox
import ClaimsPlatform
import ClaimsStore

/// A store of operations in memory, with the faults that a disk has.
final class MemoryStore: OutboxStore {
    struct Contents: Sendable {
        var operations: [OperationID: Operation] = [:]
        /// Each state that an operation was committed in, in order.
        var states: [OperationID: [OperationState]] = [:]
        var lastAttempt: Int64 = 0
        /// The numbers of attempts that were noted outside.
        var noted: [Int64] = []
        /// Whether commits to that state fail.
        var failing: Set<OperationState> = []
        var failures = 0
        var failsToNote = false
        var taken: Set<String> = []
        /// The operations whose records somebody else has changed.
        var contradicted: Set<OperationID> = []
    }

    let contents = Monitor(Contents())
    private let observers = Monitor<[@Sendable () -> Void]>([])

    init(_ operations: [Operation] = []) { put(operations) }

    /// Commits operations as somebody else would.
    func put(_ operations: [Operation]) {
        contents.update { contents in
            for operation in operations { contents.operations[operation.id] = operation }
        }
        tellObservers()
    }

    private func tellObservers() {
        for observer in observers.read({ $0 }) { observer() }
    }

    subscript(id: OperationID) -> Operation? { contents.read { $0.operations[id] } }

    /// Waits until an operation is as the test wants it.
    func wait(for id: OperationID, until isReady: (Operation) -> Bool) -> Operation? {
        contents.wait(upTo: .seconds(20)) { contents in
            contents.operations[id].flatMap { isReady($0) ? $0 : nil }
        }
    }

    var unsettledOperations: [Operation] {
        contents.read { $0.operations.values.filter { !$0.state.isSettled } }.sorted { $0.number < $1.number }
    }

    func observe(_ observer: @escaping @Sendable () -> Void) { observers.update { $0.append(observer) } }

    func changeOperations(
        _ decide: @escaping @Sendable (Lookup) -> [Operation]
    ) throws(StoreError) -> [Operation] {
        let changed = contents.update { contents -> [Operation]? in
            let operations = contents.operations
            var changed = decide { operations[$0] }
            guard !changed.contains(where: { contents.failing.contains($0.state) }) else {
                contents.failures += 1
                return nil
            }
            for operation in changed {
                contents.states[operation.id, default: []].append(operation.state)
                contents.lastAttempt = max(contents.lastAttempt, operation.delivery.lastNumber)
                contents.operations[operation.id] = operation
                guard let id = operation.delivery.givenID, id != operation.record else { continue }
                for other in contents.operations.values where other.record == operation.record {
                    contents.operations[other.id]?.record = id
                    changed.append(contents.operations[other.id] ?? other)
                }
            }
            return changed.map { contents.operations[$0.id] ?? $0 }
        }
        guard let changed else { throw StoreError(.storageFull, "change operations") }
        tellObservers()
        return changed
    }

    func lastAttempt() throws(StoreError) -> Int64 { contents.read { $0.lastAttempt } }

    func recordAttempt(_ number: Int64) throws(StoreError) {
        let fails = contents.update { contents in
            if !contents.failsToNote { contents.noted.append(number) }
            return contents.failsToNote
        }
        if fails { throw StoreError(.storageFull, "note an attempt") }
    }

    func isContradicted(_ operation: OperationID) -> Bool {
        contents.read { $0.contradicted.contains(operation) }
    }

    func isTaken(_ id: String, by operation: Operation) -> Bool { contents.read { $0.taken.contains(id) } }
}
