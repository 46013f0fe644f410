// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsSnapshot

/// The state of a collection's data in state.db: one row of `collection`.
public struct CollectionRow: Sendable, Equatable {
    /// The number that stands for the name in the other tables.
    public let number: Int64
    public let name: String
    /// The current generation; 0 while there is no data.
    public var generation: UInt64 = 0
    /// The number in the snapshot file's name; 0 while there is no data.
    public var fileID: UInt64 = 0
    public var definitionHash: UInt64 = 0
    public var records = 0
    /// The first record key that is not in use.
    public var nextKey: Int64 = 1
    /// The key of the bundle that the data came from; 0 once an upstream has answered.
    public var bundleKey: UInt64 = 0
    public var quarantineBatch: Int64 = 0
    public var quarantined = 0
    public var joinBatch: Int64 = 0
    /// When the definition was removed, in milliseconds since 1970; nil while there is one.
    public var removedAt: Int64?
    /// The number from which on the log tells every change of the collection.
    public var floor: UInt64 = 0
    /// The number of the last whole commit by an upstream or a bundle; 0: there was none.
    public var startSeq: UInt64 = 0
    /// The number of the last commit by another definition; 0: there was none.
    public var definitionSeq: UInt64 = 0
    /// A hash of the parts of the definition that decide the served values; 0: not known.
    public var valuesHash: UInt64 = 0
    /// The generation that the snapshot file holds. The records of generations above it lie over the snapshot.
    public var fileGeneration: UInt64 = 0
    /// The first record key that came after that generation.
    public var fileKey: Int64 = 1
    /// Whether this host is the truth: the records were written here.
    public var isLocal = false

    public init(number: Int64, name: String) {
        self.number = number
        self.name = name
    }

    public var isBundle: Bool { bundleKey != 0 }
    /// Whether there is data to serve. An upstream's empty answer is data, too.
    public var hasData: Bool { fileID != 0 }
    /// Whether records lie over the snapshot that it does not hold.
    var hasNewerRecords: Bool { hasData && !isBundle && generation > fileGeneration }
    /// Takes note that a snapshot file holds all that was committed when the collection was at `row`.
    mutating func setFile(_ identity: SnapshotIdentity, at row: CollectionRow) {
        fileID = identity.fileID
        definitionHash = identity.definitionHash
        fileGeneration = identity.generation
        fileKey = row.nextKey
    }
    /// Whether the collection is being erased: its name is free for another one.
    var isErased: Bool { name.hasPrefix(StateSchema.erasedPrefix) }
}

// MARK: - The row in state.db

extension CollectionRow {
    /// All collections the file knows: those with a definition, removed ones, and those that are being erased.
    static func readAll(_ database: borrowing Database) throws(StoreError) -> [CollectionRow] {
        let statement = try database.prepare(
            "SELECT \(CollectionColumn.list) FROM collection ORDER BY number", "read the collections",
            columns: CollectionColumn.self)
        var rows: [CollectionRow] = []
        while try statement.step() { rows.append(CollectionRow(statement)) }
        return rows
    }

    private init(_ statement: borrowing Statement<CollectionColumn>) {
        number = statement.integer(.number)
        name = statement.text(.name)
        generation = statement.bits(.generation)
        fileID = statement.bits(.fileId)
        definitionHash = statement.bits(.definitionHash)
        records = statement.count(.records)
        nextKey = max(1, statement.integer(.nextKey))
        bundleKey = statement.bits(.bundleKey)
        quarantineBatch = statement.integer(.quarantineBatch)
        quarantined = statement.count(.quarantined)
        joinBatch = statement.integer(.joinBatch)
        removedAt = statement.optionalInteger(.removedAt)
        floor = statement.bits(.floor)
        startSeq = statement.bits(.startSeq)
        definitionSeq = statement.bits(.definitionSeq)
        valuesHash = statement.bits(.valuesHash)
        fileGeneration = statement.bits(.fileGeneration)
        fileKey = max(1, statement.integer(.fileKey))
        isLocal = statement.integer(.isLocal) != 0
    }

    /// Replaces the row; to be called in a transaction.
    func write(_ connection: borrowing StateConnection) throws(StoreError) {
        try connection.statements.writeCollection.bind(.number, number)
        try connection.statements.writeCollection.bind(.generation, bits: generation)
        try connection.statements.writeCollection.bind(.fileId, bits: fileID)
        try connection.statements.writeCollection.bind(.definitionHash, bits: definitionHash)
        try connection.statements.writeCollection.bind(.records, Int64(records))
        try connection.statements.writeCollection.bind(.nextKey, nextKey)
        try connection.statements.writeCollection.bind(.bundleKey, bits: bundleKey)
        try connection.statements.writeCollection.bind(.quarantineBatch, quarantineBatch)
        try connection.statements.writeCollection.bind(.quarantined, Int64(quarantined))
        try connection.statements.writeCollection.bind(.joinBatch, joinBatch)
        try connection.statements.writeCollection.bind(.removedAt, removedAt)
        try connection.statements.writeCollection.bind(.floor, bits: floor)
        try connection.statements.writeCollection.bind(.startSeq, bits: startSeq)
        try connection.statements.writeCollection.bind(.definitionSeq, bits: definitionSeq)
        try connection.statements.writeCollection.bind(.valuesHash, bits: valuesHash)
        try connection.statements.writeCollection.bind(.fileGeneration, bits: fileGeneration)
        try connection.statements.writeCollection.bind(.fileKey, fileKey)
        try connection.statements.writeCollection.bind(.isLocal, isLocal ? 1 : 0)
        try connection.statements.writeCollection.run()
    }
}
