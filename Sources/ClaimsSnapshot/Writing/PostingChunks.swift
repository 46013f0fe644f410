// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// The first half of building posting lists: makes the containers of one chunk of items after the other, in the order
/// of their keys within a chunk.
///
/// The lists of one chunk fit a core's cache, more or less; the lists of all items do not.
struct PostingChunks {
    /// The greatest number of units that are filled at once. A chunk with more units is passed over more than once. Any
    /// one container fits.
    static let maxRoom = 1 << 22
    /// A value of `Slot.next`: the key is not to be filled now.
    private static let outside = UInt32.max
    private static let denseBit: UInt32 = 1 << 31

    /// The state of a key in the current chunk.
    private struct Slot {
        /// The last item that had the key and the pass in which it had it, as one number; 0 at first.
        var mark: UInt32 = 0
        /// The number of items that have it; later the unit of the buffer for the next item.
        var next: UInt32 = 0
    }

    private let keyCount: Int
    private let room: Int
    private var slots: [Slot]
    /// The keys of the current chunk, as a bitmap.
    private var present: [UInt64]
    private var buffer: [UInt16] = []
    private var lists: SpillStream<UInt16>
    /// The keys of each chunk, ascending, with the numbers of items; a chunk's entries begin at `starts[chunk]`.
    private(set) var keys = ChunkedArray<UInt32>()
    /// The counts less 1, so that the 65,536 items of a full chunk fit.
    private var countsBelow = ChunkedArray<UInt16>()
    private(set) var starts: [Int] = [0]
    /// The total number of items of each key, and the units of its list.
    private(set) var totals: [UInt32]
    private(set) var units: [UInt32]

    /// - Parameter room: units that are filled at once, at least as many as a container has.
    init(keys: Int, medium: BuildMedium, room: Int = PostingChunks.maxRoom) {
        self.room = room
        keyCount = keys
        slots = [Slot](repeating: Slot(), count: keys)
        present = [UInt64](repeating: 0, count: (keys + 63) / 64)
        totals = [UInt32](repeating: 0, count: keys)
        units = totals
        lists = SpillStream(medium)
    }

    /// Makes the containers of the next chunk.
    ///
    /// - Parameters:
    ///   - chunk: its number; chunks are appended in order, from 0.
    ///   - items: the number of items in all chunks.
    ///   - bytes: the bytes with the items' keys.
    mutating func append<Source: PostingSource>(
        chunk: Int, of items: Int, _ source: Source, _ bytes: RawSpan
    ) throws(StoreError) {
        let range = PostingLists.items(of: chunk, items)
        count(range, source, bytes)
        enterKeys()
        var entry = starts[chunk]
        while entry < keys.count {
            let (end, size) = layOut(from: entry, chunk)
            fill(range, source, bytes)
            try append(size)
            if end < keys.count { reset(entry..<end, Self.outside) }
            entry = end
        }
        reset(starts[chunk]..<keys.count, 0)
        starts.append(keys.count)
    }

    /// Appends the first units of the buffer to the lists.
    private mutating func append(_ size: Int) throws(StoreError) {
        var full: [UInt16] = []
        swap(&full, &buffer)
        try lists.append(contentsOf: full.span.extracting(0..<size))
        swap(&full, &buffer)
    }

    /// The number of items of its chunk that have the key at `entry`.
    @inline(__always)
    func count(_ entry: Int) -> Int { Int(countsBelow[entry]) &+ 1 }

    /// Returns the containers, chunk by chunk, in the order of `keys`, and releases the memory that making them took.
    mutating func seal() throws(StoreError) -> SpilledElements<UInt16> {
        slots = []
        buffer = []
        return try lists.seal()
    }

    /// Releases `totals` and `units`.
    mutating func releaseTotals() {
        totals = []
        units = []
    }

    private mutating func count<Source: PostingSource>(_ items: Range<Int>, _ source: Source, _ bytes: RawSpan) {
        var slots: [Slot] = []
        var present: [UInt64] = []
        swap(&slots, &self.slots)
        swap(&present, &self.present)
        let keyCount = keyCount
        for item in items {
            let mark = UInt32(truncatingIfNeeded: item) &* 2 &+ 1
            source.forEachKey(of: item, bytes) { key in
                guard key < keyCount, slots[key].mark != mark else { return }
                slots[key].mark = mark
                if slots[key].next == 0 { present[key >> 6] |= 1 &<< UInt64(key & 63) }
                slots[key].next &+= 1
            }
        }
        swap(&slots, &self.slots)
        swap(&present, &self.present)
    }

