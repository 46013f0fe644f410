// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsSnapshot

/// The one short transaction that ends a refresh: it makes staged rows current by naming their generation.
struct CommitPlan: Sendable {
    /// The data about a commit that the log keeps.
    struct Log: Sendable {
        var cause: ChangeCause
        /// Whether the commit names no records to feeds: all may differ.
        var isWhole: Bool
        /// The number of changes by which the clock moves.
        var changes: Int
        /// The size of the kept values; nil: the values are not kept.
        var valueBytes: Int?
        /// The user of a write; nil for other commits.
        var uid: UInt32?
    }

    /// The changes of the row if records have changed.
    struct Data: Sendable {
        var generation: UInt64
        /// The new file, which holds the generation together with the files below; nil: the records lie over the
        /// existing files.
        var file: NewFile?
        var records: Int
        var nextKey: Int64
        var bundleKey: UInt64
        var log: Log
    }

    /// The collection when the refresh began.
    var base: CollectionRow
    /// The states of the sources whose answers were read.
    var sources: [SourceRow]
    var quarantineBatch: Int64
    /// The changes of the quarantine by each of the answers.
    var quarantine: [QuarantineChange] = []
    /// The entries that leave quarantine.
    var released: [Int64] = []
    var joinBatch: Int64
    var at: Int64
    /// The number of the stage; see `StateConnection.beginStage`.
    var stage: UInt64
    /// The hash of the definition that is in force.
    var valuesHash: UInt64 = 0
    var data: Data?
    /// The entries of the log of refreshes; empty for a commit that is no attempt to refresh.
    var refreshes: [RefreshNote] = []

    /// Returns the collection's new row; to be called in a transaction.
    ///
    /// Throws `.mismatch` if the row has changed since the refresh began.
    func apply(_ connection: inout StateConnection) throws(StoreError) -> CollectionRow {
        try connection.check(stage, of: base.number)
        guard var row = try CollectionRow.readAll(connection.database).first(where: { $0.number == base.number }),
            row.name == base.name, row.generation == base.generation, row.quarantineBatch == base.quarantineBatch
        else { throw StoreError(.mismatch, "commit a refresh") }
        // Records that were written here exist nowhere else, so no answer of an upstream may replace them.
        guard !row.isLocal || data == nil else {
            throw StoreError(.notWritable, "commit a refresh", detail: "this host is the truth of its records")
        }
        row.quarantineBatch = quarantineBatch
        row.joinBatch = joinBatch
        if let data {
            guard row.hasData || data.file?.role == .base else { throw StoreError(.mismatch, "commit a refresh") }
            row.generation = data.generation
            row.records = data.records
            row.nextKey = data.nextKey
            if let file = data.file { row.put(file, at: row) }
            row.bundleKey = data.bundleKey
            row.valuesHash = valuesHash
            try connection.addGeneration(data.log, to: &row, at: at)
        }
        // This comes before the changes of the answers, which change the entries in force.
        try connection.deleteQuarantined(released, of: row, through: base.quarantineBatch)
        try connection.change(quarantine, of: row, after: base, at: at)
        row.quarantined = try connection.countQuarantined(of: row)
        try row.write(connection)
        if joinBatch != base.joinBatch { try connection.deleteSupersededJoinValues(of: row) }
        for source in sources { try source.write(connection, collection: row.number) }
        for refresh in refreshes { try refresh.write(connection.database, collection: row.number) }
        return row
    }
}

extension StateConnection {
    /// Adds the current generation of a collection to the log, and moves the clock; to be called in a transaction.
    mutating func addGeneration(
        _ log: CommitPlan.Log, to row: inout CollectionRow, at now: Int64
    ) throws(StoreError) {
        try statements.addGeneration.bind(.collection, row.number)
        try statements.addGeneration.bind(.generation, bits: row.generation)
        try statements.addGeneration.bind(.baseSeq, bits: seq)
        try statements.addGeneration.bind(.changes, Int64(log.changes))
        try statements.addGeneration.bind(.at, now)
        try statements.addGeneration.bind(.cause, log.cause.rawValue)
        try statements.addGeneration.bind(.whole, log.isWhole ? 1 : 0)
        try statements.addGeneration.bind(.bytes, log.valueBytes.map { Int64($0) } ?? StateSchema.bytesWithoutValues)
        try statements.addGeneration.bind(.uid, log.uid.map { Int64($0) })
        try statements.addGeneration.run()
        advance(by: UInt64(log.changes))
        if log.isWhole, log.cause == .refresh { row.startSeq = seq }
        if log.isWhole, log.cause == .definition { row.definitionSeq = seq }
        if log.valueBytes == nil { row.floor = seq }
    }
}

extension StateConnection {
    /// Ends all records of a collection, which then has no data; to be called in a transaction.
    mutating func endRecords(of row: inout CollectionRow, at now: Int64) throws(StoreError) {
        row.generation += 1
        let end = try database.prepare(
            """
            INSERT OR IGNORE INTO removal(key, generation) SELECT key, ?3 FROM version WHERE key >= ?1 AND key < ?2
            """, "end records")
        let first = StateSchema.firstKey(of: row.number)
        try end.bind(parameters: [first, first + row.nextKey, Int64(bitPattern: row.generation)])
        try end.run()
        try addGeneration(
            CommitPlan.Log(cause: .write, isWhole: false, changes: 0, valueBytes: 0), to: &row, at: now)
        (row.isLocal, row.fileID, row.records) = (false, 0, 0)
        (row.middle, row.young) = (nil, nil)
        (row.fileGeneration, row.fileKey) = (row.generation, row.nextKey)
        try row.write(self)
    }
}
