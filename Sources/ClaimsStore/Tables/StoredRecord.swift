// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsModel
import ClaimsSnapshot

/// A committed record in state.db.
struct StoredRecord {
    var key: Int64
    /// The id with its site, if it has one; the buffer is used again for the next record.
    var id: [UInt8] = []
    /// The object as received; the buffer is used again for the next record.
    var upstream: [UInt8] = []
    var firstSeen: Int64
    var changedAt: Int64
}

/// A stored record that cannot be served: the changed definition rejects it.
struct RejectedRecord: Sendable {
    var key: Int64
    /// nil: the record does not go to quarantine, because another record with its id is served.
    var upstream: [UInt8]?
    /// nil if it is not known.
    var id: [UInt8]?
    /// nil for a record of the only source of a collection.
    var site: String?
    var pointer: String
    var reason: String

    /// The reason for rejecting a record whose site the definition does not have any more.
    static let siteIsGone = "the site is gone"
}

extension StateDatabase {
    /// Calls `body` for each current record of a collection, and returns the row that decides which records are
    /// current. Reads one unchanging view on a connection of its own.
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
            SELECT key, upstream, first_seen, changed_at, id FROM version v WHERE key >= ?1 AND key < ?2
                AND NOT EXISTS (SELECT 1 FROM removal r WHERE r.key = v.key AND r.generation <= ?3) ORDER BY key
            """, "read records")
        let first = StateSchema.firstKey(of: collection)
        try select.bind(1, first)
        try select.bind(2, first + row.nextKey)
        try select.bind(3, bits: row.generation)
        var record = StoredRecord(key: 0, firstSeen: 0, changedAt: 0)
        while try select.step() {
            record.key = select.integer(0)
            record.upstream.removeAll(keepingCapacity: true)
            select.append(1, to: &record.upstream)
            record.id.removeAll(keepingCapacity: true)
            select.append(4, to: &record.id)
            record.firstSeen = select.integer(2)
            record.changedAt = select.integer(3)
            try body(record)
        }
        return row
    }

    /// Returns the values of the last good join, one line of text for each key; empty if there was none.
    ///
    /// Reads the file on the calling thread. The values are those of the newest commit, also if the row is older:
    /// superseded values are not there any more.
    public func joined(of row: CollectionRow) throws(StoreError) -> [UInt8] {
        try Self.joined(of: row.number, batch: nil, in: reader()).values
    }

    /// The same values, and the numbers of their lines.
    func joinedLines(of row: CollectionRow) throws(StoreError) -> StoredJoin {
        try Self.joined(of: row.number, batch: nil, in: reader())
    }

    /// - Parameter batch: nil for the one in force.
    static func joined(
        of collection: Int64, batch: Int64?, in database: borrowing Database
    ) throws(StoreError) -> StoredJoin {
        let select = try database.prepare(
            """
            SELECT number, value FROM join_value
            WHERE collection = ?1 AND batch = coalesce(?2, (SELECT join_batch FROM collection WHERE number = ?1))
            ORDER BY number
            """, "read joined values")
        try select.bind(1, collection)
        if let batch { try select.bind(2, batch) }
        var join = StoredJoin()
        while try select.step() {
            join.numbers.append(select.integer(0))
            select.append(1, to: &join.values)
            join.values.append(UInt8(ascii: "\n"))
        }
        return join
    }
}

/// The values of a join in their stored form.
struct StoredJoin {
    /// The number of each line.
    var numbers: [Int64] = []
    /// One line of text for each key.
    var values: [UInt8] = []
}

extension StateConnection {
    /// The values of the last good join, as `StateDatabase.joined(of:)` returns them.
    func joined(of row: CollectionRow) throws(StoreError) -> [UInt8] {
        try StateDatabase.joined(of: row.number, batch: row.joinBatch, in: database).values
    }

    /// Ends rejected records and puts them into quarantine; to be called in a transaction.
    ///
    /// A local record keeps its row nevertheless, for a definition that can decode it.
    func reject(_ records: [RejectedRecord], of row: CollectionRow, at now: Int64) throws(StoreError) {
        var chunk = StageChunk()
        for record in records {
            if !row.isLocal || record.upstream == nil { chunk.removals.append(record.key) }
            guard let upstream = record.upstream else { continue }
            let bytes = chunk.add(upstream.rawSpan)
            let id = record.id.map { chunk.add($0.rawSpan) }
            chunk.quarantined.append(
                .init(
                    pointer: record.pointer, reason: record.reason, bytes: bytes, id: id, size: upstream.count,
                    digest: Checksum.of(upstream.rawSpan), site: record.site))
        }
        try chunk.write(
            self,
            to: .init(
                collection: row.number, generation: row.generation, quarantineBatch: row.quarantineBatch,
                currentQuarantineBatch: row.quarantineBatch, joinBatch: row.joinBatch, at: now))
    }
}

extension StoredRecord {
    /// Whether the record belongs to one of the sites.
    func isOne(of sites: Set<String>) -> Bool {
        guard !sites.isEmpty, let end = id.firstIndex(of: SiteList.separator) else { return false }
        return sites.contains(String(decoding: id[..<end], as: UTF8.self))
    }
}
