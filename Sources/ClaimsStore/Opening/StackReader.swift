// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsSnapshot

/// Reads what state.db says of a collection: opens its stack of files, and loads the records that lie over it.
struct StackReader: Sendable {
    private let context: OpeningContext
    private var store: StateStore { context.store }

    init(_ context: OpeningContext) {
        self.context = context
    }

    /// Opens the files that a row names. No file is opened over an unreadable one: the records of these files lie over
    /// the others.
    ///
    /// - Returns: the files, and why one over the base cannot be read.
    func open(
        _ row: CollectionRow, _ definition: Definition
    ) throws(StoreError) -> (files: FileStack, lost: StoreError?) {
        let base = try context.folder.open(SnapshotIdentity(of: row, epoch: store.epoch), definition)
        var newer: [FileStack.Part] = []
        var lost: StoreError?
        do throws(StoreError) {
            for (role, layer) in row.layers {
                let snapshot = try context.folder.open(row.identity(of: layer, epoch: store.epoch), definition)
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

    /// The joined values of a collection; nil if its definition has no join.
    func joined(of row: CollectionRow, _ definition: Definition) throws(StoreError) -> JoinTable? {
        guard definition.source.join != nil else { return nil }
        return JoinTable(definition: definition, stored: try store.database.joined(of: row))
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
