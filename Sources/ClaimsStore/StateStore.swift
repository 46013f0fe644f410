// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
public import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot

/// The store of a daemon: state.db, which is the truth, and the catalog of the collections that are served.
///
///     let store = try StateStore(directory: "/var/lib/claimsd")
///     let opener = CollectionOpener(store: store, directory: "/var/cache/claimsd", bundleDirectory: data) { _, _ in }
///     try opener.open(definitions)
///     let view = store.catalog.current()["books"]
///
/// A commit changes the catalog on the database's thread, before its completion is called.
public final class StateStore: Sendable {
    public let database: StateDatabase
    /// The collections as they are served.
    public let catalog: CatalogPublisher
    /// The number of the last attempt to write to an upstream, in the cache folder.
    public let attempts: AttemptMark
    /// The archive marks that are shared with other hosts.
    public let marks: SharedMarks
    /// The files that are being written beside commits.
    public var pendingFiles: PendingFiles { generations.pending }
    let generations: GenerationStore
    private let operations: OperationStore
    private let renewer: OverlayRenewer

    /// Opens the store in `directory`, an existing folder, or creates a new store there.
    ///
    /// A file that is damaged or foreign is moved aside, and its readable rows are saved; see `StateDatabase.recovery`.
    /// A file that was restored from a copy begins a new epoch; see `StateDatabase.restoration`.
    ///
    /// - Parameter cache: an existing folder that keeps the published clock, by which a restored copy is recognised;
    ///   nil: no copy is recognised.
    /// - Throws: `.inUse` with the process id if another process holds the store; `.otherVersion` for a file of a newer
    /// claimsd, which is left as it is.
    public init(directory: String, cache: String? = nil) throws(StoreError) {
        database = try StateDatabase(directory: directory, cache: cache)
        attempts = AttemptMark(directory: cache)
        catalog = CatalogPublisher(Catalog(revision: database.openedAt))
        marks = SharedMarks(database, catalog)
        // The joined values that overlays were last made with; both stores use the cache.
        let joins = JoinCache()
        generations = GenerationStore(database, catalog, joins)
        operations = OperationStore(database, catalog, joins)
        renewer = OverlayRenewer(catalog)
    }

    /// Finishes the waiting work, closes the file and releases the lock. Later calls fail with `.closed`.
    public func close() {
        database.close()
        // The renewer closes last: a commit may wait for it.
        renewer.close()
    }

    /// Decides how answers of upstreams change operations; nil: answers change none.
    public var settler: (any OperationSettler)? {
        get { generations.settler }
        set { generations.settler = newValue }
    }

    /// The epoch of state.db: a random number drawn when the file was created.
    public var epoch: UInt64 { catalog.current().revision.epoch }

    // MARK: - Refreshes

    /// Makes the records that an intake has read the current generation, and serves them. Waits until the commit is on
    /// disk.
    ///
    /// The commit is one short transaction. After an error nothing has changed, and the intake's rows and file are
    /// deleted; the caller may begin a new refresh.
    ///
    /// - Throws: `.mismatch` if the collection's data or definition has changed since the refresh began.
    ///
    /// - Parameters:
    ///   - sources: the states of the sources whose answers were read.
    ///   - answer: the answer of an upstream, which settles operations; nil for a bundle.
    public func commit(
        _ intake: consuming RecordIntake, _ sources: [SourceRow], bundleKey: UInt64 = 0,
        by answer: UpstreamAnswer? = nil, logging refreshes: [RefreshNote] = []
    ) throws(StoreError) {
        try generations.commit(intake, sources, bundleKey: bundleKey, by: answer, logging: refreshes)
    }

    /// Keeps the current generation, because an intake has read the same records. Waits until the commit is on disk.
    ///
    /// The intake's quarantine and joined values replace the earlier ones.
    public func confirm(
        _ intake: consuming RecordIntake, _ sources: [SourceRow], by answer: UpstreamAnswer? = nil,
        logging refreshes: [RefreshNote] = []
    ) throws(StoreError) {
        try generations.confirm(intake, sources, by: answer, logging: refreshes)
    }

