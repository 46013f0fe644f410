// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The rows that have one of some words, or a gram, in one of some searched fields.
struct ListMatches {
    let columns: [Int]
    /// The words' numbers, ascending; or the gram's key.
    private let keys: [Int]
    private let isGram: Bool
    /// At least as many rows as have them.
    let bound: Int
    /// What uniting the lists costs, in rows that are added one by one.
    let cost: Int
    /// The one list that these rows are; nil where there are several.
    let only: ListPlace?

    /// - Parameter words: their numbers, ascending.
    init(words: [Int], in columns: [Int], _ index: ColumnIndex, rows: Int, _ bytes: RawSpan) {
        self.init(columns, words, isGram: false, index, rows, bytes)
    }

    init(gram: Int, in columns: [Int], _ index: ColumnIndex, rows: Int, _ bytes: RawSpan) {
        self.init(columns, [gram], isGram: true, index, rows, bytes)
    }

    private init(_ columns: [Int], _ keys: [Int], isGram: Bool, _ index: ColumnIndex, _ rows: Int, _ bytes: RawSpan) {
        self.columns = columns
        self.keys = keys
        self.isGram = isGram
        var (bound, cost) = (0, 0)
        var found: [ListPlace] = []
        for column in columns {
            let lists = isGram ? index[column].grams : index[column].postings
            for key in keys {
                let count = lists.count(key, bytes)
                if count == 0 { continue }
                bound += count
                cost += Self.cost(of: count, rows)
                if found.count < 2 { found.append(ListPlace(column: column, key: key, isGram: isGram)) }
            }
        }
        self.bound = bound
        self.cost = cost
        only = found.count == 1 ? found[0] : nil
    }

    /// What adding a list of so many rows costs, in single rows: it must be found, and a dense one is bitmaps.
    @inline(__always)
    static func cost(of count: Int, _ rows: Int) -> Int { count == 0 ? 0 : listCost + min(count, rows / 64) }

    private static let listCost = 24

    /// Calls `body` with each of the lists.
    @inline(__always)
    func forEachList(
        _ index: ColumnIndex, _ body: (PostingLists, Int) throws(QueryInterruption) -> Void
    ) throws(QueryInterruption) {
        for column in columns {
            let lists = isGram ? index[column].grams : index[column].postings
            for key in keys { try body(lists, key) }
        }
    }

    /// Looks the row up in the gram's lists, or looks through its words.
    func contains(_ row: Int, _ index: ColumnIndex, _ bytes: RawSpan) -> Bool {
        columns.contains { column in
            if isGram { return index[column].grams.contains(row, keys[0], bytes) }
            let tokens = index[column].tokens.units(row, bytes)
            var place = 0
            while place < tokens.count {
                if keys.sortedContains(TokenUnits.next(&place) { tokens[$0, bytes] }) { return true }
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
