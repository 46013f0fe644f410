// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A hash table from words' keys to their numbers.
///
/// Words that are entered first are found first, and those are the frequent ones.
struct WordSlots {
    /// One word; free where `following` is 0.
    private struct Slot {
        var low: UInt64 = 0
        var high: UInt32 = 0
        /// The word's number and 1.
        var following: UInt32 = 0
    }

    private let factor: UInt64
    private var slots = [Slot](repeating: Slot(), count: 1 << 10)
    private var count = 0

    init(seed: UInt64) {
        factor = seed | 1
    }

    /// Where a word is looked for first.
    @inline(__always)
    func place(_ key: WordKey) -> Int { key.hash(factor) & (slots.count &- 1) }

    @inline(__always)
    func following(at place: Int) -> UInt32 { slots[place].following }

    /// The number of a word that is looked for from `place` on; -1 where it has none.
    @inline(__always)
    func find(_ key: WordKey, from place: Int) -> Int {
        let mask = slots.count &- 1
        // The table may have grown since the place was told.
        var index = place & mask
        if slots[index].low != key.low || slots[index].high != key.high { index = self.place(key) }
        while true {
            let slot = slots[index]
            if slot.following == 0 { return -1 }
            if slot.low == key.low, slot.high == key.high { return Int(slot.following) &- 1 }
            index = (index &+ 1) & mask
        }
    }

    /// Enters a word that has no number yet.
    mutating func enter(_ key: WordKey, _ number: Int) {
        if count >= room { grow() }
        place(Slot(low: key.low, high: key.high, following: UInt32(truncatingIfNeeded: number + 1)))
        count += 1
    }

    private mutating func place(_ slot: Slot) {
        let mask = slots.count - 1
        var index = place(WordKey(low: slot.low, high: slot.high))
        while slots[index].following != 0 { index = (index + 1) & mask }
        slots[index] = slot
    }

    /// How many words the table may hold: half as many as there are slots, and where it is large, and the words at its
    /// end are rare, three quarters.
    private var room: Int { slots.count < 1 << 21 ? slots.count / 2 : slots.count / 4 * 3 }

    private mutating func grow() {
        // In the order of their numbers, so that frequent words keep their places.
        var inOrder = [Slot](repeating: Slot(), count: count)
        for slot in slots where slot.following != 0 { inOrder[Int(slot.following) - 1] = slot }
        let larger = slots.count * 2
        // The old table goes before the new one comes: together they take much memory.
        slots = []
        slots = [Slot](repeating: Slot(), count: larger)
        for slot in inOrder { place(slot) }
    }
}