    /// Commits and publishes the source state after a refresh that brought no body. Waits until the commit is on disk.
    ///
    /// - Parameter answer: the answer "nothing has changed"; nil: there was no answer.
    public func record(
        _ source: SourceRow, of name: String, isConfirmed: Bool = false, by answer: UpstreamAnswer? = nil,
        logging refresh: RefreshNote? = nil
    ) throws(StoreError) {
        try generations.record(source, of: name, isConfirmed: isConfirmed, by: answer, logging: refresh)
    }

    /// Publishes the state of a source without committing it, for use while the disk is full.
    public func show(_ source: SourceRow, of name: String) {
        catalog.show(source, of: name)
    }

    /// Moves the due time of a source to `due`, in milliseconds since 1970, because another interval is in force.
    ///
    /// Does nothing if a refresh has replaced `known` meanwhile. A due time that cannot be committed is published all
    /// the same, because the next start computes it again.
    public func reschedule(_ name: String, from known: SourceRow, due: Int64) {
        var source = known
        source.due = due
        let (catalog, rescheduled) = (catalog, source)
        do throws(StoreError) {
            try database.perform { connection throws(StoreError) in
                guard let view = catalog.current()[name], view.condition.source(of: known.site) == known else { return }
                try connection.transaction(.synced, "reschedule a refresh") { connection throws(StoreError) in
                    try rescheduled.write(connection, collection: view.condition.row.number)
                }
                catalog.show(rescheduled, of: name)
            }
        } catch {
            catalog.show(rescheduled, of: name, replacing: known)
        }
    }

    /// Forgets the states and the quarantine of a collection's sites. Waits until that is on disk.
    ///
    /// - Parameter kept: the sites that stay.
    public func forgetSites(of name: String, except kept: Set<String> = []) throws(StoreError) {
        let catalog = catalog
        try database.perform { connection throws(StoreError) in
            guard let view = catalog.current()[name] else { return }
            let gone = view.condition.sites.keys.filter { !kept.contains($0) }
            guard !gone.isEmpty else { return }
            let quarantined = try connection.transaction(.synced, "forget sites") {
                connection throws(StoreError) -> Int? in
                guard var row = try connection.row(view.condition.row.number) else { return nil }
                try connection.deleteSites(gone, of: row)
                row.quarantined = try connection.countQuarantined(of: row)
                try row.write(connection)
                return row.quarantined
            }
            catalog.record(in: name) { $0.sitesForgotten(gone, quarantined: quarantined) }
        }
    }

    /// Records the definition by which the values are served, if none is recorded yet.
    func nameValues(of view: CollectionView) throws(StoreError) {
        let (catalog, name, number) = (catalog, view.definition.name, view.condition.row.number)
        let hash = view.definition.valuesHash
        try database.perform { connection throws(StoreError) in
            let isNamed = try connection.transaction(.buffered, "note a definition") { connection throws(StoreError) in
                guard var row = try connection.row(number), row.valuesHash == 0 else { return false }
                row.valuesHash = hash
                try row.write(connection)
                return true
            }
            guard isNamed else { return }
            catalog.record(in: name) { $0.valuesNamed(hash) }
        }
    }

    // MARK: - Operations

    /// Checks a write against what is served at its commit, and commits it.
    ///
    /// The change waits for at most one chunk of a refresh. `completion` is called on the store's thread once the change is
    /// on disk and in the catalog, or once it is refused.
    public func submit(
        _ submission: Submission, completion: @escaping @Sendable (Result<SubmitOutcome, SubmitRefusal>) -> Void
    ) {
        operations.submit(submission, completion: completion)
    }

