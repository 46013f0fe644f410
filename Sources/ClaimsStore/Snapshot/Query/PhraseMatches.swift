// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The rows that have a phrase in one searched field: a word that ends with its first, then exactly those between,
/// then one that begins with its last.
struct PhraseMatches {
    let column: Int
    /// Ascending numbers.
    let first: [Int]
    let middle: [Int]
    let last: [Int]
    /// At least as many rows as have it.
    let bound: Int

    func contains(_ row: Int, _ index: ColumnIndex, _ bytes: RawSpan) -> Bool {
        let tokens = index[column].tokens.units(row, bytes)
        // How far each phrase that has begun may go on: bit N is set after a word that can be its N-th.
        var open: UInt64 = 0
        var place = 0
        let lastBit = UInt64(1) << UInt64(middle.count)
        while place < tokens.count {
            let word = TokenUnits.next(&place) { tokens[$0, bytes] }
            if open & lastBit != 0, last.sortedContains(word) { return true }
            var next: UInt64 = 0
            if open != 0 {
                for (number, wanted) in middle.enumerated() where word == wanted && open >> UInt64(number) & 1 != 0 {
                    next |= 2 << UInt64(number)
                }
            }
            if first.sortedContains(word) { next |= 1 }
            open = next
        }
        return false
    }

    /// The most words between the first and the last; a filter has no room for more.
    static let middleMax = 62
}
