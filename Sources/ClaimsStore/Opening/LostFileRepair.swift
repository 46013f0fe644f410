// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsSnapshot

/// Makes files over the base anew that cannot be read, from state.db.
struct LostFileRepair: Sendable {
    private let context: OpeningContext
    private let stack: StackReader
    private var store: StateStore { context.store }

    init(_ context: OpeningContext, _ stack: StackReader) {
        self.context = context
        self.stack = stack
    }

    /// Remakes an unreadable file over the base, and the files above it, from state.db.
    ///
    /// - Parameter snapshot: the file, if it is served.
    /// - Returns: whether all of the collection's files can be read; otherwise a new base is due.
    func replace(in view: CollectionView, from snapshot: Snapshot? = nil, because error: StoreError) -> Bool {
        let name = view.definition.name
        for _ in 0..<3 {
            do throws(StoreError) {
                guard let lost = try lost(view.definition, from: snapshot) else { return true }
                try context.folder.ensure()
                let count = lost.overlay?.count ?? 0
                var plan = StackPlan(lost.committed, bytes: 0)
                plan.young += count
                plan.middle += count
                let identity = SnapshotIdentity(new: lost.row.generation, of: view.definition, epoch: store.epoch)
                let role = plan.target(view.recentBounds.layers)
                guard lost.committed.files.isSound(from: role) else { return false }
                let part = try context.folder.write(
                    role, identity, view.definition, from: lost.committed,
                    with: lost.overlay, keeping: stack.goneFilter(of: view, over: lost.committed.files))
                guard let part else { return false }
                do throws(StoreError) { try store.generations.files.replaceLost(part, lost) } catch {
                    part.snapshot.removeWhenUnused()
                    throw error
                }
                context.report(name, .rebuilt(records: part.snapshot.count, rejected: 0, because: error))
                return true
            } catch {
                // Another generation was committed meanwhile, so the work begins anew with its records.
                guard error.code == .mismatch else { return false }
            }
        }
        return false
    }

    /// A collection without its unreadable files; nil if it has none.
    private func lost(_ definition: Definition, from snapshot: Snapshot?) throws(StoreError) -> LostFiles? {
        guard let view = context.view(definition.name), let committed = view.committed else { return nil }
        let row = view.condition.row
        let index = committed.files.layers.firstIndex { $0.snapshot === snapshot }
        guard view.condition.lostFile != nil || index != nil else {
            return nil
        }
        let files = committed.files.prefix(min(index ?? .max, committed.files.layers.count))
        var lost = LostFiles(view: view, row: row, committed: CommittedRecords(files))
        if row.isLocal {
            lost.overlay = try stack.written(row, over: files, definition)
        } else {
            lost.committed = CommittedRecords(files, recent: try stack.recent(row, over: files, definition))
        }
        return lost
    }
}

extension FileStack {
    /// Whether the checksums are right of the files that a new file with a role replaces. It reads them whole.
    func isSound(from role: StackRole) -> Bool {
        layers.allSatisfy { layer in
            guard layer.role >= role else { return true }
            do { try layer.snapshot.verify() } catch { return false }
            return true
        }
    }
}
