// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform

/// Brings a collection into the state that its definition asks for: builds a missing snapshot, reads a bundle, and makes
/// this host or an upstream the truth of the records.
struct CollectionSettling: Sendable {
    private let context: OpeningContext
    private let repair: LostFileRepair
    private let builder: SnapshotBuilder
    private let bundles: BundleReader
    private let history: KeptHistory
    private var store: StateStore { context.store }

    init(
        _ context: OpeningContext, repair: LostFileRepair, builder: SnapshotBuilder, bundles: BundleReader,
        history: KeptHistory
    ) {
        self.context = context
        self.repair = repair
        self.builder = builder
        self.bundles = bundles
        self.history = history
    }

    /// See ``CollectionOpener/settle(_:)``.
    func settle(_ name: String) {
        guard let view = context.view(name) else { return }
        if view.definition.isLocal, !view.condition.row.isLocal || !view.condition.row.hasData { return adopt(view) }
        // Only readable records are released: otherwise an unreadable file would end records that state.db has.
        if view.isReleased, view.snapshot != nil || !view.condition.row.hasData { return release(view) }
        let row = view.condition.row
        if row.hasData && !row.isBundle {
            if view.snapshot != nil, RebuildKind(row, view.definition) == .sameValues,
                view.condition.removedSites(by: view.definition).isEmpty
            {
                if let error = view.condition.lostFile, !repair.replace(in: view, because: error) {
                    builder.rebuild(view.definition, because: error)
                }
                return nameValues(of: view)
            }
            let problem =
                view.snapshot == nil
                ? view.condition.problem ?? StoreError(.missing, "open the snapshot of \(name)")
                : StoreError(.mismatch, "serve \(name)", detail: "new definition")
            builder.rebuild(view.definition, because: problem)
            if row.isLocal, let view = context.view(name), view.isReleased, view.snapshot != nil {
                release(view)
            }
        } else if view.definition.bundle != nil {
            bundles.serve(view)
        } else if row.isBundle {
            try? store.generations.forgetBundle(row)
        }
    }

    /// Records the values hash in a state.db that an older version wrote; after an error the next call does it.
    private func nameValues(of view: CollectionView) {
        guard view.condition.row.valuesHash == 0 else { return }
        do throws(StoreError) { try store.nameValues(of: view) } catch { store.database.suspect(error) }
    }

    /// Makes this host the truth of a collection. All records that it has stay.
    private func adopt(_ view: CollectionView) {
        let name = view.definition.name
        // The upstream stays the truth until it has all pending operations.
        guard view.condition.operations.isEmpty else {
            return context.fail(
                name, StoreError(.mismatch, "make this host the truth of \(name)", detail: "operations wait"))
        }
        do throws(StoreError) {
            if view.condition.row.isBundle { try store.generations.forgetBundle(view.condition.row) }
            try store.generations.adopt(name)
        } catch {
            return context.fail(name, error)
        }
        guard let row = context.view(name)?.condition.row else { return }
        guard row.hasData else {
            // A snapshot without records is the base of the first writes.
            do throws(StoreError) { try builder.buildFirst(view.definition) } catch { context.fail(name, error) }
            return
        }
        settle(name)
    }

    /// Makes an upstream the truth of a collection: each record becomes a create that waits for a person.
    ///
    /// If there are more records than there may be operations, nothing changes: the records are still served, and
    /// writes are refused.
    private func release(_ view: CollectionView) {
        let name = view.definition.name
        do throws(StoreError) {
            try store.generations.release(name, maxPending: history.maxPending, at: context.clock.now())
        } catch {
            context.fail(name, error)
        }
    }
}
