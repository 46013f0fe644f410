// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The only unchecked reads of this module. Each states why it stays inside the span.
extension RawSpan {
    /// The byte at `offset`; 0 for any offset outside the span.
    @inline(__always)
    func byte(at offset: Int) -> UInt8 {
        // One unsigned comparison refuses negative offsets too; what passes it is inside.
        guard UInt(bitPattern: offset) < UInt(bitPattern: byteCount) else { return 0 }
        return unsafe unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
    }

    /// Whether `word(at:)` may be asked at `offset`, which must not be negative.
    @inline(__always)
    func hasWord(at offset: Int) -> Bool { offset <= byteCount &- 8 }

    /// Eight bytes, the first of them the least significant. Only where `hasWord(at:)` holds.
    @inline(__always)
    func word(at offset: Int) -> UInt64 {
        assert(offset >= 0 && hasWord(at: offset))
        // `hasWord` has been asked: offset...offset + 7 are inside.
        return unsafe UInt64(littleEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
    }

    /// Whether both hold the same bytes.
    @inline(__always)
    func equals(_ other: RawSpan) -> Bool {
        guard byteCount == other.byteCount else { return false }
        var index = 0
        while hasWord(at: index) {
            // The counts are equal, so what holds for one holds for the other.
            if word(at: index) != other.word(at: index) { return false }
            index &+= 8
        }
        while index < byteCount {
            if byte(at: index) != other.byte(at: index) { return false }
            index &+= 1
        }
        return true
    }

    /// The text that the bytes are, with U+FFFD for what is not UTF-8.
    var text: String {
        unsafe withUnsafeBytes { buffer in unsafe String(decoding: buffer, as: UTF8.self) }
    }

    /// A copy of the bytes.
    var array: [UInt8] {
        unsafe withUnsafeBytes { buffer in unsafe Array(buffer) }
    }
}
