// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

extension GenerationStage {
    /// Makes the staged rows current in one short transaction, and serves them. Waits until that is done.
    ///
    /// Throws `.mismatch` where the collection's data or definition has changed since the refresh began; nothing has
    /// been changed then.
    public mutating func commit(_ commit: GenerationCommit) throws(StoreError) {
        try flush()
        let name = base.name
        let catalog = store.catalog
        guard let before = catalog.current()[name] else { throw Self.mismatch }
        // Looking up the marks of many archived records takes time; almost always they stay as they are meanwhile.
        let prepared = before.archive.rebuilt(for: commit.snapshot)
        let plan = plan(commit)
        let old = try store.perform { connection throws(StoreError) in
            guard let view = catalog.current()[name],
                view.definition.shapeHash == commit.snapshot.identity.definitionHash
            else { throw Self.mismatch }
            let row = try connection.transaction(.synced, "commit a generation") { connection throws(StoreError) in
                try plan.apply(&connection)
            }
            let archive = view.archive === before.archive ? prepared : view.archive.rebuilt(for: commit.snapshot)
            var condition = view.condition
            condition.row = row
            condition.source = commit.source
            condition.isConfirmed = !row.isBundle
            condition.isVerified = true
            condition.problem = nil
            let next = CollectionView(
                definition: view.definition, snapshot: commit.snapshot, archive: archive, condition: condition)
            let clock = Clock(epoch: connection.epoch, seq: connection.seq)
            catalog.update { $0.replacing(name, clock: clock) { _ in next } }
            return view.snapshot
        }
        old?.removeWhenUnused()
    }

    /// Keeps the data as it is: the body said nothing new of any record. What it said of quarantine and join is kept.
    public mutating func confirm(_ source: SourceRow) throws(StoreError) {
        try flush()
        let plan = plan(source)
        let name = base.name
        let catalog = store.catalog
        try store.perform { connection throws(StoreError) in
            let row = try connection.transaction(.synced, "commit a refresh") { connection throws(StoreError) in
                try plan.apply(&connection)
            }
            catalog.update {
                $0.replacing(name) { view in
                    var condition = view.condition
                    condition.row = row
                    condition.source = source
                    condition.isConfirmed = true
                    return view.with(condition)
                }
            }
        }
    }

    /// Throws the staged rows away. Without it the collection's next refresh does.
    public mutating func abandon() {
        try? flush()
        try? store.discardLeftovers(of: base.number)
    }

    private static var mismatch: StoreError {
        StoreError(.mismatch, "commit a generation", detail: "the collection has changed meanwhile")
    }

    private func plan(_ source: SourceRow) -> FlipPlan {
        FlipPlan(
            base: base, source: source, quarantineBatch: target.quarantineBatch, quarantined: quarantined,
            joinBatch: hasJoinValues ? target.joinBatch : base.joinBatch, at: target.at)
    }

    private func plan(_ commit: GenerationCommit) -> FlipPlan {
        var plan = plan(commit.source)
        let isFirst = base.generation == 0 || base.isBundle || commit.bundleKey != 0
        plan.data = FlipPlan.Data(
            generation: generation, fileID: commit.snapshot.identity.fileID,
            definitionHash: commit.snapshot.identity.definitionHash, records: commit.snapshot.count, nextKey: nextKey,
            bundleKey: commit.bundleKey, changes: isFirst ? 1 : changes,
            isComplete: isFirst || changes <= changeLimit)
        return plan
    }
}
