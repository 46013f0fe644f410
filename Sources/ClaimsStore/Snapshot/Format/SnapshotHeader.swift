// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The first bytes of a snapshot file.
struct SnapshotHeader: Equatable, Sendable {
    /// In bytes; the sections follow.
    static let size = 128
    /// Raised whenever the meaning of a section changes: files of another version are rebuilt.
    static let version: UInt32 = 3
    /// "claimsd" and a byte that no text file has.
    static let magic: UInt64 = 0x8A64_736D_6961_6C63
    /// The most sections a file may name.
    static let sectionsMax = 1 << 16
    /// The most bytes of other files in front of its own.
    static let originMax = 1 << 44

    var identity: SnapshotIdentity
    var rows: Int
    var unsupported: Int
    var fileSize: Int
    var tableOffset: Int
    var sections: Int
    var tableChecksum: UInt64
    /// How many files of earlier snapshots it shares records with, and where its own file begins behind them.
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
        bytes.append(littleEndian: Checksum.of(bytes.raw))
        return bytes
    }

    /// Reads the header of a whole file, and checks all that it says about itself.
    static func decode(_ bytes: RawSpan, _ operation: String) throws(StoreError) -> SnapshotHeader {
        guard bytes.byteCount >= size, bytes.u64(0) == magic else { throw StoreError(.foreign, operation) }
        guard bytes.u32(8) == version else {
            throw StoreError(.otherVersion, operation, detail: "version \(bytes.u32(8))")
        }
        guard Checksum.of(bytes.part(0, size - 8)) == bytes.u64(size - 8) else {
            throw StoreError(.damaged, operation, detail: "header")
        }
        let header = SnapshotHeader(
            identity: SnapshotIdentity(
                epoch: bytes.u64(16), generation: bytes.u64(24), fileID: bytes.u64(32), definitionHash: bytes.u64(40)),
            rows: Int(truncatingIfNeeded: bytes.u64(48)), unsupported: Int(truncatingIfNeeded: bytes.u64(56)),
            fileSize: Int(truncatingIfNeeded: bytes.u64(64)), tableOffset: Int(truncatingIfNeeded: bytes.u64(72)),
            sections: Int(bytes.u32(12)), tableChecksum: bytes.u64(80),
            parts: Int(truncatingIfNeeded: bytes.u64(88)), origin: Int(truncatingIfNeeded: bytes.u64(96)),
            liveBytes: Int(truncatingIfNeeded: bytes.u64(104)))
        guard header.fileSize == bytes.byteCount, header.rows >= 0, header.rows < Snapshot.rowsMax,
            header.unsupported >= 0, header.unsupported <= header.rows, header.sections <= sectionsMax,
            header.origin >= 0, header.origin <= originMax, header.parts >= 0, header.parts <= SharedRecords.partsMax,
            bytes.contains(header.tableOffset, header.sections * Section.entrySize)
        else { throw StoreError(.damaged, operation, detail: "size") }
        return header
    }
}
