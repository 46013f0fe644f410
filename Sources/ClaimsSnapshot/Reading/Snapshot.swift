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
    /// How many records there are.
    public let count: Int
    /// How many records hold a value that a vocabulary does not know.
    public let unsupported: Int
    public let definition: Definition
    public let path: String
    /// Its own file, behind those that it shares records with.
    let file: MappedFile
    let shared: SharedRecords
    /// The bytes of all its records.
    let liveBytes: Int
    let sections: [Section]
    let columnIndex: ColumnIndex
    let offsets: Table
    let ids: IDTable
    let orders: [StoredOrder]
    /// For each stored order: its rows, and their places in it.
    let orderTables: [(rows: Table, ranks: Table)]
    let grouping: Grouping?
    /// Whether no file has its name.
    private let isInMemory: Bool
    private let isRemovedWhenUnused = Atomic<Bool>(false)

    /// Opens the file that `identity` names.
    ///
    /// Throws `missing`, `foreign`, `otherVersion`, `damaged` or `mismatch`: the snapshot is to be built again.
    public static func open(
        directory: String, identity: SnapshotIdentity, definition: Definition
    ) throws(SnapshotError) -> Snapshot {
        let snapshot = try openUnverified(directory: directory, identity: identity, definition: definition)
        if snapshot.fileSize <= verifiedWhenOpened { try snapshot.verify() }
        return snapshot
    }

    /// As `open`, but reads no more than the header and the section table of a small file too.
    static func openUnverified(
        directory: String, identity: SnapshotIdentity, definition: Definition
    ) throws(SnapshotError) -> Snapshot {
        let path = Paths.join(directory, identity.fileName)
        let file: FileDescriptor
        do { file = try FileDescriptor.open(path, .regular) } catch { throw SnapshotError(error) }
        return try Snapshot(file, in: directory, identity: identity, definition: definition)
    }

    /// Maps an open file.
    ///
    /// - Parameter directory: the folder of the file and of those that it shares records with; nil for one in memory.
    init(
        _ own: borrowing FileDescriptor, in directory: String?, identity: SnapshotIdentity, definition: Definition
    ) throws(SnapshotError) {
        let path = Paths.join(directory ?? "", identity.fileName)
        let operation = "open \(path)"
        // Not through a mapping, where a block that cannot be read ends the process.
        let size: Int
        let head: [UInt8]
        do {
            size = try own.size()
            head = try own.read(SnapshotHeader.size, at: 0)
        } catch { throw SnapshotError(SystemError(operation, errno: error.errno)) }
        let header = try SnapshotHeader.decode(head.rawSpan, of: size, operation)
        let table: [UInt8]
        do { table = try own.read(header.sections * Section.entrySize, at: header.tableOffset) } catch {
            throw SnapshotError(SystemError(operation, errno: error.errno))
        }
        guard header.identity == identity, identity.definitionHash == definition.shapeHash else {
            throw SnapshotError(.mismatch, operation)
        }
        guard Checksum.of(table.rawSpan) == header.tableChecksum else {
            throw SnapshotError(.damaged, operation, detail: "section table")
        }
        var sections: [Section] = []
        for number in 0..<header.sections {
            sections.append(Section(table.rawSpan, at: number * Section.entrySize))
        }
        let shared = SharedRecords(sections, parts: header.parts, origin: header.origin)
        guard shared.parts.count == header.parts else { throw SnapshotError(.damaged, operation, detail: "parts") }
        let file = try Self.map(own, size, shared, identity, in: directory)
        for section in sections where !file.bytes.contains(section.offset, section.size) {
            throw SnapshotError(.damaged, operation, detail: "section \(section.kind)")
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
        orders = StoredOrder.orders(of: definition)
        orderTables = orders.indices.map { (index.table(.orderRows, $0), index.table(.orderRanks, $0)) }
        grouping = Grouping(definition)
        guard offsets.count == count, orderTables.allSatisfy({ $0.rows.count == count && $0.ranks.count == count })
        else { throw SnapshotError(.damaged, operation, detail: "rows") }
    }

    private static func map(
        _ own: borrowing FileDescriptor, _ size: Int, _ shared: SharedRecords, _ identity: SnapshotIdentity,
        in directory: String?
    ) throws(SnapshotError) -> MappedFile {
        let path = Paths.join(directory ?? "", identity.fileName)
        guard let directory, shared.origin != 0 else {
            do { return try MappedFile(own, name: path, isDisposable: directory != nil) } catch {
                throw SnapshotError(error)
            }
        }
        do { return try shared.map(identity, of: size, in: directory) } catch {
            throw SnapshotError(.damaged, "open \(path)", detail: error.message)
        }
    }

    deinit {
        if isRemovedWhenUnused.load(ordering: .relaxed) { removeFiles() }
    }

    /// Removes the file when the last reference to this object is released. Readers finish undisturbed.
    public func removeWhenUnused() {
        isRemovedWhenUnused.store(true, ordering: .relaxed)
    }

    /// Removes its files now. Readers finish undisturbed; what is still to be shared with a later snapshot is lost to it.
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

    /// The records that the snapshot after this one shares with it; nil where that one had better write all of them.
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
    /// - Throws: `damaged` where a checksum differs, `io` where the disk cannot read something, `missing` where the file
    ///   has lost its name; the snapshot is to be built again.
    public func verify() throws(SnapshotError) {
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
                throw SnapshotError(.damaged, "verify \(path)", detail: "section \(section.kind) of \(section.id)")
            }
        }
    }
}

/// Sums up sections of a file as they are on disk, and not through a mapping, where a block that cannot be read ends the
/// process.
private struct SectionReader: ~Copyable {
    private let file: FileDescriptor
    private let path: String
    private var block = [UInt8](repeating: 0, count: blockBytes)

    init(_ path: String) throws(SnapshotError) {
        self.path = path
        do { file = try FileDescriptor.open(path, .regular) } catch { throw SnapshotError(error) }
    }

    /// The checksum of `size` bytes from `offset` on, or of those that are there.
    mutating func checksum(of size: Int, at offset: Int) throws(SnapshotError) -> UInt64 {
        var checksum = Checksum()
        var done = 0
        while done < size {
            let count: Int
            do { count = try file.read(into: &block, from: offset + done) } catch {
                throw SnapshotError(SystemError("read \(path)", errno: error.errno))
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
