// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// Each of these does one piece of its work, a few milliseconds, and returns whether there may be more to do.
extension StateConnection {
    static let rowsPerPiece: Int64 = 2000

    mutating func discardLeftovers(of collection: Int64) throws(StoreError) -> Bool {
        // A refresh may end after its collection was erased.
        guard let row = try row(collection) else { return try erase(collection) }
        let first = StateSchema.firstKey(of: collection)
        let end = StateSchema.firstKey(of: collection + 1)
        let generation = Int64(bitPattern: row.generation)
        var count = try delete(from: "version", key: "key", where: "key >= ?1 AND key < ?2", first + row.nextKey, end)
        count += try delete(
            from: "removal", key: "key", where: "key >> \(StateSchema.keyBits) = ?1 AND generation > ?2", collection,
            generation)
        count += try deleteChanges(where: "collection = ?1 AND generation > ?2", collection, generation)
        count += try delete(
            from: "quarantine", key: "number",
            where: """
                collection = ?1 AND (batch > ?2 OR batch < coalesce((SELECT x.floor FROM quarantine_extent x
                    WHERE x.collection = ?1 AND x.site = quarantine.site), ?2))
                """, collection, row.quarantineBatch)
        count += try deleteJoinValues(of: row)
        return count > 0
    }

    /// Deletes superseded records that no file has.
    ///
    /// A file has the records of its generation. The row and the end of a superseded one show a start, and a rebuild of
    /// the file above, that the record is not current. The same holds for a file that is being written.
    ///
    /// - Parameter pending: the states that the files under way hold.
    mutating func collectGarbage(of collection: Int64, keeping pending: [StackMark]) throws(StoreError) -> Bool {
        guard let row = try row(collection) else { return false }
        let marks = (row.marks + pending).filter { $0.generation <= row.generation }.sorted {
            ($0.generation, $0.key) < ($1.generation, $1.key)
        }
        var keys = try superseded(collection, after: nil, through: marks.first?.generation ?? row.generation, from: 0)
        for (index, mark) in marks.enumerated() where keys.count < Self.rowsPerPiece {
            let isNewest = index + 1 == marks.count
            // A snapshot that is being made may have a local record that came and went above all files.
            if isNewest, row.isLocal { continue }
            let end = isNewest ? row.generation : marks[index + 1].generation
            keys += try superseded(
                collection, after: mark.generation, through: end, from: StateSchema.firstKey(of: collection) + mark.key)
        }
        for key in keys {
            try statements.deleteVersion.bind(.key, key)
            try statements.deleteVersion.run()
            try statements.deleteRemoval.bind(.key, key)
            try statements.deleteRemoval.run()
        }
        return !keys.isEmpty
    }

    /// The first keys, from a key on, of records that generations of a range ended.
    private func superseded(
        _ collection: Int64, after start: UInt64?, through end: UInt64, from key: Int64
    ) throws(StoreError) -> [Int64] {
        let select = try database.prepare(
            """
            SELECT key FROM removal WHERE key >> \(StateSchema.keyBits) = ?1 AND generation > ?2 AND generation <= ?3
                AND key >= ?4 LIMIT \(Self.rowsPerPiece)
            """, "find superseded records")
        try select.bind(parameters: [
            collection, start.map { Int64(bitPattern: $0) } ?? -1, Int64(bitPattern: end), key,
        ])
        var keys: [Int64] = []
        while try select.step() { keys.append(select.integer(0)) }
        return keys
    }

    /// Deletes rows of a collection whatever their generation, from one table after the other.
    mutating func erase(_ collection: Int64) throws(StoreError) -> Bool {
        let keys = (StateSchema.firstKey(of: collection), StateSchema.firstKey(of: collection + 1))
        for table in [VersionColumn.table, RemovalColumn.table] {
            if try delete(from: table, key: "key", where: "key >= ?1 AND key < ?2", keys.0, keys.1) > 0 { return true }
        }
        let tables: [(name: String, key: String)] = [
            (ChangeColumn.table, "generation, ordinal"), (GenerationColumn.table, "generation"),
            (ArchiveColumn.table, "id"), (JoinValueColumn.table, "batch, number"), (QuarantineColumn.table, "number"),
            (LocalChangeColumn.table, "seq"), (OperationColumn.table, "number"), (AliasColumn.table, "id"),
            (RefreshLogColumn.table, "number"), (SharedMarkColumn.table, "id"), (QuarantineExtentColumn.table, "site"),
        ]
        for table in tables {
            let statement = try database.prepare(
                """
                DELETE FROM \(table.name) WHERE collection = ?1 AND (\(table.key)) IN (
                    SELECT \(table.key) FROM \(table.name) WHERE collection = ?1 LIMIT \(Self.rowsPerPiece))
                """, "erase a collection")
            try statement.bind(1, collection)
            try statement.run()
            if database.changes > 0 { return true }
        }
        return false
    }

    func row(_ collection: Int64) throws(StoreError) -> CollectionRow? {
        try CollectionRow.readAll(database).first { $0.number == collection }
    }

    /// Deletes rows of a table with an integer key; returns the number of rows.
    func delete(
        from table: String, key: String, where condition: String, _ values: Int64...
    ) throws(StoreError) -> Int {
        let statement = try database.prepare(
            """
            DELETE FROM \(table) WHERE \(key) IN (
                SELECT \(key) FROM \(table) WHERE \(condition) LIMIT \(Self.rowsPerPiece))
            """, "tidy up")
        for (index, value) in values.enumerated() { try statement.bind(StatementPosition(index + 1), value) }
        try statement.run()
        return database.changes
    }

    func deleteChanges(where condition: String, _ values: Int64...) throws(StoreError) -> Int {
        let statement = try database.prepare(
            """
            DELETE FROM change WHERE (collection, generation, ordinal) IN (
                SELECT collection, generation, ordinal FROM change WHERE \(condition) LIMIT \(Self.rowsPerPiece))
            """, "tidy up")
        for (index, value) in values.enumerated() { try statement.bind(StatementPosition(index + 1), value) }
        try statement.run()
        return database.changes
    }

    /// Deletes all joined values that are not in force.
    func deleteSupersededJoinValues(of row: CollectionRow) throws(StoreError) {
        while try deleteJoinValues(of: row) > 0 {}
    }

    private func deleteJoinValues(of row: CollectionRow) throws(StoreError) -> Int {
        let statement = try database.prepare(
            """
            DELETE FROM join_value WHERE (collection, batch, number) IN (
                SELECT collection, batch, number FROM join_value
                WHERE collection = ?1 AND batch <> ?2 LIMIT \(Self.rowsPerPiece))
            """, "tidy up")
        try statement.bind(1, row.number)
        try statement.bind(2, row.joinBatch)
        try statement.run()
        return database.changes
    }
}

extension StateDatabase {
    /// Deletes superseded records in pieces that are short enough not to delay other work. After a crash the next call
    /// goes on.
    ///
    /// - Parameter pending: returns the states that the files under way hold.
    func collectGarbage(
        of collection: Int64, keeping pending: @escaping @Sendable () -> [StackMark] = { [] }
    ) throws(StoreError) {
        try repeatedly { connection throws(StoreError) in
            try connection.collectGarbage(of: collection, keeping: pending())
        }
    }

    /// Deletes the rows of a refresh that did not end, unless a later stage has begun.
    func discardLeftovers(of collection: Int64, stage: UInt64) throws(StoreError) {
        try repeatedly { connection throws(StoreError) in
            guard connection.isNewest(stage, of: collection) else { return false }
            return try connection.discardLeftovers(of: collection)
        }
    }
}
