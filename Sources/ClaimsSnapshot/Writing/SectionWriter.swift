// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel

/// Writes one section of the snapshot file piece by piece, through a small buffer, and sums up its checksum.
///
/// Several sections of known size may be written at the same time. `finish` enters a section in the section table.
struct SectionWriter {
    /// The size of the buffer in bytes; a multiple of the checksum's stride.
    static let bufferSize = 1 << 18

    /// The number of bytes after which the kernel is asked to begin writing to the disk, so that syncing takes less
    /// time.
    private static let writeBackSize = 1 << 24

    private let output: SnapshotOutput
    private let kind: SectionKind
    private let id: Int
    private let width: Int
    /// The offset of the section in the file.
    let offset: Int
    /// The number of bytes that have been appended.
    private(set) var size = 0
    /// The number of bytes that are in the file.
    private var flushed = 0
    /// The number of bytes that the kernel has been asked to write.
    private var writtenBack = 0
    private var checksum = Checksum()
    private var buffer: [UInt8] = []

    /// A section of `size` bytes, for which room is reserved at once.
    ///
    /// - Parameter width: the width of its integers in bytes; 0 if it is not a table.
    init(_ kind: SectionKind, id: Int = 0, width: Int = 0, size: Int, to output: SnapshotOutput) {
        self.init(kind, id: id, width: width, at: output.reserve(size), of: output)
        buffer.reserveCapacity(min(size, Self.bufferSize + 64))
    }

    /// A section of unknown size at `offset`. Until it is finished, no room may be reserved for another one.
    init(_ kind: SectionKind, id: Int = 0, width: Int = 0, at offset: Int, of output: SnapshotOutput) {
        self.output = output
        self.kind = kind
        self.id = id
        self.width = width
        self.offset = offset
    }

    mutating func append(_ bytes: RawSpan) throws(StoreError) {
        size += bytes.byteCount
        guard buffer.count + bytes.byteCount >= Self.bufferSize else {
            buffer.append(bytes: bytes)
            return
        }
        var done = 0
        while done < bytes.byteCount {
            let count = min(Self.bufferSize - buffer.count, bytes.byteCount - done)
            buffer.append(bytes: bytes.part(done, count))
            done += count
            if buffer.count == Self.bufferSize { try flush() }
        }
    }

    mutating func append(_ byte: UInt8) throws(StoreError) {
        size += 1
        buffer.append(byte)
        if buffer.count == Self.bufferSize { try flush() }
    }

    /// Appends an integer of `width` bytes.
    @inline(__always)
    mutating func append(_ value: Int, width: Int) throws(StoreError) {
        // The checksum is taken of full buffers, so an integer may have to be cut in two.
        guard buffer.count + width <= Self.bufferSize else { return try appendBytes(of: value, width: width) }
        size += width
        switch width {
        case 1: buffer.append(UInt8(truncatingIfNeeded: value))
        case 2:
            buffer.append(UInt8(truncatingIfNeeded: value))
            buffer.append(UInt8(truncatingIfNeeded: value >> 8))
        case 4: buffer.append(littleEndian: UInt32(truncatingIfNeeded: value))
        default: buffer.append(littleEndian: UInt64(truncatingIfNeeded: value))
        }
        if buffer.count == Self.bufferSize { try flush() }
    }

    private mutating func appendBytes(of value: Int, width: Int) throws(StoreError) {
        for index in 0..<width { try append(UInt8(truncatingIfNeeded: value >> (index * 8))) }
    }

    /// Reads appended bytes again, from the file or from the buffer.
    func read(_ range: Range<Int>) throws(StoreError) -> [UInt8] {
        let written = min(range.upperBound, flushed)
        var bytes: [UInt8] = []
        if range.lowerBound < written {
            bytes = try output.read(written - range.lowerBound, at: offset + range.lowerBound)
        }
        let start = max(range.lowerBound, flushed)
        if start < range.upperBound { bytes.append(contentsOf: buffer[start - flushed..<range.upperBound - flushed]) }
        return bytes
    }

    private mutating func flush() throws(StoreError) {
        var full: [UInt8] = []
        swap(&full, &buffer)
        checksum.add(full.rawSpan)
        try output.write(full.rawSpan, at: offset + flushed)
        flushed += full.count
        if flushed - writtenBack >= Self.writeBackSize {
            output.beginWriting(offset + writtenBack..<offset + flushed)
            writtenBack = flushed
        }
        full.removeAll(keepingCapacity: true)
        swap(&full, &buffer)
    }

    /// Writes the rest of the buffer and adds the section to the section table.
    mutating func finish() throws(StoreError) {
        try flush()
        output.beginWriting(offset + writtenBack..<offset + flushed)
        output.add(
            Section(kind, id: id, width: width, offset: offset, size: size, checksum: checksum.value))
    }

    /// Writes a section of `count` integers, as narrow as `bound`, the greatest of them, allows.
    ///
    /// - Parameter value: returns the integer at each index, from 0 on, each once.
    static func writeTable(
        _ kind: SectionKind, id: Int = 0, count: Int, bound: Int, to output: SnapshotOutput, _ value: (Int) -> Int
    ) throws(StoreError) {
        let width = Table.width(for: bound)
        var section = SectionWriter(kind, id: id, width: width, size: count * width, to: output)
        for index in 0..<count { try section.append(value(index), width: width) }
        try section.finish()
    }
}
