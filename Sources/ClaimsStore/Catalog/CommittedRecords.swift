// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
public import ClaimsSnapshot

/// The committed records of a collection: those of its snapshot file, and over them the newer ones, which no file holds
/// yet. What waits for an upstream is not among them.
///
/// Rows are numbered through both, those of the file first. Refreshes compare with these records.
///
/// ```swift
/// if let record = view.committed?.record(forID: id.rawSpan) { print(record.snapshot.document(record.row)) }
/// ```
public struct CommittedRecords: Sendable {
    public let file: Snapshot
    /// nil where the file holds everything that is committed.
    public let recent: RecentRecords?

    public init(file: Snapshot, recent: RecentRecords? = nil) {
        self.file = file
        self.recent = recent
    }

    /// The number of rows, with those that are not current.
    var end: Int { file.count + (recent?.snapshot?.count ?? 0) }

    /// The number of records.
    public var count: Int { end - (recent?.covered.count ?? 0) }

    /// The snapshots that have records, the oldest one first.
    var layers: [Snapshot] { [file] + [recent?.snapshot].compactMap(\.self) }

    /// The current row of an id; nil where there is no such record.
    public func row(forID id: RawSpan) -> Int? {
        guard let recent else { return file.row(forID: id) }
        if let row = recent.snapshot?.row(forID: id) { return file.count + row }
        guard let row = file.row(forID: id), !recent.covered.contains(row) else { return nil }
        return row
    }

    /// Whether the row has a record as it is now: a record of the file may have changed since, or be gone.
    func isCurrent(_ row: Int) -> Bool { row >= file.count || recent?.covered.contains(row) != true }

    /// The record of a row.
    public func record(_ row: Int) -> ServedRecord {
        guard row >= file.count, let snapshot = recent?.snapshot else { return ServedRecord(snapshot: file, row: row) }
        return ServedRecord(snapshot: snapshot, row: row - file.count)
    }

    /// The id of a row, as a copy.
    func idBytes(_ row: Int) -> [UInt8] {
        let record = record(row)
        return record.snapshot.idBytes(record.row)
    }

    /// The record of an id; nil where there is none.
    public func record(forID id: RawSpan) -> ServedRecord? { row(forID: id).map { record($0) } }

    /// The current rows, in the order of their ids.
    var rowsByID: [Int] {
        var rows = (0..<end).filter { isCurrent($0) }
        sortByID(&rows)
        return rows
    }

    /// Brings rows into the order of their ids, as those of one snapshot are.
    func sortByID(_ rows: inout [Int]) {
        let keyed = rows.map { row in
            let record = record(row)
            var key: [UInt8] = []
            KeyEncoding.natural(record.snapshot.id(record.row), into: &key)
            return (key: key, row: row)
        }
        rows = keyed.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.row)
    }

    /// The recent records as entries of an overlay.
    var recentEntries: [OverlayEntry] {
        guard let recent else { return [] }
        let gone = recent.contents.gone.compactMap { id in
            file.row(forID: id.rawSpan).map { row in
                OverlayEntry(
                    id: id, upstream: nil, firstSeen: file.firstSeen(row), changedAt: file.changedAt(row),
                    stateKey: file.stateKey(row))
            }
        }
        return gone
            + recent.contents.records.values.map { entry in
                OverlayEntry(
                    id: entry.record.id, upstream: entry.record.upstream, firstSeen: entry.firstSeen,
                    changedAt: entry.changedAt, stateKey: entry.stateKey)
            }
    }

    /// Whether both are the same objects.
    func isSame(as other: CommittedRecords?) -> Bool { file === other?.file && recent === other?.recent }
}

/// The size up to which committed records lie in memory over the file, and no file is written for them.
public struct RecentBounds: Sendable {
    /// The number of records, changed and gone ones, that one generation may bring.
    public var maxChanges: Int
    /// The number of records, changed and gone ones, that may lie over the file.
    public var maxRecords: Int
    /// The bytes of one generation's records, and of all that lie over the file.
    public var maxBytes: Int

    public init(maxChanges: Int = 256, maxRecords: Int = 1024, maxBytes: Int = 4 << 20) {
        self.maxChanges = maxChanges
        self.maxRecords = maxRecords
        self.maxBytes = maxBytes
    }

    /// No record lies over a file: each generation writes one.
    static let none = RecentBounds(maxChanges: 0, maxRecords: 0)

    /// The bounds in force. For tests, the variable `CLAIMSD_TEST_RECENT` has others: three numbers with commas between.
    public static let standard: RecentBounds = {
        let numbers = (Environment["CLAIMSD_TEST_RECENT"] ?? "").split(separator: ",").compactMap { Int($0) }
        guard numbers.count == 3 else { return RecentBounds() }
        return RecentBounds(maxChanges: numbers[0], maxRecords: numbers[1], maxBytes: numbers[2])
    }()

    /// With more joined values than this, each generation writes a file: a start would read them all for what lies over it.
    static let maxJoined = 16_384
}

/// The committed records that no file holds yet, and the ids of the file's records that are gone.
///
/// It is immutable; each small generation makes a new one. state.db has its rows, of which a start makes it again. Its
/// records are a small snapshot in memory, so that filters, orders and counts mean there what they mean in the file.
public final class RecentRecords: Sendable {
    /// A record as it was decoded.
    struct Entry: Sendable {
        var record: DecodedRecord
        /// Milliseconds since 1970.
        var firstSeen: Int64
        /// Milliseconds since 1970.
        var changedAt: Int64
        /// The record's key in the state database.
        var stateKey: Int64

