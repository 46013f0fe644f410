// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsModel
import ClaimsPlatform
import Synchronization

/// One generation of a collection: an immutable file, mapped into memory, that answers queries.
///
///     let snapshot = try Snapshot.open(directory: cache, identity: identity, definition: definition)
///     var query = PageQuery(predicate: .text(Array("pump".utf8)), order: definition.defaultOrder)
///     query.limit = 20
///     let page = try snapshot.execute(
///         query, archive: RowBitmap(), scratch: QueryScratch(), budget: QueryBudget(limit: .seconds(1)))
///     for row in page.rows { send(snapshot.document(Int(row))) }
///
/// Rows are numbered from 0 in the natural order of the ids. Opening reads the header and the section table. Reading
/// never traps, whatever the rest of the file holds: damage gives wrong values, empty spans or nil. `verify` finds it.
/// A part that the disk cannot read is an error to both; to a query it is a bus error, which removes the file
/// (`BusErrors`).
///
/// All threads may read a snapshot at once, each with a `QueryScratch` of its own.
public final class Snapshot: Sendable {
    /// The size in bytes up to which `open` compares all checksums of a file. Larger files are left to `verify`.
    public static let verifiedWhenOpened = 8 << 20

    public let identity: SnapshotIdentity
    /// The number of records.
    public let count: Int
    /// The number of records that hold a value that a vocabulary does not know.
    public let unsupported: Int
    public let definition: Definition
    public let path: String
    /// Its own file, mapped after the files with which it shares records.
    let file: MappedFile
    let shared: SharedRecords
    /// The bytes of all its records.
    private let liveBytes: Int
    let sections: [Section]
    let columnIndex: ColumnIndex
    private let offsets: Table
    let ids: IDTable
    private let goneStarts: Table
    private let goneIDs: Blob
    private let coveredFiles: Table
    private let coveredRows: [Table]
    let orders: [StoredOrder]
    /// For each stored order: its rows, and their places in it.
    let orderTables: [(rows: Table, ranks: Table)]
    let grouping: Grouping?
    /// Whether no file has its name.
    private let isInMemory: Bool
    private let isRemovedWhenUnused = Atomic<Bool>(false)

    /// Opens the file that `identity` names.
    ///
    /// Throws `missing`, `foreign`, `otherVersion`, `damaged` or `mismatch`: then the snapshot must be built again.
    public static func open(
        directory: String, identity: SnapshotIdentity, definition: Definition
    ) throws(StoreError) -> Snapshot {
        let snapshot = try openUnverified(directory: directory, identity: identity, definition: definition)
        if snapshot.fileSize <= verifiedWhenOpened { try snapshot.verify() }
        return snapshot
    }

    /// As `open`, but reads no more than the header and the section table of a small file too.
    static func openUnverified(
        directory: String, identity: SnapshotIdentity, definition: Definition
    ) throws(StoreError) -> Snapshot {
        let path = Paths.join(directory, identity.fileName)
        let file: FileDescriptor
        do { file = try FileDescriptor.open(path, .regular) } catch { throw StoreError(error) }
        return try Snapshot(file, in: directory, identity: identity, definition: definition)
    }

