// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot

extension CollectionOpener {
    /// Puts changed definitions into force while requests are answered.
    ///
    /// Labels change at once. A definition that changes the content of the snapshot is in force once the snapshot has been
    /// rebuilt; until then the old one is served. A collection that `definitions` lacks is gone from the catalog when this
    /// returns; unless it is spared, it is removed: its rows are kept.
    ///
    /// Each collection goes its own way: what fails for one changes nothing for the others.
    ///
    /// - Parameter spared: the collections that are not removed although `definitions` lacks them.
    /// - Returns: why a collection was not changed, by its name. The definition that it had before, if it had one, is still
    ///   in force; a later call tries again.
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
        tellChanges(from: old, spared, returned: loaded.returned)
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
    /// A collection whose removal cannot be noted is gone all the same, and the failure is reported; the next reload or start
    /// notes it.
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
            _ = catalog.update { current in
                let views = definitions.compactMap { definition -> CollectionView? in
                    guard let view = current[definition.name] else {
                        return fresh.first { $0.definition.name == definition.name }
                    }
                    guard view.definition.decidesSame(as: definition, view.condition.row) else { return view }
                    return view.with(definition, at: now)
                }
                return Catalog(revision: current.revision, views: views, removed: removed)
            }
            return failure
        }
        if let failure {
            for collection in store.catalog.current().removed { report(collection.name, .failed(failure)) }
        }
    }

    /// Notes in state.db which collections are removed, and returns them; where the disk is full, the next start does it.
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

    private func tellChanges(from old: Catalog, _ spared: SparedCollections, returned: Set<String>) {
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
            case (true, false): report(name, .sourceLost(records: view.snapshot?.count ?? 0))
            case (false, true): report(name, .sourceFound)
            default: break
            }
        }
    }
}

extension Catalog {
    /// The removed collections, by what the catalog alone knows.
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
    /// Whether another definition can take the place of this one without a look at the records.
    fileprivate func decidesSame(as other: Definition, _ row: CollectionRow) -> Bool {
        shapeHash == other.shapeHash && (valuesHash == other.valuesHash || !row.hasData || row.isBundle)
    }
}

extension CollectionView {
    /// Returns a view with the same data and another definition of the same shape, which is in force from `now` on.
    fileprivate func with(_ definition: Definition, at now: Int64) -> CollectionView {
        let isConfigured = definition.source.isConfigured
        if isConfigured == (condition.unconfiguredSince == nil) { return with(definition) }
        var condition = condition
        condition.unconfiguredSince = isConfigured ? nil : now
        return with(definition).with(condition)
    }
}