    /// As ``submit(_:completion:)``, with the files of the submission's uploads.
    ///
    /// The uploads are the submission's until it is decided. They end with the commit; otherwise they can be submitted
    /// again.
    public func submit(
        _ submission: Submission, with attachments: AttachmentStore,
        completion: @escaping @Sendable (Result<SubmitOutcome, SubmitRefusal>) -> Void
    ) {
        operations.submit(submission, with: attachments, completion: completion)
    }

    /// Changes operations, all of them or, after an error, none: one transaction with new ids, archive marks and the
    /// log.
    ///
    /// - Parameters:
    ///   - uid: the user that the log names; nil: the author of each operation.
    ///   - now: milliseconds since 1970.
    ///   - change: gets the unsettled operations of all collections that are served, as they are at the commit, in the
    ///     order of their commits; returns those that change, each in its new state. Pure and quick. An operation whose
    ///     ``OperationDelivery/givenID`` is not its record's id renames the record. An operation that is in the queue
    ///     again is compared with the snapshot, which may have changed since.
    ///   - completion: called on the store's thread once the change is on disk and in the catalog.
    public func updateOperations(
        by uid: UInt32? = nil, at now: Int64, _ change: @escaping @Sendable ([Operation]) -> [Operation],
        completion: @escaping @Sendable (Result<OperationsUpdate, StoreError>) -> Void
    ) {
        operations.update(by: uid, at: now, comparedBy: settler, change, completion: completion)
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

// MARK: - Removed collections

extension StateStore {
    /// Begins to erase a removed collection, and waits until that is on disk. After that the collection cannot come
    /// back, and its name is free. The rows themselves are deleted by ``finishErasing(while:)``.
    ///
    /// - Parameter latest: the removal must not be later than this, in milliseconds since 1970.
    /// - Throws: `.noCollection` if there is no such removed collection; `.mismatch` if it has a definition.
    public func beginErasing(_ name: String, removedBy latest: Int64 = .max) throws(StoreError) -> ErasedCollection {
        let catalog = catalog
        return try database.perform { connection throws(StoreError) in
            guard let row = try CollectionRow.readAll(connection.database).first(where: { $0.name == name }),
                !row.isErased
            else { throw StoreError(.noCollection, "erase a collection", detail: name) }
            guard catalog.current()[name] == nil, let removedAt = row.removedAt, removedAt <= latest else {
                throw StoreError(.mismatch, "erase a collection", detail: "\(name) has a definition")
            }
            try connection.transaction(.synced, "erase a collection") { connection throws(StoreError) in
                try connection.detach(row.number)
            }
            catalog.erase(name)
            let stems = row.identities(epoch: connection.epoch).map(\.stem)
            return ErasedCollection(name: name, records: row.keptRecords, stems: stems)
        }
    }

    /// Deletes the rows of collections that are being erased, in pieces that are short enough not to delay other work,
    /// and copies the write-ahead log into the file, so that the log has nothing of them. After a crash the next call
    /// goes on.
    ///
    /// - Throws: `.closed` once `isWanted` returns false.
    public func finishErasing(while isWanted: @escaping @Sendable () -> Bool) throws(StoreError) {
        let numbers = try database.perform { connection throws(StoreError) in
            try CollectionRow.readAll(connection.database).filter(\.isErased).map(\.number)
        }
        guard !numbers.isEmpty else { return }
        for number in numbers {
            try database.repeatedly { connection throws(StoreError) in
                guard isWanted() else { throw StoreError(.closed, "erase a collection") }
                return try connection.erase(number)
            }
            try database.perform { connection throws(StoreError) in
                try connection.transaction(.synced, "erase a collection") { connection throws(StoreError) in
                    try connection.drop(number)
                }
            }
        }
        do throws(StoreError) { try database.scrub(timeout: .zero, while: isWanted) } catch {
            // If another program reads the log, the log stays until that program has ended its read.
            guard error.code == .busy else { throw error }
        }
    }
}

// MARK: - Archive marks and quarantine

extension StateStore {
    /// Archives records or brings them back, all of them or, after an error, none.
    ///
    /// The change waits for at most one chunk of a refresh. `completion` is called on the store's thread once the change is
    /// on disk and in the catalog. It gets `.noCollection` for a collection that is not served any more.
    public func archive(
        _ change: ArchiveChange,
        completion: @escaping @Sendable (Result<ArchiveChange.Outcome, StoreError>) -> Void
    ) {
        let (catalog, shared) = (catalog, marks)
        database.local(
            StateQueue.LocalJob(
                weight: change.ids.count,
                apply: { connection throws(StoreError) in
                    guard let view = catalog.current()[change.collection] else {
                        throw StoreError(.noCollection, "archive records", detail: change.collection)
                    }
                    // The answer is needed here: marks that are committed before sharing begins are found when it
                    // begins.
                    let isShared = shared.shares(change.collection)
                    let (outcome, marks) = try Self.apply(
                        change, to: view, isShared: isShared, &connection)
                    return {
                        if !outcome.changed.isEmpty {
                            catalog.publish(
                                marks, of: change.collection, changes: marks.count, at: change.at, outcome.revision)
                        }
                        if isShared, !outcome.changed.isEmpty { shared.reportOwn() }
                        completion(.success(outcome))
                    }
                }, fail: { completion(.failure($0)) }))
    }

    private static func apply(
        _ change: ArchiveChange, to view: CollectionView, isShared: Bool, _ connection: inout StateConnection
    ) throws(StoreError) -> (ArchiveChange.Outcome, [ArchiveMarkChange]) {
        var outcome = ArchiveChange.Outcome(revision: connection.revision)
        let row = view.condition.row
        var turned: Set<[UInt8]> = []
        let sight = change.sight(view.definition)
        let seesAll = if case .all = sight { true } else { false }
        for id in change.ids {
            guard seesAll || view.served(id).map(sight.sees) == true else {
                outcome.missing.append(id)
                continue
            }
            let isMarked = try connection.isMarked(id, in: row.number) != turned.contains(id)
            let exists = view.served(id) != nil
            if isMarked != change.isArchiving && (exists || isMarked) {
                turned.insert(id)
                outcome.changed.append(id)
            } else if exists || isMarked {
                outcome.unchanged.append(id)
            } else {
                outcome.missing.append(id)
            }
        }
        let marks = try connection.mark(outcome.changed, in: row, change, isShared: isShared)
        outcome.revision.seq = connection.seq
        return (outcome, marks)
    }

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
                // More entries may have been counted than were kept.
                if entry == nil { try connection.forgetUnkept(of: row) }
                row.quarantined = try connection.countQuarantined(of: row)
                if !dropped.isEmpty { try row.write(connection) }
                return (row, dropped)
            }
            guard !dropped.isEmpty else { return [] }
            catalog.record(in: name) { $0.quarantineCounted(row.quarantined) }
            return dropped
        }
    }
}

// MARK: - What is kept

extension StateStore {
    /// Deletes superseded records that no file has, in pieces that are short enough not to delay other work.
    func collectGarbage(of collection: Int64) throws(StoreError) {
        let pending = generations.pending
        try database.collectGarbage(of: collection) { pending.marks(of: collection) }
    }

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
            catalog.record(in: name) { $0.logTrimmed(to: row.floor, leaving: log) }
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

    /// Records which renamed records are gone, and forgets the old ids of records that have been gone for long.
    func forgetAliases(of name: String, at now: Int64) throws(StoreError) {
        guard let view = catalog.current()[name], !view.condition.aliases.isEmpty else { return }
        let changes = try AliasChange.all(of: view, at: now, in: database.reader())
        guard !changes.isEmpty else { return }
        let (catalog, number) = (catalog, view.condition.row.number)
        try database.perform { connection throws(StoreError) in
            try connection.transaction(.buffered, "forget old ids") { connection throws(StoreError) in
                for change in changes { try connection.apply(change, in: number) }
            }
            catalog.record(in: name) { $0.aliasesForgotten(changes.filter(\.isForgotten).map(\.id)) }
        }
    }
}
