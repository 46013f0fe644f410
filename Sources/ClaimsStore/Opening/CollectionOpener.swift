// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
public import ClaimsPlatform
import ClaimsSnapshot
import Synchronization

/// Opens collections for serving: maps the snapshots that state.db names, and rebuilds each one that is missing,
/// damaged, or of another version or definition.
///
/// If all snapshots are in place, it reads no record, and its time does not depend on their size.
public final class CollectionOpener: Sendable {
    private struct Settings {
        /// The settings of the kept history, for commits of the opener.
        var history = HistorySettings()
        /// The time for which settled operations are known.
        var outbox = OutboxSettings()
        /// The number of unsettled operations that a collection may have.
        var maxPending = ServingLimits().pending
    }

    public let store: StateStore
    let folder: SnapshotFolder
    /// The folder that paths of bundles are relative to.
    let bundleDirectory: String
    let clock: WallClock
    private let settings = Mutex(Settings())
    /// Called on the thread that does the work.
    let report: @Sendable (String, OpeningEvent) -> Void

    public init(
        store: StateStore, directory: String, bundleDirectory: String, clock: WallClock = .system,
        report: @escaping @Sendable (_ collection: String, _ event: OpeningEvent) -> Void
    ) {
        self.store = store
        folder = SnapshotFolder(path: directory)
        self.bundleDirectory = bundleDirectory
        self.clock = clock
        self.report = report
    }

    /// The path of the folder that holds the snapshots.
    public var directory: String { folder.path }

    /// Sets the bounds of the history that commits keep from now on.
    public func apply(_ history: HistorySettings) {
        settings.withLock { $0.history = history }
    }

    /// Sets how long settled operations are known, and how many unsettled ones a collection may have.
    public func apply(_ outbox: OutboxSettings, maxPending: Int) {
        settings.withLock { settings in
            settings.outbox = outbox
            settings.maxPending = maxPending
        }
    }

    /// The bounds of the history that a commit keeps.
    func history(of definition: Definition) -> HistorySettings {
        definition.history.applied(to: settings.withLock { $0.history })
    }

    /// The number of unsettled operations that a collection may have.
    var maxPending: Int { settings.withLock { $0.maxPending } }

    /// Deletes changes, superseded records and settled operations of a collection that are too old to be kept. After an
    /// error the next call does the rest.
    public func tidy(_ name: String) throws(StoreError) {
        guard let view = store.catalog.current()[name] else { return }
        let outbox = settings.withLock { $0.outbox }
        let now = clock.now()
        try store.collectGarbage(of: view.condition.row.number)
        try store.trimLog(of: name, retention(of: view.definition, now: now))
        try store.forgetAliases(of: name, at: now)
        try store.forgetOperations(
            of: name, settledBefore: now - outbox.keep.wholeMilliseconds, maxSettled: outbox.settled)
    }

    /// The part of a collection's log that is kept.
    ///
    /// - Parameter now: in milliseconds since 1970.
    public func retention(of definition: Definition, now: Int64) -> RetentionLimits {
        let limits = history(of: definition)
        return RetentionLimits(
            oldest: now - limits.keep.wholeMilliseconds, changes: limits.changes, bytes: limits.bytes)
    }

    /// Opens all collections at start, and puts them into the catalog.
    ///
    /// A collection that cannot be opened is served without data, and reported. Snapshot files that state.db does not
    /// name are deleted. A collection that has lost its definition is removed: its rows are kept, and it is reported.
    ///
    /// - Parameter spared: the collections that are not removed although `definitions` lacks them.
    /// - Throws: ``StoreError`` if state.db cannot be read or the folder cannot be written. The error names the file.
    @discardableResult
    public func open(
        _ definitions: [Definition], sparing spared: SparedCollections = .none
    ) throws(StoreError) -> LoadedState {
        try folder.prepare()
        let loaded = try store.database.load(names: definitions.map(\.name))
        let openings = definitions.compactMap { definition in
            loaded.collections[definition.name].map { opening(definition, $0) }
        }
        let before = loaded.collections.values.filter { $0.row.removedAt != nil }.map(\.row.name)
        let removed = try noteRemovals(Set(definitions.map(\.name)), spared)
        let views = openings.map { $0.view() }
        store.catalog.publish(Catalog(revision: loaded.revision, views: views, removed: removed))
        for collection in removed where !before.contains(collection.name) {
            report(collection.name, .removed(records: collection.records))
        }
        for name in loaded.returned.sorted() { report(name, .returned) }
        for definition in definitions { settle(definition.name) }
        removeOrphans(loaded)
        try finishForgetting()
        return loaded
    }