    /// Maps an open file.
    ///
    /// - Parameter directory: the folder of the file and of the files with which it shares records; nil for a snapshot
    ///   in memory.
    init(
        _ own: borrowing FileDescriptor, in directory: String?, identity: SnapshotIdentity, definition: Definition
    ) throws(StoreError) {
        let path = Paths.join(directory ?? "", identity.fileName)
        let operation = "open \(path)"
        // The file is not read through a mapping, where an unreadable block would end the process.
        let size: Int
        let head: [UInt8]
        do {
            size = try own.size()
            head = try own.read(SnapshotHeader.size, at: 0)
        } catch { throw StoreError(SystemError(operation, errno: error.errno)) }
        let header = try SnapshotHeader.decode(head.rawSpan, of: size, operation)
        let table: [UInt8]
        do { table = try own.read(header.sections * Section.entrySize, at: header.tableOffset) } catch {
            throw StoreError(SystemError(operation, errno: error.errno))
        }
        guard header.identity == identity, identity.definitionHash == definition.shapeHash else {
            throw StoreError(.mismatch, operation)
        }
        guard Checksum.of(table.rawSpan) == header.tableChecksum else {
            throw StoreError(.damaged, operation, detail: "section table")
        }
        var sections: [Section] = []
        for number in 0..<header.sections {
            sections.append(Section(table.rawSpan, at: number * Section.entrySize))
        }
        let shared = SharedRecords(sections, parts: header.parts, origin: header.origin)
        guard shared.parts.count == header.parts else { throw StoreError(.damaged, operation, detail: "parts") }
        let file = try Self.map(own, size: size, shared, as: identity, in: directory)
        for section in sections where !file.bytes.contains(section.offset, section.size) {
            throw StoreError(.damaged, operation, detail: "section \(section.kind)")
        }
        let index = SectionIndex(sections)
        self.file = file
        self.path = path
        isInMemory = directory == nil
        self.shared = shared
        liveBytes = header.liveBytes
        self.identity = identity
        self.definition = definition
        self.sections = sections
        count = header.rows
        unsupported = header.unsupported
        columnIndex = ColumnIndex(definition, index, rows: header.rows)
        offsets = index.table(.recordOffsets)
        let ids = index.blob(.idTable)
        self.ids = IDTable(offset: ids.offset, size: ids.size, identity: identity)
        goneStarts = index.table(.goneStarts)
        goneIDs = index.blob(.goneIDs)
        let coveredFiles = index.table(.coveredFiles)
        self.coveredFiles = coveredFiles
        coveredRows = (0..<coveredFiles.count).map { index.table(.coveredRows, $0) }
        orders = StoredOrder.orders(of: definition)
        orderTables = orders.indices.map { (index.table(.orderRows, $0), index.table(.orderRanks, $0)) }
        grouping = Grouping(definition)
        guard offsets.count == count, orderTables.allSatisfy({ $0.rows.count == count && $0.ranks.count == count })
        else { throw StoreError(.damaged, operation, detail: "rows") }
    }

    private static func map(
        _ own: borrowing FileDescriptor, size: Int, _ shared: SharedRecords, as identity: SnapshotIdentity,
        in directory: String?
    ) throws(StoreError) -> MappedFile {
        let path = Paths.join(directory ?? "", identity.fileName)
        guard let directory, shared.origin != 0 else {
            do { return try MappedFile(own, name: path, isDisposable: directory != nil) } catch {
                throw StoreError(error)
            }
        }
        do { return try shared.map(identity, of: size, in: directory) } catch {
            throw StoreError(.damaged, "open \(path)", detail: error.message)
        }
    }

    deinit {
        if isRemovedWhenUnused.load(ordering: .relaxed) { removeFiles() }
    }

    /// Removes the file when the last reference to this object is released. Readers finish undisturbed.
    public func removeWhenUnused() {
        isRemovedWhenUnused.store(true, ordering: .relaxed)
    }

    /// Removes its files now. Readers finish undisturbed; a later snapshot can no longer share records with it.
    public func removeNow() {
        isRemovedWhenUnused.store(false, ordering: .relaxed)
        removeFiles()
    }

    /// Removes the names of its files. Where a later snapshot shares its records, only they stay.
    private func removeFiles() {
        if let own = sections.first(where: { $0.kind == SectionKind.records.rawValue && $0.offset > shared.origin }),
            Files.names(of: path) ?? 1 > 1
        {
            Files.shorten(path, to: SharedRecords.mappedBytes(of: own))
        }
        Files.remove(path)
        for number in shared.parts.indices { Files.remove(partPath(number)) }
    }

    /// Cuts the shared files of earlier snapshots down to their records, in case a crash prevented it before.
    ///
    /// Call it only while no earlier snapshot is open.
    public func shortenParts() {
        for (number, part) in shared.parts.enumerated() {
            Files.shorten(partPath(number), to: SharedRecords.mappedBytes(of: part))
        }
    }

