// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
public import ClaimsPlatform
import ClaimsSnapshot

/// Opens collections for serving: maps the snapshots that state.db names, and rebuilds each one that is missing,
/// damaged, or of another version or definition.
///
/// If all snapshots are in place, it reads no record, and its time does not depend on their size. Later work on the
/// files goes through it, too. Each kind of work is a part with a file of its own.
public final class CollectionOpener: Sendable {
    public let store: StateStore
    private let context: OpeningContext
    private let history: KeptHistory
    private let stack: StackReader
    let builder: SnapshotBuilder
    private let verifier: SnapshotVerifier
    let writer: StackWriter
    private let settling: CollectionSettling
    private let reloading: DefinitionReload

    public init(
        store: StateStore, directory: String, bundleDirectory: String, clock: WallClock = .system,
        report: @escaping @Sendable (_ collection: String, _ event: OpeningEvent) -> Void
    ) {
        self.store = store
        context = OpeningContext(
            store: store, folder: SnapshotFolder(path: directory), clock: clock, report: report)
        history = KeptHistory(context)
        stack = StackReader(context)
        builder = SnapshotBuilder(context, history)
        let bundles = BundleReader(context, directory: bundleDirectory)
        let repair = LostFileRepair(context, stack)
        verifier = SnapshotVerifier(context, repair: repair, builder: builder, bundles: bundles)
        writer = StackWriter(context, stack: stack, verifier: verifier, history: history)
        settling = CollectionSettling(
            context, repair: repair, builder: builder, bundles: bundles, history: history)
        reloading = DefinitionReload(context, stack: stack, builder: builder, settling: settling)
    }

    /// Reports an event in the life of a collection.
    func report(_ name: String, _ event: OpeningEvent) { context.report(name, event) }

    /// The path of the folder that holds the snapshots.
    public var directory: String { context.folder.path }

