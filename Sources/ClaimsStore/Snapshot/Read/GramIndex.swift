// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The short patterns that have posting lists of their own, in each searched field.
struct GramIndex: Sendable {
    /// The grams' numbers, ascending; a gram's place here is its key in the posting lists.
    let numbers: Table

    /// The short grams that are in too few words to have lists, and the words of each.
    private let few: Table
    private let fewStarts: Table
    private let fewWords: Table

    init(_ sections: SectionIndex) {
        numbers = sections.table(.grams)
        few = sections.table(.fewGrams)
        fewStarts = sections.table(.fewStarts)
        fewWords = sections.table(.fewWords)
    }

    /// The key of a pattern in the columns' lists of grams; nil where it has none.
    func key(of pattern: [UInt8], _ bytes: RawSpan) -> Int? {
        guard !pattern.isEmpty, pattern.count <= Gram.longest else { return nil }
        return place(of: pattern, numbers, bytes)
    }

    /// The key of a gram by its number.
    func key(of number: UInt32, _ bytes: RawSpan) -> Int? { place(of: Int(number), numbers, bytes) }

    /// The numbers of the words that have a pattern in them which has no lists, ascending; nil where only the words
    /// themselves tell.
    func words(with pattern: [UInt8], _ bytes: RawSpan) -> [Int]? {
        guard few.count > 0, pattern.count == 1 || pattern.count == 2 else { return nil }
        guard let place = place(of: pattern, few, bytes) else { return [] }
        var last = -1
        return fewStarts.range(place, bytes).compactMap { index in
            let word = fewWords[index, bytes]
            defer { last = word }
            return index < fewWords.count && word > last ? word : nil
        }
    }

    private func place(of pattern: [UInt8], _ table: Table, _ bytes: RawSpan) -> Int? {
        place(of: Int(Gram.number(pattern.raw, at: 0, count: pattern.count)), table, bytes)
    }

    private func place(of wanted: Int, _ table: Table, _ bytes: RawSpan) -> Int? {
        var low = 0
        var high = table.count
        while low < high {
            let middle = (low + high) / 2
            if table[middle, bytes] < wanted { low = middle + 1 } else { high = middle }
        }
        return low < table.count && table[low, bytes] == wanted ? low : nil
    }
}
