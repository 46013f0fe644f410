// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsSnapshot

/// The files of a collection at a start, and those that cannot be read.
extension CollectionOpener {
    /// Opens the files that a row names. No file is opened over an unreadable one: the records of these files lie over
    /// the others.
    ///
    /// - Returns: the files, and why one over the base cannot be read.
    func open(
        _ row: CollectionRow, _ definition: Definition
    ) throws(StoreError) -> (files: FileStack, lost: StoreError?) {
        let base = try folder.open(SnapshotIdentity(of: row, epoch: store.epoch), definition)
        var newer: [FileStack.Part] = []
        var lost: StoreError?
        do throws(StoreError) {
            for (role, layer) in row.layers {
                let snapshot = try folder.open(row.identity(of: layer, epoch: store.epoch), definition)
                newer.append(FileStack.Part(role: role, snapshot: snapshot, from: layer.from))
            }
        } catch { lost = error }
        return (FileStack(base, newer), lost)
    }

    /// The overlay of the local writes since the files were made.
    func written(
        _ row: CollectionRow, over files: FileStack, _ definition: Definition
    ) throws(StoreError) -> RecordOverlay? {
        guard row.hasRecords(over: files) else { return nil }
        let entries = try store.database.records(above: row.mark(of: files), of: row).map { record in
            OverlayEntry(
                id: record.id, upstream: record.upstream, firstSeen: record.firstSeen, changedAt: record.changedAt,
                stateKey: record.key)
        }
        return try RecordOverlay.build(
            entries, over: CommittedRecords(files), definition: definition, joined: nil)
    }

    /// The upstream's records that are newer than the files.
    func recent(
        _ row: CollectionRow, over files: FileStack, _ definition: Definition
    ) throws(StoreError) -> RecentRecords? {
        guard row.hasRecords(over: files) else { return nil }
        return try RecentRecords.load(
            store.database.records(above: row.mark(of: files), of: row), over: files, definition,
            joined: joined(of: row, definition), pending: store.pendingFiles.sources(of: row.number))
    }

    /// The filter of the gone ids that a new file keeps, over the files of a view that has been served until now.
    func goneFilter(of view: CollectionView, over files: FileStack) -> GoneFilter {
        store.pendingFiles.goneFilter(of: view.condition.row.number, over: files)
    }

    /// Whether the files that a new one replaces are sound; otherwise they are mended. A start compares the checksums
    /// of small files only, and those of the others beside serving, so a damaged file might otherwise get good
    /// checksums in the new file.
    func areSound(_ files: FileStack, from role: StackRole, of view: CollectionView) -> Bool {
        if view.condition.isVerified || files.isSound(from: role) { return true }
        verify(view.definition.name)
        return false
    }

    /// Remakes an unreadable file over the base, and the files above it, from state.db.
    ///
    /// - Parameter snapshot: the file, if it is served.
    /// - Returns: whether all of the collection's files can be read; otherwise a new base is due.
    func replaceLost(of view: CollectionView, from snapshot: Snapshot? = nil, because error: StoreError) -> Bool {
        let name = view.definition.name
        for _ in 0..<3 {
            do throws(StoreError) {
                guard let lost = try lost(view.definition, from: snapshot) else { return true }
                try folder.ensure()
                let count = lost.overlay?.count ?? 0
                var plan = StackPlan(lost.committed, bytes: 0)
                plan.young += count
                plan.middle += count
                let identity = SnapshotIdentity(new: lost.row.generation, of: view.definition, epoch: store.epoch)
                let role = plan.target(view.recentBounds.layers)
                guard lost.committed.files.isSound(from: role) else { return false }
                let part = try folder.write(
                    role, identity, view.definition, from: lost.committed,
                    with: lost.overlay, keeping: goneFilter(of: view, over: lost.committed.files))
                guard let part else { return false }
                do throws(StoreError) { try store.generations.files.replaceLost(part, lost) } catch {
                    part.snapshot.removeWhenUnused()
                    throw error
                }
                report(name, .rebuilt(records: part.snapshot.count, rejected: 0, because: error))
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
        guard let view = store.catalog.current()[definition.name], let committed = view.committed else { return nil }
        let row = view.condition.row
        let index = committed.files.layers.firstIndex { $0.snapshot === snapshot }
        guard view.condition.lostFile != nil || index != nil else {
            return nil
        }
        let files = committed.files.prefix(min(index ?? .max, committed.files.layers.count))
        var lost = LostFiles(view: view, row: row, committed: CommittedRecords(files))
        if row.isLocal {
            lost.overlay = try written(row, over: files, definition)
        } else {
            lost.committed = CommittedRecords(files, recent: try recent(row, over: files, definition))
        }
        return lost
    }
}

extension CollectionRow {
    /// The state that the newest of some of its files holds.
    fileprivate func mark(of files: FileStack) -> StackMark {
        let id = files.layers[files.layers.count - 1].snapshot.identity.fileID
        let layer = layers.first { $0.layer.fileID == id }?.layer
        return layer.map { StackMark(generation: $0.generation, key: $0.key) }
            ?? StackMark(generation: fileGeneration, key: fileKey)
    }

    /// Whether records lie over some of its files.
    fileprivate func hasRecords(over files: FileStack) -> Bool {
        hasData && !isBundle && generation > mark(of: files).generation
    }
}

extension FileStack {
    /// Whether the checksums are right of the files that a new file with a role replaces. It reads them whole.
    fileprivate func isSound(from role: StackRole) -> Bool {
        layers.allSatisfy { layer in
            guard layer.role >= role else { return true }
            do throws(SnapshotError) { try layer.snapshot.verify() } catch { return false }
            return true
        }
    }
}
