// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsSnapshot

/// The state of a collection's data in state.db: one row of `collection`.
public struct CollectionRow: Sendable, Equatable {
    /// The number of the collection in the other tables.
    public let number: Int64
    public let name: String
    /// The current generation; 0 while there is no data.
    public var generation: UInt64 = 0
    /// The number in the snapshot file's name; 0 while there is no data.
    public var fileID: UInt64 = 0
    public var definitionHash: UInt64 = 0
    public var records = 0
    /// The first record key that is free.
    public var nextKey: Int64 = 1
    /// The key of the bundle that the data came from; 0 once an upstream has answered.
    public var bundleKey: UInt64 = 0
    public var quarantineBatch: Int64 = 0
    public var quarantined = 0
    public var joinBatch: Int64 = 0
    /// When the definition was removed, in milliseconds since 1970; nil while there is one.
    public var removedAt: Int64?
    /// The number from which on the log has every change of the collection.
    public var floor: UInt64 = 0
    /// The number of the last whole commit by an upstream or a bundle; 0: there was none.
    public var startSeq: UInt64 = 0
    /// The number of the last commit by another definition; 0: there was none.
    public var definitionSeq: UInt64 = 0
    /// A hash of the parts of the definition that decide the served values; 0: unknown.
    public var valuesHash: UInt64 = 0
    /// The generation that the snapshot file holds. The records of generations above it lie over the snapshot.
    public var fileGeneration: UInt64 = 0
    /// The first record key that came after that generation.
    public var fileKey: Int64 = 1
    /// Whether this host is the truth: the records were written here.
    public var isLocal = false
    /// The file over the base; nil if there is none.
    var middle: LayerRow?
    /// The newest file, over the other two; nil if there is none.
    var young: LayerRow?

    public init(number: Int64, name: String) {
        self.number = number
        self.name = name
    }

    public var isBundle: Bool { bundleKey != 0 }
    /// Whether there is data to serve. An upstream's empty answer is data, too.
    public var hasData: Bool { fileID != 0 }
    /// Records that a snapshot file holds all that was committed when the collection was at `row`.
    mutating func setFile(_ identity: SnapshotIdentity, at row: CollectionRow) {
        definitionHash = identity.definitionHash
        setBase(identity, key: row.nextKey)
        (middle, young) = (nil, nil)
    }
    /// Whether the collection is being erased: its name is free for another one.
    var isErased: Bool { name.hasPrefix(StateSchema.erasedPrefix) }
}

// MARK: - The stack of files

/// The role of a file in a collection's stack.
public enum StackRole: Sendable, Comparable {
    /// The file has all records.
    case base
    /// The file has the records that have changed since the base.
    case middle
    /// The file has the records that have changed since the middle file, or since the base if there is no middle file.
    case young
}

/// A file over the base, as state.db names it.
struct LayerRow: Sendable, Equatable {
    /// The number in the file's name.
    var fileID: UInt64
    /// The file has each id that changed after this generation.
    var from: UInt64
    /// The generation that it holds, together with the files below.
    var generation: UInt64
    /// The first record key that came after that generation.
    var key: Int64
}

extension LayerRow {
    /// nil if no file has the number.
    fileprivate init?(named fileID: UInt64, from: UInt64, generation: UInt64, key: Int64) {
        guard fileID != 0 else { return nil }
        self.init(fileID: fileID, from: from, generation: generation, key: max(1, key))
    }
}

/// A state of a collection that a file holds.
struct StackMark: Sendable, Equatable {
    var generation: UInt64
    /// The first record key that came after that generation.
    var key: Int64
}

/// A new file of a collection's stack, as a commit puts it in.
struct NewFile: Sendable {
    var role: StackRole
    var identity: SnapshotIdentity
    /// The file has each id that changed after this generation; 0 for a base.
    var from: UInt64 = 0
}

extension CollectionRow {
    /// The states that the files hold, the oldest one first.
    var marks: [StackMark] {
        [StackMark(generation: fileGeneration, key: fileKey)]
            + layers.map { StackMark(generation: $0.layer.generation, key: $0.layer.key) }
    }

    /// The files over the base, the oldest one first.
    var layers: [(role: StackRole, layer: LayerRow)] {
        [(StackRole.middle, middle), (.young, young)].compactMap { role, layer in layer.map { (role, $0) } }
    }

    /// The identities of all files.
    func identities(epoch: UInt64) -> [SnapshotIdentity] {
        [SnapshotIdentity(of: self, epoch: epoch)] + layers.map { identity(of: $0.layer, epoch: epoch) }
    }

    func identity(of layer: LayerRow, epoch: UInt64) -> SnapshotIdentity {
        SnapshotIdentity(
            epoch: epoch, generation: layer.generation, fileID: layer.fileID, definitionHash: definitionHash)
    }

    /// Records a new file, which holds what was committed when the collection was at `row`.
    mutating func put(_ file: NewFile, at row: CollectionRow) {
        guard file.role != .base else { return setFile(file.identity, at: row) }
        let layer = LayerRow(
            fileID: file.identity.fileID, from: file.from, generation: file.identity.generation, key: row.nextKey)
        if file.role == .middle { (middle, young) = (layer, nil) } else { young = layer }
    }

    /// Whether another state of the row names the same files.
    func hasSameFiles(as other: CollectionRow) -> Bool {
        fileID == other.fileID && middle == other.middle && young == other.young
    }

    /// Records a new base under the other files.
    mutating func setBase(_ identity: SnapshotIdentity, key: Int64) {
        fileID = identity.fileID
        fileGeneration = identity.generation
        fileKey = key
    }
}

extension SnapshotIdentity {
    /// The identity of the base that a row of state.db names.
    init(of row: CollectionRow, epoch: UInt64) {
        self.init(
            epoch: epoch, generation: row.fileGeneration, fileID: row.fileID, definitionHash: row.definitionHash)
    }
}

// MARK: - The row in state.db

extension CollectionRow {
    /// All collections in the file: collections with a definition, removed ones, and those that are being erased.
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
        middle = LayerRow(
            named: statement.bits(.middleId), from: statement.bits(.middleFrom),
            generation: statement.bits(.middleGeneration), key: statement.integer(.middleKey))
        young = LayerRow(
            named: statement.bits(.youngId), from: statement.bits(.youngFrom),
            generation: statement.bits(.youngGeneration), key: statement.integer(.youngKey))
    }

    private func bindLayers(_ statements: StateStatements) throws(StoreError) {
        let none = LayerRow(fileID: 0, from: 0, generation: 0, key: 1)
        let (middle, young) = (middle ?? none, young ?? none)
        try statements.writeCollection.bind(.middleId, bits: middle.fileID)
        try statements.writeCollection.bind(.middleFrom, bits: middle.from)
        try statements.writeCollection.bind(.middleGeneration, bits: middle.generation)
        try statements.writeCollection.bind(.middleKey, middle.key)
        try statements.writeCollection.bind(.youngId, bits: young.fileID)
        try statements.writeCollection.bind(.youngFrom, bits: young.from)
        try statements.writeCollection.bind(.youngGeneration, bits: young.generation)
        try statements.writeCollection.bind(.youngKey, young.key)
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
        try bindLayers(connection.statements)
        try connection.statements.writeCollection.run()
    }
}
