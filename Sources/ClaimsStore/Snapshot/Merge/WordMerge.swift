// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The words of an earlier snapshot, which keep their numbers, and those that new records brought.
struct WordMerge: Sendable {
    let old: Snapshot
    let fresh: WordList
    /// What orders the new records' texts.
    let ranks: WordRanks
    /// By number among the new records' words: where the word begins; then the end.
    let starts: [Int]
    /// By number among the new records' words: the number here.
    let numbers: [UInt32]
    /// The words that the earlier snapshot does not have, by their numbers among the new records' words.
    let added: [UInt32]
    /// The same in their byte order, and before which place of the earlier order each belongs.
    let addedInOrder: [(word: UInt32, place: Int)]

    /// How many words there are.
    var count: Int { old.vocabulary.count + added.count }

    init(_ old: Snapshot, _ fresh: WordList) {
        let (order, ranks, starts) = WordRanks.make(fresh)
        let vocabulary = old.vocabulary
        let oldBytes = old.bytes
        let bytes = fresh.words.bytes
        var numbers = [UInt32](repeating: .max, count: fresh.count)
        var addedInOrder: [(word: UInt32, place: Int)] = []
        var place = 0
        for word in order {
            let text = bytes.part(starts[Int(word)], starts[Int(word) + 1] - starts[Int(word)] - 1)
            let found = LowerBound.find(from: place, to: vocabulary.count) {
                vocabulary.word(vocabulary.order[$0, oldBytes], oldBytes).compare(text)
            }
            place = found.place
            if found.order == 0 {
                numbers[Int(word)] = UInt32(truncatingIfNeeded: vocabulary.order[place, oldBytes])
            } else {
                addedInOrder.append((word, place))
            }
        }
        // In the order they were first seen, as all words are.
        var added: [UInt32] = []
        for word in numbers.indices where numbers[word] == .max {
            numbers[word] = UInt32(truncatingIfNeeded: vocabulary.count + added.count)
            added.append(UInt32(word))
        }
        self.old = old
        self.fresh = fresh
        self.ranks = ranks
        self.starts = starts
        self.numbers = numbers
        self.added = added
        self.addedInOrder = addedInOrder
    }

    /// Appends the text that units of new records stand for.
    func appendText(_ units: Range<Int>, of tokens: RawSpan, to text: inout [UInt8]) {
        let bytes = fresh.words.bytes
        var index = units.lowerBound
        while index < units.upperBound {
            if index > units.lowerBound { text.append(UInt8(ascii: " ")) }
            let word = TokenUnits.next(&index) { tokens.u16($0 &* 2) }
            guard word < fresh.count else { continue }
            text.append(copying: bytes.part(starts[word], starts[word + 1] - starts[word] - 1))
        }
    }

    /// Appends units of new records with the numbers that their words have here.
    func appendUnits(_ range: Range<Int>, of tokens: RawSpan, to units: inout [UInt16]) {
        var index = range.lowerBound
        while index < range.upperBound {
            let word = TokenUnits.next(&index) { tokens.u16($0 &* 2) }
            TokenUnits.append(word < numbers.count ? Int(numbers[word]) : 0, to: &units)
        }
    }
}
