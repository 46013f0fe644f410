// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsPlatform
import ClaimsSnapshot
import Synchronization

/// The store of a daemon: state.db, which is the truth, and the catalog of what is served of it.
///
///     let store = try StateStore(directory: "/var/lib/claimsd")
///     let opener = CollectionOpener(store: store, directory: "/var/cache/claimsd", bundleDirectory: data) { _, _ in }
///     try opener.open(definitions)
///     let view = store.catalog.current()["books"]
///
/// A commit changes the catalog on the database's thread, before anybody hears of the commit.
public final class StateStore: Sendable {
    public let database: StateDatabase
    /// The collections as they are served.
    public let catalog: CatalogPublisher
    /// The number of the last attempt to write to an upstream, in the cache folder.
    public let attempts: AttemptMark
    /// The joined values that overlays were last made with.
    let joins = JoinCache()
    /// The replaced snapshots that somebody may still read.
    let retired = RetiredSnapshots()
    private let settlerBox = Mutex<(any OperationSettler)?>(nil)

    /// Opens the store in `directory`, an existing folder, or creates a new store there.
    ///
    /// A file that is damaged or foreign is moved aside, and its readable rows are saved; see `StateDatabase.recovery`.
    /// A copy that was put back begins a new epoch; see `StateDatabase.restoration`.
    ///
    /// - Parameter cache: an existing folder that keeps the published clock, by which a copy is recognised; nil: none is.
    /// - Throws: `.inUse` with the process id where another process holds the store; `.otherVersion` for a file of a newer
    /// claimsd, which is left as it is.
    public init(directory: String, cache: String? = nil) throws(StoreError) {
        database = try StateDatabase(directory: directory, cache: cache)
        attempts = AttemptMark(directory: cache)
        catalog = CatalogPublisher(Catalog(revision: database.openedAt))
    }

    /// Finishes the waiting work, closes the file and releases the lock. Later calls fail with `.closed`.
    public func close() { database.close() }

    /// Decides what answers of upstreams make of operations; nil: nothing changes them.
    public var settler: (any OperationSettler)? {
        get { settlerBox.withLock { $0 } }
        set { settlerBox.withLock { $0 = newValue } }
    }

    /// The epoch of state.db: a random number drawn when the file was created.
    public var epoch: UInt64 { catalog.current().revision.epoch }
}

extension StateStore {
    /// Archives records or brings them back, all of them or, after an error, none.
    ///
    /// The change waits for at most one chunk of a refresh. `completion` is called on the store's thread once the change is
    /// on disk and in the catalog. It gets `.noCollection` for a collection that is not served any more.
    public func archive(
        _ change: ArchiveChange,
        completion: @escaping @Sendable (Result<ArchiveChange.Outcome, StoreError>) -> Void
    ) {
        let catalog = catalog
        database.local(
            StateQueue.LocalJob(
                weight: change.ids.count,
                apply: { connection throws(StoreError) in
                    guard let view = catalog.current()[change.collection] else {
                        throw StoreError(.noCollection, "archive records", detail: change.collection)
                    }
                    let (outcome, marks) = try Self.apply(change, to: view, &connection)
                    return {
                        if !outcome.changed.isEmpty {
                            catalog.update {
                                $0.replacing(change.collection, revision: outcome.revision) { view in
                                    let view = view.with(marks, seq: outcome.revision.seq)
                                    var condition = view.condition
                                    condition.log.add(changes: marks.count, bytes: 0, at: change.at)
                                    return view.with(condition)
                                }
                            }
                        }
                        completion(.success(outcome))
                    }
                }, fail: { completion(.failure($0)) }))
    }

