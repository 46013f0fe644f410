// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel

/// Numbers the distinct terms of a build in the order they are first seen.
///
/// Only a hash table of the terms' keys is in memory; the terms themselves are spilled.
struct TermTable {
    /// The number of terms of a text that are looked up together.
    private static let batch = 64

    private let seed: UInt64
    private var slots: TermSlots
    private var terms: SpillStream<UInt8>
    private var lengths: SpillStream<UInt32>
    private(set) var count = 0
    /// Whether a term holds a byte below the space, which orders before the end of other terms.
    private(set) var hasControls = false
    /// The current text, with spaces after it, so that 16 bytes can be read at the beginning of each term.
    private var padded: [UInt8] = []
    /// Keeps the compiler from removing reads that only bring slots into the cache.
    private var sum: UInt64 = 0
    private var pending = [Pending](repeating: Pending(), count: TermTable.batch)

    /// A term of the current text.
    private struct Pending {
        var key = TermKey(low: 0, high: 0)
        var start: UInt32 = 0
        var end: UInt32 = 0
        var slot = 0
    }

    init(_ medium: BuildMedium, seed: UInt64) {
        self.seed = seed
        slots = TermSlots(seed: seed)
        terms = SpillStream(medium)
        lengths = SpillStream(medium)
    }

    /// Appends the numbers of a folded text's terms to `units`, as `TokenUnits`. Terms that are new get the next
    /// numbers.
    ///
    /// - Throws: `tooLarge` if there are too many different terms; the error of spilling a term.
    mutating func append(_ text: RawSpan, to units: inout [UInt16]) throws(StoreError) {
        var padded: [UInt8] = []
        swap(&padded, &self.padded)
        padded.removeAll(keepingCapacity: true)
        padded.append(bytes: text)
        padded.append(littleEndian: TermKey.spaces)
        padded.append(littleEndian: TermKey.spaces)
        var offset = 0
        while offset < text.byteCount { try appendBatch(padded.rawSpan, text.byteCount, &offset, to: &units) }
        swap(&padded, &self.padded)
    }

    /// Appends the numbers of some terms. Their slots are all read before any is examined, so that the waits for memory
    /// overlap.
    private mutating func appendBatch(
        _ text: RawSpan, _ count: Int, _ offset: inout Int, to units: inout [UInt16]
    ) throws(StoreError) {
        var pending: [Pending] = []
        swap(&pending, &self.pending)
        var filled = 0
        while filled < Self.batch, offset < count {
            let (key, end) = TermKey.read(text, at: offset, seed)
            pending[filled] = Pending(
                key: key, start: UInt32(truncatingIfNeeded: offset), end: UInt32(truncatingIfNeeded: end),
                slot: slots.slot(key))
            filled &+= 1
            offset = end &+ 1
        }
        // Storing the sum keeps the compiler from removing the reads.
        var touched: UInt64 = 0
        for index in 0..<filled { touched &+= UInt64(slots.following(at: pending[index].slot)) }
        sum = touched
        for index in 0..<filled {
            let term = pending[index]
            var number = slots.find(term.key, from: term.slot)
            if number < 0 {
                number = try enter(text.part(Int(term.start), Int(term.end &- term.start)), term.key)
            }
            TokenUnits.append(number, to: &units)
        }
        swap(&pending, &self.pending)
    }

    private mutating func enter(_ term: RawSpan, _ key: TermKey) throws(StoreError) -> Int {
        guard count < TokenUnits.maxNumbers - 1 else { throw StoreError(.tooLarge, "number the words") }
        slots.insert(key, number: count)
        try terms.append(term)
        try terms.append(UInt8(ascii: " "))
        try lengths.append(UInt32(truncatingIfNeeded: term.byteCount))
        for offset in 0..<term.byteCount where term.byte(at: offset) < 0x20 { hasControls = true }
        count += 1
        return count - 1
    }

    /// Ends the numbering and returns the terms. No text may be appended afterwards.
    mutating func seal() throws(StoreError) -> TermList {
        slots = TermSlots(seed: seed)
        return TermList(
            terms: try terms.seal(), lengths: try lengths.seal(), count: count, hasControls: hasControls)
    }
}

/// A hash table from terms' keys to their numbers.
///
/// Terms that are entered first are found with fewer steps, and frequent terms come first.
struct TermSlots {
    /// The slot of one term; it is free if `following` is 0.
    private struct Slot {
        var low: UInt64 = 0
        var high: UInt32 = 0
        /// The term's number and 1.
        var following: UInt32 = 0
    }

    private let factor: UInt64
    private var slots = [Slot](repeating: Slot(), count: 1 << 10)
    private var count = 0

    init(seed: UInt64) {
        factor = seed | 1
    }

    /// The index of the slot at which the search for a term begins.
    @inline(__always)
    func slot(_ key: TermKey) -> Int { key.hash(factor) & (slots.count &- 1) }

