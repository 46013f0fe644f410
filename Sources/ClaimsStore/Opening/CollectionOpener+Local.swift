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
        // Until the upstream has what waits for it, it stays the truth.
        guard view.condition.operations.isEmpty else {
            return fail(name, StoreError(.mismatch, "make this host the truth of \(name)", detail: "operations wait"))
        }
        do throws(StoreError) {
            if view.condition.row.isBundle { try store.forgetBundle(view.condition.row) }
            try store.adopt(name)
        } catch {
            return fail(name, error)
        }
        guard let row = store.catalog.current()[name]?.condition.row else { return }
        guard row.hasData else {
            // A snapshot without records takes what is written.
            do throws(StoreError) { try buildFirst(view.definition) } catch { fail(name, error) }
            return
        }
        settle(name)
    }

    /// Folds what was written here into a snapshot: a new file, and one short transaction. Clock and answers stay.
    ///
    /// - Parameter isWanted: asked every few records; once it returns false, the call ends without effect.
    /// - Returns: whether something was folded.
    /// - Throws: `.mismatch` where the snapshot was replaced meanwhile; a later call tries again.
    @discardableResult
    public func fold(_ name: String, while isWanted: () -> Bool = { true }) throws(StoreError) -> Bool {
        guard let view = store.catalog.current()[name], view.condition.row.isLocal, let base = view.snapshot,
            let overlay = view.overlay
        else { return false }
        try ensureDirectory()
        let row = view.condition.row
        let identity = SnapshotIdentity(
            epoch: store.epoch, generation: row.generation, fileID: RandomBytes.integer() | 1,
            definitionHash: view.definition.shapeHash)
        guard let snapshot = try write(base, under: overlay, view.definition, identity, while: isWanted) else {
            return false
        }
        do throws(StoreError) {
            let prepared = view.archive.rebuilt(for: snapshot)
            try store.replaceFile(
                of: view, by: snapshot, archive: { $0 === view.archive ? prepared : $0.rebuilt(for: snapshot) })
        } catch {
            snapshot.removeWhenUnused()
            throw error
        }
        try tidy(name)
        return true
    }

    private func write(
        _ base: Snapshot, under overlay: RecordOverlay, _ definition: Definition, _ identity: SnapshotIdentity,
        while isWanted: () -> Bool
    ) throws(StoreError) -> Snapshot? {
        var decoder = RecordDecoder(definition: definition)
        var tape = JSONTape()
        var record = DecodedRecord()
        do throws(SnapshotError) {
            var writer = try SnapshotWriter(
                directory: directory, definition: definition, identity: identity, base: base)
            for row in 0..<base.count where !overlay.rows.covered.contains(row) {
                if row % Self.rowsPerLook == 0, !isWanted() { return nil }
                _ = try writer.carry(row, from: base)
            }
            for entry in overlay.entries {
                guard let upstream = entry.upstream,
                    (try? tape.parse(upstream.rawSpan, from: 0, depth: JSONElements.bodyDepth)) != nil,
                    case .accepted = decoder.decode(tape, upstream.rawSpan, into: &record)
                else { continue }
                _ = try writer.append(
                    record, firstSeen: entry.firstSeen, changedAt: entry.changedAt, stateKey: entry.stateKey)
            }
            guard isWanted() else { return nil }
            _ = try writer.finish()
            return try Snapshot.open(directory: directory, identity: identity, definition: definition)
        } catch { throw StoreError(error) }
    }

    private static let rowsPerLook = 4096
}

extension CollectionView {
    /// The entries that were written since an earlier view of the same snapshot.
    func entries(since view: CollectionView) -> [OverlayEntry] {
        let first = StateSchema.firstKey(of: view.condition.row.number)
        var newer = (overlay?.entries ?? []).filter { $0.stateKey >= first + view.condition.row.nextKey }
        // A record that lay over the snapshot and was deleted left nothing to hide, but now the snapshot has it.
        for entry in view.overlay?.entries ?? []
        where entry.upstream != nil && served(entry.id) == nil && !newer.contains(where: { $0.id == entry.id }) {
            newer.append(
                OverlayEntry(
                    id: entry.id, upstream: nil, firstSeen: entry.firstSeen, changedAt: entry.changedAt,
                    stateKey: first + condition.row.nextKey - 1))
        }
        return newer
    }
}

extension StateStore {
    /// Notes that this host is the truth of a collection. Waits until that is on disk.
    func adopt(_ name: String) throws(StoreError) {
        let catalog = catalog
        let operation = "become the truth of \(name)"
        try database.perform { connection throws(StoreError) in
            guard let view = catalog.current()[name] else { throw StoreError(.noCollection, operation, detail: name) }
            let row = try connection.transaction(.synced, operation) { connection throws(StoreError) in
                guard var row = try connection.row(view.condition.row.number) else {
                    throw StoreError(.noCollection, operation, detail: name)
                }
                row.isLocal = true
                try row.write(connection)
                return row
            }
            catalog.update {
                $0.replacing(name) { view in
                    var condition = view.condition
                    condition.row = row
                    return view.with(condition)
                }
            }
        }
    }

