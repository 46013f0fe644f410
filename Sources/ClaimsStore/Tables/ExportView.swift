// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsModel

/// A moment of a collection's records in state.db, from which later changes can be read.
public struct ExportMark: Sendable, Equatable {
    /// The number of the collection. A collection that was erased and came back has another number.
    public var number: Int64
    public var generation: UInt64
    /// The number of the last change of the log.
    public var seq: UInt64
    /// The first record key that came after it.
    public var key: Int64

    public init(number: Int64, generation: UInt64, seq: UInt64, key: Int64) {
        self.number = number
        self.generation = generation
        self.seq = seq
        self.key = key
    }
}

/// Receives what an export reads.
public protocol ExportReceiver: ~Copyable {
    /// A current record, as the upstream sent it.
    mutating func record(_ upstream: RawSpan) throws(StoreError)
    /// The id of a record that is gone, as its source names it.
    mutating func gone(_ id: RawSpan) throws(StoreError)
    /// All records were handed over.
    mutating func end() throws(StoreError)
}

/// An unchanging view of the records of a source in state.db, on a connection of its own.
///
///     guard let view = try database.exportView(of: source) else { return }
///     if try view.hasChanges(since: mark) { try view.writeChanges(since: mark, to: &receiver) }
public struct ExportView: ~Copyable {
    /// The moment of the view.
    public let mark: ExportMark
    public let source: SourceRow
    private let database: Database
    private let row: CollectionRow
    /// The beginning of the ids of a site's records; empty for the only source.
    private let prefix: [UInt8]

    /// - Parameter id: a source of the collection of `row`.
    fileprivate init(
        of id: SourceID, _ row: CollectionRow, _ source: SourceRow, over database: consuming Database
    ) throws(StoreError) {
        let seq = try database.lastChange(of: row)
        self.row = row
        self.source = source
        self.database = database
        mark = ExportMark(number: row.number, generation: row.generation, seq: seq, key: row.nextKey)
        prefix = id.site.map { Array("\($0):".utf8) } ?? []
    }

    /// Whether the changes since `mark` are known: false if the log does not reach back that far.
    public func hasChanges(since mark: ExportMark) throws(StoreError) -> Bool {
        guard mark.number == row.number else { return false }
        return try database.isLogged(since: mark, in: row)
    }

    /// The ids, as the source names them, of the records that were erased since `mark`.
    public func forgotten(since mark: ExportMark) throws(StoreError) -> [[UInt8]] {
        guard mark.number == row.number else { return [] }
        return try database.forgotten(in: row, after: mark.seq, prefix: prefix)
    }

    /// Reads all records.
    public func writeAll<Receiver: ExportReceiver & ~Copyable>(to receiver: inout Receiver) throws(StoreError) {
        try database.exportRecords(of: row, from: 1, prefix: prefix, to: &receiver)
        try receiver.end()
    }

    /// Reads the records that have changed since `mark`, and the ids that are gone or were erased. The log must have
    /// these changes.
    public func writeChanges<Receiver: ExportReceiver & ~Copyable>(
        since mark: ExportMark, to receiver: inout Receiver
    ) throws(StoreError) {
        try database.exportRecords(of: row, from: mark.key, prefix: prefix, to: &receiver)
        try database.exportGone(of: row, since: mark, prefix: prefix, to: &receiver)
        try receiver.end()
    }

    /// Whether the records are those of `mark`; also false if that is unknown.
    public func isUnchanged(since mark: ExportMark) throws(StoreError) -> Bool {
        guard try hasChanges(since: mark) else { return false }
        var changes = ChangeCount()
        try writeChanges(since: mark, to: &changes)
        return changes.count == 0
    }

    private struct ChangeCount: ExportReceiver {
        var count = 0

        mutating func record(_ upstream: RawSpan) { count += 1 }
        mutating func gone(_ id: RawSpan) { count += 1 }
        mutating func end() {}
    }

