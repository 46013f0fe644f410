// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
public import ClaimsModel

/// Removed records that are not erased from every file yet: a row of `meta`. The commit that removes them adds the row,
/// and the row is deleted once no file has anything of them, even if a crash comes in between.
struct PendingErasure: Sendable, Equatable {
    /// The number of the collection.
    let collection: Int64
    /// The number of the commit's last change. The log's data about the ids up to this number is to be erased.
    let seq: UInt64
    /// The generation that was current then.
    let generation: UInt64
    let ids: [[UInt8]]

    private static let keyPrefix = "erasing."
    private static let operation = "erase records"

    private var key: String { "\(Self.keyPrefix)\(collection).\(seq)" }

    /// The ids as a JSON array, which statements read with `json_each`.
    var idList: [UInt8] { Self.list(ids) }

    static func list(_ ids: some Sequence<[UInt8]>) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginArray()
        for id in ids { writer.string(utf8: id.rawSpan) }
        writer.endArray()
        return writer.bytes
    }

    init(collection: Int64, seq: UInt64, generation: UInt64, ids: [[UInt8]]) {
        self.collection = collection
        self.seq = seq
        self.generation = generation
        self.ids = ids
    }

    /// - Returns: nil for a row that is damaged.
    private init?(key: String, _ value: [UInt8]) {
        let numbers = key.dropFirst(Self.keyPrefix.count).split(separator: ".")
        guard numbers.count == 2, let collection = Int64(numbers[0]), let seq = UInt64(numbers[1]),
            let object = try? JSONValue.parse(value), let generation = object["generation"]?.integer
        else { return nil }
        self.init(
            collection: collection, seq: seq, generation: UInt64(bitPattern: generation),
            ids: (object["ids"]?.array ?? []).compactMap { $0.string.map { Array($0.utf8) } })
    }

    /// All rows that are left, the oldest first.
    static func all(_ database: borrowing Database) throws(StoreError) -> [PendingErasure] {
        let select = try database.prepare(
            "SELECT key, value FROM meta WHERE key GLOB '\(keyPrefix)*' ORDER BY key", operation)
        var erasures: [PendingErasure] = []
        while try select.step() {
            if let erasure = PendingErasure(key: select.text(0), select.bytes(1)) { erasures.append(erasure) }
        }
        return erasures
    }

    /// Adds the row; to be called in a transaction.
    func write(_ database: borrowing Database) throws(StoreError) {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("generation")
        writer.integer(Int64(bitPattern: generation))
        writer.key("ids")
        writer.raw(idList)
        writer.endObject()
        let insert = try database.prepare("INSERT OR REPLACE INTO meta(key, value) VALUES (?1, ?2)", Self.operation)
        try insert.bind(1, key)
        try insert.bind(2, text: writer.bytes)
        try insert.run()
    }

    /// Deletes the row; to be called in a transaction.
    func remove(_ database: borrowing Database) throws(StoreError) {
        let delete = try database.prepare("DELETE FROM meta WHERE key = ?1", Self.operation)
        try delete.bind(1, key)
        try delete.run()
    }
}

extension StateDatabase {
    /// Erases the rest of forgotten records in the log of changes, in the write-ahead log, and in the traces that
    /// SQLite leaves of moved rows. After a crash the next call goes on.
    ///
    /// - Parameters:
    ///   - timeout: the time to wait for other programs that read an old state of state.db.
    ///   - isWanted: asked now and then.
    /// - Throws: `.busy` if another program goes on reading; `.closed` once `isWanted` returns false.
    public func finishForgetting(
        timeout: Duration, while isWanted: @Sendable () -> Bool = { true }
    ) throws(StoreError) {
        let erasures = try perform { connection throws(StoreError) in
            try PendingErasure.all(connection.database)
        }
        guard !erasures.isEmpty else { return }
        for erasure in erasures { try eraseLog(erasure) }
        try scrub(timeout: timeout, while: isWanted)
        try perform { connection throws(StoreError) in
            try connection.transaction(.synced, "erase records") { connection throws(StoreError) in
                for erasure in erasures { try erasure.remove(connection.database) }
            }
        }
    }
}
