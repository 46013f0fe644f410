// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The statements that run often, compiled once. Belongs to its connection.
final class StateStatements {
    let readMeta: Statement
    let writeMeta: Statement
    let findMark: Statement
    let addMark: Statement
    let removeMark: Statement
    let addLocalChange: Statement
    let addVersion: Statement
    let deleteVersion: Statement
    let addRemoval: Statement
    let deleteRemoval: Statement
    let addChange: Statement
    let deleteChange: Statement
    let addQuarantined: Statement
    let addJoinValue: Statement
    let writeCollection: Statement
    let writeSource: Statement
    let addGeneration: Statement

    init(_ database: borrowing Database) throws(StoreError) {
        readMeta = try database.prepare("SELECT value FROM meta WHERE key = ?1", "read the clock")
        writeMeta = try database.prepare(
            "INSERT INTO meta(key, value) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = excluded.value",
            "write the clock")
        findMark = try database.prepare(
            "SELECT at, uid FROM archive WHERE collection = ?1 AND id = ?2", "look up an archive mark")
        addMark = try database.prepare(
            "INSERT INTO archive(collection, id, at, uid) VALUES (?1, ?2, ?3, ?4)", "archive a record")
        removeMark = try database.prepare(
            "DELETE FROM archive WHERE collection = ?1 AND id = ?2", "unarchive a record")
        addLocalChange = try database.prepare(
            "INSERT INTO local_change(seq, at, collection, op, id, uid) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            "note a change")
        addVersion = try database.prepare(
            """
            INSERT INTO version(key, generation, id, upstream, first_seen, changed_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """, "store a record")
        deleteVersion = try database.prepare("DELETE FROM version WHERE key = ?1", "drop a superseded record")
        addRemoval = try database.prepare(
            "INSERT OR REPLACE INTO removal(key, generation) VALUES (?1, ?2)", "mark a superseded record")
        deleteRemoval = try database.prepare("DELETE FROM removal WHERE key = ?1", "drop a superseded record")
        addChange = try database.prepare(
            """
            INSERT INTO change(collection, generation, ordinal, op, id, fields) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """, "note a change")
        deleteChange = try database.prepare(
            "DELETE FROM change WHERE collection = ?1 AND generation = ?2 AND ordinal = ?3", "take back a change")
        addQuarantined = try database.prepare(
            """
            INSERT INTO quarantine(collection, batch, pointer, reason, bytes, size, digest, first_seen, last_seen)
            VALUES (?1, ?2, ?4, ?5, ?6, ?7, ?8, coalesce(
                (SELECT min(first_seen) FROM quarantine WHERE collection = ?1 AND batch = ?3 AND digest = ?8), ?9), ?9)
            """, "quarantine a record")
        addJoinValue = try database.prepare(
            "INSERT INTO join_value(collection, batch, number, value) VALUES (?1, ?2, ?3, ?4)",
            "store a joined value")
        writeCollection = try database.prepare(
            """
            UPDATE collection SET generation = ?2, file_id = ?3, definition_hash = ?4, records = ?5, next_key = ?6,
                bundle_key = ?7, quarantine_batch = ?8, quarantined = ?9, join_batch = ?10 WHERE number = ?1
            """, "commit a collection's data")
        writeSource = try database.prepare(SourceRow.insertion, "note a refresh")
        addGeneration = try database.prepare(
            """
            INSERT INTO generation(collection, generation, base_seq, changes, at) VALUES (?1, ?2, ?3, ?4, ?5)
            """, "commit a generation")
    }

    func meta(_ key: String) throws(StoreError) -> Int64 {
        readMeta.bind(1, key)
        defer { readMeta.reset() }
        return try readMeta.step() ? readMeta.integer(0) : 0
    }

    func setMeta(_ key: String, _ value: Int64) throws(StoreError) {
        writeMeta.bind(1, key)
        writeMeta.bind(2, value)
        try writeMeta.run()
    }
}
