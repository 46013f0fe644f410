// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Numbers the distinct words of a build in the order they are first seen.
///
/// In memory are a hash table and each word's first bytes; the words themselves are spilled. Long words are told
/// apart by 128 bits of seeded hash instead of by their bytes.
struct WordTable {
    /// In bytes; longer words are kept as hashes.
    private static let keptLength = 24
    /// What stands for a longer word: two hashes, its length, and one byte that makes it longer than any kept word.
    private static let digestLength = 25

    private let hash: ByteHash
    private let second: ByteHash
    /// The hash's upper half, and the word's number and 1; 0 where free.
    private var slots = [UInt64](repeating: 0, count: 1 << 12)
    private var kept: [UInt8] = []
    private var keptStarts: [UInt32] = [0]
    private var words: SpillStream<UInt8>
    private var lengths: SpillStream<UInt32>
    private(set) var count = 0
    private(set) var byteCount = 0
    /// Whether a word holds a byte below the space, which orders before the end of other words.
    private(set) var hasControls = false
    private var digest: [UInt8] = []

    init(_ directory: String, seed: UInt64) {
        hash = ByteHash(seed: seed)
        second = ByteHash(seed: seed &* 0x9E37_79B9_7F4A_7C15 ^ 0x5DEE_CE66_D1CE_4E5B)
        words = SpillStream(directory)
        lengths = SpillStream(directory)
    }

    /// The number of `word`, a new one where it has none.
    mutating func number(of word: RawSpan) throws(StoreError) -> Int {
        let key = hash(word)
        let tag = key & 0xFFFF_FFFF_0000_0000
        let mask = slots.count &- 1
        var index = Int(truncatingIfNeeded: key) & mask
        let isLong = word.byteCount > Self.keptLength
        if isLong { makeDigest(word, key) }
        while true {
            let slot = slots[index]
            if slot == 0 { break }
            if slot & 0xFFFF_FFFF_0000_0000 == tag {
                let number = Int(truncatingIfNeeded: slot & 0xFFFF_FFFF) &- 1
                let start = Int(keptStarts[number])
                let candidate = kept.raw.part(start, Int(keptStarts[number &+ 1]) &- start)
                if isLong ? candidate.isEqual(digest.raw) : candidate.isEqual(word) { return number }
            }
            index = (index &+ 1) & mask
        }
        guard count < TokenUnits.numbersMax, kept.count < Int(UInt32.max) - Self.digestLength else {
            throw StoreError(.tooLarge, "number the words", detail: "\(count) words")
        }
        let number = count
        slots[index] = tag | UInt64(number + 1)
        if isLong { kept.append(contentsOf: digest) } else { kept.append(copying: word) }
        keptStarts.append(UInt32(kept.count))
        try words.append(word)
        try words.append(UInt8(ascii: " "))
        try lengths.append(UInt32(word.byteCount))
        byteCount += word.byteCount + 1
        for offset in 0..<word.byteCount where word.u8(offset) < 0x20 { hasControls = true }
        count += 1
        if count * 2 > slots.count { grow() }
        return number
    }

    private mutating func makeDigest(_ word: RawSpan, _ key: UInt64) {
        digest.removeAll(keepingCapacity: true)
        digest.append(littleEndian: key)
        digest.append(littleEndian: second(word))
        digest.append(littleEndian: UInt64(word.byteCount))
        digest.append(0)
    }

    private mutating func grow() {
        // The slots keep only half of each hash, so the words' hashes are made again; long words have theirs kept.
        var larger = [UInt64](repeating: 0, count: slots.count * 2)
        let mask = larger.count - 1
        for slot in slots where slot != 0 {
            let number = Int(truncatingIfNeeded: slot & 0xFFFF_FFFF) - 1
            let start = Int(keptStarts[number])
            let bytes = kept.raw.part(start, Int(keptStarts[number + 1]) - start)
            let key = bytes.byteCount == Self.digestLength ? bytes.u64(0) : hash(bytes)
            var index = Int(truncatingIfNeeded: key) & mask
            while larger[index] != 0 { index = (index + 1) & mask }
            larger[index] = slot
        }
        slots = larger
    }

    /// Ends the numbering and hands the words over.
    mutating func seal() throws(StoreError) -> WordList {
        slots = []
        kept = []
        keptStarts = []
        return WordList(
            words: try words.seal(), lengths: try lengths.seal(), count: count, hasControls: hasControls)
    }
}