    /// Compares every checksum of a collection's snapshot, and rebuilds the snapshot if one is wrong. Reads the whole file.
    ///
    /// - Returns: whether the snapshot that is served now is sound.
    @discardableResult
    public func verify(_ name: String) -> Bool {
        guard let view = store.catalog.current()[name], let files = view.committed?.files else { return false }
        if view.condition.isVerified { return true }
        for layer in files.layers {
            do throws(SnapshotError) { try layer.snapshot.verify() } catch {
                // A snapshot that was replaced meanwhile may have lost its file, and is served no more.
                guard let view = store.catalog.current()[name] else { return false }
                guard view.committed?.files.snapshots.contains(where: { $0 === layer.snapshot }) == true else {
                    continue
                }
                if view.condition.row.isBundle { return bundle(view, isForced: true) }
                if layer.role != .base, replaceLost(of: view, from: layer.snapshot, because: StoreError(error)) {
                    return verify(name)
                }
                return rebuild(view.definition, because: StoreError(error))
            }
        }
        // The others are files that came meanwhile; this process wrote them.
        return store.catalog.recordVerification(of: name)
    }

    /// Tries again to build the snapshot of a collection that has data but no snapshot, or that has a new bundle.
    public func settle(_ name: String) {
        guard let view = store.catalog.current()[name] else { return }
        if view.definition.isLocal, !view.condition.row.isLocal || !view.condition.row.hasData { return adopt(view) }
        // Only readable records are released: otherwise an unreadable file would end records that state.db has.
        if view.isReleased, view.snapshot != nil || !view.condition.row.hasData { return release(view) }
        let row = view.condition.row
        if row.hasData && !row.isBundle {
            if view.snapshot != nil, RebuildKind(row, view.definition) == .sameValues,
                view.condition.removedSites(by: view.definition).isEmpty
            {
                if let error = view.condition.lostFile, !replaceLost(of: view, because: error) {
                    rebuild(view.definition, because: error)
                }
                return nameValues(of: view)
            }
            let problem =
                view.snapshot == nil
                ? view.condition.problem ?? StoreError(.missing, "open the snapshot of \(name)")
                : StoreError(.mismatch, "serve \(name)", detail: "new definition")
            rebuild(view.definition, because: problem)
            if row.isLocal, let view = store.catalog.current()[name], view.isReleased, view.snapshot != nil {
                release(view)
            }
        } else if view.definition.bundle != nil {
            bundle(view)
        } else if row.isBundle {
            try? store.generations.forgetBundle(row)
        }
    }

    /// Records the values hash in a state.db that an older version wrote; after an error the next call does it.
    private func nameValues(of view: CollectionView) {
        guard view.condition.row.valuesHash == 0 else { return }
        do throws(StoreError) { try store.nameValues(of: view) } catch { store.database.suspect(error) }
    }

    /// Publishes and reports the reason why a collection has no snapshot.
    func fail(_ name: String, _ error: StoreError) {
        store.catalog.record(in: name) { $0.failed(error) }
        store.database.suspect(error)
        report(name, .failed(error))
    }

    /// A collection whose snapshot is mapped, while its overlay is being made.
    private struct Opening {
        let definition: Definition
        let marks: [ArchiveMarkChange]
        var condition: CollectionCondition
        var committed: CommittedRecords?
        /// The records that were written here.
        var overlay: RecordOverlay?
        /// The overlay of the operations that wait for the upstream.
        var starting: StartingOverlay?