    /// The number of the term in a slot, plus 1; 0 if the slot is free.
    @inline(__always)
    func following(at slot: Int) -> UInt32 { slots[slot].following }

    /// The number of a term whose search begins at `slot`; -1 if it has none.
    @inline(__always)
    func find(_ key: TermKey, from slot: Int) -> Int {
        let mask = slots.count &- 1
        // The table may have grown since `slot` was computed.
        var index = slot & mask
        if slots[index].low != key.low || slots[index].high != key.high { index = self.slot(key) }
        while true {
            let slot = slots[index]
            if slot.following == 0 { return -1 }
            if slot.low == key.low, slot.high == key.high { return Int(slot.following) &- 1 }
            index = (index &+ 1) & mask
        }
    }

    /// Enters a term that has no number yet.
    mutating func insert(_ key: TermKey, number: Int) {
        if count >= room { grow() }
        insert(Slot(low: key.low, high: key.high, following: UInt32(truncatingIfNeeded: number + 1)))
        count += 1
    }

    private mutating func insert(_ slot: Slot) {
        let mask = slots.count - 1
        var index = self.slot(TermKey(low: slot.low, high: slot.high))
        while slots[index].following != 0 { index = (index + 1) & mask }
        slots[index] = slot
    }

    /// The maximal number of terms of the table: half the number of slots, or three quarters if it is large and the
    /// terms at its end are rare.
    private var room: Int { slots.count < 1 << 21 ? slots.count / 2 : slots.count / 4 * 3 }

    private mutating func grow() {
        // The terms are inserted in the order of their numbers, so that frequent terms are still found with few steps.
        var inOrder = [Slot](repeating: Slot(), count: count)
        for slot in slots where slot.following != 0 { inOrder[Int(slot.following) - 1] = slot }
        let larger = slots.count * 2
        // The old table is released before the new one is allocated: together they take much memory.
        slots = []
        slots = [Slot](repeating: Slot(), count: larger)
        for slot in inOrder { insert(slot) }
    }
}

/// The key of a term, in 96 bits: its bytes if it has at most 8, otherwise a seeded hash.
///
/// Terms of up to 8 bytes have `high` 0, and other terms never have; they are distinguished exactly. The hash's seed is
/// random in each build.
struct TermKey {
    let low: UInt64
    let high: UInt32

    /// Eight spaces; two of these must follow a text.
    static let spaces: UInt64 = 0x2020_2020_2020_2020

    init(low: UInt64, high: UInt32) {
        self.low = low
        self.high = high
    }

    /// Reads the term at `offset` of a text with 16 spaces after it, and returns its key and its end.
    ///
    /// Terms of up to 16 bytes take the same steps, since a branch on their length could not be predicted.
    @inline(__always)
    static func read(_ text: RawSpan, at offset: Int, _ seed: UInt64) -> (key: TermKey, end: Int) {
        let first = text.u64(at: offset)
        let second = text.u64(at: offset &+ 8)
        let firstSpaces = ByteScan.spaces(first)
        let secondSpaces = ByteScan.spaces(second)
        guard firstSpaces | secondSpaces != 0 else { return readLong(text, at: offset, seed) }
        let isShort = firstSpaces != 0
        let bits = UInt64((isShort ? firstSpaces : secondSpaces).trailingZeroBitCount) & 0x38
        let mask: UInt64 = (1 &<< bits) &- 1
        let count = Int(bits >> 3) &+ (isShort ? 0 : 8)
        let product = (first ^ seed).multipliedFullWidth(by: second & mask ^ 0xA076_1D64_78BD_642F)
        let isInOne = count <= 8
        return (
            TermKey(
                low: isShort ? first & mask : isInOne ? first : product.low ^ first,
                high: isInOne ? 0 : UInt32(truncatingIfNeeded: product.high) | 1), offset &+ count
        )
    }

    private static func readLong(_ text: RawSpan, at offset: Int, _ seed: UInt64) -> (key: TermKey, end: Int) {
        let end = ByteScan.space(in: text, from: offset)
        let (low, high) = WyHash(seed: seed).wide(text.part(offset, end &- offset))
        return (TermKey(low: low, high: UInt32(truncatingIfNeeded: high) | 1), end)
    }

    /// A hash for a table of any size; `factor` is random and odd, so that no upstream can prepare collisions.
    @inline(__always)
    func hash(_ factor: UInt64) -> Int {
        let product = (low ^ UInt64(high) << 13).multipliedFullWidth(by: factor)
        return Int(truncatingIfNeeded: (product.high ^ product.low) >> 2)
    }
}

/// The distinct terms of a build in the order of their numbers.
struct TermList: Sendable {
    /// End to end, a space after each.
    let terms: SpilledElements<UInt8>
    let lengths: SpilledElements<UInt32>
    let count: Int
    /// Whether a term holds a byte below the space.
    let hasControls: Bool
}
