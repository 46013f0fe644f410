// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// By key: which items have it, as compressed lists (after Roaring bitmaps).
///
/// A list is containers, each of one chunk of 65,536 items: the chunk's number, the count less one, and then either
/// the items' lower 16 bits in ascending order or, of more than `sparseMax` items, a bitmap. All in units of 16 bits.
struct PostingLists: Sendable {
    /// The most items that a container lists one by one; a bitmap takes as many units.
    static let sparseMax = 4096

    /// By key: where its list begins, in units; then the end.
    let starts: Table
    let counts: Table
    /// Where the lists begin in the file, and how many units they are.
    let offset: Int
    let size: Int

    init(starts: Table = Table(), counts: Table = Table(), offset: Int = 0, size: Int = 0) {
        self.starts = starts
        self.counts = counts
        self.offset = offset
        self.size = size
    }

    static func chunks(_ items: Int) -> Range<Int> { 0..<(items + 0xFFFF) >> 16 }
    static func items(of chunk: Int, _ items: Int) -> Range<Int> { chunk << 16..<min((chunk + 1) << 16, items) }
    static func containerUnits(_ count: Int) -> Int { 2 + min(count, sparseMax) }

    /// Appends the list of the items whose bits are set, and returns how many they are.
    static func append(_ bits: [UInt64], to units: inout [UInt16]) -> Int {
        var total = 0
        for chunk in chunks(bits.count * 64) {
            let words = chunk << 10..<min((chunk + 1) << 10, bits.count)
            var count = 0
            for index in words { count &+= bits[index].nonzeroBitCount }
            if count == 0 { continue }
            total += count
            units.append(UInt16(truncatingIfNeeded: chunk))
            units.append(UInt16(truncatingIfNeeded: count - 1))
            if count > sparseMax {
                for index in chunk << 10..<(chunk + 1) << 10 {
                    let word = index < bits.count ? bits[index] : 0
                    for part in 0..<4 { units.append(UInt16(truncatingIfNeeded: word >> UInt64(part * 16))) }
                }
            } else {
                for index in words {
                    var word = bits[index]
                    while word != 0 {
                        units.append(UInt16(truncatingIfNeeded: index << 6 | word.trailingZeroBitCount))
                        word &= word &- 1
                    }
                }
            }
        }
        return total
    }

    /// How many items have the key.
    @inline(__always)
    func count(_ key: Int, _ bytes: RawSpan) -> Int { counts[key, bytes] }

    /// One container of a list.
    struct Container {
        /// The first item of its chunk.
        let base: Int
        let count: Int
        /// Where its items begin in the file.
        let offset: Int

        var isDense: Bool { count > PostingLists.sparseMax }
    }

    /// Calls `body` with each container of a key's list, in the order of their chunks. One that does not lie in the
    /// file ends the list.
    @inline(__always)
    func forEachContainer(_ key: Int, _ bytes: RawSpan, _ body: (Container) -> Bool) {
        let range = starts.range(key, bytes)
        guard range.upperBound <= size else { return }
        Self.forEachContainer(range, at: offset, bytes, body)
    }

    /// As above, of a list that is `range` of the units that begin at `offset`.
    @inline(__always)
    static func forEachContainer(
        _ range: Range<Int>, at offset: Int, _ bytes: RawSpan, _ body: (Container) -> Bool
    ) {
        var unit = range.lowerBound
        while unit &+ 2 < range.upperBound {
            let place = offset &+ unit &* 2
            let count = Int(bytes.u16(place &+ 2)) &+ 1
            let length = containerUnits(count)
            guard unit &+ length <= range.upperBound else { return }
            let container = Container(base: Int(bytes.u16(place)) << 16, count: count, offset: place &+ 4)
            guard body(container) else { return }
            unit &+= length
        }
    }

    /// Calls `body` with each item that has the key, in ascending order, until it returns false.
    @inline(__always)
    func forEach(_ key: Int, _ bytes: RawSpan, _ body: (Int) -> Bool) {
        forEachContainer(key, bytes) { container in
            if !container.isDense {
                for index in 0..<container.count {
                    guard body(container.base | Int(bytes.u16(container.offset &+ index &* 2))) else { return false }
                }
                return true
            }
            for index in 0..<1024 {
                var word = bytes.u64(container.offset &+ index &* 8)
                while word != 0 {
                    guard body(container.base | index << 6 | word.trailingZeroBitCount) else { return false }
                    word &= word &- 1
                }
            }
            return true
        }
    }

    /// Whether the item has the key.
    func contains(_ item: Int, _ key: Int, _ bytes: RawSpan) -> Bool {
        var isFound = false
        forEachContainer(key, bytes) { container in
            guard container.base <= item else { return false }
            guard container.base == item & ~0xFFFF else { return true }
            isFound = Self.contains(item & 0xFFFF, container, bytes)
            return false
        }
        return isFound
    }

    private static func contains(_ low: Int, _ container: Container, _ bytes: RawSpan) -> Bool {
        if container.isDense { return bytes.u8(container.offset &+ low >> 3) >> UInt8(low & 7) & 1 != 0 }
        var range = 0..<container.count
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            let value = Int(bytes.u16(container.offset &+ middle &* 2))
            if value == low { return true }
            range = value < low ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return false
    }
}
