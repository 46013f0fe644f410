// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Numbers the distinct words of a build in the order they are first seen.
///
/// In memory is only a hash table of the words' keys; the words themselves are spilled.
struct WordTable {
    /// So many words of a text are looked up together.
    private static let batch = 64

    private let seed: UInt64
    private var slots: WordSlots
    private var words: SpillStream<UInt8>
    private var lengths: SpillStream<UInt32>
    private(set) var count = 0
    /// Whether a word holds a byte below the space, which orders before the end of other words.
    private(set) var hasControls = false
    /// The text at hand, with spaces after it, so that whole numbers can be read anywhere.
    private var padded: [UInt8] = []
    private var sum: UInt64 = 0
    private var pending = [Pending](repeating: Pending(), count: WordTable.batch)

    /// A word of the text at hand.
    private struct Pending {
        var key = WordKey(low: 0, high: 0)
        var start: UInt32 = 0
        var end: UInt32 = 0
        var place = 0
    }

    init(_ directory: String, seed: UInt64) {
        self.seed = seed
        slots = WordSlots(seed: seed)
        words = SpillStream(directory)
        lengths = SpillStream(directory)
    }

    /// Appends the numbers of a folded text's words, new ones for those that have none.
    mutating func append(_ text: RawSpan, to units: inout [UInt16]) throws(StoreError) {
        var padded: [UInt8] = []
        swap(&padded, &self.padded)
        padded.removeAll(keepingCapacity: true)
        padded.append(copying: text)
        padded.append(littleEndian: WordKey.spaces)
        padded.append(littleEndian: WordKey.spaces)
        var offset = 0
        while offset < text.byteCount { try appendBatch(padded.raw, text.byteCount, &offset, to: &units) }
        swap(&padded, &self.padded)
    }

    /// Appends some words: the table's places are all read before any is looked at, so that the waits for memory
    /// overlap.
    private mutating func appendBatch(
        _ text: RawSpan, _ count: Int, _ offset: inout Int, to units: inout [UInt16]
    ) throws(StoreError) {
        var pending: [Pending] = []
        swap(&pending, &self.pending)
        var filled = 0
        while filled < Self.batch, offset < count {
            let (key, end) = WordKey.read(text, at: offset, seed)
            pending[filled] = Pending(
                key: key, start: UInt32(truncatingIfNeeded: offset), end: UInt32(truncatingIfNeeded: end),
                place: slots.place(key))
            filled &+= 1
            offset = end &+ 1
        }
        // The sum is used, lest the reads be optimised away.
        var touched: UInt64 = 0
        for index in 0..<filled { touched &+= UInt64(slots.following(at: pending[index].place)) }
        sum = touched
        for index in 0..<filled {
            let word = pending[index]
            var number = slots.find(word.key, from: word.place)
            if number < 0 {
                number = try enter(text.part(Int(word.start), Int(word.end &- word.start)), word.key)
            }
            TokenUnits.append(number, to: &units)
        }
        swap(&pending, &self.pending)
    }

    private mutating func enter(_ word: RawSpan, _ key: WordKey) throws(StoreError) -> Int {
        guard count < TokenUnits.numbersMax - 1 else { throw StoreError(.tooLarge, "number the words") }
        slots.enter(key, count)
        try words.append(word)
        try words.append(UInt8(ascii: " "))
        try lengths.append(UInt32(truncatingIfNeeded: word.byteCount))
        for offset in 0..<word.byteCount where word.u8(offset) < 0x20 { hasControls = true }
        count += 1
        return count - 1
    }

    /// Ends the numbering and hands the words over.
    mutating func seal() throws(StoreError) -> WordList {
        slots = WordSlots(seed: seed)
        return WordList(
            words: try words.seal(), lengths: try lengths.seal(), count: count, hasControls: hasControls)
    }
}
