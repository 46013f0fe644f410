// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform

/// The identity of a snapshot file: state.db names it, and the file's header must repeat it.
public struct SnapshotIdentity: Equatable, Sendable {
    /// The state database's epoch.
    public let epoch: UInt64
    public let generation: UInt64
    /// A random number that decides the file's name, so that two writers never use the same file.
    public let fileID: UInt64
    /// The definition's `shapeHash`.
    public let definitionHash: UInt64

    public init(epoch: UInt64, generation: UInt64, fileID: UInt64, definitionHash: UInt64) {
        self.epoch = epoch
        self.generation = generation
        self.fileID = fileID
        self.definitionHash = definitionHash
    }

    /// The name of the file in its folder.
    public var fileName: String { stem + Self.fileExtension }

    /// The name of the file of an earlier snapshot that this one shares records with.
    func partName(_ number: Int) -> String { "\(stem).\(number)\(Self.fileExtension)" }

    /// The beginning of the names of all its files, and of no others.
    public var stem: String {
        let digits = String(fileID, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// The end of the names of all snapshot files; a file with the name of another identity is an orphan.
    public static let fileExtension = ".snapshot"
}

/// The first bytes of a snapshot file.
struct SnapshotHeader: Equatable, Sendable {
    /// The size of the header in bytes; the sections follow.
    static let size = 128
    /// Raised whenever the meaning of a section changes: files of another version are rebuilt.
    static let version: UInt32 = 3
    /// "claimsd" and a byte that no text file has.
    static let magic: UInt64 = 0x8A64_736D_6961_6C63
    /// The most rows of a snapshot.
    static let maxRows = 1 << 31
    /// The most sections a file may name.
    static let maxSections = 1 << 16
    /// The most bytes of other files in front of its own.
    static let maxOrigin = 1 << 44

    var identity: SnapshotIdentity
    var rows: Int
    var unsupported: Int
    var fileSize: Int
    var tableOffset: Int
    var sections: Int
    var tableChecksum: UInt64
    /// The number of files of earlier snapshots with which it shares records; its own file follows them.
    var parts = 0
    var origin = 0
    /// The bytes of all records that it serves.
    var liveBytes = 0

    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: Self.magic)
        bytes.append(littleEndian: Self.version)
        bytes.append(littleEndian: UInt32(sections))
        for number in [identity.epoch, identity.generation, identity.fileID, identity.definitionHash] {
            bytes.append(littleEndian: number)
        }
        for number in [rows, unsupported, fileSize, tableOffset] { bytes.append(littleEndian: UInt64(number)) }
        bytes.append(littleEndian: tableChecksum)
        for number in [parts, origin, liveBytes] { bytes.append(littleEndian: UInt64(number)) }
        bytes.append(contentsOf: repeatElement(0, count: Self.size - 8 - bytes.count))
        bytes.append(littleEndian: Checksum.of(bytes.rawSpan))
        return bytes
    }

    /// Reads the header of a file of `actualSize` bytes, and checks all its values.
    ///
    /// - Parameter bytes: the beginning of the file.
    static func decode(
        _ bytes: RawSpan, of actualSize: Int, _ operation: String
    ) throws(StoreError) -> SnapshotHeader {
        guard bytes.byteCount >= size, bytes.u64(at: 0) == magic else { throw StoreError(.foreign, operation) }
        guard bytes.u32(at: 8) == version else {
            throw StoreError(.otherVersion, operation, detail: "version \(bytes.u32(at: 8))")
        }
        guard Checksum.of(bytes.part(0, size - 8)) == bytes.u64(at: size - 8) else {
            throw StoreError(.damaged, operation, detail: "header")
        }
        let header = SnapshotHeader(
            identity: SnapshotIdentity(
                epoch: bytes.u64(at: 16), generation: bytes.u64(at: 24), fileID: bytes.u64(at: 32),
                definitionHash: bytes.u64(at: 40)),
            rows: Int(truncatingIfNeeded: bytes.u64(at: 48)), unsupported: Int(truncatingIfNeeded: bytes.u64(at: 56)),
            fileSize: Int(truncatingIfNeeded: bytes.u64(at: 64)),
            tableOffset: Int(truncatingIfNeeded: bytes.u64(at: 72)),
            sections: Int(bytes.u32(at: 12)), tableChecksum: bytes.u64(at: 80),
            parts: Int(truncatingIfNeeded: bytes.u64(at: 88)), origin: Int(truncatingIfNeeded: bytes.u64(at: 96)),
            liveBytes: Int(truncatingIfNeeded: bytes.u64(at: 104)))
        guard header.fileSize == actualSize, header.rows >= 0, header.rows < maxRows,
            header.unsupported >= 0, header.unsupported <= header.rows, header.sections <= maxSections,
            header.origin >= 0, header.origin <= maxOrigin, header.parts >= 0, header.parts <= SharedRecords.maxParts,
            header.tableOffset >= 0, header.tableOffset <= actualSize - header.sections * Section.entrySize
        else { throw StoreError(.damaged, operation, detail: "size") }
        return header
    }
}

/// The records that a snapshot still serves from the files of earlier ones, so that a refresh with few changes writes
/// little.
///
/// Each of these files has a second name that belongs to the snapshot, and so lives as long as it. They are mapped one
/// after another in front of the snapshot's own file: a carried record keeps its offset.
struct SharedRecords: Sendable {
    /// Parts begin at multiples of this many bytes, which every page size divides.
    static let alignment = 1 << 16
    /// The number of parts at which all records are written anew.
    static let maxParts = 8
    /// The number of bytes below which records are written anew.
    static let minBytes = 1 << 22
    /// The most of the records' bytes, in hundredths, that may be of no use any more.
    static let maxWastePercent = 25

    /// The records of each earlier file, by their places in the mapping.
    var parts: [Section] = []
    /// The offset of the snapshot's own file in the mapping.
    var origin = 0

    init() {}

    /// Parts that end at `end` in the mapping; the snapshot's own file follows them.
    init(parts: [Section], endingAt end: Int) {
        self.parts = parts
        origin = (end + Self.alignment - 1) / Self.alignment * Self.alignment
    }

    /// The parts in a section table and a header.
    init(_ sections: [Section], parts count: Int, origin: Int) {
        parts = sections.filter { $0.kind == SectionKind.records.rawValue && Int($0.id) < count }
            .sorted { $0.id < $1.id }
        self.origin = origin
    }

    /// The number of bytes of a part's file that are mapped.
    static func mappedBytes(of part: Section) -> Int { SnapshotHeader.size + part.size }

    /// Maps the parts and, behind them, the snapshot's own file.
    ///
    /// - Parameter size: the size of the own file in bytes.
    func map(_ identity: SnapshotIdentity, of size: Int, in directory: String) throws(SystemError) -> MappedFile {
        var pieces = parts.enumerated().map { number, part in
            MappedFile.Piece(
                path: Paths.join(directory, identity.partName(number)), offset: part.offset - SnapshotHeader.size,
                count: Self.mappedBytes(of: part))
        }
        pieces.append(MappedFile.Piece(path: Paths.join(directory, identity.fileName), offset: origin, count: size))
        return try MappedFile(joining: pieces, size: origin + size)
    }
}
