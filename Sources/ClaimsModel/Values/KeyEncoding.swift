// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Values as byte strings that compare like the values: byte by byte, unsigned, the shorter of two equal beginnings
/// first (`memcmp`). Every function appends to `out`.
///
/// Texts need no function of their own: the key of a text is its folded form (`Folding`).
public enum KeyEncoding {
    /// A text whose folding has been done: the bytes as they are.
    public static func text(folded text: RawSpan, into out: inout [UInt8]) {
        out.append(bytes: text)
    }

    /// An address: its bytes.
    public static func url(_ url: RawSpan, into out: inout [UInt8]) {
        out.append(bytes: url)
    }

    public static func instant(_ ms: Int64, into out: inout [UInt8]) {
        out.append(upTo: 8) { $0.put(bigEndian: UInt64(bitPattern: ms) ^ 1 << 63) }
    }

    /// A calendar day, counted from 1970-01-01.
    public static func date(_ days: Int, into out: inout [UInt8]) {
        let biased = UInt32(bitPattern: Int32(clamping: days)) ^ 1 << 31
        for shift in stride(from: UInt32(24), through: 0, by: -8) {
            out.append(UInt8(truncatingIfNeeded: biased >> shift))
        }
    }

    /// False before true.
    public static func bool(_ value: Bool, into out: inout [UInt8]) {
        out.append(value ? 1 : 0)
    }

    /// A count as bytes that order like it and tell their own length: one below 240, else how many and the bytes.
    ///
    /// At most nine bytes; for counts below 240 one.
    @inline(__always)
    static func put(count: Int, to cursor: inout ByteCursor) {
        if count < 240 { return cursor.put(UInt8(truncatingIfNeeded: count)) }
        let length = (Int.bitWidth - count.leadingZeroBitCount + 7) / 8
        cursor.put(UInt8(truncatingIfNeeded: 239 + length))
        for index in stride(from: length - 1, through: 0, by: -1) {
            cursor.put(UInt8(truncatingIfNeeded: count >> (index * 8)))
        }
    }
}