    /// The number of bytes of records that the snapshot after this one has to write anew; 0 if it may share them.
    public var unsharedBytes: Int { recordsToShare == nil ? liveBytes : 0 }

    /// The records that the snapshot after this one shares with it; nil if it should rather write all of them.
    var recordsToShare: SharedRecords? {
        let own = sections.first {
            $0.kind == SectionKind.records.rawValue && Int($0.id) == shared.parts.count
        }
        guard let own, own.offset == shared.origin + SnapshotHeader.size,
            shared.parts.count + 1 < SharedRecords.maxParts
        else { return nil }
        let parts = shared.parts + [own]
        let bytes = parts.reduce(0) { $0 + $1.size }
        guard bytes >= SharedRecords.minBytes, liveBytes >= bytes / 100 * (100 - SharedRecords.maxWastePercent) else {
            return nil
        }
        return SharedRecords(parts: parts, endingAt: own.offset + own.size)
    }

    /// The name that it has for the file of an earlier snapshot.
    func partPath(_ number: Int) -> String { Paths.join(Paths.parent(path), identity.partName(number)) }

    /// All of it, as its sections and records have their places.
    var bytes: RawSpan {
        // The mapping lives as long as this object, which holds it.
        @_lifetime(borrow self) @inline(__always) get {
            let file = file
            let span = file.bytes
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }

    /// The size of the mapping in bytes, with the records that earlier files share.
    public var fileSize: Int { file.size }

    /// The size of all but its records in bytes: no other snapshot has it.
    public var indexBytes: Int {
        sections.reduce(0) { $1.kind == SectionKind.records.rawValue ? $0 : $0 + $1.size }
    }

    var columns: ColumnsView {
        @_lifetime(borrow self) @inline(__always) get { ColumnsView(columnIndex, bytes) }
    }

    var dictionary: TermDictionaryView {
        @_lifetime(borrow self) @inline(__always) get { columnIndex.dictionary.view(bytes) }
    }

    @_lifetime(borrow self)
    @inline(__always)
    func column(_ columnID: Int) -> ColumnView { columnIndex[columnID].view(bytes) }

    /// Reads the whole file and compares each section with its checksum. Takes as long as reading the file from disk.
    ///
    /// - Throws: `damaged` if a checksum differs, `io` if the disk cannot read something, `missing` if the file has
    ///   lost its name; then the snapshot must be built again.
    public func verify() throws(StoreError) {
        var own: SectionReader?
        for section in sections {
            let checksum: UInt64
            if isInMemory {
                checksum = Checksum.of(bytes.part(section.offset, section.size))
            } else if section.offset >= shared.origin {
                if own == nil { own = try SectionReader(path) }
                checksum = try own?.checksum(of: section.size, at: section.offset - shared.origin) ?? 0
            } else {
                var part = try SectionReader(partPath(Int(section.id)))
                checksum = try part.checksum(of: section.size, at: SnapshotHeader.size)
            }
            guard checksum == section.checksum else {
                throw StoreError(.damaged, "verify \(path)", detail: "section \(section.kind) of \(section.id)")
            }
        }
    }
}

/// Computes the checksums of sections of a file on disk. It does not read through a mapping, where an unreadable block
/// would end the process.
private struct SectionReader: ~Copyable {
    private let file: FileDescriptor
    private let path: String
    private var block = [UInt8](repeating: 0, count: blockBytes)

    init(_ path: String) throws(StoreError) {
        self.path = path
        do { file = try FileDescriptor.open(path, .regular) } catch { throw StoreError(error) }
    }

    /// The checksum of `size` bytes from `offset` on, or of fewer if the file ends before.
    mutating func checksum(of size: Int, at offset: Int) throws(StoreError) -> UInt64 {
        var checksum = Checksum()
        var done = 0
        while done < size {
            let count: Int
            do { count = try file.read(into: &block, from: offset + done) } catch {
                throw StoreError(SystemError("read \(path)", errno: error.errno))
            }
            let used = min(count, size - done)
            checksum.add(block.rawSpan.extracting(0..<used))
            done += used
            if used < block.count { break }
        }
        return checksum.value
    }

