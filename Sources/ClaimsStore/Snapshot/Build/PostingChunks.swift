// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The first half of building posting lists: the containers of one chunk of items after the other, each chunk's in the
/// order of their keys.
///
/// What one chunk takes fits a core's cache, more or less; the lists of all items do not.
struct PostingChunks {
    /// The most units that are filled at once; a chunk of more is gone through more often. Room for any one container.
    static let roomMax = 1 << 22
    /// Of a slot's place: the key is not to be filled now.
    private static let outside = UInt32.max
    private static let denseBit: UInt32 = 1 << 31

    /// What is known of a key in the chunk at hand.
    private struct Slot {
        /// Tells the last item that had the key, and in which pass that was.
        var mark: UInt32 = 0
        /// How many items have it; then where the next one goes.
        var place: UInt32 = 0
    }

    private let keyCount: Int
    private let room: Int
    private var slots: [Slot]
    /// The keys of the chunk at hand, as a bitmap.
    private var present: [UInt64]
    private var buffer: [UInt16] = []
    private var lists: SpillStream<UInt16>
    /// Each chunk's keys, ascending, and how many items have them; the chunk's begin at its place in `starts`.
    private(set) var keys = ChunkedArray<UInt32>()
    /// One less each, since none is 0 and a chunk has no more than fit then.
    private var countsBelow = ChunkedArray<UInt16>()
    private(set) var starts: [Int] = [0]
    /// By key: how many items have it in all, and the units of its list.
    private(set) var totals: [UInt32]
    private(set) var units: [UInt32]

    /// - Parameter room: units that are filled at once, at least as many as a container has.
    init(keys: Int, directory: String, room: Int = PostingChunks.roomMax) {
        self.room = room
        keyCount = keys
        slots = [Slot](repeating: Slot(), count: keys)
        present = [UInt64](repeating: 0, count: (keys + 63) / 64)
        totals = [UInt32](repeating: 0, count: keys)
        units = totals
        lists = SpillStream(directory)
    }

    /// Adds the next of so many items' chunks.
    mutating func append<Source: PostingSource>(
        chunk: Int, of items: Int, _ source: Source, _ bytes: RawSpan
    ) throws(StoreError) {
        let range = PostingLists.items(of: chunk, items)
        count(range, source, bytes)
        enterKeys()
        var entry = starts[chunk]
        while entry < keys.count {
            let (end, size) = place(from: entry, chunk)
            fill(range, source, bytes)
            try append(size)
            if end < keys.count { release(entry..<end, Self.outside) }
            entry = end
        }
        release(starts[chunk]..<keys.count, 0)
        starts.append(keys.count)
    }

    /// Hands the first units of the buffer on.
    private mutating func append(_ size: Int) throws(StoreError) {
        var full: [UInt16] = []
        swap(&full, &buffer)
        try lists.append(contentsOf: full.span.extracting(0..<size))
        swap(&full, &buffer)
    }

    /// How many items of its chunk have the key at `entry`.
    @inline(__always)
    func count(_ entry: Int) -> Int { Int(countsBelow[entry]) &+ 1 }

    /// Hands the containers over: chunk by chunk, in the order of `keys`. There is room again for what comes next.
    mutating func seal() throws(StoreError) -> SpilledElements<UInt16> {
        slots = []
        buffer = []
        return try lists.seal()
    }

    /// Lets go of what is by key.
    mutating func forgetTotals() {
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
                if slots[key].place == 0 { present[key >> 6] |= 1 &<< UInt64(key & 63) }
                slots[key].place &+= 1
            }
        }
        swap(&slots, &self.slots)
        swap(&present, &self.present)
    }

    /// Enters the keys of the chunk at hand with their counts.
    private mutating func enterKeys() {
        for index in present.indices {
            var word = present[index]
            present[index] = 0
            while word != 0 {
                let key = index << 6 | word.trailingZeroBitCount
                word &= word &- 1
                let count = slots[key].place
                slots[key].place = Self.outside
                keys.append(UInt32(truncatingIfNeeded: key))
                countsBelow.append(UInt16(truncatingIfNeeded: count &- 1))
                totals[key] &+= count
                units[key] &+= UInt32(PostingLists.containerUnits(Int(count)))
            }
        }
    }

    /// Lays out the containers of the keys at `first` and after, as far as there is room; where they end, and their
    /// units.
    private mutating func place(from first: Int, _ chunk: Int) -> (end: Int, size: Int) {
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
            var place = UInt32(truncatingIfNeeded: size + 2)
            if count > PostingLists.sparseMax {
                for index in size + 2..<size + length { buffer[index] = 0 }
                place |= Self.denseBit
            }
            slots[Int(keys[entry])].place = place
            size += length
            entry += 1
        }
        return (entry, size)
    }

    /// Puts the items into the containers that have been laid out.
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
                guard slot.place != Self.outside, slot.mark != mark else { return }
                if slot.place & Self.denseBit == 0 {
                    buffer[Int(slot.place)] = low
                    slots[key] = Slot(mark: mark, place: slot.place &+ 1)
                } else {
                    buffer[Int(slot.place & ~Self.denseBit) &+ Int(low >> 4)] |= 1 &<< (low & 15)
                    slots[key].mark = mark
                }
            }
        }
        swap(&slots, &self.slots)
        swap(&buffer, &self.buffer)
    }

    /// Ends the filling of some keys.
    private mutating func release(_ entries: Range<Int>, _ place: UInt32) {
        for entry in entries { slots[Int(keys[entry])].place = place }
    }
}
