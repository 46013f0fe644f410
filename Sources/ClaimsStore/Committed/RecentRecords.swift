// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot

/// The bounds up to which committed records lie in memory over the files, so that no file is written for them.
public struct RecentBounds: Sendable {
    /// The number of records, changed and gone ones, that one generation may bring.
    public var maxChanges: Int
    /// The number of records, changed and gone ones, that may lie over the files.
    public var maxRecords: Int
    /// The bytes of one generation's records, and of all records over the files.
    public var maxBytes: Int
    /// The bounds of the files that take the records beyond these bounds.
    public var layers: LayerBounds

    public init(
        maxChanges: Int = 256, maxRecords: Int = 1024, maxBytes: Int = 4 << 20, layers: LayerBounds = LayerBounds()
    ) {
        self.maxChanges = maxChanges
        self.maxRecords = maxRecords
        self.maxBytes = maxBytes
        self.layers = layers
    }

    /// No record lies over a file: each generation writes a file with all records.
    static let none = RecentBounds(maxChanges: 0, maxRecords: 0, layers: .none)

    /// Each generation writes a file.
    func withoutRecent() -> RecentBounds { RecentBounds(maxChanges: 0, maxRecords: 0, layers: layers) }

    /// The bounds while a base has no room on the disk.
    func withoutRoomForBase() -> RecentBounds {
        var bounds = self
        bounds.layers.isBaseWithoutRoom = true
        return bounds
    }

    /// The bounds in force. For tests, the variable `CLAIMSD_TEST_RECENT` has others: three or five numbers with commas
    /// between.
    public static let standard: RecentBounds = {
        let numbers = (Environment["CLAIMSD_TEST_RECENT"] ?? "").split(separator: ",").compactMap { Int($0) }
        guard numbers.count == 3 || numbers.count == 5 else { return RecentBounds() }
        var bounds = RecentBounds(maxChanges: numbers[0], maxRecords: numbers[1], maxBytes: numbers[2])
        if numbers.count == 5 { bounds.layers = LayerBounds(maxYoung: numbers[3], maxMiddle: numbers[4]) }
        return bounds
    }()

    /// The number of joined values above which each generation writes a file: a start would read them all for the
    /// recent records.
    static let maxJoined = 16_384
}

/// The committed records that no file holds yet, and the ids of records of the files that are gone.
///
/// It is immutable; each small generation makes a new one. A start makes it again from its rows in state.db. Its
/// records are a small snapshot in memory, so that filters, orders and counts work as in the file.
public final class RecentRecords: Sendable {
    /// A decoded record.
    struct Entry: Sendable {
        var record: DecodedRecord
        /// Milliseconds since 1970.
        var firstSeen: Int64
        /// Milliseconds since 1970.
        var changedAt: Int64
        /// The record's key in the state database.
        var stateKey: Int64

        /// - Parameter record: the decoded record. Its buffers are copied, because they may have room for larger
        ///   records.
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

        /// The number of its bytes that are kept.
        var size: Int {
            record.id.count + record.idKey.count + record.document.count + record.upstream.count + record.keys.count
                + record.folded.count
        }
    }

    /// The records by id, and the ids that are gone, while they are collected.
    struct Contents: Sendable {
        var records: [[UInt8]: Entry] = [:]
        /// The ids that existed at some time since the files were made, and are gone now.
        var gone: Set<[UInt8]> = []

        var count: Int { records.count + gone.count }
        var bytes: Int { records.values.reduce(0) { $0 + $1.size } }

        /// Sets a record that is new, has changed, or is there again.
        mutating func set(_ entry: Entry) {
            gone.remove(entry.record.id)
            records[entry.record.id] = entry
        }

        /// Records that a record is gone.
        mutating func remove(_ id: [UInt8]) {
            records[id] = nil
            gone.insert(id)
        }

