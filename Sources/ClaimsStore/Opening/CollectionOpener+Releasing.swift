// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot
import Synchronization

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