    /// The values that records are joined with, in the form of `JoinTable.stored`.
    public func joined() throws(StoreError) -> [UInt8] {
        try StateDatabase.joined(of: row.number, batch: row.joinBatch, in: database).values
    }

    /// The number of elements of the source in quarantine, including those for which there was no room.
    public func quarantined() throws(StoreError) -> Int {
        let select = try database.prepare(
            "SELECT coalesce(sum(counted), 0) FROM quarantine_extent WHERE collection = ?1 AND site = ?2",
            "count the quarantine")
        try select.bind(1, row.number)
        try select.bind(2, source.site ?? "")
        return try select.step() ? Int(clamping: select.integer(0)) : 0
    }
}

extension StateDatabase {
    /// Opens a view of the records of a source.
    ///
    /// - Returns: nil if there are no records of an upstream.
    public func exportView(of id: SourceID) throws(StoreError) -> ExportView? {
        let database = try reader()
        guard let row = try CollectionRow.readAll(database).first(where: { $0.name == id.collection }), row.hasData,
            !row.isBundle
        else { return nil }
        let known = try SourceRow.readAll(database)[row.number]?.first(where: { $0.site == id.site })
        // No upstream is known if records are written on this host.
        guard let source = known ?? (row.isLocal ? SourceRow(site: id.site) : nil) else { return nil }
        return try ExportView(of: id, row, source, over: database)
    }

    /// The texts about a source that a fleet keeps, each a row of `meta`.
    public enum FleetText: String, Sendable {
        /// The last publication.
        case published = "fleet:"
        /// The erased ids that are passed on.
        case forgotten = "fleet_forgotten:"
        /// The erased ids that could not be erased here yet.
        case postponed = "fleet_postponed:"
        /// The state of another host that this host's publications continue.
        case continued = "fleet_continued:"

        fileprivate func key(_ source: SourceID) -> String {
            rawValue + source.text
        }

        /// The condition for the rows of all sources.
        var rows: String { "substr(key, 1, \(rawValue.utf8.count)) = '\(rawValue)'" }
    }

    /// Reads the text that ``keep(_:_:of:)`` has stored; nil: there is none.
    public func fleetText(_ kind: FleetText, of source: SourceID) throws(StoreError) -> String? {
        let key = kind.key(source)
        return try perform { connection throws(StoreError) in
            let statement = try connection.database.prepare(
                "SELECT value FROM meta WHERE key = ?1", "read what a fleet was told")
            try statement.bind(1, key)
            return try statement.step() ? statement.text(0) : nil
        }
    }

    /// Keeps a text about a source over restarts.
    public func keep(_ kind: FleetText, _ text: String, of source: SourceID) throws(StoreError) {
        let operation = "keep what a fleet is told"
        let key = kind.key(source)
        try perform { connection throws(StoreError) in
            try connection.transaction(.synced, operation) { connection throws(StoreError) in
                let insertion = try connection.database.prepare(
                    "INSERT OR REPLACE \(MetaColumn.insertion)", operation, columns: MetaColumn.self)
                try insertion.bind(.key, key)
                try insertion.bind(.value, text)
                try insertion.run()
            }
        }
    }
}

extension Database {
    /// The number of the last change of a collection in the log.
    fileprivate borrowing func lastChange(of row: CollectionRow) throws(StoreError) -> UInt64 {
        let last = try prepare(
            """
            SELECT max(coalesce((SELECT max(base_seq + changes) FROM generation WHERE collection = ?1), 0),
                coalesce((SELECT max(seq) FROM local_change WHERE collection = ?1), 0))
            """, "read the records of a source")
        try last.bind(1, row.number)
        _ = try last.step()
        return max(last.bits(0), row.floor)
    }

