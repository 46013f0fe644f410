// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension SetBuilder {
    /// The rows that have a phrase: those that have each of its words, checked word by word.
    mutating func matches(_ phrase: PhraseMatches) throws(QueryInterruption) -> RowSet {
        let snapshot = snapshot
        let bytes = snapshot.bytes
        let columns = snapshot.columns
        var groups = [phrase.first, phrase.last] + phrase.middle.map { [$0] }
        groups.sort { total($0, phrase.column) < total($1, phrase.column) }
        var candidates = scratch.take(Bits.words(rows))
        for word in groups[0] { try add(word, of: phrase.column, to: &candidates) }
        for group in groups.dropFirst() {
            var other = scratch.take(Bits.words(rows))
            for word in group { try add(word, of: phrase.column, to: &other) }
            Bits.intersect(&candidates, other)
            scratch.give(other)
        }
        var found = scratch.take(Bits.words(rows))
        var count = 0
        try Bits.forEach(candidates) { row throws(QueryInterruption) in
            try steps.spend(8)
            if phrase.contains(row, columns, bytes) {
                Bits.insert(row, into: &found)
                count += 1
            }
            return true
        }
        scratch.give(candidates)
        return .bits(found, count: count)
    }

    private func total(_ words: [Int], _ column: Int) -> Int {
        let postings = snapshot.columns[column].postings
        return words.reduce(0) { $0 + postings.count($1, snapshot.bytes) }
    }
}
