// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsModel
import ClaimsSnapshot

/// The operations that a change has changed, and the revision after its commit.
public struct OperationsUpdate: Sendable {
    public var changed: [Operation]
    public var revision: Revision
}

extension StateStore {
    /// Changes operations, all of them or, after an error, none: one transaction with new ids, archive marks and the log.
    ///
    /// - Parameters:
    ///   - uid: the user that the log names; nil: the author of each operation.
    ///   - now: milliseconds since 1970.
    ///   - change: gets the unsettled operations of all collections that are served, as they are at the commit, in the
    ///     order of their commits; returns those that change, each as it is from then on. Pure and quick. One whose
    ///     ``OperationDelivery/givenID`` is not its record's id renames the record. One that is in the queue again is
    ///     compared with the snapshot, which may have changed since.
    ///   - completion: called on the store's thread once the change is on disk and in the catalog.
    public func updateOperations(
        by uid: UInt32? = nil, at now: Int64, _ change: @escaping @Sendable ([Operation]) -> [Operation],
        completion: @escaping @Sendable (Result<OperationsUpdate, StoreError>) -> Void
    ) {
        let (catalog, joins, settler) = (catalog, joins, settler)
        database.local(
            StateQueue.LocalJob(
                isAlone: true,
                apply: { connection throws(StoreError) in
                    let views = catalog.current().views.filter { !$0.condition.operations.isEmpty }
                    let all = views.flatMap { $0.condition.operations.map(\.operation) }
                    var changed = change(all.sorted { $0.number < $1.number })
                    let attempt = changed.map(\.delivery.lastNumber).max() ?? 0
                    if attempt > (try connection.statements.meta(AttemptMark.key)) {
                        try connection.statements.setMeta(AttemptMark.key, attempt)
                    }
                    var next: [CollectionView] = []
                    for view in views {
                        var own = changed.filter { $0.collection == view.definition.name }
                        guard let first = own.first else { continue }
                        own = try Settling.compare(own, with: view, by: settler, at: now, connection)
                        changed = changed.map { operation in own.first { $0.id == operation.id } ?? operation }
                        var commit = OperationCommit(view, by: uid ?? first.submittedBy, at: now)
                        try commit.take(own, connection)
                        next.append(try commit.finish(joined: joins.table(of: view, connection), &connection))
                    }
                    let update = OperationsUpdate(
                        changed: changed, revision: Revision(epoch: connection.epoch, seq: connection.seq))
                    return { [next] in
                        if !next.isEmpty {
                            catalog.update { catalog in
                                next.reduce(catalog) { catalog, view in
                                    catalog.replacing(view.definition.name, revision: update.revision) { current in
                                        view.written(over: current)
                                    }
                                }
                            }
                        }
                        completion(.success(update))
                    }
                }, fail: { completion(.failure($0)) }))
    }

    /// The number of the last attempt that state.db knows, over all operations.
    public func lastAttempt() throws(StoreError) -> Int64 {
        try database.perform { connection throws(StoreError) in try connection.statements.meta(AttemptMark.key) }
    }

    /// An operation of any state; nil for an unknown one. Reads the file on the calling thread; never on a serving loop.
    public func operation(_ id: OperationID) throws(StoreError) -> StoredOperation? {
        for view in catalog.current().views {
            if let found = view.condition.operations.first(where: { $0.operation.id == id }) { return found }
        }
        return try database.perform { connection throws(StoreError) in try connection.operation(id) }
    }
}

extension Catalog {
    /// The unsettled operations of all collections, in the order of their commits.
    public var unsettledOperations: [Operation] {
        views.flatMap { $0.condition.operations.map(\.operation) }.sorted { $0.number < $1.number }
    }

    /// The operation that a queued one waits for: the first of its record that lets none pass, or the new record that it
    /// refers to; nil where its turn has come.
    public func obstacle(to operation: Operation) -> OperationID? {
        guard operation.state == .queued else { return nil }
        let lane = self[operation.collection]?.condition.operations.lazy.map(\.operation).first {
            $0.record == operation.record && $0.number < operation.number && !$0.letsNextPass
        }
        if let lane { return lane.id }
        guard let create = operation.delivery.waitsFor else { return nil }
        let isInTheWay = views.contains { view in
            view.condition.operations.contains { $0.operation.id == create && !$0.operation.letsNextPass }
        }
        return isInTheWay ? create : nil
    }

    /// The operation that waits for a person, and a queued one for it, be it through others that wait, too; nil where
    /// nobody is waited for.
    public func stuckObstacle(to operation: Operation) -> Operation? {
        var current = operation
        // An operation waits for older ones, or for a create that does; more steps than operations are none.
        var seen: Set<OperationID> = [operation.id]
        while let id = obstacle(to: current), seen.insert(id).inserted {
            let found = views.lazy.flatMap { $0.condition.operations }.first { $0.operation.id == id }
            guard let next = found?.operation else { return nil }
            if next.state.isStuck { return next }
            current = next
        }
        return nil
    }
}