    /// Enters the keys of the current chunk with their counts.
    private mutating func enterKeys() {
        for index in present.indices {
            var word = present[index]
            present[index] = 0
            while word != 0 {
                let key = index << 6 | word.trailingZeroBitCount
                word &= word &- 1
                let count = slots[key].next
                slots[key].next = Self.outside
                keys.append(UInt32(truncatingIfNeeded: key))
                countsBelow.append(UInt16(truncatingIfNeeded: count &- 1))
                totals[key] &+= count
                units[key] &+= UInt32(PostingLists.containerUnits(Int(count)))
            }
        }
    }

    /// Lays out the containers of the keys at `first` and after, as far as there is room. Returns the end among the
    /// keys, and the size in units.
    private mutating func layOut(from first: Int, _ chunk: Int) -> (end: Int, size: Int) {
        var entry = first
        var size = 0
        while entry < keys.count {
            let count = count(entry)
            let length = PostingLists.containerUnits(count)
            if size + length > room { break }
            if size + length > buffer.count {
                let more = min(room, max(size + length, buffer.count * 2)) - buffer.count
                buffer.append(contentsOf: repeatElement(0, count: more))
            }
            buffer[size] = UInt16(truncatingIfNeeded: chunk)
            buffer[size + 1] = UInt16(truncatingIfNeeded: count - 1)
            var next = UInt32(truncatingIfNeeded: size + 2)
            if count > PostingLists.maxSparseItems {
                for index in size + 2..<size + length { buffer[index] = 0 }
                next |= Self.denseBit
            }
            slots[Int(keys[entry])].next = next
            size += length
            entry += 1
        }
        return (entry, size)
    }

    /// Writes the items into the containers that have been laid out.
    private mutating func fill<Source: PostingSource>(_ items: Range<Int>, _ source: Source, _ bytes: RawSpan) {
        var slots: [Slot] = []
        var buffer: [UInt16] = []
        swap(&slots, &self.slots)
        swap(&buffer, &self.buffer)
        let keyCount = keyCount
        for item in items {
            let mark = UInt32(truncatingIfNeeded: item) &* 2 &+ 2
            let low = UInt16(truncatingIfNeeded: item)
            source.forEachKey(of: item, bytes) { key in
                guard key < keyCount else { return }
                let slot = slots[key]
                guard slot.next != Self.outside, slot.mark != mark else { return }
                if slot.next & Self.denseBit == 0 {
                    buffer[Int(slot.next)] = low
                    slots[key] = Slot(mark: mark, next: slot.next &+ 1)
                } else {
                    buffer[Int(slot.next & ~Self.denseBit) &+ Int(low >> 4)] |= 1 &<< (low & 15)
                    slots[key].mark = mark
                }
            }
        }
        swap(&slots, &self.slots)
        swap(&buffer, &self.buffer)
    }

    /// Sets the state of some keys after they have been filled.
    private mutating func reset(_ entries: Range<Int>, _ next: UInt32) {
        for entry in entries { slots[Int(keys[entry])].next = next }
    }
}

/// An array that grows in chunks and is never copied as a whole.
///
/// An array that doubles its capacity holds its elements twice while it copies them. This one keeps full chunks where
/// they are.
public struct ChunkedArray<Element: BitwiseCopyable> {
    /// The number of elements in a full chunk: 65,536.
    @inlinable
    public static var chunkCount: Int { 1 << chunkBits }
    @inlinable static var chunkBits: Int { 16 }

    /// The chunks that are full, and the one that is being filled.
    @usableFromInline var full: [[Element]] = []
    @usableFromInline var last: [Element] = []

    /// Makes an empty array.
    @inlinable
    public init() {}

    /// The number of elements.
    @inlinable
    public var count: Int { full.count << Self.chunkBits + last.count }

    /// The element at an index.
    ///
    /// - Precondition: the index is at least 0 and below ``count``.
    @inlinable @inline(__always)
    public subscript(index: Int) -> Element {
        let chunk = index >> Self.chunkBits
        let offset = index & (Self.chunkCount &- 1)
        return chunk < full.count ? full[chunk][offset] : last[offset]
    }

    /// Appends an element in constant time; full chunks are not moved.
    @inlinable
    public mutating func append(_ element: Element) {
        if last.count == Self.chunkCount {
            full.append(last)
            last = []
            last.reserveCapacity(Self.chunkCount)
        }
        last.append(element)
    }
}

/// Items that have keys to be indexed by.
protocol PostingSource: Sendable {
    /// Calls `body` with each key of `item`, which it reads from `bytes`. A key may come more than once.
    func forEachKey(of item: Int, _ bytes: RawSpan, _ body: (Int) -> Void)
}
