// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A record that cannot be served, as it came.
public struct QuarantinedRecord: Sendable, Equatable {
    /// Rises with each record that ever went to quarantine.
    public var number: Int64
    /// Where it was in the upstream's answer, and what in it is wrong (RFC 6901).
    public var pointer: String
    public var reason: String
    /// The bytes, or as many of them as are kept.
    public var bytes: [UInt8]
    /// How many bytes there were.
    public var size: Int
    /// Milliseconds since 1970.
    public var firstSeen: Int64
    public var lastSeen: Int64
}

extension StateStore {
    /// The records of a collection that are in quarantine, with numbers above `number`, the lowest first. Reads on the
    /// calling thread: not for a serving loop.
    public func quarantine(
        of collection: Int64, after number: Int64 = 0, limit: Int
    ) throws(StoreError) -> [QuarantinedRecord] {
        let database = try reader()
        let select = try database.prepare(
            """
            SELECT q.number, q.pointer, q.reason, q.bytes, q.size, q.first_seen,
                max(q.last_seen, coalesce(s.as_of, 0))
            FROM quarantine q JOIN collection c ON c.number = q.collection AND c.quarantine_batch = q.batch
                LEFT JOIN source s ON s.collection = c.number
            WHERE q.collection = ?1 AND q.number > ?2 ORDER BY q.number LIMIT ?3
            """, "read the quarantine")
        select.bind(1, collection)
        select.bind(2, number)
        select.bind(3, Int64(limit))
        var records: [QuarantinedRecord] = []
        while try select.step() {
            records.append(
                QuarantinedRecord(
                    number: select.integer(0), pointer: select.text(1), reason: select.text(2),
                    bytes: select.bytes(3), size: select.count(4), firstSeen: select.integer(5),
                    lastSeen: select.integer(6)))
        }
        return records
    }

    /// Forgets a record in quarantine; false where there is none of that number.
    public func dropQuarantined(_ number: Int64, of name: String) throws(StoreError) -> Bool {
        let catalog = catalog
        return try perform { connection throws(StoreError) in
            guard let collection = catalog.current()[name]?.condition.row.number else { return false }
            let row = try connection.transaction(.synced, "forget a quarantined record") {
                connection throws(StoreError) -> CollectionRow? in
                guard var row = try connection.row(collection) else { return nil }
                let deletion = try connection.database.prepare(
                    "DELETE FROM quarantine WHERE number = ?1 AND collection = ?2 AND batch = ?3",
                    "forget a quarantined record")
                deletion.bind(1, number)
                deletion.bind(2, collection)
                deletion.bind(3, row.quarantineBatch)
                try deletion.run()
                guard connection.database.changes > 0 else { return nil }
                row.quarantined = max(0, row.quarantined - 1)
                try row.write(connection)
                return row
            }
            guard let row else { return false }
            catalog.update {
                $0.replacing(name) { view in
                    var condition = view.condition
                    condition.row = row
                    return view.with(condition)
                }
            }
            return true
        }
    }
}
