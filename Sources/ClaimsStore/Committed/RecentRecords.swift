// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot

/// The size up to which committed records lie in memory over the files, and no file is written for them.
public struct RecentBounds: Sendable {
    /// The number of records, changed and gone ones, that one generation may bring.
    public var maxChanges: Int
    /// The number of records, changed and gone ones, that may lie over the files.
    public var maxRecords: Int
    /// The bytes of one generation's records, and of all that lie over the files.
    public var maxBytes: Int
    /// Which files take what these bounds do not let lie over them.
    public var layers: LayerBounds

    public init(
        maxChanges: Int = 256, maxRecords: Int = 1024, maxBytes: Int = 4 << 20, layers: LayerBounds = LayerBounds()
    ) {
        self.maxChanges = maxChanges
        self.maxRecords = maxRecords
        self.maxBytes = maxBytes
        self.layers = layers
    }

    /// No record lies over a file: each generation writes one with all records.
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

    /// With more joined values than this, each generation writes a file: a start would read them all for what lies over it.
    static let maxJoined = 16_384
}

/// The committed records that no file holds yet, and the ids of records of the files that are gone.
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
    }

    /// The records, by id, and the ids that are gone, as they are put together.
    struct Contents: Sendable {
        var records: [[UInt8]: Entry] = [:]
        /// Each id that was there once since the files were made, and is not any more.
        var gone: Set<[UInt8]> = []

        var count: Int { records.count + gone.count }
        var bytes: Int { records.values.reduce(0) { $0 + $1.size } }

        /// Sets a record, which may be new, changed, or there again.
        mutating func set(_ entry: Entry) {
            gone.remove(entry.record.id)
            records[entry.record.id] = entry
        }

        /// Notes that a record is gone.
        mutating func remove(_ id: [UInt8]) {
            records[id] = nil
            gone.insert(id)
        }

        /// The part that has changed since an earlier state.
        func newer(than earlier: Contents) -> Contents {
            var newer = Contents()
            newer.records = records.filter { earlier.records[$0.key]?.stateKey != $0.value.stateKey }
            newer.gone = gone.subtracting(earlier.gone)
            // What has left since, and has nothing to hide in the files below, is in the file that was made.
            for id in earlier.records.keys where records[id] == nil { newer.gone.insert(id) }
            return newer
        }

        /// Leaves out what says nothing over some files: a record that came and went over them leaves nothing to hide.
        ///
        /// - Parameter pending: what the files are made of that are being made: what one of them may hold stays hidden.
        func trimmed(over files: FileStack, _ pending: [CommittedRecords] = []) -> Contents {
            var contents = self
            // A file that was made meanwhile may have some by now. No two versions of records have one key.
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
    /// The records, in memory; nil where all are gone.
    let snapshot: Snapshot?
    /// By file: the rows that are not current, because these records or a newer file have their ids.
    let covered: [RowBitmap]

    /// - Returns: nil where there is nothing.
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
        // The generation is none that a file can have.
        let identity = SnapshotIdentity(
            epoch: 0, generation: .max, fileID: RandomBytes.integer() | 1, definitionHash: definition.shapeHash)
        do throws(SnapshotError) {
            var writer = try SnapshotWriter(inMemory: definition, identity: identity)
            for entry in contents.records.values { _ = try writer.append(entry) }
            snapshot = try writer.finishInMemory()
        } catch { throw StoreError(error) }
    }

    /// Whether it decides about an id: the record of the file, if there is one, is not current.
    public func contains(_ id: [UInt8]) -> Bool { contents.records[id] != nil || contents.gone.contains(id) }
}

extension RecentRecords {
    /// Makes it of the rows of state.db that are newer than some files.
    ///
    /// - Parameters:
    ///   - joined: the values of the definition's second request.
    ///   - pending: what files are made of that are being made.
    /// - Throws: `.mismatch` where the definition cannot decode a record, so that the file is built anew.
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
