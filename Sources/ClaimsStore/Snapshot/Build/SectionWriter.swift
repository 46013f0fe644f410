// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Writes one section of known size piece by piece, through a small buffer.
struct SectionWriter {
    /// In bytes; a multiple of the checksum's stride.
    static let bufferSize = 1 << 18

    /// After so many bytes the disk is told to begin, so that syncing at the end takes less time.
    private static let diskSize = 1 << 24

    private let output: SnapshotOutput
    private let kind: SectionKind
    private let owner: Int
    private let width: Int
    /// Where the section begins in the file.
    let offset: Int
    private(set) var size = 0
    private var flushed = 0
    private var handedOver = 0
    private var checksum = Checksum()
    private var buffer: [UInt8] = []

    init(_ kind: SectionKind, owner: Int = 0, width: Int = 0, size: Int, to output: SnapshotOutput) {
        self.init(kind, owner: owner, width: width, at: output.reserve(size), of: output)
        buffer.reserveCapacity(min(size, Self.bufferSize + 64))
    }

    /// A section whose size is not known yet: nothing else may be placed before it is finished.
    init(_ kind: SectionKind, owner: Int = 0, width: Int = 0, at offset: Int, of output: SnapshotOutput) {
        self.output = output
        self.kind = kind
        self.owner = owner
        self.width = width
        self.offset = offset
    }

    mutating func append(_ bytes: RawSpan) throws(StoreError) {
        size += bytes.byteCount
        guard buffer.count + bytes.byteCount >= Self.bufferSize else {
            buffer.append(copying: bytes)
            return
        }
        var done = 0
        while done < bytes.byteCount {
            let count = min(Self.bufferSize - buffer.count, bytes.byteCount - done)
            buffer.append(copying: bytes.part(done, count))
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
        // Blocks of the checksum must be full, so an integer may have to be cut in two.
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

    /// Reads again what was appended as `range`.
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
        checksum.add(full.raw)
        try output.write(full.raw, at: offset + flushed)
        flushed += full.count
        if flushed - handedOver >= Self.diskSize {
            output.beginWriting(offset + handedOver..<offset + flushed)
            handedOver = flushed
        }
        full.removeAll(keepingCapacity: true)
        swap(&full, &buffer)
    }

    /// Writes what is left and enters the section in the table.
    mutating func finish() throws(StoreError) {
        try flush()
        output.beginWriting(offset + handedOver..<offset + flushed)
        output.add(
            Section(kind, owner: owner, width: width, offset: offset, size: size, checksum: checksum.value))
    }
}
