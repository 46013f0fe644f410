// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// A section of fixed-width little-endian integers.
///
/// It is only the place; the file's bytes are given with each read. An index outside the table reads as 0.
struct Table: Sendable {
    let offset: Int
    let count: Int
    /// 1, 2, 4 or 8 bytes.
    let width: Int

    init(offset: Int = 0, count: Int = 0, width: Int = 4) {
        self.offset = offset
        self.count = count
        self.width = width
    }

    /// The integer at `index`; what no `Int` holds is cut to 63 bits.
    @inline(__always)
    subscript(_ index: Int, _ bytes: RawSpan) -> Int {
        guard UInt(bitPattern: index) < UInt(bitPattern: count) else { return 0 }
        switch width {
        case 1: return Int(bytes.u8(offset &+ index))
        case 2: return Int(bytes.u16(offset &+ index &* 2))
        case 4: return Int(bytes.u32(offset &+ index &* 4))
        default: return Int(truncatingIfNeeded: bytes.u64(offset &+ index &* 8) & (1 << 63 - 1))
        }
    }

    /// Asks for the integer at `index`, which will be read soon.
    @inline(__always)
    func prefetch(_ index: Int, _ bytes: RawSpan) {
        guard UInt(bitPattern: index) < UInt(bitPattern: count) else { return }
        Prefetch.read(bytes, at: offset &+ index &* width, count: width)
    }

    /// The integers at `index` and after it, as a range; empty where they do not order.
    @inline(__always)
    func range(_ index: Int, _ bytes: RawSpan) -> Range<Int> {
        let start = self[index, bytes]
        let end = self[index &+ 1, bytes]
        return start <= end ? start..<end : start..<start
    }

    /// The bytes that a value up to `bound` needs.
    static func width(for bound: Int) -> Int {
        bound < 1 << 8 ? 1 : bound < 1 << 16 ? 2 : bound < 1 << 32 ? 4 : 8
    }
}
