// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// The statements that run often, compiled once. They belong to their connection, and to its thread.
final class StateStatements {
    /// The parameters of `addQuarantined`: the batches in force decide when the same bytes were first seen, and which
    /// entry they have.
    enum QuarantineParameter: Int32, StatementColumn {
        case collection, batch, currentBatch, pointer, reason, bytes, size, digest, at, id, site, isIncremental

        var column: Int32 { rawValue }
        var parameter: Int32 { rawValue + 1 }
    }

    /// The parameters of `moveChange`.
    enum ChangeMoveParameter: Int32, StatementColumn {
        case collection, generation, from, to

        var column: Int32 { rawValue }
        var parameter: Int32 { rawValue + 1 }
    }

    let readMeta: Statement<MetaColumn>
    let writeMeta: Statement<MetaColumn>
    let findMark: Statement<ArchiveColumn>
    let addMark: Statement<ArchiveColumn>
    let removeMark: Statement<ArchiveColumn>
    let findSharedMark: Statement<SharedMarkColumn>
    let writeSharedMark: Statement<SharedMarkColumn>
    let addLocalChange: Statement<LocalChangeColumn>
    let addVersion: Statement<VersionColumn>
    let deleteVersion: Statement<VersionColumn>
    let addRemoval: Statement<RemovalColumn>
    let deleteRemoval: Statement<RemovalColumn>
    let addChange: Statement<ChangeColumn>
    let deleteChange: Statement<ChangeColumn>
    let moveChange: Statement<ChangeMoveParameter>
    let addQuarantined: Statement<QuarantineParameter>
    let addJoinValue: Statement<JoinValueColumn>
    let writeCollection: Statement<CollectionColumn>
    let writeSource: Statement<SourceColumn>
    let addGeneration: Statement<GenerationColumn>
    let findOperation: Statement<OperationColumn>
    let addOperation: Statement<OperationColumn>
    let writeOperation: Statement<OperationColumn>

    init(_ database: borrowing Database) throws(StoreError) {
        readMeta = try database.prepare(
            "SELECT key, value FROM meta WHERE key = ?1", "read the clock", columns: MetaColumn.self)
        writeMeta = try database.prepare(
            "INSERT \(MetaColumn.insertion) ON CONFLICT DO UPDATE SET value = excluded.value", "write the clock",
            columns: MetaColumn.self)
        findMark = try database.prepare(
            "SELECT \(ArchiveColumn.list) FROM archive WHERE collection = ?1 AND id = ?2", "look up an archive mark",
            columns: ArchiveColumn.self)
        addMark = try database.prepare(
            "INSERT OR REPLACE \(ArchiveColumn.insertion)", "archive a record", columns: ArchiveColumn.self)
        removeMark = try database.prepare(
            "DELETE FROM archive WHERE collection = ?1 AND id = ?2", "unarchive a record",
            columns: ArchiveColumn.self)
        findSharedMark = try database.prepare(
            "SELECT \(SharedMarkColumn.list) FROM shared_mark WHERE collection = ?1 AND id = ?2",
            "look up a shared mark", columns: SharedMarkColumn.self)
        writeSharedMark = try database.prepare(
            "INSERT OR REPLACE \(SharedMarkColumn.insertion)", "keep a shared mark", columns: SharedMarkColumn.self)
        addLocalChange = try database.prepare(
            "INSERT \(LocalChangeColumn.insertion)", "note a change", columns: LocalChangeColumn.self)
        addVersion = try database.prepare(
            "INSERT \(VersionColumn.insertion)", "store a record", columns: VersionColumn.self)
        deleteVersion = try database.prepare(
            "DELETE FROM version WHERE key = ?1", "drop a superseded record", columns: VersionColumn.self)
        addRemoval = try database.prepare(
            "INSERT OR REPLACE \(RemovalColumn.insertion)", "mark a superseded record", columns: RemovalColumn.self)
        deleteRemoval = try database.prepare(
            "DELETE FROM removal WHERE key = ?1", "drop a superseded record", columns: RemovalColumn.self)
        addChange = try database.prepare(
            "INSERT OR REPLACE \(ChangeColumn.insertion)", "note a change", columns: ChangeColumn.self)
        deleteChange = try database.prepare(
            "DELETE FROM change WHERE collection = ?1 AND generation = ?2 AND ordinal = ?3", "take back a change",
            columns: ChangeColumn.self)
        moveChange = try database.prepare(
            "UPDATE OR REPLACE change SET ordinal = ?4 WHERE collection = ?1 AND generation = ?2 AND ordinal = ?3",
            "number the changes", columns: ChangeMoveParameter.self)
        let same = "quarantine WHERE collection = ?1 AND digest = ?8 AND site = ?11"
        let inForce = """
            batch BETWEEN coalesce((SELECT floor FROM quarantine_extent WHERE collection = ?1 AND site = ?11), ?3) AND ?3
            """
        addQuarantined = try database.prepare(
            """
            INSERT INTO quarantine(
                collection, batch, pointer, reason, bytes, size, digest, first_seen, last_seen, id, site,
                is_incremental, entry)
            VALUES (?1, ?2, ?4, ?5, ?6, ?7, ?8, coalesce(
                (SELECT min(first_seen) FROM \(same) AND \(inForce)), ?9), ?9, ?10, ?11, ?12, coalesce((
                    SELECT entry FROM \(same) AND \(inForce) AND ?2 <> ?3
                        AND entry > coalesce((SELECT max(entry) FROM \(same) AND batch = ?2), 0)
                    ORDER BY entry LIMIT 1),
                    (SELECT seq + 1 FROM sqlite_sequence WHERE name = 'quarantine'), 1))
            """, "quarantine a record", columns: QuarantineParameter.self)
        addJoinValue = try database.prepare(
            "INSERT \(JoinValueColumn.insertion)", "store a joined value", columns: JoinValueColumn.self)
        writeCollection = try database.prepare(
            Self.updateCollection, "commit a collection's data", columns: CollectionColumn.self)
        writeSource = try database.prepare(
            "INSERT OR REPLACE \(SourceColumn.insertion)", "note a refresh", columns: SourceColumn.self)
        addGeneration = try database.prepare(
            "INSERT \(GenerationColumn.insertion)", "commit a generation", columns: GenerationColumn.self)
        findOperation = try database.prepare(
            "SELECT \(OperationColumn.list) FROM operation WHERE op = ?2", "look up an operation",
            columns: OperationColumn.self)
        addOperation = try database.prepare(
            "INSERT \(OperationColumn.insertion)", "commit an operation", columns: OperationColumn.self)
        writeOperation = try database.prepare(
            "INSERT OR REPLACE \(OperationColumn.insertion)", "change an operation", columns: OperationColumn.self)
    }

    /// An update of all columns but number and name.
    private static var updateCollection: String {
        let changed = CollectionColumn.allCases.filter { $0 != .number && $0 != .name }
        let assignments = changed.map { "\($0.name) = ?\($0.parameter)" }.joined(separator: ", ")
        return "UPDATE collection SET \(assignments) WHERE number = ?\(CollectionColumn.number.parameter)"
    }

    /// A value of `meta`; 0 if there is none.
    func meta(_ key: String) throws(StoreError) -> Int64 {
        try readMeta.bind(.key, key)
        defer { readMeta.reset() }
        return try readMeta.step() ? readMeta.integer(.value) : 0
    }

    func setMeta(_ key: String, _ value: Int64) throws(StoreError) {
        try writeMeta.bind(.key, key)
        try writeMeta.bind(.value, value)
        try writeMeta.run()
    }
}