        /// The view of the collection, once its overlay is there.
        func view() -> CollectionView {
            let marks = ArchiveOverlay.build(over: committed?.files, marks: marks)
            var (condition, overlay) = (condition, overlay)
            if let starting {
                do throws(StoreError) { overlay = try starting.finish() } catch { condition.failed(error) }
            }
            return CollectionView(
                definition: definition, committed: committed, archive: marks, condition: condition, overlay: overlay)
        }
    }

    /// The view of a collection with its snapshot mapped, or without one and the reason.
    func map(_ definition: Definition, _ loaded: LoadedState.Collection) -> CollectionView {
        opening(definition, loaded).view()
    }

    /// Maps the snapshot of a collection, and begins to make its overlay.
    private func opening(_ definition: Definition, _ loaded: LoadedState.Collection) -> Opening {
        let condition = CollectionCondition(loaded, of: definition, at: clock.now())
        var opening = Opening(definition: definition, marks: loaded.marks, condition: condition)
        if loaded.row.hasData {
            do throws(StoreError) {
                let (files, lost) = try open(loaded.row, definition)
                opening.condition.opened(
                    isVerified: files.snapshots.allSatisfy { $0.fileSize <= Snapshot.verifiedWhenOpened },
                    lostFile: lost)
                if loaded.row.isLocal {
                    opening.overlay = try written(loaded.row, over: files, definition)
                    opening.committed = CommittedRecords(files)
                } else {
                    opening.committed = CommittedRecords(
                        files, recent: try recent(loaded.row, over: files, definition))
                }
            } catch { opening.condition.failed(error) }
        }
        if !loaded.operations.isEmpty, !loaded.row.isLocal {
            do throws(StoreError) {
                opening.starting = StartingOverlay(
                    loaded.operations, over: opening.committed, definition,
                    joined: try joined(of: loaded.row, definition))
            } catch { opening.condition.failed(error) }
        }
        return opening
    }

    func joined(of row: CollectionRow, _ definition: Definition) throws(StoreError) -> JoinTable? {
        guard definition.source.join != nil else { return nil }
        return JoinTable(definition: definition, stored: try store.database.joined(of: row))
    }

    /// Makes the folder of the snapshots if it was removed. Mapped files of it are still served.
    public func ensureDirectory() throws(StoreError) { try folder.ensure() }

    /// Deletes the rest of a collection that is being erased: its snapshot files, then its rows.
    ///
    /// After a crash the next start deletes the files, and the next `StateStore.finishErasing(while:)` the rows.
    ///
    /// - Throws: `.closed` once `isWanted` returns false.
    public func finishErasing(
        _ collection: ErasedCollection, while isWanted: @escaping @Sendable () -> Bool
    ) throws(StoreError) {
        for stem in collection.stems { folder.remove(stem) }
        try store.finishErasing(while: isWanted)
    }

    /// Erases the rest of forgotten records after a crash. If another program reads an old state of state.db, the
    /// eraser does it later.
    private func finishForgetting() throws(StoreError) {
        do throws(StoreError) { try store.database.finishForgetting(timeout: .zero) } catch {
            guard error.code == .busy else { throw error }
        }
    }

    /// Deletes the files that state.db does not name.
    private func removeOrphans(_ loaded: LoadedState) {
        // A removed collection may come back.
        var rows = loaded.collections.mapValues(\.row)
        for view in store.catalog.current().views { rows[view.definition.name] = view.condition.row }
        folder.remove(allBut: Set(rows.values.flatMap { $0.identities(epoch: store.epoch).map(\.stem) }))
        for view in store.catalog.current().views { view.snapshot?.shortenParts() }
    }
}

