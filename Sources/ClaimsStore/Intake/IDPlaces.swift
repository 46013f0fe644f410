// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A hash table from the hashes of ids to numbers of records. It does not know the ids: of a number that it finds the
/// caller says whether it is the one.
///
/// It is made of parts that grow one by one, so that growing takes little memory.
struct IDPlaces {
    /// What is left to look at for one hash.
    struct Search {
        fileprivate let part: Int
        fileprivate let tag: UInt32
        fileprivate var place: Int
    }

    private static let partBits: UInt64 = 4
    private static let firstSlots = 16

    /// Open addressing: a tag above the number and 1; 0 where free. The tag is also where a slot is looked for first.
    private var parts = [[UInt64]](repeating: [], count: 1 << partBits)
    private var counts = [Int](repeating: 0, count: 1 << partBits)

    /// A search for `hash`.
    func search(_ hash: UInt64) -> Search {
        let tag = UInt32(truncatingIfNeeded: hash)
        // One before the first place, which a part without slots does not have.
        return Search(part: Int(hash >> (64 - Self.partBits)), tag: tag, place: Int(tag) &- 1)
    }

    /// The next number that was entered with the hash, or with one that looks like it; nil: there is no more.
    ///
    /// A part is never full, so that each search ends.
    func next(_ search: inout Search) -> Int? {
        let slots = parts[search.part]
        guard !slots.isEmpty else { return nil }
        let mask = slots.count &- 1
        while true {
            search.place = (search.place &+ 1) & mask
            let slot = slots[search.place]
            if slot == 0 { return nil }
            if UInt32(truncatingIfNeeded: slot >> 32) == search.tag { return Int(slot & 0xFFFF_FFFF) &- 1 }
        }
    }

    /// Puts another number in place of the one that `next` found last.
    mutating func replace(_ search: Search, with number: Int) {
        parts[search.part][search.place] = Self.slot(search.tag, number)
    }

    /// Enters a number that is not there, after `next` has found no more.
    mutating func enter(_ search: Search, _ number: Int) {
        let part = search.part
        if counts[part] * 4 >= parts[part].count * 3 { grow(part) }
        Self.place(Self.slot(search.tag, number), in: &parts[part])
        counts[part] += 1
    }

    private static func slot(_ tag: UInt32, _ number: Int) -> UInt64 {
        UInt64(tag) << 32 | UInt64(UInt32(truncatingIfNeeded: number + 1))
    }

    private static func place(_ slot: UInt64, in slots: inout [UInt64]) {
        let mask = slots.count &- 1
        var place = Int(slot >> 32) & mask
        while slots[place] != 0 { place = (place &+ 1) & mask }
        slots[place] = slot
    }

    private mutating func grow(_ part: Int) {
        let old = parts[part]
        var larger = [UInt64](repeating: 0, count: max(Self.firstSlots, old.count * 2))
        for slot in old where slot != 0 { Self.place(slot, in: &larger) }
        parts[part] = larger
    }
}