        /// - Parameter record: its buffers, which may have room for larger records, are not kept.
        init(_ record: borrowing DecodedRecord, firstSeen: Int64, changedAt: Int64, stateKey: Int64) {
            var own = copy record
            own.id = record.id.rawSpan.array
            own.idKey = record.idKey.rawSpan.array
            own.document = record.document.rawSpan.array
            own.upstream = record.upstream.rawSpan.array
            own.keys = record.keys.rawSpan.array
            own.folded = record.folded.rawSpan.array
            self.record = own
            self.firstSeen = firstSeen
            self.changedAt = changedAt
            self.stateKey = stateKey
        }

        /// The bytes that are kept of it.
        var size: Int {
            record.id.count + record.idKey.count + record.document.count + record.upstream.count + record.keys.count
                + record.folded.count
        }

        func append(to writer: inout SnapshotWriter) throws(SnapshotError) {
            _ = try writer.append(record, firstSeen: firstSeen, changedAt: changedAt, stateKey: stateKey)
        }
    }

    /// The records, by id, and the ids that are gone, as they are put together.
    struct Contents: Sendable {
        var records: [[UInt8]: Entry] = [:]
        /// Ids of the file.
        var gone: Set<[UInt8]> = []

        var count: Int { records.count + gone.count }
        var bytes: Int { records.values.reduce(0) { $0 + $1.size } }

        /// Sets a record, which may be new, changed, or there again.
        mutating func set(_ entry: Entry) {
            gone.remove(entry.record.id)
            records[entry.record.id] = entry
        }

        /// Notes that a record is gone. One that came and went over the file leaves nothing to hide.
        mutating func remove(_ id: [UInt8], from file: Snapshot) {
            records[id] = nil
            if file.row(forID: id.rawSpan) != nil { gone.insert(id) }
        }
    }

    let contents: Contents
    /// The records, in memory; nil where all are gone.
    let snapshot: Snapshot?
    /// The rows of the file that are not current.
    let covered: RowBitmap

    /// - Returns: nil where there is nothing.
    /// - Throws: the error of getting the memory.
    static func build(
        _ contents: Contents, over file: Snapshot, _ definition: Definition
    ) throws(StoreError) -> RecentRecords? {
        if contents.count == 0 { return nil }
        return try RecentRecords(contents, over: file, definition)
    }

    private init(_ contents: Contents, over file: Snapshot, _ definition: Definition) throws(StoreError) {
        self.contents = contents
        var covered = RowBitmap()
        for ids in [Array(contents.records.keys), Array(contents.gone)] {
            for id in ids {
                if let row = file.row(forID: id.rawSpan) { covered.set(row, of: file.count, to: true) }
            }
        }
        self.covered = covered
        guard !contents.records.isEmpty else {
            snapshot = nil
            return
        }
        // The generation is none that a file can have.
        let identity = SnapshotIdentity(
            epoch: 0, generation: .max, fileID: RandomBytes.integer() | 1, definitionHash: definition.shapeHash)
        do throws(SnapshotError) {
            var writer = try SnapshotWriter(inMemory: definition, identity: identity)
            for entry in contents.records.values { try entry.append(to: &writer) }
            snapshot = try writer.finishInMemory()
        } catch { throw StoreError(error) }
    }

    /// Whether it tells of an id: the record of the file, if there is one, is not current.
    public func contains(_ id: [UInt8]) -> Bool { contents.records[id] != nil || contents.gone.contains(id) }

    /// The entry of a row of ``snapshot``.
    func entry(_ row: Int) -> Entry? { snapshot.flatMap { contents.records[$0.idBytes(row)] } }

    /// The rows for queries, with those of archived records marked.
    func rows(marks: ArchiveOverlay) -> LayerRows? {
        guard let snapshot else { return nil }
        var rows = LayerRows(snapshot)
        guard !marks.isEmpty else { return rows }
        for row in 0..<snapshot.count where marks.mark(snapshot.idBytes(row)) != nil {
            rows.archived.set(row, of: snapshot.count, to: true)
        }
        return rows
    }
}

extension RecentRecords {
    /// Makes it of the rows of state.db that are newer than a file.
    ///
    /// - Parameter joined: the values of the definition's second request.
    /// - Throws: `.mismatch` where the definition cannot decode a record, so that the file is built anew.
    static func load(
        _ rows: [NewerRecord], over file: Snapshot, _ definition: Definition, joined: JoinTable?
    ) throws(StoreError) -> RecentRecords? {
        var contents = Contents()
        var decoder = StoredRecordDecoder(definition, joined: joined)
        var tape = JSONTape()
        var record = DecodedRecord()
        for row in rows {
            guard let upstream = row.upstream else {
                contents.remove(row.id, from: file)
                continue
            }
            let stored = StoredRecord(
                key: row.key, id: row.id, upstream: upstream, firstSeen: row.firstSeen, changedAt: row.changedAt)
            guard (try? tape.parse(upstream.rawSpan, from: 0, depth: JSONElements.bodyDepth)) != nil,
                case .accepted = decoder.decode(tape, stored, into: &record), record.id == row.id
            else { throw StoreError(.mismatch, "read what is newer than a snapshot") }
            contents.set(
                Entry(record, firstSeen: row.firstSeen, changedAt: row.changedAt, stateKey: row.key))
        }
        return try build(contents, over: file, definition)
    }
}
