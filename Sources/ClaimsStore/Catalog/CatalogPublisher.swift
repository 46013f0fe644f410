// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
public import ClaimsSnapshot
import Synchronization

/// Holds the current catalog: readers get it here, and commits replace it.
///
/// A reader that remembers `version` asks for the catalog only when the version has changed, so that serving takes no
/// lock. Each way in which the catalog changes is a method of this file. Commits call them on the database's thread,
/// in the order of their revisions.
public final class CatalogPublisher: Sendable {
    private struct Contents {
        var catalog: Catalog
        var observers: [@Sendable (Catalog) -> Void] = []
    }

    /// The rows that rules of access leave out, of all snapshots.
    public let rowSets = RowSets(maxBytes: ServingLimits().rowSets)
    private let contents: Mutex<Contents>
    private let changes = Atomic<UInt64>(1)

    init(_ catalog: Catalog) {
        contents = Mutex(Contents(catalog: catalog))
    }

    /// The number of changes so far. A reader reads it before it calls `current`, so that it misses no change.
    public var version: UInt64 { changes.load(ordering: .acquiring) }

    public func current() -> Catalog {
        contents.withLock { $0.catalog }
    }

    /// Registers an observer that is called after each change, on the thread that made the change. It must be quick.
    ///
    /// Two changes made at the same time may be observed in either order; `current` is the newest catalog.
    public func observe(_ observer: @escaping @Sendable (Catalog) -> Void) {
        contents.withLock { $0.observers.append(observer) }
    }

    // MARK: - All collections

    /// Serves the collections of a start.
    func publish(_ catalog: Catalog) {
        update { _ in catalog }
    }

    /// Serves the collections of a reload.
    ///
    /// - Parameters:
    ///   - fresh: the collections that were not served before.
    ///   - now: in milliseconds since 1970.
    func reload(
        _ definitions: [Definition], adding fresh: [CollectionView], removed: [RemovedCollection], at now: Int64
    ) {
        update { $0.reloaded(definitions, adding: fresh, removed: removed, at: now) }
    }

    /// Nothing is kept of a removed collection any more.
    func erase(_ name: String) {
        update { $0.erasing(name) }
    }

    // MARK: - Commits of one collection

    /// Serves a collection as a commit has made it.
    ///
    /// - Parameter revision: the revision after the commit; nil: as before.
    func publish(_ view: CollectionView, at revision: Revision? = nil) {
        update { $0.replacing(view.definition.name, revision: revision) { _ in view } }
    }

    /// Serves collections as a commit of writes has made them. Other threads may have changed their conditions since.
    func publish(written views: [CollectionView], at revision: Revision) {
        update { catalog in
            views.reduce(catalog) { catalog, view in
                catalog.replacing(view.definition.name, revision: revision) { view.written(over: $0) }
            }
        }
    }

    /// Serves a collection without the records that a commit has erased. Refreshes may have gone on since.
    func publish(forgetting view: CollectionView, at revision: Revision) {
        update { catalog in
            catalog.replacing(view.definition.name, revision: revision) { current in
                view.changing { $0.refreshed(beside: current.condition) }
            }
        }
    }

    /// Serves a collection with other files of the same records. Its condition is the one that it has by now.
    func publish(files view: CollectionView, _ row: CollectionRow, isWritten: Bool = false) {
        update { catalog in
            catalog.replacing(view.definition.name) { current in
                var condition = current.condition
                condition.filesReplaced(row, isWritten: isWritten)
                return view.with(condition)
            }
        }
    }

    /// Serves a collection with archive marks that a commit has changed.
    ///
    /// - Parameters:
    ///   - changes: the number of changes in the log; 0: the commit has no revision of its own.
    ///   - now: in milliseconds since 1970.
    func publish(
        _ marks: [ArchiveMarkChange], of name: String, changes: Int, at now: Int64, _ revision: Revision
    ) {
        update { catalog in
            catalog.replacing(name, revision: revision) { view in
                view.with(marks, seq: changes == 0 ? 0 : revision.seq)
                    .changing { $0.logged(changes: changes, bytes: 0, endingAt: revision.seq, at: now) }
            }
        }
    }

    /// Serves a collection with archive marks that have other dates.
    func show(_ marks: [ArchiveMarkChange], of name: String) {
        update { $0.replacing(name) { $0.with(marks, seq: 0) } }
    }

    /// Serves a collection without the bundle that a commit has removed.
    func forgetBundle(of name: String, _ row: CollectionRow, at revision: Revision) {
        update { $0.replacing(name, revision: revision) { $0.withoutBundle(row, at: revision) } }
    }

    /// Serves a collection that this host is the truth of from now on.
    ///
    /// - Parameter overlay: the records of the upstream that lie over the files; nil: none do.
    func adopt(_ name: String, _ row: CollectionRow, _ source: SourceRow, overlay: RecordOverlay?) {
        update { $0.replacing(name) { $0.adopted(row, source, overlay) } }
    }

    // MARK: - Definitions

    /// Serves a collection under another definition of the same shape.
    func redefine(_ name: String, _ change: (Definition) -> Definition) {
        update { $0.replacing(name) { $0.with(change($0.definition)) } }
    }

    /// Serves a collection without data under another definition.
    ///
    /// - Parameter overlay: the operations that wait for the upstream; nil: none do.
    func define(_ definition: Definition, _ overlay: RecordOverlay?) {
        update { $0.replacing(definition.name) { $0.withoutData(by: definition, overlay) } }
    }

    // MARK: - Conditions

    /// Serves a collection with another condition and the same data.
    ///
    /// - Parameter event: an event of ``CollectionCondition``.
    /// - Returns: the catalog afterwards.
    @discardableResult
    func record(in name: String, _ event: (inout CollectionCondition) -> Void) -> Catalog {
        update { $0.replacing(name) { $0.changing(event) } }
    }

    /// All checksums of a collection's files were compared.
    ///
    /// - Returns: whether files are served.
    func recordVerification(of name: String) -> Bool {
        let catalog = update {
            $0.replacing(name) { view in view.committed == nil ? view : view.changing { $0.verified() } }
        }
        return catalog[name]?.condition.isVerified == true
    }

    /// Shows the state of a source.
    func show(_ source: SourceRow, of name: String, isConfirmed: Bool = false) {
        record(in: name) { $0.sourcesChanged([source], isConfirmed: isConfirmed) }
    }

    /// Shows the state of a source, unless a refresh has replaced the known one meanwhile.
    func show(_ source: SourceRow, of name: String, replacing known: SourceRow) {
        update {
            $0.replacing(name) { view in
                guard view.condition.source(of: known.site) == known else { return view }
                return view.changing { $0.sourcesChanged([source]) }
            }
        }
    }

    /// Shows whether a collection is being refreshed.
    package func showRefresh(of name: String, isUnderWay: Bool) {
        record(in: name) { condition in
            if isUnderWay { condition.refreshBegan() } else { condition.refreshEnded() }
        }
    }

    // MARK: -

    /// Replaces the current catalog by the result of `change`, which must be quick and must not call this publisher.
    @discardableResult
    private func update(_ change: (Catalog) -> Catalog) -> Catalog {
        let (old, catalog, observers) = contents.withLock { contents in
            let old = contents.catalog
            contents.catalog = change(old)
            changes.add(1, ordering: .releasing)
            return (old, contents.catalog, contents.observers)
        }
        for view in catalog.views where old[view.definition.name] !== view { rowSets.prepare(view.layers) }
        for observer in observers { observer(catalog) }
        return catalog
    }
}
