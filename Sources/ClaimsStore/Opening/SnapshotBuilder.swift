// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot
import Synchronization

/// Builds snapshots of the records in state.db, for files that are missing, damaged, or of another version or definition.
struct SnapshotBuilder: Sendable {
    private let context: OpeningContext
    private let history: KeptHistory
    private var store: StateStore { context.store }
    private var folder: SnapshotFolder { context.folder }

    init(_ context: OpeningContext, _ history: KeptHistory) {
        self.context = context
        self.history = history
    }

    /// Builds a snapshot from the records in state.db, and serves it.
    ///
    /// Generation and clock stay, unless the definition decides other values than the one before, or damaged records
    /// are left out: then the rebuild is a commit.
    ///
    /// - Returns: whether it is being served.
    @discardableResult
    func rebuild(_ definition: Definition, because reason: StoreError) -> Bool {
        rebuilding(definition, because: reason) == nil
    }

    /// Builds a snapshot like ``rebuild(_:because:)``.
    ///
    /// - Returns: the error, which is reported, too; nil if the snapshot is being served.
    func rebuilding(_ definition: Definition, because reason: StoreError) -> StoreError? {
        var attempts = 3
        while true {
            attempts -= 1
            do throws(StoreError) {
                try folder.ensure()
                let (records, rejected) = try build(definition)
                context.report(definition.name, .rebuilt(records: records, rejected: rejected, because: reason))
                return nil
            } catch {
                // Another generation was committed meanwhile: its records are the ones to build from.
                if error.code == .mismatch && attempts > 0 { continue }
                context.fail(definition.name, error)
                return error
            }
        }
    }

    /// Builds the first snapshot of a collection that is written here, which has no records yet.
    func buildFirst(_ definition: Definition) throws(StoreError) {
        try folder.ensure()
        _ = try build(definition)
    }

    private func build(_ definition: Definition) throws(StoreError) -> (records: Int, rejected: Int) {
        guard let view = context.view(definition.name) else {
            throw StoreError(.missing, "build a snapshot", detail: "no such collection")
        }
        let row = view.condition.row
        guard row.hasData || row.isLocal else {
            try store.generations.define(definition)
            forgetRemovedSites(of: definition)
            return (0, 0)
        }
        var commit = RebuildKind(row, definition)
        if row.hasData, !row.isBundle, !view.condition.removedSites(by: definition).isEmpty { commit = .newDefinition }
        var built = try build(definition, view.condition, generation: row.generation + (commit == .sameValues ? 0 : 1))
        // Local records keep their rows: records that were left out before are no change.
        let isKnown = row.isLocal && built.rejected.count == row.quarantined
        if commit == .sameValues, !row.isBundle, !built.rejected.isEmpty, !isKnown {
            // Some served records are not served any more, so this is a commit with a generation of its own.
            built.snapshot.removeWhenUnused()
            commit = .lostRecords
            built = try build(definition, view.condition, generation: row.generation + 1)
        }
        try replace(built, commit, definition, before: view)
        forgetRemovedSites(of: definition)
        return (built.snapshot.count, built.rejected.count { $0.reason != RejectedRecord.siteIsGone })
    }

    /// A snapshot of the stored records, which is not served yet.
    private struct Built {
        var base: CollectionRow
        var snapshot: Snapshot
        var rejected: [RejectedRecord]
    }

