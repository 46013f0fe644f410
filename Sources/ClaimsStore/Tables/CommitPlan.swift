// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsSnapshot

/// The one short transaction that ends a refresh: it makes staged rows current by naming their generation.
struct CommitPlan: Sendable {
    /// The changes of the row where records have changed.
    struct Data: Sendable {
        var generation: UInt64
        var fileID: UInt64
        var definitionHash: UInt64
        var records: Int
        var nextKey: Int64
        var bundleKey: UInt64
        var cause: ChangeCause
        /// Whether the commit names no records: all may differ.
        var isWhole: Bool
        /// How far the clock moves.
        var changes: Int
        /// The size of the kept values; nil: they were too many, and are not kept.
        var valueBytes: Int?
    }

    /// The collection as it was when the refresh began.
    var base: CollectionRow
    var source: SourceRow
    var quarantineBatch: Int64
    var quarantined: Int
    var joinBatch: Int64
    var at: Int64
    var data: Data?

    /// Returns the collection's new row; to be called in a transaction.
    ///
    /// Throws `.mismatch` where the row is not what the refresh began with.
    func apply(_ connection: inout StateConnection) throws(StoreError) -> CollectionRow {
        guard var row = try CollectionRow.readAll(connection.database).first(where: { $0.number == base.number }),
            row.name == base.name, row.generation == base.generation, row.quarantineBatch == base.quarantineBatch
        else { throw StoreError(.mismatch, "commit a refresh") }
        row.quarantineBatch = quarantineBatch
        row.quarantined = quarantined
        row.joinBatch = joinBatch
        if let data {
            row.generation = data.generation
            row.fileID = data.fileID
            row.definitionHash = data.definitionHash
            row.records = data.records
            row.nextKey = data.nextKey
            row.bundleKey = data.bundleKey
            try addGeneration(data, to: &row, &connection)
        }
        try row.write(connection)
        try source.write(connection, collection: row.number)
        return row
    }

    private func addGeneration(
        _ data: Data, to row: inout CollectionRow, _ connection: inout StateConnection
    ) throws(StoreError) {
        try connection.statements.addGeneration.bind(.collection, base.number)
        try connection.statements.addGeneration.bind(.generation, bits: data.generation)
        try connection.statements.addGeneration.bind(.baseSeq, bits: connection.seq)
        try connection.statements.addGeneration.bind(.changes, Int64(data.changes))
        try connection.statements.addGeneration.bind(.at, at)
        try connection.statements.addGeneration.bind(.cause, data.cause.rawValue)
        try connection.statements.addGeneration.bind(.whole, data.isWhole ? 1 : 0)
        try connection.statements.addGeneration.bind(.bytes, Int64(data.valueBytes ?? 0))
        try connection.statements.addGeneration.run()
        connection.seq += UInt64(data.changes)
        if data.isWhole, data.cause == .refresh { row.startSeq = connection.seq }
        if data.isWhole, data.cause == .definition { row.definitionSeq = connection.seq }
        if data.valueBytes == nil { row.floor = connection.seq }
    }
}

/// The parts that make a staged generation the current one.
public struct GenerationCommit: Sendable {
    /// The finished snapshot, whose identity and count are committed.
    public var snapshot: Snapshot
    public var source: SourceRow
    /// The key of the bundle that the records came from; 0 for records of an upstream.
    public var bundleKey: UInt64 = 0

    public init(snapshot: Snapshot, source: SourceRow, bundleKey: UInt64 = 0) {
        self.snapshot = snapshot
        self.source = source
        self.bundleKey = bundleKey
    }
}
