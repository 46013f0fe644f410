// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// A table from ids to a fixed number of words of 64 bits, for a million ids: 40 bytes and the id each, beside the
/// words.
///
/// ```swift
/// var table = MemberTable(columns: 2)
/// let index = table.insert(id)
/// table[index, 0] = hash
/// ```
/// An index stays good until the next removal.
struct MemberTable: Sendable {
    /// The number of words of each id.
    let columns: Int
    /// The ids one after another, including removed ones.
    private var text: [UInt8] = []
    /// The offset of each id in ``text``, and its length in the lowest 20 bits.
    private var ranges: [UInt64] = []
    private var words: [UInt64] = []
    /// The index of an id plus one, at a slot that its hash decides; 0 for a free slot. The number of slots is a power
    /// of two, and at least a quarter of them are free.
    private var slots: [UInt32] = []
    /// The bytes of ``text`` that belong to removed ids.
    private var unusedText = 0
    private let hash: WyHash

    /// The longest id, in bytes.
    static let maxLength = 1 << 20 - 1
    private static let lengthBits: UInt64 = 20

    init(columns: Int, seed: UInt64 = .random(in: .min ... .max)) {
        self.columns = columns
        hash = WyHash(seed: seed)
    }

    /// The number of ids.
    var count: Int { ranges.count }

    /// The bytes of all ids.
    var textSize: Int { text.count - unusedText }

    /// The id at an index.
    func id(at index: Int) -> [UInt8] { Array(text[range(at: index)]) }

    private func range(at index: Int) -> Range<Int> {
        let packed = ranges[index]
        let start = Int(packed >> Self.lengthBits)
        return start..<start + Int(packed & (1 << Self.lengthBits - 1))
    }

    /// A word of an id.
    subscript(index: Int, column: Int) -> UInt64 {
        get { words[index * columns + column] }
        set { words[index * columns + column] = newValue }
    }

    /// The index of an id; nil if the table does not have it.
    func index(of id: [UInt8]) -> Int? {
        guard !slots.isEmpty else { return nil }
        var slot = home(of: id.rawSpan)
        while slots[slot] != 0 {
            let index = Int(slots[slot]) - 1
            if isID(id, at: index) { return index }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// The index of an id. A missing id is inserted with words of zero. The id has at most ``maxLength`` bytes.
    mutating func insert(_ id: [UInt8]) -> Int {
        if let index = index(of: id) { return index }
        precondition(id.count <= Self.maxLength)
        if (count + 1) * 4 > slots.count * 3 { growSlots() }
        let index = count
        ranges.append(UInt64(text.count) << Self.lengthBits | UInt64(id.count))
        text += id
        for _ in 0..<columns { words.append(0) }
        put(index, at: home(of: id.rawSpan))
        return index
    }

    /// Removes an id if the table has it. The last id gets its index.
    mutating func remove(_ id: [UInt8]) {
        guard let index = index(of: id) else { return }
        clear(slot(of: index))
        unusedText += id.count
        let last = count - 1
        if index != last {
            slots[slot(of: last)] = UInt32(index + 1)
            ranges[index] = ranges[last]
            for column in 0..<columns { words[index * columns + column] = words[last * columns + column] }
        }
        ranges.removeLast()
        words.removeLast(columns)
        if unusedText > max(text.count / 2, 4096) { compact() }
    }

    private func isID(_ id: [UInt8], at index: Int) -> Bool {
        let range = range(at: index)
        return range.count == id.count && text.rawSpan.extracting(range).equals(id.rawSpan)
    }

    private func home(of id: RawSpan) -> Int { Int(truncatingIfNeeded: hash(id)) & (slots.count - 1) }

    private func home(at index: Int) -> Int { home(of: text.rawSpan.extracting(range(at: index))) }

    private func slot(of index: Int) -> Int {
        var slot = home(at: index)
        while Int(slots[slot]) != index + 1 { slot = (slot + 1) & (slots.count - 1) }
        return slot
    }

    private mutating func put(_ index: Int, at home: Int) {
        var slot = home
        while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = UInt32(index + 1)
    }

    /// Frees a slot and closes the gap in its run of collisions.
    private mutating func clear(_ cleared: Int) {
        let mask = slots.count - 1
        var hole = cleared
        var slot = (cleared + 1) & mask
        while slots[slot] != 0 {
            let distance = (slot - home(at: Int(slots[slot]) - 1)) & mask
            if distance >= (slot - hole) & mask {
                slots[hole] = slots[slot]
                hole = slot
            }
            slot = (slot + 1) & mask
        }
        slots[hole] = 0
    }

    private mutating func growSlots() {
        slots = [UInt32](repeating: 0, count: max(16, slots.count * 2))
        for index in 0..<count { put(index, at: home(at: index)) }
    }

    private mutating func compact() {
        var kept: [UInt8] = []
        kept.reserveCapacity(textSize)
        for index in 0..<count {
            let range = range(at: index)
            ranges[index] = UInt64(kept.count) << Self.lengthBits | UInt64(range.count)
            kept += text[range]
        }
        text = kept
        unusedText = 0
    }

    /// The indexes in the order of their ids, by bytes.
    func sorted(_ indexes: [Int]) -> [Int] {
        let bytes = text.rawSpan
        return indexes.sorted { left, right in
            bytes.extracting(range(at: left)).compare(bytes.extracting(range(at: right))) < 0
        }
    }
}
