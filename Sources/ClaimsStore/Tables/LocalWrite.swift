// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel

/// A change of one record that this host is the truth of, ready to be committed as a generation of its own.
struct LocalWrite: Sendable {
    var id: [UInt8]
    /// The object of the record afterwards; nil: the record is gone.
    var upstream: [UInt8]?
    var firstSeen: Int64
    /// The time of the write, in milliseconds since 1970.
    var at: Int64
    /// The user who submitted it.
    var uid: UInt32
    /// The key of the record that it changes or removes; nil for a new one.
    var endedKey: Int64?
    /// Added, updated or removed.
    var logged: LoggedOperation
    /// See ``LoggedChange/values``.
    var values: [UInt8]
    /// The size in bytes beyond which values are not kept.
    var maxValueBytes: Int
}

extension StateConnection {
    /// Makes a write the current generation of its collection; to be called in a transaction.
    ///
    /// Each write uses up a key, also one that stores no record, so that keys show the order of writes.
    ///
    /// - Returns: the collection's new row, the key of the write, and its commit in the log.
    mutating func apply(
        _ write: LocalWrite, to base: CollectionRow
    ) throws(StoreError) -> (row: CollectionRow, key: Int64, log: CommitPlan.Log) {
        guard base.nextKey < 1 << StateSchema.keyBits else { throw StoreError(.tooLarge, "store a record") }
        var row = base
        let key = StateSchema.firstKey(of: row.number) + row.nextKey
        row.nextKey += 1
        row.generation += 1
        let isKept = write.values.count <= write.maxValueBytes
        var chunk = StageChunk()
        if let upstream = write.upstream {
            let id = chunk.add(write.id.rawSpan)
            let object = chunk.add(upstream.rawSpan)
            chunk.versions.append(
                .init(key: key, id: id, upstream: object, firstSeen: write.firstSeen, changedAt: write.at))
            if write.endedKey == nil { row.records += 1 }
        } else {
            row.records -= 1
        }
        if let ended = write.endedKey { chunk.removals.append(ended) }
        let isRemoved = write.logged == .removed
        chunk.record(
            .init(
                ordinal: 1, operation: write.logged, differsUpstream: false,
                firstSeen: isRemoved ? write.firstSeen : nil),
            write.id.rawSpan, isKept && !write.values.isEmpty ? write.values.rawSpan : nil)
        try chunk.write(
            self,
            to: .init(
                collection: row.number, generation: row.generation, quarantineBatch: row.quarantineBatch,
                currentQuarantineBatch: row.quarantineBatch, joinBatch: row.joinBatch, at: write.at))
        let log = CommitPlan.Log(
            cause: .write, isWhole: false, changes: 1, valueBytes: isKept ? write.values.count : nil, uid: write.uid)
        try addGeneration(log, to: &row, at: write.at)
        try row.write(self)
        return (row, key, log)
    }
}

/// A record that was written since the snapshot file was made.
struct NewerRecord: Sendable, Equatable {
    var id: [UInt8]
    /// nil: the record was deleted.
    var upstream: [UInt8]?
    var firstSeen: Int64
    var changedAt: Int64
    /// The key of the record; for a deleted record the last key that was used.
    var key: Int64
}

extension StateDatabase {
    /// Returns what was committed to a collection since a state that a file holds. Reads the file on the calling
    /// thread.
    ///
    /// Throws `.mismatch` if more was committed meanwhile.
    func records(above mark: StackMark, of row: CollectionRow) throws(StoreError) -> [NewerRecord] {
        let operation = "read what was written"
        let database = try reader()
        guard try CollectionRow.readAll(database).contains(row) else { throw StoreError(.mismatch, operation) }
        let first = StateSchema.firstKey(of: row.number)
        let range = [first + mark.key, first + row.nextKey, Int64(bitPattern: row.generation)]
        let select = try database.prepare(
            """
            SELECT key, id, upstream, first_seen, changed_at FROM version v WHERE key >= ?1 AND key < ?2
                AND NOT EXISTS (SELECT 1 FROM removal r WHERE r.key = v.key AND r.generation <= ?3) ORDER BY key
            """, operation)
        try select.bind(parameters: range)
        var records: [NewerRecord] = []
        var present: Set<[UInt8]> = []
        while try select.step() {
            let record = NewerRecord(
                id: select.bytes(1), upstream: select.bytes(2), firstSeen: select.integer(3),
                changedAt: select.integer(4), key: select.integer(0))
            present.insert(record.id)
            records.append(record)
        }
        let ended = try database.prepare(
            """
            SELECT DISTINCT v.id, v.first_seen FROM removal r JOIN version v ON v.key = r.key
            WHERE r.key >> \(StateSchema.keyBits) = ?1 AND r.generation > ?3 AND r.generation <= ?4 AND r.key < ?2
            """, operation)
        try ended.bind(parameters: [
            row.number, first + mark.key, Int64(bitPattern: mark.generation), Int64(bitPattern: row.generation),
        ])
        while try ended.step() {
            let id = ended.bytes(0)
            guard present.insert(id).inserted else { continue }
            records.append(
                NewerRecord(id: id, firstSeen: ended.integer(1), changedAt: 0, key: first + row.nextKey - 1))
        }
        return records
    }
}