/// An event in the life of a collection: its snapshot was opened, checked or built again, or its definition came, changed
/// or went. For the journal.
public enum OpeningEvent: Sendable, Equatable {
    /// The snapshot was built from the records in state.db, because the old one failed with the error.
    case rebuilt(records: Int, rejected: Int, because: StoreError)
    /// The snapshot was built from the bundle.
    case bundled(records: Int)
    /// The bundle cannot be served.
    case badBundle(path: String, detail: String)
    /// There is no snapshot, and none could be built.
    case failed(StoreError)
    /// The files of a collection are to be merged, and the disk has no room for the new one; `merged` follows.
    case mergeWaiting(StoreError)
    /// The files were merged, once there was room.
    case merged
    /// A reload has brought the definition of a new collection.
    case added
    /// The definition is there again, before the time for which records are kept was over.
    case returned
    /// The definition is gone, and so is the collection; this number of records is kept for a while.
    case removed(records: Int)
    /// A reload has removed the source from the definition; this number of records is still served.
    case sourceLost(records: Int)
    /// A reload has given a source to a definition that had none.
    case sourceFound
}

extension CollectionOpener {
    /// Puts changed definitions into force while requests are answered.
    ///
    /// Labels change at once. A definition that changes the content of the snapshot is in force once the snapshot has
    /// been rebuilt; until then the old one is served. A collection that `definitions` lacks is gone from the catalog
    /// when this returns; unless it is spared, it is removed: its rows are kept.
    ///
    /// Each collection is changed on its own: an error in one changes nothing for the others.
    ///
    /// - Parameter spared: the collections that are not removed although `definitions` lacks them.
    /// - Returns: the reasons why collections were not changed, by name. The definition that it had before, if it had
    ///   one, is still in force; a later call tries again.
    @discardableResult
    public func reload(
        _ definitions: [Definition], sparing spared: SparedCollections = .none
    ) -> [String: StoreError] {
        var failures: [String: StoreError] = [:]
        let old = store.catalog.current()
        let loaded = load(definitions.filter { old[$0.name] == nil }, &failures)
        let fresh = definitions.compactMap { definition in
            loaded.collections[definition.name].map { map(definition, $0) }
        }
        do throws(StoreError) {
            try replaceViews(with: definitions, fresh, spared)
        } catch {
            for definition in definitions { failures[definition.name] = error }
            return failures
        }
        reportChanges(from: old, spared, returned: loaded.returned)
        for definition in definitions where failures[definition.name] == nil {
            if let before = old[definition.name],
                !before.definition.decidesSame(as: definition, before.condition.row)
                    || !before.condition.removedSites(by: definition).isEmpty
            {
                let reason = StoreError(.mismatch, "serve \(definition.name)", detail: "new definition")
                failures[definition.name] = rebuilding(definition, because: reason)
            }
            settle(definition.name)
        }
        return failures
    }

    /// Gives new collections a row in state.db; if that fails, to each alone, so that one cannot spoil the others.
    private func load(
        _ definitions: [Definition], _ failures: inout [String: StoreError]
    ) -> (collections: [String: LoadedState.Collection], returned: Set<String>) {
        if definitions.isEmpty { return ([:], []) }
        do throws(StoreError) {
            let loaded = try store.database.load(names: definitions.map(\.name))
            return (loaded.collections, loaded.returned)
        } catch {
            guard definitions.count > 1 else {
                failures[definitions[0].name] = error
                return ([:], [])
            }
        }
        var result: (collections: [String: LoadedState.Collection], returned: Set<String>) = ([:], [])
        for definition in definitions {
            let one = load([definition], &failures)
            result.collections[definition.name] = one.collections[definition.name]
            result.returned.formUnion(one.returned)
        }
        return result
    }

