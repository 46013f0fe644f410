// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot
import Synchronization

extension CollectionOpener {
    /// Builds a snapshot from the records in state.db, and serves it.
    ///
    /// Generation and clock stay, unless the definition decides other values than the one before, or damaged records are
    /// left out: then it is a commit.
    ///
    /// - Returns: whether it is being served.
    @discardableResult
    func rebuild(_ definition: Definition, because reason: StoreError) -> Bool {
        rebuilding(definition, because: reason) == nil
    }

    /// Builds a snapshot like ``rebuild(_:because:)``.
    ///
    /// - Returns: why it failed, which is reported, too; nil where the snapshot is being served.
    func rebuilding(_ definition: Definition, because reason: StoreError) -> StoreError? {
        var attempts = 3
        while true {
            attempts -= 1
            do throws(StoreError) {
                try ensureDirectory()
                let (records, rejected) = try build(definition)
                report(definition.name, .rebuilt(records: records, rejected: rejected, because: reason))
                return nil
            } catch {
                // Another generation was committed meanwhile: its records are the ones to build from.
                if error.code == .mismatch && attempts > 0 { continue }
                fail(definition.name, error)
                return error
            }
        }
    }

    /// Builds the first snapshot of a collection that is written here, which has no records yet.
    func buildFirst(_ definition: Definition) throws(StoreError) {
        try ensureDirectory()
        _ = try build(definition)
    }

    private func build(_ definition: Definition) throws(StoreError) -> (records: Int, rejected: Int) {
        guard let view = store.catalog.current()[definition.name] else {
            throw StoreError(.missing, "build a snapshot", detail: "no such collection")
        }
        let row = view.condition.row
        guard row.hasData || row.isLocal else {
            try define(definition)
            forgetRemovedSites(of: definition)
            return (0, 0)
        }
        var commit = RebuildKind(row, definition)
        if row.hasData, !row.isBundle, !view.condition.removedSites(by: definition).isEmpty { commit = .newDefinition }
        var built = try build(definition, view.condition, generation: row.generation + (commit == .sameValues ? 0 : 1))
        // Records that are written here keep their rows: those that were left out before are no change.
        let isKnown = row.isLocal && built.rejected.count == row.quarantined
        if commit == .sameValues, !row.isBundle, !built.rejected.isEmpty, !isKnown {
            // Records that were served are not any more, and a commit has a generation of its own.
            built.snapshot.removeWhenUnused()
            commit = .lostRecords
            built = try build(definition, view.condition, generation: row.generation + 1)
        }
        try replace(built, commit, definition, before: view)
        forgetRemovedSites(of: definition)
        return (built.snapshot.count, built.rejected.count { $0.reason != RejectedRecord.siteIsGone })
    }

    /// A snapshot of the stored records, which nobody is served yet.
    struct Built {
        var base: CollectionRow
        var snapshot: Snapshot
        var rejected: [RejectedRecord]
    }

    private func build(
        _ definition: Definition, _ condition: CollectionCondition, generation: UInt64
    ) throws(StoreError) -> Built {
        let row = condition.row
        let removed = condition.removedSites(by: definition)
        let identity = SnapshotIdentity(
            epoch: store.epoch, generation: generation, fileID: RandomBytes.integer() | 1,
            definitionHash: definition.shapeHash)
        let joined = JoinTable(definition: definition, stored: try store.database.joined(of: row))
        var decoder = StoredRecordDecoder(definition, joined: joined)
        var writer = try StoreError.translating { () throws(SnapshotError) in
            try SnapshotWriter(directory: directory, definition: definition, identity: identity)
        }
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
                // A trace of damage; the next answer of the upstream brings the record again.
                return rejected.append(
                    RejectedRecord(key: stored.key, upstream: stored.upstream, pointer: "", reason: "not JSON any more")
                )
            }
            switch decoder.decode(tape, stored, into: &record) {
            case .accepted:
                do throws(SnapshotError) {
                    _ = try writer.append(
                        record, firstSeen: stored.firstSeen, changedAt: stored.changedAt, stateKey: stored.key)
                } catch { throw StoreError(error) }
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
        // Indexing takes memory of its own, and needs nothing of what was seen.
        seen = SeenRecords(rows: 0)
        let snapshot: Snapshot
        do throws(SnapshotError) {
            _ = try writer.finish()
            snapshot = try Snapshot.open(directory: directory, identity: identity, definition: definition)
        } catch { throw StoreError(error) }
        return Built(base: base, snapshot: snapshot, rejected: rejected)
    }

