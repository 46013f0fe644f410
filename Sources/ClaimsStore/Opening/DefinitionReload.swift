// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform

/// Puts changed definitions into force while requests are answered, and records which collections have lost theirs.
struct DefinitionReload: Sendable {
    private let context: OpeningContext
    private let stack: StackReader
    private let builder: SnapshotBuilder
    private let settling: CollectionSettling
    private var store: StateStore { context.store }

    init(_ context: OpeningContext, stack: StackReader, builder: SnapshotBuilder, settling: CollectionSettling) {
        self.context = context
        self.stack = stack
        self.builder = builder
        self.settling = settling
    }

    /// See ``CollectionOpener/reload(_:sparing:)``.
    func reload(
        _ definitions: [Definition], sparing spared: SparedCollections = .none
    ) -> [String: StoreError] {
        var failures: [String: StoreError] = [:]
        let old = store.catalog.current()
        let loaded = load(definitions.filter { old[$0.name] == nil }, &failures)
        let fresh = definitions.compactMap { definition in
            loaded.collections[definition.name].map { loaded in
                MappedCollection(definition, loaded, stack, at: context.clock.now()).view()
            }
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
                failures[definition.name] = builder.rebuilding(definition, because: reason)
            }
            settling.settle(definition.name)
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
        let now = context.clock.now()
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
            for collection in store.catalog.current().removed { context.report(collection.name, .failed(failure)) }
        }
    }

    /// Records the removed collections in state.db, and returns them; if the disk is full, the next start records them.
    func noteRemovals(
        _ defined: Set<String>, _ spared: SparedCollections
    ) throws(StoreError) -> [RemovedCollection] {
        let now = context.clock.now()
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
            context.report(view.definition.name, .removed(records: view.condition.row.keptRecords))
        }
        for view in new.views {
            let name = view.definition.name
            guard let before = old[name] else {
                context.report(name, returned.contains(name) ? .returned : .added)
                continue
            }
            switch (before.definition.source.isConfigured, view.definition.source.isConfigured) {
            case (true, false): context.report(name, .sourceLost(records: view.committed?.count ?? 0))
            case (false, true): context.report(name, .sourceFound)
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
