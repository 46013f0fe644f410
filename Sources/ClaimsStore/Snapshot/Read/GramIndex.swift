// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The short patterns that have posting lists of their own, in each searched field.
struct GramIndex: Sendable {
    /// The grams' numbers, ascending; a gram's place here is its key in the posting lists.
    let numbers: Table

    init(_ sections: SectionIndex) {
        numbers = sections.table(.grams)
    }

    /// The key of a pattern in the columns' lists of grams; nil where it has none.
    func key(of pattern: [UInt8], _ bytes: RawSpan) -> Int? {
        guard !pattern.isEmpty, pattern.count <= Gram.longest else { return nil }
        let wanted = Int(Gram.number(pattern.raw, at: 0, count: pattern.count))
        var low = 0
        var high = numbers.count
        while low < high {
            let middle = (low + high) / 2
            if numbers[middle, bytes] < wanted { low = middle + 1 } else { high = middle }
        }
        return low < numbers.count && numbers[low, bytes] == wanted ? low : nil
    }
}
