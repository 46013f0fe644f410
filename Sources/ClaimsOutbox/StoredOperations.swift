// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot
import ClaimsStore
import Synchronization

/// The operations and the catalog of a store, as the outbox sees them. Safe on any thread.
final class StoredOperations: OutboxStore, RequestCatalog {
    private let store: StateStore
    private let transferLimits: Mutex<TransferLimits>
    private let files: String
    private let maxWait: Duration

    /// The longest wait for a change to begin: shorter than the watchdog's limit for a thread.
    private static let maxBeginning = Duration.seconds(20)

    /// - Parameters:
    ///   - files: the folder of kept files.
    ///   - maxWait: the longest wait for a change to begin.
    init(_ store: StateStore, limits: TransferLimits, files: String, maxWait: Duration = StoredOperations.maxBeginning)
    {
        self.store = store
        transferLimits = Mutex(limits)
        self.files = files
        self.maxWait = maxWait
    }

    /// The state of a change that a thread waits for.
    enum Change: Sendable {
        case queued
        /// The store is deciding or committing.
        case begun
        case ended(Result<OperationsUpdate, StoreError>)
        /// The caller does not wait any more, and nothing is to change.
        case givenUp

        var result: Result<OperationsUpdate, StoreError>? {
            if case .ended(let result) = self { result } else { nil }
        }

        /// Begins, unless it was given up.
        mutating func begin() -> Bool {
            if case .givenUp = self { return false }
            self = .begun
            return true
        }

        /// Gives it up, unless it has begun.
        mutating func giveUp() -> Bool {
            guard case .queued = self else { return false }
            self = .givenUp
            return true
        }
    }

    // MARK: - Operations

    var unsettledOperations: [Operation] { store.catalog.current().unsettledOperations }

    func observe(_ observer: @escaping @Sendable () -> Void) {
        store.catalog.observe { _ in observer() }
    }

    func changeOperations(
        _ decide: @escaping @Sendable (Lookup) -> [Operation]
    ) throws(StoreError) -> [Operation] {
        let change = Monitor(Change.queued)
        store.updateOperations(
            at: SystemClock.wall,
            { operations in
                guard change.update(waking: .none, { $0.begin() }) else { return [] }
                let known = Dictionary(operations.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
                return decide { known[$0] }
            }, completion: { result in change.update { $0 = .ended(result) } })
        if let result = change.wait(upTo: maxWait, { $0.result }) { return try result.get().changed }
        if change.update({ $0.giveUp() }) {
            throw StoreError(
                .late, "change operations", detail: "the store has not begun within \(maxWait.wholeMilliseconds) ms")
        }
        // The transaction has begun and cannot be withdrawn. It always ends, perhaps with an error, so this wait ends
        // too.
        guard let result = change.wait({ $0.result }) else { throw StoreError(.closed, "change operations") }
        return try result.get().changed
    }

    func lastAttempt() throws(StoreError) -> Int64 { try store.lastAttempt() }

    func recordAttempt(_ number: Int64) throws(StoreError) { try store.attempts.sync(number) }

    func isTaken(_ id: String, by operation: Operation) -> Bool {
        guard let view = store.catalog.current()[operation.collection] else { return false }
        // Other operations on a record with that id are no contradiction: a refresh may have shown the record
        // meanwhile.
        let isOther = view.condition.operations.map(\.operation).contains {
            $0.action == .create && ($0.record == id || $0.delivery.givenID == id) && $0.record != operation.record
        }
        if isOther { return true }
        guard let record = view.committed?.record(forID: Array(id.utf8).rawSpan) else { return false }
        // A refresh may have brought the very record that the answer is about.
        return record.firstSeen < operation.delivery.firstAttemptAt ?? .max
    }

    func isContradicted(_ id: OperationID) -> Bool {
        let holder = store.catalog.current().views.first { view in
            view.condition.operations.contains { $0.operation.id == id }
        }
        guard let view = holder else { return false }
        let operations = view.condition.operations.map(\.operation).map { $0.id == id ? $0.with(.queued) : $0 }
        // If the record is not there, a refresh has to show more.
        guard let operation = operations.first(where: { $0.id == id }),
            let record = view.committed?.record(forID: Array(operation.record.utf8).rawSpan)
        else { return false }
        let fields = (try? JSONValue.parse(record.snapshot.document(record.row), depth: JSONValue.maximumDepth))?.object
        let evidence = RefreshEvidence(
            view.definition, began: 0, now: 0, isComplete: false,
            records: [id: RecordEvidence(fields: fields ?? JSONObject())])
        return !Settlement().contradicted([id], among: operations, by: evidence).isEmpty
    }

    // MARK: - For requests

    var limits: TransferLimits {
        get { transferLimits.withLock { $0 } }
        set { transferLimits.withLock { $0 = newValue } }
    }

    func definition(of collection: String) -> Definition? { store.catalog.current()[collection]?.definition }

    func object(before operation: Operation) -> [UInt8]? {
        store.catalog.current()[operation.collection]?.object(before: operation)
    }

    func objection(to operation: Operation) -> Message? {
        OperationCorrection(store.catalog.current()).objection(to: operation)
    }

    func path(of sha256: String) -> String { Paths.join(files, sha256) }

    func state(of reference: WriteReference) -> ReferenceState {
        guard let view = store.catalog.current()[reference.collection] else { return .known }
        let id = Array(reference.id.utf8)
        if let current = view.condition.aliases[id] { return .renamed(String(decoding: current, as: UTF8.self)) }
        let create = view.condition.operations.map(\.operation).first {
            $0.action == .create && $0.record == reference.id
        }
        if let create {
            let isKnown = create.state == .accepted && create.delivery.givenID != nil
            return isKnown ? .known : .pending(create.id)
        }
        guard let operation = OperationID(reference.id), let known = try? store.operation(operation),
            known.operation.state == .dropped
        else { return .known }
        return .dropped
    }
}
