// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot
import Synchronization

extension CollectionOpener {
    /// Makes this host the truth of a collection. All records that it has stay.
    func adopt(_ view: CollectionView) {
        let name = view.definition.name
        // The upstream stays the truth until it has all pending operations.
        guard view.condition.operations.isEmpty else {
            return fail(name, StoreError(.mismatch, "make this host the truth of \(name)", detail: "operations wait"))
        }
        do throws(StoreError) {
            if view.condition.row.isBundle { try store.generations.forgetBundle(view.condition.row) }
            try store.generations.adopt(name)
        } catch {
            return fail(name, error)
        }
        guard let row = store.catalog.current()[name]?.condition.row else { return }
        guard row.hasData else {
            // A snapshot without records is the base of the first writes.
            do throws(StoreError) { try buildFirst(view.definition) } catch { fail(name, error) }
            return
        }
        settle(name)
    }

    /// Folds what was written here, or the recent records of an upstream, into a file: a new one, and one short
    /// transaction. Clock and answers stay.
    ///
    /// - Parameter isWanted: asked every few records; once it returns false, the call ends without effect.
    /// - Returns: whether something was folded.
    /// - Throws: `.mismatch` if the snapshot was replaced meanwhile; a later call tries again.
    @discardableResult
    public func fold(_ name: String, while isWanted: () -> Bool = { true }) throws(StoreError) -> Bool {
        guard let view = store.catalog.current()[name] else { return false }
        guard view.condition.row.isLocal else {
            guard let file = try writeRecent(name, while: isWanted) else { return false }
            try put(file)
            return true
        }
        guard let committed = view.committed, let overlay = view.overlay else { return false }
        try folder.ensure()
        var plan = StackPlan(committed, bytes: overlay.objectBytes)
        plan.young += overlay.count
        plan.middle += overlay.count
        let role = plan.target(view.recentBounds.layers)
        guard areSound(committed.files, from: role, of: view) else { return false }
        let identity = SnapshotIdentity(
            new: view.condition.row.generation, of: view.definition, epoch: store.epoch)
        let part = try folder.write(
            role, identity, view.definition, from: committed, with: overlay,
            keeping: goneFilter(of: view, over: committed.files), while: isWanted)
        guard let part else { return false }
        do throws(StoreError) { try store.generations.files.fold(part, of: view) } catch {
            part.snapshot.removeWhenUnused()
            throw error
        }
        // The file is in force. Files that cannot be deleted now are deleted with the next commit.
        try? tidy(name)
        return true
    }

    /// Makes an upstream the truth of a collection: each record becomes a create that waits for a person.
    ///
    /// If there are more records than there may be operations, nothing changes: the records are still served, and
    /// writes are refused.
    func release(_ view: CollectionView) {
        let name = view.definition.name
        do throws(StoreError) {
            try store.generations.release(name, maxPending: maxPending, at: clock.now())
        } catch {
            fail(name, error)
        }
    }
}