    /// The number of bytes that are read at once; a multiple of `Checksum.stride`.
    private static let blockBytes = 1 << 18
}

extension Snapshot {
    /// The row of the record with this id; nil if there is none.
    public func row(forID id: RawSpan) -> Int? {
        guard let found = ids.find(id, bytes), found.row < count else { return nil }
        return found.row
    }

    /// The location of the record with this id; nil if there is none.
    public func location(ofID id: RawSpan) -> RecordLocation? {
        guard let found = ids.find(id, bytes), found.row < count else { return nil }
        return RecordLocation(row: found.row, offset: found.offset)
    }

    /// The location of the record in a row; nil if there is none.
    public func location(_ row: Int) -> RecordLocation? {
        recordOffset(row).map { RecordLocation(row: row, offset: $0) }
    }

    /// Hashes an id and prefetches its slot in the id table, as the first of three steps of a lookup.
    @inline(__always)
    public func prepare(forID id: RawSpan) -> PreparedID { PreparedID(code: ids.prepare(id, bytes)) }

    /// Prefetches the record, as the second step of a lookup.
    @inline(__always)
    public func prefetch(_ prepared: inout PreparedID) {
        ids.prefetch(prepared.code, bytes)
        prepared.isFetched = true
    }

    /// The location of the record with the id that was prepared, as the last step of a lookup; nil if there is none.
    public func location(ofID id: RawSpan, _ prepared: PreparedID) -> RecordLocation? {
        guard let found = ids.find(id, code: prepared.code, isFetched: prepared.isFetched, bytes), found.row < count
        else { return nil }
        return RecordLocation(row: found.row, offset: found.offset)
    }

    /// The record at a location of this snapshot.
    @_lifetime(borrow self)
    public func record(at location: RecordLocation) -> SnapshotRecord {
        let record = SnapshotRecord(bytes, at: location.offset)
        // The bytes are those of the mapping, which lives as long as this object.
        return unsafe _overrideLifetime(record, borrowing: self)
    }

    /// The record's id; empty if there is no such row.
    @_lifetime(borrow self)
    public func id(_ row: Int) -> RawSpan {
        let span = RecordBlock.id(bytes, at: offsets.view(bytes)[row])
        return unsafe _overrideLifetime(span, borrowing: self)
    }

    /// The record as one line of JSON: the fields that are present, in the definition's order.
    @_lifetime(borrow self)
    public func document(_ row: Int) -> RawSpan {
        let span = RecordBlock.document(bytes, at: offsets.view(bytes)[row])
        return unsafe _overrideLifetime(span, borrowing: self)
    }

    /// The upstream's object as received, less white space outside strings.
    @_lifetime(borrow self)
    public func upstream(_ row: Int) -> RawSpan {
        let span = RecordBlock.upstream(bytes, at: offsets.view(bytes)[row])
        return unsafe _overrideLifetime(span, borrowing: self)
    }

    /// Prefetches the offset of the record in `row`, as the first of two steps to prefetch its document.
    @inline(__always)
    public func prefetchOffset(_ row: Int) { offsets.view(bytes).prefetch(row) }

    /// Prefetches the record's document, or the beginning of a long one, as the second step.
    @inline(__always)
    public func prefetchDocument(_ row: Int) {
        Prefetch.read(bytes, at: offsets.view(bytes)[row], count: Self.readTogether)
    }

    /// The number of bytes of a record that are fetched at once: most documents end within them.
    private static var readTogether: Int { 512 }

    /// When the record was first seen, in milliseconds since 1970.
    public func firstSeen(_ row: Int) -> Int64 { RecordBlock.firstSeen(bytes, at: offsets.view(bytes)[row]) }

    /// When the record last changed, in milliseconds since 1970.
    public func changedAt(_ row: Int) -> Int64 { RecordBlock.changedAt(bytes, at: offsets.view(bytes)[row]) }

