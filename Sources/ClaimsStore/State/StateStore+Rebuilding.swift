// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A committed record, as state.db has it.
struct StoredRecord {
    var key: Int64
    /// The object as received; the buffer is used again for the next record.
    var upstream: [UInt8] = []
    var firstSeen: Int64
    var changedAt: Int64
}

/// A stored record that is not to be served: the definition, which has changed, does not let it through.
struct RejectedRecord: Sendable {
    var key: Int64
    /// nil: it does not go to quarantine, because another record with its id is served.
    var upstream: [UInt8]?
    var pointer: String
    var reason: String
}

extension StateStore {
    /// Calls `body` for each current record of a collection, and returns the row that says which those are. Reads one
    /// unchanging view on a connection of its own.
    func forEachRecord(
        of collection: Int64, _ body: (borrowing StoredRecord) throws(StoreError) -> Void
    ) throws(StoreError) -> CollectionRow {
        let database = try reader()
        let rows = try CollectionRow.readAll(database)
        guard let row = rows.first(where: { $0.number == collection }) else {
            throw StoreError(.missing, "read records", detail: "no such collection")
        }
        let select = try database.prepare(
            """
            SELECT key, upstream, first_seen, changed_at FROM version v WHERE key >= ?1 AND key < ?2
                AND NOT EXISTS (SELECT 1 FROM removal r WHERE r.key = v.key AND r.generation <= ?3) ORDER BY key
            """, "read records")
        let first = StateSchema.firstKey(of: collection)
        select.bind(1, first)
        select.bind(2, first + row.nextKey)
        select.bind(3, bits: row.generation)
        var record = StoredRecord(key: 0, firstSeen: 0, changedAt: 0)
        while try select.step() {
            record.key = select.integer(0)
            record.upstream.removeAll(keepingCapacity: true)
            select.append(1, to: &record.upstream)
            record.firstSeen = select.integer(2)
            record.changedAt = select.integer(3)
            try body(record)
        }
        return row
    }

    /// What the last good join took, as lines of text; empty if there was none.
    public func joined(of row: CollectionRow) throws(StoreError) -> [UInt8] {
        let database = try reader()
        let select = try database.prepare(
            "SELECT value FROM join_value WHERE collection = ?1 AND batch = ?2 ORDER BY number", "read joined values")
        select.bind(1, row.number)
        select.bind(2, row.joinBatch)
        var lines: [UInt8] = []
        while try select.step() {
            select.append(0, to: &lines)
            lines.append(UInt8(ascii: "\n"))
        }
        return lines
    }

    /// Puts a snapshot that was built of the stored records in the place of the one there was, or should have been.
    /// Generation and clock stay. Rejected records go to quarantine.
    ///
    /// Throws `.mismatch` if another generation was committed meanwhile.
    func replace(
        _ base: CollectionRow, with view: @escaping @Sendable (CollectionRow, CollectionView) -> CollectionView,
        identity: SnapshotIdentity, records: Int, rejected: [RejectedRecord], at now: Int64
    ) throws(StoreError) {
        let catalog = catalog
        try perform { connection throws(StoreError) in
            let row = try connection.transaction(.synced, "commit a rebuilt snapshot") {
                connection throws(StoreError) in
                guard var row = try connection.row(base.number), row.generation == base.generation,
                    row.nextKey == base.nextKey
                else { throw StoreError(.mismatch, "commit a rebuilt snapshot") }
                row.fileID = identity.fileID
                row.definitionHash = identity.definitionHash
                row.records = records
                row.quarantined += rejected.count { $0.upstream != nil }
                try connection.reject(rejected, of: row, at: now)
                try row.write(connection)
                return row
            }
            catalog.update { $0.replacing(base.name) { view(row, $0) } }
        }
    }

    /// Forgets the bundle that was served: the collection has no data any more.
    func forgetBundle(_ base: CollectionRow) throws(StoreError) {
        let catalog = catalog
        try perform { connection throws(StoreError) in
            let row = try connection.transaction(.synced, "forget a bundle") { connection throws(StoreError) in
                guard var row = try connection.row(base.number), row.isBundle else {
                    throw StoreError(.mismatch, "forget a bundle")
                }
                row.fileID = 0
                row.bundleKey = 0
                row.records = 0
                row.quarantined = 0
                try row.write(connection)
                return row
            }
            catalog.update {
                $0.replacing(base.name) { view in
                    var condition = view.condition
                    condition.row = row
                    return CollectionView(
                        definition: view.definition, snapshot: nil, archive: view.archive.rebuilt(for: nil),
                        condition: condition)
                }
            }
        }
    }
}

extension StateConnection {
    fileprivate func reject(_ records: [RejectedRecord], of row: CollectionRow, at now: Int64) throws(StoreError) {
        var chunk = StageChunk()
        for record in records {
            chunk.removals.append(record.key)
            guard let upstream = record.upstream else { continue }
            let bytes = chunk.add(upstream.raw)
            chunk.quarantined.append(
                .init(
                    pointer: record.pointer, reason: record.reason, bytes: bytes, size: upstream.count,
                    digest: Checksum.of(upstream.raw)))
        }
        try chunk.write(
            self,
            to: .init(
                collection: row.number, generation: row.generation, quarantineBatch: row.quarantineBatch,
                currentQuarantineBatch: row.quarantineBatch, joinBatch: row.joinBatch, at: now))
    }
}
