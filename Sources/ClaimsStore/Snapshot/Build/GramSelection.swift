// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Which grams get posting lists of their own, and what their lists are put together from.
///
/// A gram's rows are those of the longer chosen grams that it is in, and of the words that have it elsewhere too: so
/// most words need to be gone through only for the longest.
struct GramSelection: Sendable {
    /// Ascending: the longest first.
    let numbers: [UInt32]
    /// By gram: where its longer grams begin among `longer`; then the end.
    let longerStarts: [Int]
    let longer: [UInt32]
    /// By gram: where its words begin among `words`; then the end.
    let wordStarts: [Int]
    let words: [UInt32]
    /// The grams of one and two bytes that occur and have no lists, ascending, and each one's words.
    let few: [UInt32]
    let fewStarts: [Int]
    let fewWords: [UInt32]

    /// Chooses among the grams of words that occur.
    ///
    /// - Parameter counts: of each searched field, the counts of its words' posting lists.
    static func make(_ vocabulary: Vocabulary, rows: Int, counts: [Table], _ bytes: RawSpan) -> GramSelection {
        let costs = (0..<vocabulary.count).map { word in
            counts.reduce(0) { $0 + ListMatches.cost(of: $1[word, bytes], rows) }
        }
        let weights = GramWeights(vocabulary, costs, bytes)
        return GramSelection(
            weights.heavy(vocabulary, costs, rows: rows, bytes), weights.light(rows: rows), vocabulary, costs, bytes)
    }

    private init(
        _ numbers: [UInt32], _ few: [UInt32], _ vocabulary: Vocabulary, _ costs: [Int], _ bytes: RawSpan
    ) {
        self.numbers = numbers
        self.few = few
        let fewIndex = GramNumbers(few)
        (fewStarts, fewWords) = Self.lists(few.count) { enter in
            for word in costs.indices where costs[word] > 0 {
                Gram.forEach(in: vocabulary.word(word, bytes)) { number, _ in
                    if number >= Gram.shortMin, let gram = fewIndex[number] { enter(gram, word) }
                }
            }
        }
        let index = GramNumbers(numbers)
        (longerStarts, longer) = Self.lists(numbers.count) { enter in
            for (place, number) in numbers.enumerated() where Gram.length(number) > 1 {
                let (first, second) = Gram.parts(number)
                if let part = index[first] { enter(part, place) }
                if let part = index[second], second != first { enter(part, place) }
            }
        }
        (wordStarts, words) = Self.lists(numbers.count) { enter in
            for word in costs.indices where costs[word] > 0 {
                let text = vocabulary.word(word, bytes)
                Gram.forEach(in: text) { number, offset in
                    guard let gram = index[number], !Self.isCovered(number, text, offset, index) else { return }
                    enter(gram, word)
                }
            }
        }
    }

    /// Whether a longer chosen gram has this one in it, at this place of the word.
    @inline(__always)
    private static func isCovered(_ number: UInt32, _ text: RawSpan, _ offset: Int, _ index: GramNumbers) -> Bool {
        let length = Gram.length(number) + 1
        if length > Gram.longest { return false }
        if offset + length <= text.byteCount, index[Gram.number(text, at: offset, count: length)] != nil { return true }
        return offset > 0 && index[Gram.number(text, at: offset - 1, count: length)] != nil
    }

    /// Lists of numbers by key, from all that `pairs` enters; it is called twice.
    private static func lists(
        _ count: Int, _ pairs: ((_ key: Int, _ value: Int) -> Void) -> Void
    ) -> (starts: [Int], values: [UInt32]) {
        var starts = [Int](repeating: 0, count: count + 1)
        pairs { key, _ in starts[key + 1] += 1 }
        for key in 0..<count { starts[key + 1] += starts[key] }
        var next = starts
        var values = [UInt32](repeating: 0, count: starts[count])
        pairs { key, value in
            values[next[key]] = UInt32(truncatingIfNeeded: value)
            next[key] += 1
        }
        return (starts, values)
    }
}