    /// The record's key in the state database.
    public func stateKey(_ row: Int) -> Int64 { RecordBlock.stateKey(bytes, at: offsets.view(bytes)[row]) }

    /// Whether the record holds a value that a vocabulary does not know.
    public func isUnsupported(_ row: Int) -> Bool {
        RecordBlock.flags(bytes, at: offsets.view(bytes)[row]) & RecordBlock.unsupported != 0
    }

    /// The index of a record's code in the vocabulary of an enum field; nil if it has none.
    public func code(_ row: Int, field: Int) -> Int? {
        let column = column(field)
        let ordinal = column.ordinal(row)
        return column.kind.isCoded && ordinal < column.distinct ? ordinal : nil
    }

    /// The upstream's object of the record that begins at `offset`, a result of `recordOffset`.
    @_lifetime(borrow self)
    public func upstream(atOffset offset: Int) -> RawSpan {
        let span = RecordBlock.upstream(bytes, at: offset)
        return unsafe _overrideLifetime(span, borrowing: self)
    }

    /// The offset of a record in the file; nil if there is no such record.
    public func recordOffset(_ row: Int) -> Int? {
        guard row >= 0, row < count else { return nil }
        let offset = offsets.view(bytes)[row]
        return bytes.contains(offset, RecordBlock.headSize) ? offset : nil
    }
}

/// The ids that are gone since the file below, in a file over others.
extension Snapshot {
    /// The number of ids that are gone.
    public var goneCount: Int { max(0, goneStarts.count - 1) }

    /// The gone id with a number, from 0; empty if there is none.
    @_lifetime(borrow self)
    public func gone(_ number: Int) -> RawSpan {
        let starts = goneStarts.view(bytes)
        let (start, end) = (starts[number], starts[number + 1])
        let isSound = number < goneCount && start <= end && end <= goneIDs.size
        let span = bytes.part(goneIDs.offset + start, isSound ? end - start : 0)
        return unsafe _overrideLifetime(span, borrowing: self)
    }

    /// Whether the file has an id as gone.
    public func isGone(_ id: RawSpan) -> Bool {
        let index = (0..<goneCount).partitionPoint { gone($0).compare(id) < 0 }
        return index < goneCount && gone(index).equals(id)
    }

    /// The rows of a file below whose ids it has, as records or as gone; nil if it was not made over that file.
    public func coverage(of file: Snapshot) -> RowBitmap? {
        let files = coveredFiles.view(bytes)
        let name = Int(truncatingIfNeeded: file.identity.fileID & (1 << 63 - 1))
        guard let number = (0..<files.count).first(where: { files[$0] == name }) else { return nil }
        let rows = coveredRows[number].view(bytes)
        var coverage = RowBitmap()
        for index in 0..<rows.count {
            // A damaged section says nothing.
            guard rows[index] < file.count else { return nil }
            coverage.set(rows[index], of: file.count, to: true)
        }
        return coverage
    }

    /// Whether the file decides about an id: it has its record, or has it as gone.
    public func mentions(_ id: RawSpan) -> Bool { row(forID: id) != nil || isGone(id) }
}

/// The values of a field by their ordinals: their numbers in ascending order. For instants, dates and numbers.
extension Snapshot {
    /// The ordinal of a row's value; nil if the row has none.
    @inline(__always)
    public func ordinal(_ row: Int, field: Int) -> Int? {
        let column = column(field)
        let ordinal = column.ordinal(row)
        return ordinal < column.distinct ? ordinal : nil
    }

    /// The number of ordinals whose values have keys up to `key` (``KeyEncoding``).
    public func ordinals(field: Int, through key: [UInt8]) -> Int { column(field).bound(key, isAfter: true) }

    /// The key of a value.
    public func key(ofOrdinal ordinal: Int, field: Int) -> [UInt8] {
        var key: [UInt8] = []
        column(field).appendKey(ordinal, to: &key)
        return key
    }
}
