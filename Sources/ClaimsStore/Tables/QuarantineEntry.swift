// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsModel

/// An element of an upstream's answer that is no record.
public struct QuarantineEntry: Sendable, Equatable {
    /// The number of the entry, which stays the same while the same bytes come.
    public var number: Int64
    /// A JSON Pointer into the answer, to the element or to the wrong value in it.
    public var pointer: String
    public var reason: String
    /// The id of the record; nil if it is not known.
    public var id: String?
    /// The site whose answer had it; nil in a collection with one source.
    public var site: String?
    /// The size of the element as it came, in bytes.
    public var size: Int
    /// The requested bytes: all that are kept, or the first of them.
    public var bytes: [UInt8]
    /// The number of the bytes that are kept.
    public var keptSize: Int
    /// The time of the first answer that had it, in milliseconds since 1970.
    public var firstSeen: Int64
    /// The time of the last answer that had it, in milliseconds since 1970. Full answers that change nothing move it.
    public var lastSeen: Int64

    /// Whether only a part of the bytes is kept.
    public var isTruncated: Bool { keptSize < size }
}

/// Consecutive entries of a quarantine.
public struct QuarantinePage: Sendable {
    /// The entries, ascending by number.
    public var entries: [QuarantineEntry]
    /// The number of all entries that are kept.
    public var total: Int
    /// Whether entries follow.
    public var hasMore: Bool
}

extension StateDatabase {
    /// The number of bytes of each entry in a page.
    public static let excerptBytes = 256

    /// Returns the entries of a collection after a number, at most `limit`, each with the beginning of its bytes.
    ///
    /// Reads the file on the calling thread; never on a serving loop.
    public func quarantine(
        of collection: Int64, after number: Int64 = 0, limit: Int
    ) throws(StoreError) -> QuarantinePage {
        let database = try reader()
        let count = try database.prepare(
            "SELECT count(*) FROM \(StateSchema.quarantineInForce) WHERE q.collection = ?1", Self.operation)
        try count.bind(1, collection)
        let total = try count.step() ? count.count(0) : 0
        let select = try database.prepare(
            Self.select(
                bytes: "substr(q.bytes, 1, \(Self.excerptBytes))", "AND q.entry > ?2 ORDER BY q.entry LIMIT ?3"),
            Self.operation)
        try select.bind(1, collection)
        try select.bind(2, number)
        try select.bind(3, Int64(limit) + 1)
        var entries: [QuarantineEntry] = []
        while try select.step() { entries.append(QuarantineEntry(select)) }
        let hasMore = entries.count > limit
        return QuarantinePage(entries: Array(entries.prefix(limit)), total: total, hasMore: hasMore)
    }

    /// Returns an entry with all bytes that are kept; nil: there is none with this number.
    ///
    /// Reads the file on the calling thread; never on a serving loop.
    public func quarantined(_ number: Int64, of collection: Int64) throws(StoreError) -> QuarantineEntry? {
        let database = try reader()
        let select = try database.prepare(Self.select(bytes: "q.bytes", "AND q.entry = ?2"), Self.operation)
        try select.bind(1, collection)
        try select.bind(2, number)
        return try select.step() ? QuarantineEntry(select) : nil
    }

    /// Calls `body` with each entry of a collection and all its kept bytes, the last number first.
    func forEachQuarantined(
        of collection: Int64, _ body: (QuarantineEntry) throws(StoreError) -> Void
    ) throws(StoreError) {
        let database = try reader()
        let select = try database.prepare(Self.select(bytes: "q.bytes", "ORDER BY q.entry DESC"), Self.operation)
        try select.bind(1, collection)
        while try select.step() { try body(QuarantineEntry(select)) }
    }

    private static let operation = "read the quarantine"

    private static func select(bytes: String, _ rest: String) -> String {
        """
        SELECT q.entry, q.pointer, q.reason, q.id, q.size, length(q.bytes), q.first_seen,
            \(StateSchema.quarantineLastSeen), \(bytes), nullif(q.site, '')
        FROM \(StateSchema.quarantineInForce)
        WHERE q.collection = ?1 \(rest)
        """
    }
}

extension QuarantineEntry {
    fileprivate init(_ row: borrowing Statement<StatementPosition>) {
        self.init(
            number: row.integer(0), pointer: row.text(1), reason: row.text(2), id: row.optionalText(3),
            size: row.count(4), bytes: [], keptSize: row.count(5), firstSeen: row.integer(6), lastSeen: row.integer(7))
        row.append(8, to: &bytes)
        site = row.optionalText(9)
    }
}