        /// The contents that have changed since an earlier state.
        func newer(than earlier: Contents) -> Contents {
            var newer = Contents()
            newer.records = records.filter { earlier.records[$0.key]?.stateKey != $0.value.stateKey }
            newer.gone = gone.subtracting(earlier.gone)
            // The file that was made has records that have left since and hide nothing in the files below.
            for id in earlier.records.keys where records[id] == nil { newer.gone.insert(id) }
            return newer
        }

        /// Returns the contents without entries that have no effect over some files: a record that came and went over
        /// them hides nothing.
        ///
        /// - Parameter pending: the sources of the files under way: an id that such a file may hold stays hidden.
        func trimmed(over files: FileStack, _ pending: [CommittedRecords] = []) -> Contents {
            var contents = self
            // A file that was made meanwhile may have some of the records. Versions of records have distinct keys.
            contents.records = records.filter { id, entry in
                entry.stateKey == 0 || files.newest(id.rawSpan)?.stateKey != entry.stateKey
            }
            contents.gone = gone.filter { id in
                files.holds(id.rawSpan) || pending.contains { $0.holds(id.rawSpan) }
            }
            return contents
        }
    }

    let contents: Contents
    /// The records, in memory; nil if all are gone.
    let snapshot: Snapshot?
    /// The rows that are not current, by file, because these records or a newer file have their ids.
    let covered: [RowBitmap]

    /// - Returns: nil if there is nothing.
    /// - Throws: the error of getting the memory.
    static func build(
        _ contents: Contents, over files: FileStack, _ definition: Definition, _ pending: [CommittedRecords] = []
    ) throws(StoreError) -> RecentRecords? {
        let contents = contents.trimmed(over: files, pending)
        if contents.count == 0 { return nil }
        return try RecentRecords(contents, over: files, definition)
    }

    private static func covered(_ contents: Contents, in files: FileStack) -> [RowBitmap] {
        files.layers.map { layer in
            let file = layer.snapshot
            var covered = layer.covered
            for id in contents.records.keys {
                if let row = file.row(forID: id.rawSpan) { covered.set(row, of: file.count, to: true) }
            }
            for id in contents.gone {
                if let row = file.row(forID: id.rawSpan) { covered.set(row, of: file.count, to: true) }
            }
            return covered
        }
    }

    private init(_ contents: Contents, over files: FileStack, _ definition: Definition) throws(StoreError) {
        self.contents = contents
        covered = Self.covered(contents, in: files)
        guard !contents.records.isEmpty else {
            snapshot = nil
            return
        }
        // No file can have this generation.
        let identity = SnapshotIdentity(
            epoch: 0, generation: .max, fileID: RandomBytes.integer() | 1, definitionHash: definition.shapeHash)
        var writer = try SnapshotWriter(inMemory: definition, identity: identity)
        for entry in contents.records.values { _ = try writer.append(entry) }
        snapshot = try writer.finishInMemory()
    }

    /// Whether it decides about an id; then a record of a file with the id is not current.
    public func contains(_ id: [UInt8]) -> Bool { contents.records[id] != nil || contents.gone.contains(id) }
}

extension RecentRecords {
    /// Makes the recent records from the rows of state.db that are newer than some files.
    ///
    /// - Parameters:
    ///   - joined: the values of the definition's second request.
    ///   - pending: the sources of the files under way.
    /// - Throws: `.mismatch` if the definition cannot decode a record, so that the file is built anew.
    static func load(
        _ rows: [NewerRecord], over files: FileStack, _ definition: Definition, joined: JoinTable?,
        pending: [CommittedRecords] = []
    ) throws(StoreError) -> RecentRecords? {
        var contents = Contents()
        var decoder = StoredRecordDecoder(definition, joined: joined)
        var tape = JSONTape()
        var record = DecodedRecord()
        for row in rows {
            guard let upstream = row.upstream else {
                contents.remove(row.id)
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
        return try build(contents, over: files, definition, pending)
    }
}