    /// Replaces the views on the store's thread, so that no commit falls between reading the catalog and replacing it.
    ///
    /// A collection is gone even if its removal cannot be recorded; the failure is reported, and the next reload or
    /// start records it.
    private func replaceViews(
        with definitions: [Definition], _ fresh: [CollectionView], _ spared: SparedCollections
    ) throws(StoreError) {
        let catalog = store.catalog
        let now = clock.now()
        let names = Set(definitions.map(\.name))
        let failure = try store.database.perform { connection throws(StoreError) in
            let current = catalog.current()
            var failure: StoreError?
            let removed: [RemovedCollection]
            do throws(StoreError) {
                removed = try connection.noteRemovals(defined: names, spared, at: now)
            } catch {
                failure = error
                removed = current.removals(defined: names, spared, at: now)
            }
            catalog.reload(definitions, adding: fresh, removed: removed, at: now)
            return failure
        }
        if let failure {
            for collection in store.catalog.current().removed { report(collection.name, .failed(failure)) }
        }
    }

    /// Records the removed collections in state.db, and returns them; if the disk is full, the next start records them.
    func noteRemovals(
        _ defined: Set<String>, _ spared: SparedCollections
    ) throws(StoreError) -> [RemovedCollection] {
        let now = clock.now()
        return try store.database.perform { connection throws(StoreError) in
            do throws(StoreError) {
                return try connection.noteRemovals(defined: defined, spared, at: now)
            } catch {
                guard error.code == .storageFull else { throw error }
                return []
            }
        }
    }

    private func reportChanges(from old: Catalog, _ spared: SparedCollections, returned: Set<String>) {
        let new = store.catalog.current()
        for view in old.views where new[view.definition.name] == nil && !spared.contains(view.definition.name) {
            report(view.definition.name, .removed(records: view.condition.row.keptRecords))
        }
        for view in new.views {
            let name = view.definition.name
            guard let before = old[name] else {
                report(name, returned.contains(name) ? .returned : .added)
                continue
            }
            switch (before.definition.source.isConfigured, view.definition.source.isConfigured) {
            case (true, false): report(name, .sourceLost(records: view.committed?.count ?? 0))
            case (false, true): report(name, .sourceFound)
            default: break
            }
        }
    }
}

extension Catalog {
    /// The catalog after a reload. Definitions that decide other records are in force once the files are built again.
    ///
    /// - Parameters:
    ///   - fresh: the collections that were not served before.
    ///   - now: in milliseconds since 1970.
    func reloaded(
        _ definitions: [Definition], adding fresh: [CollectionView], removed: [RemovedCollection], at now: Int64
    ) -> Catalog {
        let views = definitions.compactMap { definition -> CollectionView? in
            guard let view = self[definition.name] else {
                return fresh.first { $0.definition.name == definition.name }
            }
            guard view.definition.decidesSame(as: definition, view.condition.row) else {
                // Rules of access do not wait for the rest of the definition.
                return view.with(view.definition.withRules(of: definition))
            }
            return view.with(definition, at: now)
        }
        return Catalog(revision: revision, views: views, removed: removed)
    }

    /// The removed collections, by the facts in the catalog alone.
    fileprivate func removals(
        defined: Set<String>, _ spared: SparedCollections, at now: Int64
    ) -> [RemovedCollection] {
        let gone = views.map(\.condition.row).filter { !defined.contains($0.name) && !spared.contains($0.name) }
        return removed.filter { !defined.contains($0.name) }
            + gone.map {
                RemovedCollection(
                    name: $0.name, records: $0.keptRecords, removedAt: now, isKept: $0.isLocal && $0.records > 0)
            }
    }
}

extension Definition {
    /// Whether another definition can replace this one without a look at the records.
    fileprivate func decidesSame(as other: Definition, _ row: CollectionRow) -> Bool {
        shapeHash == other.shapeHash && (valuesHash == other.valuesHash || !row.hasData || row.isBundle)
    }
}

extension CollectionView {
    /// Returns a view with the same data and another definition of the same shape, which is in force from `now` on.
    fileprivate func with(_ definition: Definition, at now: Int64) -> CollectionView {
        let isConfigured = definition.source.isConfigured
        if isConfigured == (condition.unconfiguredSince == nil) { return with(definition) }
        return with(definition).changing { $0.redefined(by: definition, at: now) }
    }
}