    /// Puts a definition into force for a collection without data, which has no snapshot to build.
    private func define(_ definition: Definition) throws(StoreError) {
        let (catalog, joins) = (store.catalog, store.joins)
        // On the store's thread, so that no write comes in between.
        try store.database.perform { connection throws(StoreError) in
            guard let view = catalog.current()[definition.name], !view.condition.row.hasData else {
                // The first data has come meanwhile, in the shape of the old definition.
                throw StoreError(.mismatch, "build a snapshot")
            }
            let entries = OverlayComposer(definition, base: nil).entries(view.condition.operations)
            let overlay =
                try entries.isEmpty
                ? nil
                : RecordOverlay.build(
                    entries, over: nil, definition: definition,
                    joined: joins.table(of: view.condition.row, definition, connection))
            catalog.update {
                $0.replacing(definition.name) { current in
                    CollectionView(
                        definition: definition, snapshot: nil, archive: current.archive, condition: current.condition,
                        overlay: overlay)
                }
            }
        }
    }

    /// Serves the bundle, unless it is being served already.
    ///
    /// - Returns: whether it is being served.
    @discardableResult
    func bundle(_ view: CollectionView, isForced: Bool = false) -> Bool {
        let definition = view.definition
        let path = Paths.join(bundleDirectory, definition.bundle ?? "")
        let key = bundleKey(path, definition)
        if !isForced && view.snapshot != nil && view.condition.row.bundleKey == key { return true }
        let bytes: [UInt8]
        let cap = definition.source.limits.applied(to: TransferLimits()).body
        do throws(SystemError) { bytes = try Files.readAll(path, cap: cap) } catch {
            report(definition.name, .badBundle(path: path, detail: error.message))
            return false
        }
        // The records in force stay if the new file has none that can be served.
        if let obstacle = BundleBody.obstacle(bytes, definition) {
            report(definition.name, .badBundle(path: path, detail: obstacle))
            return false
        }
        do throws(IntakeError) {
            let records = try build(bytes, view, key)
            report(definition.name, .bundled(records: records))
            return true
        } catch {
            if case .store(let error) = error {
                fail(definition.name, error)
            } else {
                let reason = BundleBody.reason(error, root: BundleBody.root(bytes, definition))
                report(definition.name, .badBundle(path: path, detail: reason))
            }
            return false
        }
    }

    private func build(_ bytes: [UInt8], _ view: CollectionView, _ key: UInt64) throws(IntakeError) -> Int {
        let definition = view.definition
        try Self.storing { () throws(StoreError) in try ensureDirectory() }
        let root = BundleBody.root(bytes, definition)
        var intake = try Self.storing { () throws(StoreError) in
            let now = clock.now()
            let stage = try store.database.stage(view.condition.row.number, at: now, historyBytes: 0)
            let plan = RecordIntake.Plan(
                definition: definition, isStored: false, now: now, recordLimit: .max)
            let identity = SnapshotIdentity(
                epoch: store.epoch, generation: stage.generation, fileID: RandomBytes.integer() | 1,
                definitionHash: definition.shapeHash)
            return try RecordIntake(plan, root: root, stage: stage, directory: directory, identity: identity)
        }
        do throws(IntakeError) { try intake.read(ArrayBody(bytes)) } catch {
            intake.abandon()
            throw error
        }
        let records = intake.counts.records
        var source = view.condition.source
        source.drift = intake.drift(after: DriftReport())
        do throws(StoreError) { try store.commit(intake, [source], bundleKey: key) } catch { throw .store(error) }
        return records
    }

    /// Changes with the file and with what it is read as; never 0.
    private func bundleKey(_ path: String, _ definition: Definition) -> UInt64 {
        let text = "\(path) \(Files.size(path) ?? 0) \(Files.modified(path) ?? 0) \(definition.shapeHash)"
        return Checksum.of(Array(text.utf8).rawSpan) | 1
    }

    func fail(_ name: String, _ error: StoreError) {
        store.catalog.update {
            $0.replacing(name) { view in
                var condition = view.condition
                condition.problem = error
                return view.with(condition)
            }
        }
        store.database.suspect(error)
        report(name, .failed(error))
    }

    private static func storing<Result: ~Copyable>(
        _ body: () throws(StoreError) -> Result
    ) throws(IntakeError) -> Result {
        do throws(StoreError) { return try body() } catch { throw .store(error) }
    }
}

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