    // MARK: - Opening

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
        try context.folder.prepare()
        let loaded = try store.database.load(names: definitions.map(\.name))
        let openings = definitions.compactMap { definition in
            loaded.collections[definition.name].map {
                MappedCollection(definition, $0, stack, at: context.clock.now())
            }
        }
        let before = loaded.collections.values.filter { $0.row.removedAt != nil }.map(\.row.name)
        let removed = try reloading.noteRemovals(Set(definitions.map(\.name)), spared)
        let views = openings.map { $0.view() }
        store.catalog.publish(Catalog(revision: loaded.revision, views: views, removed: removed))
        for collection in removed where !before.contains(collection.name) {
            context.report(collection.name, .removed(records: collection.records))
        }
        for name in loaded.returned.sorted() { context.report(name, .returned) }
        for definition in definitions { settling.settle(definition.name) }
        removeOrphans(loaded)
        try finishForgetting()
        return loaded
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
        context.folder.remove(allBut: Set(rows.values.flatMap { $0.identities(epoch: store.epoch).map(\.stem) }))
        for view in store.catalog.current().views { view.snapshot?.shortenParts() }
    }

    // MARK: - Definitions

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
    ) -> [String: StoreError] { reloading.reload(definitions, sparing: spared) }

    /// Replaces the definition of a collection by another one of the same shape, on the store's thread, so that no
    /// commit loses it.
    public func redefine(_ name: String, _ change: @escaping @Sendable (Definition) -> Definition) {
        let catalog = store.catalog
        do throws(StoreError) {
            try store.database.perform { _ in catalog.redefine(name, change) }
        } catch {
            // Rules change even if the database cannot be used now.
            catalog.redefine(name, change)
            store.database.suspect(error)
        }
    }

    /// Tries again to build the snapshot of a collection that has data but no snapshot, or that has a new bundle.
    public func settle(_ name: String) { settling.settle(name) }

    // MARK: - What is kept

    /// Sets the bounds of the history that commits keep from now on.
    public func apply(_ settings: HistorySettings) { history.apply(settings) }

    /// Sets how long settled operations are known, and how many unsettled ones a collection may have.
    public func apply(_ outbox: OutboxSettings, maxPending: Int) { history.apply(outbox, maxPending: maxPending) }

    /// The part of a collection's log that is kept.
    ///
    /// - Parameter now: in milliseconds since 1970.
    public func retention(of definition: Definition, now: Int64) -> RetentionLimits {
        history.retention(of: definition, now: now)
    }

    /// Deletes changes, superseded records and settled operations of a collection that are too old to be kept. After an
    /// error the next call does the rest.
    public func tidy(_ name: String) throws(StoreError) { try history.tidy(name) }

    /// Erases records, as one commit, and waits until no file has anything of them. To be called on the thread of the
    /// collection's refreshes.
    ///
    /// - Parameter isWanted: asked now and then; once it returns false after the commit, the next start finishes.
    /// - Throws: `.noCollection`; `.mismatch` if the collection keeps changing; `.missing` if its records cannot be
    ///   read now. `.busy` and `.closed` may come after the commit; then
    ///   ``StateDatabase/finishForgetting(timeout:while:)`` goes on.
    public func forget(
        _ order: ForgetOrder, while isWanted: @Sendable () -> Bool = { true }
    ) throws(StoreError) -> ForgetOutcome {
        try RecordForgetting(context, verifier).forget(order, while: isWanted)
    }

    /// The time to wait for other programs that read an old state of state.db.
    public static let forgetTimeout = RecordForgetting.timeout

    /// Decodes quarantined elements again, and serves those that are records now, in one commit. To be called on the
    /// thread of the collection's refreshes.
    ///
    /// The last of several elements with one id counts, as in an answer.
    ///
    /// - Parameters:
    ///   - entry: the number of an entry; nil for all.
    ///   - historyBytes: the size up to which the values of the changes are kept.
    /// - Throws: `.noCollection`; `.missing` if the collection has no records of an upstream; `.mismatch` if its data
    ///   or definition has changed meanwhile.
    public func retryQuarantined(
        _ entry: Int64?, of name: String, historyBytes: Int
    ) throws(StoreError) -> QuarantineOutcome {
        try QuarantineRetry(context, verifier).retry(entry, of: name, historyBytes: historyBytes)
    }

    // MARK: - Files

    /// Makes the folder of the snapshots if it was removed. Mapped files of it are still served.
    public func ensureDirectory() throws(StoreError) { try context.folder.ensure() }

    /// Deletes the rest of a collection that is being erased: its snapshot files, then its rows.
    ///
    /// After a crash the next start deletes the files, and the next `StateStore.finishErasing(while:)` the rows.
    ///
    /// - Throws: `.closed` once `isWanted` returns false.
    public func finishErasing(
        _ collection: ErasedCollection, while isWanted: @escaping @Sendable () -> Bool
    ) throws(StoreError) {
        for stem in collection.stems { context.folder.remove(stem) }
        try store.finishErasing(while: isWanted)
    }

    /// Compares every checksum of a collection's snapshot, and rebuilds the snapshot if one is wrong. Reads the whole file.
    ///
    /// - Returns: whether the snapshot that is served now is sound.
    @discardableResult
    public func verify(_ name: String) -> Bool { verifier.verify(name) }

    /// Folds what was written here, or the recent records of an upstream, into a file: a new one, and one short
    /// transaction. Clock and answers stay.
    ///
    /// - Parameter isWanted: asked every few records; once it returns false, the call ends without effect.
    /// - Returns: whether something was folded.
    /// - Throws: `.mismatch` if the snapshot was replaced meanwhile; a later call tries again.
    @discardableResult
    public func fold(_ name: String, while isWanted: () -> Bool = { true }) throws(StoreError) -> Bool {
        try writer.fold(name, while: isWanted)
    }

    /// Merges the middle file of a collection into its base: a new base, and one short transaction.
    ///
    /// - Parameter isWanted: asked every few records; once it returns false, the call ends without effect.
    /// - Returns: whether something was merged.
    /// - Throws: `.mismatch` if the base was replaced meanwhile; a later call tries again. `.storageFull` if the disk
    ///   has no room for another base: then the middle file grows past its bound until a later call finds room.
    @discardableResult
    public func merge(_ name: String, while isWanted: () -> Bool = { true }) throws(StoreError) -> Bool {
        try writer.merge(name, while: isWanted)
    }
}
