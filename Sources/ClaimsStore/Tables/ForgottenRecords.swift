// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// The records that one commit removes from a collection for good.
struct ForgottenRecords: Sendable {
    /// The ids that the commit reports, in the order in which they were given.
    var ids: [[UInt8]] = []
    /// The ids that these records had before.
    var earlierIDs: [[UInt8]] = []
    /// The keys of their versions.
    var keys: [Int64] = []
    /// The numbers of the joined values that no other record needs, ascending.
    var joinedValues: [Int64] = []
    /// The number of records that were served.
    var served = 0
    /// The user who asked for it.
    var uid: UInt32 = 0
    /// Milliseconds since 1970.
    var at: Int64 = 0

    /// The ids whose archive marks stay; nil: all marks go, and all hosts take the records out of the archive.
    var sharedMarks: Set<[UInt8]>?

    var all: [[UInt8]] { ids + earlierIDs }

    /// The ids whose archive marks go.
    var unmarked: [[UInt8]] { sharedMarks.map { kept in all.filter { !kept.contains($0) } } ?? all }
}

extension StateConnection {
    private static let forgetting = "forget records"

    /// Deletes everything of some records except their changes in the log, which a pending erasure names; writes a
    /// change for each record; to be called in a transaction.
    mutating func forget(_ records: ForgottenRecords, of row: inout CollectionRow) throws(StoreError) {
        for key in records.keys {
            try statements.deleteVersion.bind(.key, key)
            try statements.deleteVersion.run()
            try statements.deleteRemoval.bind(.key, key)
            try statements.deleteRemoval.run()
        }
        let list = PendingErasure.list(records.all)
        try deleteQuarantined(list, of: &row)
        try delete(
            "archive WHERE collection = ?1 AND \(Self.named("id"))", row, PendingErasure.list(records.unmarked))
        if records.sharedMarks == nil {
            try unarchiveShared(list, of: row.number, by: records.uid, at: records.at)
        }
        try delete(
            "operation WHERE collection = ?1 AND settled_at IS NOT NULL AND \(Self.named("id"))", row, list)
        try delete("alias WHERE collection = ?1 AND (\(Self.named("id")) OR \(Self.named("target")))", row, list)
        try deleteJoined(records.joinedValues, row)
        row.records = max(0, row.records - records.served)
        // A snapshot that is being built of the earlier rows becomes invalid.
        row.nextKey += 1
        try log(records, row)
        try PendingErasure(
            collection: row.number, seq: seq, generation: row.generation, ids: records.all
        ).write(database)
    }

    private static func named(_ column: String) -> String { "\(column) IN (SELECT value FROM json_each(?2))" }

    private func deleteQuarantined(_ list: [UInt8], of row: inout CollectionRow) throws(StoreError) {
        let select = try database.prepare(
            "SELECT entry FROM quarantine WHERE collection = ?1 AND \(Self.named("id"))", Self.forgetting)
        try select.bind(1, row.number)
        try select.bind(2, text: list)
        var named: Set<Int64> = []
        while try select.step() { named.insert(select.integer(0)) }
        guard !named.isEmpty else { return }
        let inForce = try quarantinedEntries(of: row).filter { named.contains($0) }
        try deleteQuarantined(inForce, of: row, through: row.quarantineBatch)
        try delete("quarantine WHERE collection = ?1 AND \(Self.named("id"))", row, list)
        row.quarantined = try countQuarantined(of: row)
    }

    /// Deletes joined values, including superseded ones.
    private func deleteJoined(_ numbers: [Int64], _ row: CollectionRow) throws(StoreError) {
        try deleteSupersededJoinValues(of: row)
        let delete = try database.prepare(
            "DELETE FROM join_value WHERE collection = ?1 AND batch = ?2 AND number = ?3", Self.forgetting)
        for number in numbers {
            try delete.bind(parameters: [row.number, row.joinBatch, number])
            try delete.run()
        }
    }

    private func delete(_ rest: String, _ row: CollectionRow, _ list: [UInt8]) throws(StoreError) {
        let statement = try database.prepare("DELETE FROM \(rest)", Self.forgetting)
        try statement.bind(1, row.number)
        try statement.bind(2, text: list)
        try statement.run()
    }

    private mutating func log(_ records: ForgottenRecords, _ row: CollectionRow) throws(StoreError) {
        let end = seq + UInt64(records.ids.count)
        for id in records.ids {
            advance()
            try statements.addLocalChange.bind(.seq, bits: seq)
            try statements.addLocalChange.bind(.at, records.at)
            try statements.addLocalChange.bind(.collection, row.number)
            try statements.addLocalChange.bind(.op, LoggedOperation.removed.rawValue)
            try statements.addLocalChange.bind(.id, text: id)
            try statements.addLocalChange.bind(.uid, Int64(records.uid))
            try statements.addLocalChange.bind(.generation, bits: row.generation)
            try statements.addLocalChange.bind(.commitEnd, bits: end)
            try statements.addLocalChange.bind(.cause, ChangeCause.forget.rawValue)
            try statements.addLocalChange.bind(.fields, String?.none)
            try statements.addLocalChange.bind(.firstSeen, Int64?.none)
            try statements.addLocalChange.bind(.bytes, 0)
            try statements.addLocalChange.bind(.isSilent, 0)
            try statements.addLocalChange.run()
        }
    }
}

// MARK: - What a collection has of some ids

