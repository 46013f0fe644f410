// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot
import Synchronization

/// The meaning of a snapshot that is built of the stored records.
enum RebuildKind: Equatable {
    /// The values that are served stay.
    case sameValues
    /// The definition decides other values than the one before.
    case newDefinition
    /// Damaged records are left out.
    case lostRecords

    /// The kind before it is known whether records are damaged.
    init(_ row: CollectionRow, _ definition: Definition) {
        // A bundle is read anew after each change of its definition.
        if row.isBundle || !row.hasData {
            self = .sameValues
        } else if row.valuesHash == 0 {
            self = row.definitionHash == definition.shapeHash ? .sameValues : .newDefinition
        } else {
            self = row.valuesHash == definition.valuesHash ? .sameValues : .newDefinition
        }
    }
}

extension CollectionOpener {
    /// Serves a snapshot that was built of the stored records.
    ///
    /// - Parameter view: the collection as it was before, with the snapshot to compare with, if there is one.
    func replace(
        _ built: Built, _ kind: RebuildKind, _ definition: Definition, before view: CollectionView
    ) throws(StoreError) {
        var rebuild = RebuildCommit(
            base: built.base, identity: built.snapshot.identity, valuesHash: definition.valuesHash,
            records: built.snapshot.count, rejected: built.rejected, at: clock.now())
        do throws(StoreError) {
            guard kind != .sameValues else { return try serve(rebuild, built.snapshot, definition) }
            let limits = definition.history.applied(to: history.withLock { $0 })
            var stage = try store.database.stage(built.base.number, at: rebuild.at, historyBytes: limits.bytes)
            do throws(StoreError) {
                guard stage.base.generation == built.base.generation else {
                    throw StoreError(.mismatch, "commit a rebuilt snapshot")
                }
                let log = try note(built, kind, definition, before: view, in: &stage)
                try stage.flush()
                rebuild.log = (log, stage.number)
                try serve(rebuild, built.snapshot, definition)
            } catch {
                stage.abandon()
                throw error
            }
        } catch {
            built.snapshot.removeWhenUnused()
            throw error
        }
    }

    /// Notes which records are served with other values, or not any more.
    ///
    /// Without the snapshot that was served before nothing is noted, and the log begins anew after the commit.
    private func note(
        _ built: Built, _ kind: RebuildKind, _ definition: Definition, before view: CollectionView,
        in stage: inout GenerationStage
    ) throws(StoreError) -> CommitPlan.Log {
        let old = view.snapshot
        if old != nil {
            var difference = DocumentDifference(definition)
            let operation: LoggedOperation = kind == .newDefinition ? .definition : .updated
            try difference.note(from: view, to: built.snapshot, as: operation, in: &stage)
        }
        var log = stage.log(cause: kind == .newDefinition ? .definition : .recovery)
        if old == nil {
            log.valueBytes = nil
            log.changes = max(1, built.rejected.count)
        }
        if kind == .newDefinition {
            log.isWhole = true
            log.changes = 1
        }
        return log
    }

    private func serve(_ rebuild: RebuildCommit, _ snapshot: Snapshot, _ definition: Definition) throws(StoreError) {
        let now = rebuild.at
        let joins = store.joins
        try store.replace(rebuild) { row, view, connection throws(StoreError) in
            var condition = view.condition
            condition.row = row
            condition.isVerified = true
            condition.problem = nil
            condition.unconfiguredSince = definition.source.isConfigured ? nil : condition.unconfiguredSince ?? now
            // Records that were written here are in the snapshot; operations for an upstream lie over it.
            let entries = OverlayComposer(definition, base: snapshot).entries(condition.operations)
            let overlay =
                try entries.isEmpty
                ? nil
                : RecordOverlay.build(
                    entries, over: snapshot, definition: definition,
                    joined: joins.table(of: row, definition, connection))
            return CollectionView(
                definition: definition, snapshot: snapshot, archive: view.archive.rebuilt(for: snapshot),
                condition: condition, overlay: overlay)
        }
    }
}

extension DocumentDifference {
    /// Notes how each record of a snapshot differs from the one that was served before.
    fileprivate mutating func note(
        from old: CollectionView, to new: Snapshot, as operation: LoggedOperation, in stage: inout GenerationStage
    ) throws(StoreError) {
        for row in 0..<new.count {
            guard let before = old.served(under: new.id(row)) else {
                try stage.note(.added, id: new.id(row))
                continue
            }
            let document = before.snapshot.document(before.row)
            if document.equals(new.document(row)) { continue }
            if let values = compare(old: document, new: new.document(row)) {
                try stage.note(operation, id: new.id(row), values: values.rawSpan)
            }
        }
        for layer in [old.snapshot, old.overlay?.snapshot] {
            guard let layer else { continue }
            for row in 0..<layer.count where new.row(forID: layer.id(row)) == nil {
                guard let before = old.served(under: layer.id(row)), before.snapshot === layer else { continue }
                let document = stage.keepsChanges ? lasting(layer.document(row)) : []
                try stage.note(
                    .removed, id: layer.id(row), values: document.rawSpan, firstSeen: layer.firstSeen(row))
            }
        }
    }
}
