// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// The rows that have one of some terms, or an n-gram, in one of some searched fields.
struct ListMatches {
    let columns: [Int]
    /// The terms' numbers, ascending; or the n-gram's key.
    private let keys: [Int]
    private let isNGram: Bool
    /// An upper bound of the number of rows that have them.
    let bound: Int
    /// The cost of uniting the lists, in rows that are added one by one.
    let cost: Int
    /// The one list with exactly these rows; nil if there are several.
    let only: PostingListID?

    /// - Parameter terms: their numbers, ascending.
    init(terms: [Int], in columns: [Int], _ index: ColumnsView, rows: Int) {
        self.init(columns: columns, keys: terms, isNGram: false, index, rows: rows)
    }

    init(nGram: Int, in columns: [Int], _ index: ColumnsView, rows: Int) {
        self.init(columns: columns, keys: [nGram], isNGram: true, index, rows: rows)
    }

    private init(
        columns: [Int], keys: [Int], isNGram: Bool, _ index: ColumnsView, rows: Int
    ) {
        self.columns = columns
        self.keys = keys
        self.isNGram = isNGram
        var (bound, cost) = (0, 0)
        var found: [PostingListID] = []
        for column in columns {
            let lists = isNGram ? index[column].nGrams : index[column].postings
            for key in keys {
                let count = lists.count(key)
                if count == 0 { continue }
                bound += count
                cost += PostingLists.unionCost(of: count, rows: rows)
                if found.count < 2 { found.append(PostingListID(column: column, key: key, isNGram: isNGram)) }
            }
        }
        self.bound = bound
        self.cost = cost
        only = found.count == 1 ? found[0] : nil
    }

    /// Calls `body` with each of the lists.
    @inline(__always)
    func forEachList(
        _ index: ColumnsView, _ body: (PostingListsView, Int) throws(QueryInterruption) -> Void
    ) throws(QueryInterruption) {
        for column in columns {
            let lists = isNGram ? index[column].nGrams : index[column].postings
            for key in keys { try body(lists, key) }
        }
    }

    /// Finds the row in the n-gram's lists, or searches its terms.
    func contains(_ row: Int, _ index: ColumnsView) -> Bool {
        columns.contains { column in
            if isNGram { return index[column].nGrams.contains(row, keys[0]) }
            let tokens = index[column].tokens.units(row)
            var offset = 0
            while offset < tokens.count {
                if keys.sortedContains(TokenUnits.next(&offset) { tokens[$0] }) { return true }
            }
            return false
        }
    }
}

extension [Int] {
    /// Whether the number is in this ascending array.
    func sortedContains(_ number: Int) -> Bool {
        let index = indices.partitionPoint { self[$0] < number }
        return index < count && self[index] == number
    }
}

/// The location of a posting list: of a term, or of an n-gram, in one searched field.
struct PostingListID {
    let column: Int
    let key: Int
    let isNGram: Bool

    @inline(__always)
    func lists(_ index: ColumnIndex) -> PostingLists { isNGram ? index[column].nGrams : index[column].postings }

    @_lifetime(copy index)
    @inline(__always)
    func lists(_ index: ColumnsView) -> PostingListsView { isNGram ? index[column].nGrams : index[column].postings }
}

/// The rows that have a phrase in one searched field: a term that ends with its first word, then exactly the words
/// between, then a term that begins with its last word.
struct PhraseMatches {
    let column: Int
    /// Ascending numbers.
    let first: [Int]
    let middle: [Int]
    let last: [Int]
    /// An upper bound of the number of rows that have it.
    let bound: Int

    func contains(_ row: Int, _ index: ColumnsView) -> Bool {
        let tokens = index[column].tokens.units(row)
        // The state of each phrase that has begun: bit N is set after a term that can be its N-th.
        var open: UInt64 = 0
        var offset = 0
        let lastBit = UInt64(1) << UInt64(middle.count)
        while offset < tokens.count {
            let term = TokenUnits.next(&offset) { tokens[$0] }
            if open & lastBit != 0, last.sortedContains(term) { return true }
            var next: UInt64 = 0
            if open != 0 {
                for (number, wanted) in middle.enumerated() where term == wanted && open >> UInt64(number) & 1 != 0 {
                    next |= 2 << UInt64(number)
                }
            }
            if first.sortedContains(term) { next |= 1 }
            open = next
        }
        return false
    }

    /// The most terms between the first and the last; a filter has no room for more.
    static let maxMiddle = 62
}
