// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsPlatform

/// The location of a section of fixed-width little-endian integers. A ``TableView`` reads it.
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

    /// The bytes that a value up to `bound` needs.
    static func width(for bound: Int) -> Int {
        bound < 1 << 8 ? 1 : bound < 1 << 16 ? 2 : bound < 1 << 32 ? 4 : 8
    }

    @_lifetime(copy bytes)
    @inline(__always)
    func view(_ bytes: RawSpan) -> TableView { TableView(self, bytes) }
}

/// Reads a table in the bytes of its file. An index outside the table reads as 0.
struct TableView: ~Escapable {
    private let table: Table
    private let bytes: RawSpan

    @_lifetime(copy bytes)
    @inline(__always)
    init(_ table: Table, _ bytes: RawSpan) {
        self.table = table
        self.bytes = bytes
    }

    var count: Int { @inline(__always) get { table.count } }

    /// The integer at `index`, cut to 63 bits if it does not fit into an `Int`.
    @inline(__always)
    subscript(_ index: Int) -> Int {
        guard UInt(bitPattern: index) < UInt(bitPattern: count) else { return 0 }
        switch table.width {
        case 1: return Int(bytes.byte(at: table.offset &+ index))
        case 2: return Int(bytes.u16(at: table.offset &+ index &* 2))
        case 4: return Int(bytes.u32(at: table.offset &+ index &* 4))
        default: return Int(truncatingIfNeeded: bytes.u64(at: table.offset &+ index &* 8) & (1 << 63 - 1))
        }
    }

    /// Asks for the integer at `index`, which will be read soon.
    @inline(__always)
    func prefetch(_ index: Int) {
        guard UInt(bitPattern: index) < UInt(bitPattern: count) else { return }
        Prefetch.read(bytes, at: table.offset &+ index &* table.width, count: table.width)
    }

    /// The integers at `index` and after it, as a range; empty if they are not in order.
    @inline(__always)
    func range(_ index: Int) -> Range<Int> {
        let start = self[index]
        let end = self[index &+ 1]
        return start <= end ? start..<end : start..<start
    }
}

extension TableView {
    /// The last index whose integer is not above `value`, of integers that ascend; not before `first`, near which it is
    /// found soonest.
    func last(notAbove value: Int, from first: Int = 0) -> Int {
        var low = min(first, max(count - 1, 0))
        var step = 1
        while low + step < count, self[low + step] <= value {
            low += step
            step *= 2
        }
        let end = max(min(low + step + 1, count), low + 1)
        return (low + 1..<end).partitionPoint { self[$0] <= value } - 1
    }
}

/// A section of bytes: only its place.
struct Blob: Sendable {
    var offset = 0
    var size = 0

    /// A range of the section; empty if it is not completely inside.
    @inline(__always)
    @_lifetime(copy bytes)
    func part(_ range: Range<Int>, _ bytes: RawSpan) -> RawSpan {
        guard range.lowerBound >= 0, range.upperBound <= size else { return bytes.part(0, 0) }
        return bytes.part(offset &+ range.lowerBound, range.count)
    }

    @_lifetime(copy bytes)
    func all(_ bytes: RawSpan) -> RawSpan { bytes.part(offset, size) }
}