extension StateDatabase {
    /// Returns the ids that occur in the log, the quarantine or settled operations. A change that only reports that a
    /// record was forgotten does not count.
    func traces(of ids: [[UInt8]], in collection: Int64) throws(StoreError) -> Set<[UInt8]> {
        let database = try reader()
        let select = try database.prepare(
            """
            SELECT id FROM change WHERE collection = ?1 AND id IN (SELECT value FROM json_each(?2))
            UNION SELECT id FROM local_change WHERE collection = ?1 AND cause <> '\(ChangeCause.forget.rawValue)'
                AND id IN (SELECT value FROM json_each(?2))
            UNION SELECT id FROM quarantine WHERE collection = ?1 AND id IN (SELECT value FROM json_each(?2))
            UNION SELECT id FROM operation WHERE collection = ?1 AND id IN (SELECT value FROM json_each(?2))
            """, "look for records")
        try select.bind(1, collection)
        try select.bind(2, text: PendingErasure.list(ids))
        var found: Set<[UInt8]> = []
        while try select.step() { found.insert(select.bytes(0)) }
        return found
    }

    /// Returns the keys of all versions of some ids, including versions that are not served. It reads all records.
    func versions(of ids: [[UInt8]], in collection: Int64) throws(StoreError) -> [Int64] {
        let database = try reader()
        let select = try database.prepare(
            """
            SELECT key FROM version WHERE key >= ?1 AND key < ?3 AND id IN (SELECT value FROM json_each(?2))
            """, "look for records")
        try select.bind(1, StateSchema.firstKey(of: collection))
        try select.bind(2, text: PendingErasure.list(ids))
        try select.bind(3, StateSchema.firstKey(of: collection + 1))
        var keys: [Int64] = []
        while try select.step() { keys.append(select.integer(0)) }
        return keys
    }

    /// Deletes the log's data about the ids of an erasure, in pieces that are short enough not to delay other work.
    func eraseLog(_ erasure: PendingErasure) throws(StoreError) {
        let (changes, marks) = try loggedRows(of: erasure)
        for start in stride(from: 0, to: changes.count, by: Self.rowsAtOnce) {
            let piece = Array(changes[start..<min(start + Self.rowsAtOnce, changes.count)])
            try perform { connection throws(StoreError) in
                try connection.transaction(.buffered, "erase records") { connection throws(StoreError) in
                    try connection.deleteChanges(piece, of: erasure.collection)
                }
            }
        }
        for start in stride(from: 0, to: marks.count, by: Self.rowsAtOnce) {
            let piece = Array(marks[start..<min(start + Self.rowsAtOnce, marks.count)])
            try perform { connection throws(StoreError) in
                try connection.transaction(.buffered, "erase records") { connection throws(StoreError) in
                    try connection.deleteLocalChanges(piece, of: erasure.collection)
                }
            }
        }
    }

    private static let rowsAtOnce = 500

    private func loggedRows(
        of erasure: PendingErasure
    ) throws(StoreError) -> (changes: [LoggedRowKey], marks: [Int64]) {
        let database = try reader()
        let select = try database.prepare(
            """
            SELECT generation, ordinal, coalesce(length(CAST(fields AS BLOB)), 0) FROM change
            WHERE collection = ?1 AND generation <= ?3 AND id IN (SELECT value FROM json_each(?2))
            """, "erase records")
        try select.bind(1, erasure.collection)
        try select.bind(2, text: erasure.idList)
        try select.bind(3, bits: erasure.generation)
        var changes: [LoggedRowKey] = []
        while try select.step() {
            changes.append(
                LoggedRowKey(generation: select.integer(0), ordinal: select.integer(1), bytes: select.integer(2)))
        }
        let others = try database.prepare(
            """
            SELECT seq FROM local_change WHERE collection = ?1 AND seq <= ?3
                AND cause <> '\(ChangeCause.forget.rawValue)' AND id IN (SELECT value FROM json_each(?2))
            """, "erase records")
        try others.bind(1, erasure.collection)
        try others.bind(2, text: erasure.idList)
        try others.bind(3, bits: erasure.seq)
        var marks: [Int64] = []
        while try others.step() { marks.append(others.integer(0)) }
        return (changes, marks)
    }
}

/// The part of the key of a row of `change` after the collection, and the size of its values.
struct LoggedRowKey: Sendable {
    let generation: Int64
    let ordinal: Int64
    let bytes: Int64
}

extension StateConnection {
    fileprivate func deleteChanges(_ rows: [LoggedRowKey], of collection: Int64) throws(StoreError) {
        let delete = try database.prepare(
            "DELETE FROM change WHERE collection = ?1 AND generation = ?2 AND ordinal = ?3", "erase records")
        let shrink = try database.prepare(
            "UPDATE generation SET bytes = max(0, bytes - ?3) WHERE collection = ?1 AND generation = ?2 AND bytes >= 0",
            "erase records")
        for row in rows {
            try delete.bind(parameters: [collection, row.generation, row.ordinal])
            try delete.run()
            guard row.bytes > 0 else { continue }
            try shrink.bind(parameters: [collection, row.generation, row.bytes])
            try shrink.run()
        }
    }

    fileprivate func deleteLocalChanges(_ numbers: [Int64], of collection: Int64) throws(StoreError) {
        let delete = try database.prepare(
            "DELETE FROM local_change WHERE collection = ?1 AND seq = ?2", "erase records")
        for number in numbers {
            try delete.bind(parameters: [collection, number])
            try delete.run()
        }
    }
}