    /// Serves a snapshot that holds what was served before, and over it what was written since.
    fileprivate func replaceFile(
        of view: CollectionView, by snapshot: Snapshot,
        archive: @escaping @Sendable (ArchiveOverlay) -> ArchiveOverlay
    ) throws(StoreError) {
        let catalog = catalog
        let (name, base, identity) = (view.definition.name, view.condition.row, snapshot.identity)
        let operation = "fold what was written to \(name)"
        let old = try database.perform { connection throws(StoreError) in
            guard let current = catalog.current()[name], current.snapshot === view.snapshot,
                current.definition.valuesHash == view.definition.valuesHash
            else { throw StoreError(.mismatch, operation, detail: "the collection has changed meanwhile") }
            let newer = current.entries(since: view)
            let overlay = try RecordOverlay.build(
                newer, over: snapshot, definition: current.definition, joined: nil)
            let row = try connection.transaction(.synced, operation) { connection throws(StoreError) in
                guard var row = try connection.row(base.number), row.fileID == base.fileID else {
                    throw StoreError(.mismatch, operation, detail: "the collection has changed meanwhile")
                }
                row.setFile(identity, at: base)
                try row.write(connection)
                return row
            }
            let next = CollectionView(
                definition: current.definition, snapshot: snapshot, archive: archive(current.archive),
                condition: current.condition, overlay: overlay)
            catalog.update {
                $0.replacing(name) { current in
                    var condition = current.condition
                    condition.row = row
                    condition.isVerified = true
                    return next.with(condition)
                }
            }
            return current.snapshot
        }
        retired.add(old, of: name)
    }
}

extension CollectionOpener {
    /// Makes an upstream the truth of a collection: each record becomes a create that waits for a person.
    ///
    /// With more records than there may be operations nothing changes: what is served stays, and nothing can be written.
    func release(_ view: CollectionView) {
        let name = view.definition.name
        do throws(StoreError) {
            try store.release(name, maxPending: maxPending.withLock { $0 }, at: clock.now())
        } catch {
            fail(name, error)
        }
    }
}

extension StateStore {
    fileprivate func release(_ name: String, maxPending: Int, at now: Int64) throws(StoreError) {
        let catalog = catalog
        let operation = "make an upstream the truth of \(name)"
        let old = try database.perform { connection throws(StoreError) in
            guard let view = catalog.current()[name], view.condition.row.isLocal else { return Snapshot?.none }
            let records = view.servedRecords
            guard records.count <= maxPending else {
                throw StoreError(
                    .tooLarge, operation, detail: "it has \(records.count) records, and \(maxPending) may wait")
            }
            let next = try connection.transaction(.synced, operation) { connection throws(StoreError) in
                guard var row = try connection.row(view.condition.row.number) else {
                    throw StoreError(.noCollection, operation, detail: name)
                }
                try connection.endRecords(of: &row, at: now)
                var commit = OperationCommit(view, by: 0, at: now)
                for record in records {
                    let stored = record.adopted(by: view.definition, at: now, seq: connection.seq)
                    try commit.add(stored, connection)
                }
                return try commit.release(row, &connection)
            }
            let revision = Revision(epoch: connection.epoch, seq: connection.seq)
            catalog.update { $0.replacing(name, revision: revision) { _ in next } }
            return view.snapshot
        }
        retired.add(old, of: name)
    }
}

extension StateConnection {
    /// Ends all records of a collection, which has no data afterwards; to be called in a transaction.
    fileprivate mutating func endRecords(of row: inout CollectionRow, at now: Int64) throws(StoreError) {
        row.generation += 1
        let end = try database.prepare(
            """
            INSERT OR IGNORE INTO removal(key, generation) SELECT key, ?3 FROM version WHERE key >= ?1 AND key < ?2
            """, "end records")
        let first = StateSchema.firstKey(of: row.number)
        try end.bind(parameters: [first, first + row.nextKey, Int64(bitPattern: row.generation)])
        try end.run()
        try addGeneration(
            CommitPlan.Log(cause: .write, isWhole: false, changes: 0, valueBytes: 0), to: &row, at: now)
        (row.isLocal, row.fileID, row.records) = (false, 0, 0)
        (row.fileGeneration, row.fileKey) = (row.generation, row.nextKey)
        try row.write(self)
    }
}

extension CollectionView {
    /// All records that are served, in no order.
    fileprivate var servedRecords: [ServedRecord] {
        [snapshot, overlay?.snapshot].flatMap { layer -> [ServedRecord] in
            guard let layer else { return [] }
            return (0..<layer.count).compactMap { row in
                served(under: layer.id(row)).flatMap { $0.snapshot === layer ? $0 : nil }
            }
        }
    }
}

extension ServedRecord {
    /// The create that the record becomes. The values that a create may give are given, the others are shown.
    fileprivate func adopted(by definition: Definition, at now: Int64, seq: UInt64) -> StoredOperation {
        let random = (RandomBytes.integer(), RandomBytes.integer())
        var operation = Operation(
            OperationID(time: now, random: random), .create,
            on: String(decoding: snapshot.idBytes(row), as: UTF8.self), of: definition.name, state: .held,
            submittedAt: now)
        operation.reason = .adopted
        let known = FieldComparison(definition).values(of: snapshot.document(row))
        let create = definition.writes?.actions.first { $0.kind == .create }
        let files = definition.writes?.attachments?.field
        for (index, field) in definition.fields.enumerated() where index != definition.idField {
            guard let value = known[index] else { continue }
            if index == files {
                operation.values.files = (value.array ?? []).compactMap(OperationFile.init(listed:))
            } else if create?.fields.contains(index) == true {
                operation.values.given[field.name] = value
            } else {
                operation.values.shown[field.name] = value
            }
        }
        return StoredOperation(
            operation, content: ContentHash.digest(of: operation.id.bytes.rawSpan), seq: seq,
            changed: operation.touched)
    }
}

extension OperationFile {
    /// A file as records list it.
    fileprivate init?(listed value: JSONValue) {
        guard let sha256 = value["sha256"]?.string, let name = value["name"]?.string, let type = value["type"]?.string,
            let size = value["size"]?.integer
        else { return nil }
        self.init(sha256: sha256, name: name, type: type, size: size)
    }
}