    /// Whether the log has every change since `mark`, with the records of each.
    fileprivate borrowing func isLogged(since mark: ExportMark, in row: CollectionRow) throws(StoreError) -> Bool {
        guard mark.generation <= row.generation, mark.key <= row.nextKey, row.floor <= mark.seq else { return false }
        let whole = try prepare(
            "SELECT 1 FROM generation WHERE collection = ?1 AND generation > ?2 AND whole <> 0 LIMIT 1",
            "read the records of a source")
        try whole.bind(1, row.number)
        try whole.bind(2, bits: mark.generation)
        return try !whole.step()
    }

    /// The ids of the records of a source that were erased after a number of the log, without the prefix.
    fileprivate borrowing func forgotten(
        in row: CollectionRow, after seq: UInt64, prefix: [UInt8]
    ) throws(StoreError) -> [[UInt8]] {
        let select = try prepare(
            """
            SELECT id FROM local_change WHERE collection = ?1 AND seq > ?2 AND cause = '\(ChangeCause.forget.rawValue)'
            """, "read the records of a source")
        try select.bind(1, row.number)
        try select.bind(2, bits: seq)
        var ids: [[UInt8]] = []
        while try select.step() {
            var id: [UInt8] = []
            select.append(0, to: &id)
            if id.starts(with: prefix) { ids.append(Array(id.dropFirst(prefix.count))) }
        }
        return ids
    }

    fileprivate borrowing func exportRecords<Receiver: ExportReceiver & ~Copyable>(
        of row: CollectionRow, from key: Int64, prefix: [UInt8], to receiver: inout Receiver
    ) throws(StoreError) {
        let select = try prepare(
            """
            SELECT upstream, id FROM version v WHERE key >= ?1 AND key < ?2
                AND NOT EXISTS (SELECT 1 FROM removal r WHERE r.key = v.key AND r.generation <= ?3) ORDER BY key
            """, "read the records of a source")
        let first = StateSchema.firstKey(of: row.number)
        try select.bind(1, first + key)
        try select.bind(2, first + row.nextKey)
        try select.bind(3, bits: row.generation)
        var buffer: [UInt8] = []
        while try select.step() {
            if !prefix.isEmpty {
                buffer.removeAll(keepingCapacity: true)
                select.append(1, to: &buffer)
                guard buffer.starts(with: prefix) else { continue }
            }
            buffer.removeAll(keepingCapacity: true)
            select.append(0, to: &buffer)
            try receiver.record(buffer.rawSpan)
        }
    }

    fileprivate borrowing func exportGone<Receiver: ExportReceiver & ~Copyable>(
        of row: CollectionRow, since mark: ExportMark, prefix: [UInt8], to receiver: inout Receiver
    ) throws(StoreError) {
        // A record that has come back since then has a current version with a later key.
        let select = try prepare(
            """
            SELECT id FROM (
                SELECT h.id FROM generation g
                    JOIN change h ON h.collection = g.collection AND h.generation = g.generation
                    WHERE g.collection = ?1 AND g.generation > ?2 AND g.generation <= ?3 AND h.op = 'removed'
                UNION SELECT id FROM local_change
                    WHERE collection = ?1 AND seq > ?6 AND cause = '\(ChangeCause.forget.rawValue)'
            ) WHERE id NOT IN (SELECT v.id FROM version v WHERE v.key >= ?4 AND v.key < ?5 AND NOT EXISTS (
                    SELECT 1 FROM removal r WHERE r.key = v.key AND r.generation <= ?3))
            """, "read the records of a source")
        let first = StateSchema.firstKey(of: row.number)
        try select.bind(1, row.number)
        try select.bind(2, bits: mark.generation)
        try select.bind(3, bits: row.generation)
        try select.bind(4, first + mark.key)
        try select.bind(5, first + row.nextKey)
        try select.bind(6, bits: mark.seq)
        var id: [UInt8] = []
        while try select.step() {
            id.removeAll(keepingCapacity: true)
            select.append(0, to: &id)
            guard id.starts(with: prefix) else { continue }
            try receiver.gone(id.rawSpan.extracting(prefix.count..<id.count))
        }
    }
}