    private func build(
        _ definition: Definition, _ condition: CollectionCondition, generation: UInt64
    ) throws(StoreError) -> Built {
        let row = condition.row
        let removed = condition.removedSites(by: definition)
        let identity = SnapshotIdentity(new: generation, of: definition, epoch: store.epoch)
        let joined = JoinTable(definition: definition, stored: try store.database.joined(of: row))
        var decoder = StoredRecordDecoder(definition, joined: joined)
        var writer = try SnapshotWriter(directory: folder.path, definition: definition, identity: identity)
        var tape = JSONTape()
        var record = DecodedRecord()
        var rejected: [RejectedRecord] = []
        // Two current records with one id are a trace of damage: the later one is served.
        var seen = SeenRecords(rows: 0)
        let base = try store.database.forEachRecord(of: row.number) { stored throws(StoreError) in
            if stored.isOne(of: removed) {
                return rejected.append(
                    RejectedRecord(key: stored.key, pointer: "", reason: RejectedRecord.siteIsGone))
            }
            guard (try? tape.parse(stored.upstream.rawSpan, from: 0, depth: JSONElements.bodyDepth)) != nil else {
                // A record without an id is a trace of damage; the next answer of the upstream brings the record again.
                return rejected.append(
                    RejectedRecord(key: stored.key, upstream: stored.upstream, pointer: "", reason: "not JSON any more")
                )
            }
            switch decoder.decode(tape, stored, into: &record) {
            case .accepted:
                _ = try writer.append(
                    record, firstSeen: stored.firstSeen, changedAt: stored.changedAt, stateKey: stored.key)
                let entry = SeenRecords.Record(key: stored.key, start: 0, length: 0, index: 0)
                if let earlier = try seen.add(entry, id: record.id.rawSpan, in: writer) {
                    writer.drop(earlier)
                    rejected.append(RejectedRecord(key: seen[earlier].key, pointer: "", reason: ""))
                }
            case .quarantined(let reason, let pointer):
                rejected.append(
                    RejectedRecord(
                        key: stored.key, upstream: stored.upstream, id: record.knownID, site: decoder.site,
                        pointer: pointer, reason: reason))
            }
        }
        guard base.generation == row.generation else { throw StoreError(.mismatch, "build a snapshot") }
        // Indexing takes memory of its own, and the seen records are not needed any more.
        seen = SeenRecords(rows: 0)
        _ = try writer.finish()
        let snapshot = try folder.open(identity, definition)
        return Built(base: base, snapshot: snapshot, rejected: rejected)
    }

    /// Serves a snapshot that was built of the stored records.
    ///
    /// - Parameter view: the collection before, with the snapshot to compare with, if there is one.
    private func replace(
        _ built: Built, _ kind: RebuildKind, _ definition: Definition, before view: CollectionView
    ) throws(StoreError) {
        var rebuild = RebuildCommit(
            base: built.base, identity: built.snapshot.identity, valuesHash: definition.valuesHash,
            records: built.snapshot.count, rejected: built.rejected, at: context.clock.now())
        do throws(StoreError) {
            guard kind != .sameValues else { return try store.generations.replace(rebuild, built.snapshot, definition) }
            let limits = history.history(of: definition)
            var stage = try store.database.stage(built.base.number, at: rebuild.at, historyBytes: limits.bytes)
            do throws(StoreError) {
                guard stage.base.generation == built.base.generation else {
                    throw StoreError(.mismatch, "commit a rebuilt snapshot")
                }
                let log = try note(built, kind, definition, before: view, in: &stage)
                try stage.flush()
                rebuild.log = (log, stage.number)
                try store.generations.replace(rebuild, built.snapshot, definition)
            } catch {
                stage.abandon()
                throw error
            }
        } catch {
            built.snapshot.removeWhenUnused()
            throw error
        }
    }

    /// Adds the records that are served with other values, or not any more, to the log.
    ///
    /// Without the snapshot that was served before nothing is added, and the log begins anew after the commit.
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

    /// Forgets what is known of sites that a definition does not have any more; their records are gone. After an error
    /// the next reload or start does it.
    func forgetRemovedSites(of definition: Definition) {
        guard let view = context.view(definition.name),
            !view.condition.removedSites(by: definition).isEmpty
        else { return }
        do throws(StoreError) {
            try store.forgetSites(of: definition.name, except: Set(definition.sources.compactMap(\.site)))
        } catch { store.database.suspect(error) }
    }
}

/// The effect of a snapshot that is built of the stored records.
enum RebuildKind: Equatable {
    /// The values that are served stay.
    case sameValues
    /// The definition decides other values than the one before.
    case newDefinition
    /// Damaged records are left out.
    case lostRecords

    /// The kind before the records have been checked for damage.
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

extension DocumentDifference {
    /// Adds the differences between each record of a snapshot and the record that was served before.
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
        for layer in old.layers {
            for row in 0..<layer.count where new.row(forID: layer.id(row)) == nil {
                guard let before = old.served(under: layer.id(row)), before.snapshot === layer else { continue }
                let document = stage.keepsChanges ? lasting(layer.document(row)) : []
                try stage.note(
                    .removed, id: layer.id(row), values: document.rawSpan, firstSeen: layer.firstSeen(row))
            }
        }
    }
}
