// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
import ClaimsPlatform
import Synchronization

/// One generation of a collection, mapped into memory: what queries read. It never changes.
///
/// Rows are numbered from 0 in the natural order of the ids. Opening reads the header and the section table and
/// nothing else. Whatever the rest of the file holds, reading it gives values, empty spans or nil, and never traps;
/// `verify` finds damage.
public final class Snapshot: Sendable {
    /// The most rows of a snapshot.
    public static let rowsMax = 1 << 31
    /// Files up to this size, in bytes, have all their checksums compared when they are opened, which takes no longer
    /// than opening them; larger ones are for `verify`, on a thread of its own.
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
    let columns: ColumnIndex
    let offsets: Table
    let ids: IDTable
    let orders: [StoredOrder]
    /// For each stored order: its rows, and their places in it.
    let orderTables: [(rows: Table, ranks: Table)]
    let grouping: Grouping?
    private let isRemovedWhenUnused = Atomic<Bool>(false)

    /// Opens the file that `identity` names.
    ///
    /// Throws `missing`, `foreign`, `otherVersion`, `damaged` or `mismatch`: the snapshot is to be built again.
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
        let file: MappedFile
        do { file = try MappedFile(path: path) } catch { throw StoreError(error) }
        return try Snapshot(file, directory, identity: identity, definition: definition)
    }

    private init(
        _ own: MappedFile, _ directory: String, identity: SnapshotIdentity, definition: Definition
    ) throws(StoreError) {
        let path = Paths.join(directory, identity.fileName)
        let operation = "open \(path)"
        let bytes = own.bytes
        let header = try SnapshotHeader.decode(bytes, operation)
        guard header.identity == identity, identity.definitionHash == definition.shapeHash else {
            throw StoreError(.mismatch, operation)
        }
        let table = bytes.part(header.tableOffset, header.sections * Section.entrySize)
        guard Checksum.of(table) == header.tableChecksum else {
            throw StoreError(.damaged, operation, detail: "section table")
        }
        var sections: [Section] = []
        for number in 0..<header.sections { sections.append(Section(table, at: number * Section.entrySize)) }
        let shared = SharedRecords(sections, parts: header.parts, origin: header.origin)
        guard shared.parts.count == header.parts else { throw StoreError(.damaged, operation, detail: "parts") }
        var file = own
        if shared.origin != 0 {
            do { file = try shared.map(own, identity, in: directory) } catch {
                throw StoreError(.damaged, operation, detail: error.message)
            }
        }
        for section in sections where !file.bytes.contains(section.offset, section.size) {
            throw StoreError(.damaged, operation, detail: "section \(section.kind)")
        }
        let index = SectionIndex(sections)
        self.file = file
        self.path = path
        self.shared = shared
        liveBytes = header.liveBytes
        self.identity = identity
        self.definition = definition
        self.sections = sections
        count = header.rows
        unsupported = header.unsupported
        columns = ColumnIndex(definition, index, rows: header.rows)
        offsets = index.table(.recordOffsets)
        let ids = index.blob(.idTable)
        self.ids = IDTable(offset: ids.offset, size: ids.size, identity: identity)
        orders = StoredOrder.orders(of: definition)
        orderTables = orders.indices.map { (index.table(.orderRows, $0), index.table(.orderRanks, $0)) }
        grouping = Grouping(definition)
        guard offsets.count == count, orderTables.allSatisfy({ $0.rows.count == count && $0.ranks.count == count })
        else { throw StoreError(.damaged, operation, detail: "rows") }
    }

    deinit {
        if isRemovedWhenUnused.load(ordering: .relaxed) { removeFiles() }
    }

    /// Has the file's name removed when the last reference to this object goes.
    public func removeWhenUnused() {
        isRemovedWhenUnused.store(true, ordering: .relaxed)
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

    /// Gives back what is left in the files of earlier snapshots of anything but records: a crash may have come before
    /// that. Only while no earlier snapshot is open.
    func shortenParts() {
        for (number, part) in shared.parts.enumerated() {
            Files.shorten(partPath(number), to: SharedRecords.mappedBytes(of: part))
        }
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

    /// In bytes.
    public var fileSize: Int { file.size }

    var vocabulary: Vocabulary { columns.vocabulary }

    func column(_ owner: Int) -> Column { columns[owner] }

    /// Reads the whole file and compares every section with its checksum. Slow: for a thread of its own.
    public func verify() throws(StoreError) {
        for section in sections {
            guard Checksum.of(bytes.part(section.offset, section.size)) == section.checksum else {
                throw StoreError(.damaged, "verify \(path)", detail: "section \(section.kind) of \(section.owner)")
            }
        }
    }
}
