// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
public import ClaimsPlatform
import ClaimsSnapshot

/// Opens collections for serving: maps the snapshots that state.db names, and rebuilds each one that is missing, damaged,
/// or of another version or definition.
///
/// Where all snapshots are in place it reads no record, and the time does not depend on their size.
public final class CollectionOpener: Sendable {
    public let store: StateStore
    /// The path of the folder that holds the snapshots.
    public let directory: String
    /// The folder that paths of bundles are relative to.
    let bundleDirectory: String
    let clock: WallClock
    /// Called on the thread that does the work.
    let report: @Sendable (String, OpeningEvent) -> Void

    public init(
        store: StateStore, directory: String, bundleDirectory: String, clock: WallClock = .system,
        report: @escaping @Sendable (_ collection: String, _ event: OpeningEvent) -> Void
    ) {
        self.store = store
        self.directory = directory
        self.bundleDirectory = bundleDirectory
        self.clock = clock
        self.report = report
    }

    /// Opens all collections at start, and puts them into the catalog.
    ///
    /// A collection that cannot be opened is served without data, and reported. Snapshot files that state.db does not name
    /// are deleted.
    ///
    /// - Throws: ``StoreError`` where state.db cannot be read or the folder cannot be written. The error names the file.
    @discardableResult
    public func open(_ definitions: [Definition]) throws(StoreError) -> LoadedState {
        try prepareDirectory()
        let loaded = try store.database.load(names: definitions.map(\.name))
        let views = definitions.compactMap { definition in
            loaded.collections[definition.name].map { map(definition, $0) }
        }
        store.catalog.update { _ in Catalog(revision: loaded.revision, views: views) }
        for definition in definitions { settle(definition.name) }
        removeOrphans(loaded)
        return loaded
    }

    /// Puts changed definitions into force while requests are answered.
    ///
    /// Labels change at once. A definition that changes the content of the snapshot is in force once the snapshot has been
    /// rebuilt; until then the old one is served.
    public func reload(_ definitions: [Definition]) throws(StoreError) {
        let loaded = try store.database.load(names: definitions.map(\.name))
        let catalog = store.catalog
        let fresh = definitions.compactMap { definition in
            loaded.collections[definition.name].map { map(definition, $0) }
        }
        let old = catalog.current()
        // On the store's thread, so that no commit falls between reading the catalog and replacing it.
        try store.database.perform { connection throws(StoreError) in
            _ = catalog.update { current in
                let views = definitions.compactMap { definition in
                    guard let view = current[definition.name] else {
                        return fresh.first { $0.definition.name == definition.name }
                    }
                    return view.definition.shapeHash == definition.shapeHash ? view.with(definition) : view
                }
                return Catalog(revision: current.revision, views: views)
            }
        }
        for definition in definitions {
            if let before = old[definition.name], before.definition.shapeHash != definition.shapeHash {
                let reason = StoreError(.mismatch, "serve \(definition.name)", detail: "new definition")
                rebuild(definition, because: reason)
            }
            settle(definition.name)
        }
    }

    /// Compares every checksum of a collection's snapshot, and rebuilds the snapshot if one is wrong. Reads the whole file.
    ///
    /// - Returns: whether the snapshot that is served now is sound.
    @discardableResult
    public func verify(_ name: String) -> Bool {
        guard let view = store.catalog.current()[name], let snapshot = view.snapshot else { return false }
        if view.condition.isVerified { return true }
        do throws(SnapshotError) {
            try snapshot.verify()
            store.catalog.update {
                $0.replacing(name) { view in
                    guard view.snapshot === snapshot else { return view }
                    var condition = view.condition
                    condition.isVerified = true
                    return view.with(condition)
                }
            }
            return true
        } catch {
            if view.condition.row.isBundle { return bundle(view, isForced: true) }
            return rebuild(view.definition, because: StoreError(error))
        }
    }

    /// Tries again to build the snapshot of a collection that has data but no snapshot, or that has a new bundle.
    public func settle(_ name: String) {
        guard let view = store.catalog.current()[name] else { return }
        let row = view.condition.row
        if row.hasData && !row.isBundle {
            guard view.snapshot == nil else { return }
            let problem = view.condition.problem ?? StoreError(.missing, "open the snapshot of \(name)")
            rebuild(view.definition, because: problem)
        } else if view.definition.bundle != nil {
            bundle(view)
        } else if row.isBundle {
            try? store.forgetBundle(row)
        }
    }

    /// The view of a collection with its snapshot mapped, or without one and the reason.
    private func map(_ definition: Definition, _ loaded: LoadedState.Collection) -> CollectionView {
        var condition = CollectionCondition(row: loaded.row, source: loaded.source)
        var snapshot: Snapshot?
        if loaded.row.hasData {
            do throws(SnapshotError) {
                let identity = identity(of: loaded.row)
                let opened = try Snapshot.open(directory: directory, identity: identity, definition: definition)
                condition.isVerified = opened.fileSize <= Snapshot.verifiedWhenOpened
                snapshot = opened
            } catch { condition.problem = StoreError(error) }
        }
        return CollectionView(
            definition: definition, snapshot: snapshot,
            archive: .build(snapshot: snapshot, marks: loaded.marks), condition: condition)
    }

    private func identity(of row: CollectionRow) -> SnapshotIdentity {
        SnapshotIdentity(
            epoch: store.epoch, generation: row.generation, fileID: row.fileID, definitionHash: row.definitionHash)
    }

    /// Makes the folder if it is missing, and makes sure that files can be made in it.
    private func prepareDirectory() throws(StoreError) {
        do throws(SystemError) {
            if !Files.isDirectory(directory) { try Directory.create(directory, permissions: 0o700) }
            _ = try FileDescriptor.temporary(in: directory)
        } catch {
            throw StoreError(error)
        }
    }

    private func removeOrphans(_ loaded: LoadedState) {
        // A collection that is not configured now may be again.
        var rows = loaded.collections.mapValues(\.row)
        for view in store.catalog.current().views { rows[view.definition.name] = view.condition.row }
        let stems = Set(rows.values.map { identity(of: $0).stem })
        for name in (try? Directory.list(directory)) ?? []
        where name.hasSuffix(SnapshotIdentity.fileExtension) && !stems.contains(where: { name.hasPrefix($0 + ".") }) {
            Files.remove(Paths.join(directory, name))
        }
        for view in store.catalog.current().views { view.snapshot?.shortenParts() }
    }
}

/// An event in the life of a collection's snapshot: it was opened, checked or built again. For the journal.
public enum OpeningEvent: Sendable, Equatable {
    /// The snapshot was built from the records in state.db, because the old one failed with the error.
    case rebuilt(records: Int, rejected: Int, because: StoreError)
    /// The snapshot was built from the bundle.
    case bundled(records: Int)
    /// The bundle cannot be served.
    case badBundle(path: String, detail: String)
    /// There is no snapshot, and none could be built.
    case failed(StoreError)
}
