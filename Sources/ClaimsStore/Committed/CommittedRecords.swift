// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
public import ClaimsSnapshot

/// The committed records of a collection: those of its files, and over them the newer ones, which no file holds yet.
/// Operations that wait for an upstream are not among them.
///
/// Rows are numbered through all of them, beginning with the oldest file. Refreshes compare with these records.
///
/// ```swift
/// if let record = view.committed?.record(forID: id.rawSpan) { print(record.snapshot.document(record.row)) }
/// ```
public struct CommittedRecords: Sendable {
    public let files: FileStack
    /// nil if the files hold everything that is committed.
    public let recent: RecentRecords?
    /// The rows that are not current, by file.
    let covered: [RowBitmap]

    init(_ files: FileStack, recent: RecentRecords? = nil) {
        self.files = files
        self.recent = recent
        covered = recent?.covered ?? files.layers.map(\.covered)
    }

    /// Makes the records of one file, which has all of them.
    public init(file: Snapshot) { self.init(FileStack(file)) }

    /// The file at the bottom, the base.
    public var file: Snapshot { files.base }

    /// The number of rows, including rows that are not current.
    var end: Int { files.end + (recent?.snapshot?.count ?? 0) }

    /// The number of records.
    public var count: Int { covered.reduce(end) { $0 - $1.count } }

    /// The snapshots that have records, the oldest one first.
    public var layers: [Snapshot] { files.snapshots + [recent?.snapshot].compactMap(\.self) }

    /// Whether the base has all records, in the order of their ids.
    var isPlain: Bool { files.layers.count == 1 && recent == nil }

    /// The current row of an id; nil if there is no such record.
    public func row(forID id: RawSpan) -> Int? {
        // Most records are in the base. A row that is not covered is the only current one of its id.
        if let row = files.base.row(forID: id), !covered[0].contains(row) { return row }
        if isPlain { return nil }
        if let row = recent?.snapshot?.row(forID: id) { return files.end + row }
        for index in files.layers.indices.dropFirst().reversed() {
            let layer = files.layers[index]
            if let row = layer.snapshot.row(forID: id), !covered[index].contains(row) { return layer.start + row }
        }
        return nil
    }

    /// The index of the snapshot that has a row, and the row's number in it.
    func layer(of row: Int) -> (index: Int, row: Int) {
        for index in files.layers.indices {
            let own = row - files.layers[index].start
            if own < files.layers[index].snapshot.count { return (index, own) }
        }
        return (files.layers.count, row - files.end)
    }

    /// Whether the row has the current record: a record of a file may have changed since, or be gone.
    func isCurrent(_ row: Int) -> Bool {
        if row < files.base.count { return !covered[0].contains(row) }
        let (index, own) = layer(of: row)
        return index == covered.count || !covered[index].contains(own)
    }

    /// The record of a row.
    public func record(_ row: Int) -> ServedRecord {
        if row < files.base.count { return ServedRecord(snapshot: files.base, row: row) }
        let (index, own) = layer(of: row)
        if index < files.layers.count { return ServedRecord(snapshot: files.layers[index].snapshot, row: own) }
        return ServedRecord(snapshot: recent?.snapshot ?? files.base, row: own)
    }

    /// The id of a row, as a copy.
    func idBytes(_ row: Int) -> [UInt8] {
        let record = record(row)
        return record.snapshot.idBytes(record.row)
    }

    /// The record of an id; nil if there is none.
    public func record(forID id: RawSpan) -> ServedRecord? { row(forID: id).map { record($0) } }

    /// Whether there is a record with this id, current or not.
    func holds(_ id: RawSpan) -> Bool { files.holds(id) || recent?.snapshot?.row(forID: id) != nil }

    /// Whether a new file of a role may leave out the record of a row, because the file below has it by now.
    func isRepeated(_ row: Int, for role: StackRole) -> Bool {
        guard role == .middle, let middle = files[.middle], middle.repeated > 0,
            (middle.start..<middle.start + middle.snapshot.count).contains(row)
        else { return false }
        return FileStack.isRepeated(row - middle.start, of: middle.snapshot, in: files.base)
    }

    /// Whether something over the base decides what is committed for an id.
    public func isOverBase(_ id: [UInt8]) -> Bool {
        recent?.contains(id) == true || files.mentions(id.rawSpan)
    }

    /// The current rows, in the order of their ids.
    var rowsByID: [Int] {
        var rows = (0..<end).filter { isCurrent($0) }
        sortByID(&rows)
        return rows
    }

    /// Sorts rows by their ids, the order of the rows of one snapshot.
    func sortByID(_ rows: inout [Int]) {
        let keyed = rows.map { row in
            let record = record(row)
            var key: [UInt8] = []
            KeyEncoding.natural(record.snapshot.id(record.row), into: &key)
            return (key: key, row: row)
        }
        rows = keyed.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.row)
    }

    /// Whether both are the same objects.
    func isSame(as other: CommittedRecords?) -> Bool {
        guard let other else { return false }
        return recent === other.recent && files.isSame(as: other.files)
    }
}

/// A committed or served record, with the snapshot and the row that have it.
public struct ServedRecord: Sendable {
    public let snapshot: Snapshot
    public let row: Int

    /// The object in the form of the upstream.
    var upstream: [UInt8] { snapshot.upstream(row).array }
    /// The fields that are served.
    var document: [UInt8] { snapshot.document(row).array }
    public var firstSeen: Int64 { snapshot.firstSeen(row) }
    var changedAt: Int64 { snapshot.changedAt(row) }
    var stateKey: Int64 { snapshot.stateKey(row) }
}
