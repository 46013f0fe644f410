// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// One entry of the section table: where a section is and what its bytes sum up to.
struct Section: Sendable {
    /// In bytes.
    static let entrySize = 32

    let kind: UInt16
    /// The column or order it belongs to; 0 where there is only one.
    let owner: UInt16
    /// The width of its integers in bytes; 0 where it is not a table.
    let width: UInt32
    let offset: Int
    let size: Int
    let checksum: UInt64

    init(_ kind: SectionKind, owner: Int, width: Int, offset: Int, size: Int, checksum: UInt64) {
        self.kind = kind.rawValue
        self.owner = UInt16(truncatingIfNeeded: owner)
        self.width = UInt32(truncatingIfNeeded: width)
        self.offset = offset
        self.size = size
        self.checksum = checksum
    }

    /// The entry at `position` of the section table.
    init(_ table: RawSpan, at position: Int) {
        kind = table.u16(position)
        owner = table.u16(position + 2)
        width = table.u32(position + 4)
        offset = Int(truncatingIfNeeded: table.u64(position + 8))
        size = Int(truncatingIfNeeded: table.u64(position + 16))
        checksum = table.u64(position + 24)
    }

    /// The same, with its place counted from the beginning of a mapping where the file begins at `origin`.
    init(_ section: Section, in origin: Int) {
        kind = section.kind
        owner = section.owner
        width = section.width
        offset = section.offset + origin
        size = section.size
        checksum = section.checksum
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(littleEndian: UInt32(kind) | UInt32(owner) << 16)
        bytes.append(littleEndian: width)
        bytes.append(littleEndian: UInt64(offset))
        bytes.append(littleEndian: UInt64(size))
        bytes.append(littleEndian: checksum)
    }
}
