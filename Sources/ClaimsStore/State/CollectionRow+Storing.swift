// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension CollectionRow {
    private static let columns = """
        number, name, generation, file_id, definition_hash, records, next_key, bundle_key, quarantine_batch,
        quarantined, join_batch
        """

    /// All collections the file knows, configured or not.
    static func readAll(_ database: borrowing Database) throws(StoreError) -> [CollectionRow] {
        let statement = try database.prepare(
            "SELECT \(columns) FROM collection ORDER BY number", "read the collections")
        var rows: [CollectionRow] = []
        while try statement.step() {
            var row = CollectionRow(number: statement.integer(0), name: statement.text(1))
            row.generation = statement.bits(2)
            row.fileID = statement.bits(3)
            row.definitionHash = statement.bits(4)
            row.records = statement.count(5)
            row.nextKey = max(1, statement.integer(6))
            row.bundleKey = statement.bits(7)
            row.quarantineBatch = statement.integer(8)
            row.quarantined = statement.count(9)
            row.joinBatch = statement.integer(10)
            rows.append(row)
        }
        return rows
    }

    func write(_ connection: borrowing StateConnection) throws(StoreError) {
        connection.statements.writeCollection.bind(1, number)
        connection.statements.writeCollection.bind(2, bits: generation)
        connection.statements.writeCollection.bind(3, bits: fileID)
        connection.statements.writeCollection.bind(4, bits: definitionHash)
        connection.statements.writeCollection.bind(5, Int64(records))
        connection.statements.writeCollection.bind(6, nextKey)
        connection.statements.writeCollection.bind(7, bits: bundleKey)
        connection.statements.writeCollection.bind(8, quarantineBatch)
        connection.statements.writeCollection.bind(9, Int64(quarantined))
        connection.statements.writeCollection.bind(10, joinBatch)
        try connection.statements.writeCollection.run()
    }
}
