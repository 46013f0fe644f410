// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The rows that have one of some words in one of some searched fields.
struct WordMatches {
    let columns: [Int]
    /// The words' numbers, ascending.
    let words: [Int]
    /// At least as many rows as have them.
    let bound: Int
    /// The one list that these rows are; nil where there are several.
    let only: (column: Int, word: Int)?

    init(_ columns: [Int], _ words: [Int], _ index: ColumnIndex, _ bytes: RawSpan) {
        self.columns = columns
        self.words = words
        var bound = 0
        var lists: [(column: Int, word: Int)] = []
        for column in columns {
            let postings = index[column].postings
            for word in words {
                let count = postings.count(word, bytes)
                if count == 0 { continue }
                bound += count
                if lists.count < 2 { lists.append((column, word)) }
            }
        }
        self.bound = bound
        only = lists.count == 1 ? lists[0] : nil
    }

    /// Looks through the row's words.
    func contains(_ row: Int, _ index: ColumnIndex, _ bytes: RawSpan) -> Bool {
        columns.contains { column in
            let tokens = index[column].tokens.units(row, bytes)
            var place = 0
            while place < tokens.count {
                if words.sortedContains(TokenUnits.next(&place) { tokens[$0, bytes] }) { return true }
            }
            return false
        }
    }
}

extension [Int] {
    /// Whether the number is in this ascending array.
    func sortedContains(_ number: Int) -> Bool {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low < count && self[low] == number
    }
}