    private static func apply(
        _ change: ArchiveChange, to view: CollectionView, _ connection: inout StateConnection
    ) throws(StoreError) -> (ArchiveChange.Outcome, [ArchiveMarkChange]) {
        var outcome = ArchiveChange.Outcome(revision: Revision(epoch: connection.epoch, seq: connection.seq))
        var marks: [ArchiveMarkChange] = []
        let row = view.condition.row
        var turned: Set<[UInt8]> = []
        for id in change.ids {
            let isMarked = try connection.isMarked(id, in: row.number) != turned.contains(id)
            let exists = view.served(id) != nil
            if isMarked != change.isArchiving && (exists || isMarked) {
                turned.insert(id)
                outcome.changed.append(id)
                marks.append(
                    ArchiveMarkChange(
                        id: id, mark: change.isArchiving ? ArchiveMark(at: change.at, uid: change.uid) : nil))
            } else if exists || isMarked {
                outcome.unchanged.append(id)
            } else {
                outcome.missing.append(id)
            }
        }
        try connection.mark(outcome.changed, in: row, change)
        outcome.revision.seq = connection.seq
        return (outcome, marks)
    }
}

extension StateStore {
    /// Drops entries of a collection's quarantine. The next changed answer that has their bytes brings them back.
    ///
    /// Waits until that is on disk; never on a serving loop.
    ///
    /// - Parameter entry: the number of an entry; nil for all.
    /// - Returns: the numbers of the entries that were there, ascending.
    public func dropQuarantined(_ entry: Int64?, of name: String) throws(StoreError) -> [Int64] {
        let catalog = catalog
        return try database.perform { connection throws(StoreError) in
            guard let view = catalog.current()[name] else {
                throw StoreError(.noCollection, "drop quarantined elements", detail: name)
            }
            let (row, dropped) = try connection.transaction(.synced, "drop quarantined elements") {
                connection throws(StoreError) in
                guard var row = try connection.row(view.condition.row.number) else {
                    throw StoreError(.noCollection, "drop quarantined elements", detail: name)
                }
                let all = try connection.quarantinedEntries(of: row)
                let dropped = all.filter { entry == nil || $0 == entry }
                try connection.deleteQuarantined(dropped, of: row, through: row.quarantineBatch)
                // More may have been counted than were kept.
                if entry == nil { try connection.forgetUnkept(of: row) }
                row.quarantined = try connection.countQuarantined(of: row)
                if !dropped.isEmpty { try row.write(connection) }
                return (row, dropped)
            }
            guard !dropped.isEmpty else { return [] }
            catalog.update {
                $0.replacing(name) { view in
                    var condition = view.condition
                    condition.row.quarantined = row.quarantined
                    return view.with(condition)
                }
            }
            return dropped
        }
    }
}

extension StateStore {
    /// Deletes what the log of a collection has beyond the limits, in pieces that are short enough not to delay other
    /// work, and publishes the new floor. After a crash the next call goes on.
    public func trimLog(of name: String, _ limits: RetentionLimits) throws(StoreError) {
        guard let number = catalog.current()[name]?.condition.row.number else { return }
        try database.repeatedly { connection throws(StoreError) in try connection.trimLog(of: number, limits) }
        let catalog = catalog
        try database.perform { connection throws(StoreError) in
            guard let row = try connection.row(number), let view = catalog.current()[name],
                view.condition.row.number == number, view.condition.row.floor < row.floor
            else { return }
            let log = try connection.logExtent(of: row)
            catalog.update {
                $0.replacing(name) { view in
                    var condition = view.condition
                    condition.row.floor = row.floor
                    condition.log = log
                    return view.with(condition)
                }
            }
        }
    }

    /// Forgets the operations of a collection that were settled before `oldest` (milliseconds since 1970), and all but the
    /// last `maxSettled`, in pieces that are short enough not to delay other work.
    public func forgetOperations(of name: String, settledBefore oldest: Int64, maxSettled: Int) throws(StoreError) {
        guard let number = catalog.current()[name]?.condition.row.number else { return }
        try database.repeatedly { connection throws(StoreError) in
            try connection.forgetOperations(of: number, settledBefore: oldest, maxSettled: maxSettled)
        }
    }
}
