// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// The items that have each key, as compressed lists (after Roaring bitmaps).
///
/// A list consists of containers, each for one chunk of 65,536 items: the chunk's number, the count minus one, and then
/// the items' lower 16 bits in ascending order, or a bitmap if there are more than `maxSparseItems` items. All is in
/// units of 16 bits.
struct PostingLists: Sendable {
    /// The maximal number of items that a container lists one by one; a bitmap takes the same number of units.
    static let maxSparseItems = 4096
    /// The words of a bitmap that one chunk of a list spans.
    static let chunkWords = 1 << 10

    /// The start of each key's list, in units; then the end.
    let starts: Table
    let counts: Table
    /// The offset of the lists in the file, and their number of units.
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
    static func containerUnits(_ count: Int) -> Int { 2 + min(count, maxSparseItems) }

    /// Appends the list of the items whose bits are set, and returns the number of items.
    static func append(_ bits: [UInt64], to units: inout [UInt16]) -> Int {
        var total = 0
        for chunk in chunks(bits.count * 64) {
            let words = chunk * chunkWords..<min((chunk + 1) * chunkWords, bits.count)
            var count = 0
            for index in words { count &+= bits[index].nonzeroBitCount }
            if count == 0 { continue }
            total += count
            units.append(UInt16(truncatingIfNeeded: chunk))
            units.append(UInt16(truncatingIfNeeded: count - 1))
            if count > maxSparseItems {
                for index in chunk * chunkWords..<(chunk + 1) * chunkWords {
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

    /// The cost of adding a list of a number of rows, in single rows: the list must be found, and a dense one has
    /// bitmaps.
    @inline(__always)
    static func unionCost(of count: Int, rows: Int) -> Int { count == 0 ? 0 : listCost + min(count, rows / 64) }

    private static let listCost = 24

    /// One container of a list.
    struct Container {
        /// The first item of its chunk.
        let base: Int
        let count: Int
        /// The offset of its items in the file.
        let offset: Int

        var isDense: Bool { count > PostingLists.maxSparseItems }
    }

    /// Calls `body` with each container of the list that is `range` of the units that begin at `offset`. One that does
    /// not lie in the file ends the list.
    @inline(__always)
    static func forEachContainer(
        _ range: Range<Int>, at offset: Int, _ bytes: RawSpan, _ body: (Container) -> Bool
    ) {
        var unit = range.lowerBound
        while unit &+ 2 < range.upperBound {
            let header = offset &+ unit &* 2
            let count = Int(bytes.u16(at: header &+ 2)) &+ 1
            let length = containerUnits(count)
            guard unit &+ length <= range.upperBound else { return }
            let container = Container(base: Int(bytes.u16(at: header)) << 16, count: count, offset: header &+ 4)
            guard body(container) else { return }
            unit &+= length
        }
    }

    @_lifetime(copy bytes)
    @inline(__always)
    func view(_ bytes: RawSpan) -> PostingListsView { PostingListsView(self, bytes) }
}

/// Reads posting lists in the bytes of their file.
struct PostingListsView: ~Escapable {
    private let lists: PostingLists
    fileprivate let bytes: RawSpan

    @_lifetime(copy bytes)
    @inline(__always)
    init(_ lists: PostingLists, _ bytes: RawSpan) {
        self.lists = lists
        self.bytes = bytes
    }

    var starts: TableView { @_lifetime(copy self) @inline(__always) get { lists.starts.view(bytes) } }
    var counts: TableView { @_lifetime(copy self) @inline(__always) get { lists.counts.view(bytes) } }

    /// The number of items that have the key.
    @inline(__always)
    func count(_ key: Int) -> Int { counts[key] }

    /// Calls `body` with each container of a key's list, in the order of their chunks. One that does not lie in the
    /// file ends the list.
    @inline(__always)
    func forEachContainer(_ key: Int, _ body: (PostingLists.Container) -> Bool) {
        let range = starts.range(key)
        guard range.upperBound <= lists.size else { return }
        PostingLists.forEachContainer(range, at: lists.offset, bytes, body)
    }

    /// Calls `body` with each item that has the key, in ascending order, until it returns false.
    @inline(__always)
    func forEach(_ key: Int, _ body: (Int) -> Bool) {
        forEachContainer(key) { container in
            if !container.isDense {
                for index in 0..<container.count {
                    guard body(container.base | Int(bytes.u16(at: container.offset &+ index &* 2))) else {
                        return false
                    }
                }
                return true
            }
            for index in 0..<PostingLists.chunkWords {
                var word = bytes.u64(at: container.offset &+ index &* 8)
                while word != 0 {
                    guard body(container.base | index << 6 | word.trailingZeroBitCount) else { return false }
                    word &= word &- 1
                }
            }
            return true
        }
    }

    /// Whether the item has the key.
    func contains(_ item: Int, _ key: Int) -> Bool {
        var isFound = false
        forEachContainer(key) { container in
            guard container.base <= item else { return false }
            guard container.base == item & ~0xFFFF else { return true }
            isFound = Self.contains(item & 0xFFFF, container, bytes)
            return false
        }
        return isFound
    }

    /// The number of items that have the key and whose bits are set.
    func countCommon(_ key: Int, with bits: [UInt64]) -> Int {
        var common = 0
        forEachContainer(key) { container in
            let first = container.base >> 6
            guard first < bits.count else { return false }
            if container.isDense {
                common &+= Bits.countCommon(
                    bits, from: first, bytes.part(container.offset, PostingLists.chunkWords * 8))
            } else {
                let words = bits.span
                for index in 0..<container.count {
                    let low = Int(bytes.u16(at: container.offset &+ index &* 2))
                    let word = first &+ low >> 6
                    if word < words.count { common &+= Int(words[word] >> UInt64(low & 63) & 1) }
                }
            }
            return true
        }
        return common
    }

    private static func contains(_ low: Int, _ container: PostingLists.Container, _ bytes: RawSpan) -> Bool {
        if container.isDense { return bytes.byte(at: container.offset &+ low >> 3) >> UInt8(low & 7) & 1 != 0 }
        let index = (0..<container.count).partitionPoint { Int(bytes.u16(at: container.offset &+ $0 &* 2)) < low }
        return index < container.count && Int(bytes.u16(at: container.offset &+ index &* 2)) == low
    }
}

/// Adds posting lists to bitmaps.
enum PostingUnion {
    static func add(_ key: Int, of postings: PostingListsView, to bits: inout [UInt64]) {
        var words = bits.mutableSpan
        postings.forEachContainer(key) { container in
            add(container, postings.bytes, to: &words)
            return true
        }
    }

    /// Adds a list that is these units of `bytes`.
    static func add(_ units: Range<Int>, _ bytes: RawSpan, to bits: inout [UInt64]) {
        var words = bits.mutableSpan
        PostingLists.forEachContainer(units, at: 0, bytes) { container in
            add(container, bytes, to: &words)
            return true
        }
    }

    @inline(__always)
    private static func add(
        _ container: PostingLists.Container, _ bytes: RawSpan, to words: inout MutableSpan<UInt64>
    ) {
        let first = container.base >> 6
        guard first < words.count else { return }
        if container.isDense {
            Bits.unite(&words, from: first, bytes.part(container.offset, PostingLists.chunkWords * 8))
        } else if first &+ PostingLists.chunkWords <= words.count {
            addInside(bytes.part(container.offset, container.count * 2), first, to: &words)
        } else {
            let items = bytes.part(container.offset, container.count * 2)
            for index in 0..<items.byteCount / 2 {
                let low = Int(items.u16(at: index &* 2))
                let word = first &+ low >> 6
                if word < words.count { words[word] |= 1 << UInt64(low & 63) }
            }
        }
    }

    /// Adds items of a chunk that lies in the bitmap as a whole: no item of 16 bits can lead outside.
    @inline(__always)
    private static func addInside(_ items: RawSpan, _ first: Int, to words: inout MutableSpan<UInt64>) {
        var offset = 0
        while offset &+ 8 <= items.byteCount {
            let four = items.u64(at: offset)
            unsafe insert(four & 0xFFFF, first, &words)
            unsafe insert(four >> 16 & 0xFFFF, first, &words)
            unsafe insert(four >> 32 & 0xFFFF, first, &words)
            unsafe insert(four >> 48, first, &words)
            offset &+= 8
        }
        while offset < items.byteCount {
            unsafe insert(UInt64(items.u16(at: offset)), first, &words)
            offset &+= 2
        }
    }

    /// `first + 1023` must be a word of the bitmap, and `low` below 65,536.
    @unsafe @inline(__always)
    private static func insert(_ low: UInt64, _ first: Int, _ words: inout MutableSpan<UInt64>) {
        let word = first &+ Int(truncatingIfNeeded: low >> 6)
        unsafe words[unchecked: word] |= 1 &<< (low & 63)
    }
}
