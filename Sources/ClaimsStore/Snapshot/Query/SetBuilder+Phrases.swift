// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension SetBuilder {
    /// The rows that have a phrase: those that have each of its words, checked word by word.
    mutating func matches(_ phrase: PhraseMatches) throws(QueryInterruption) -> RowSet {
        guard phrase.middle.count + 2 <= PhraseMasks.placesMax else { return try matchesLong(phrase) }
        let snapshot = snapshot
        let bytes = snapshot.bytes
        let tokens = snapshot.columns[phrase.column].tokens
        let masks = PhraseMasks(phrase, masks: scratch.takeBytes(snapshot.vocabulary.count))
        var found = scratch.take(Bits.words(rows))
        var count = 0
        try forEachCandidate(of: phrase) { row, steps throws(QueryInterruption) in
            let units = tokens.units(row, bytes)
            try steps.spend(4 + units.count / 4)
            if masks.isIn(units, bytes) {
                Bits.insert(row, into: &found)
                count += 1
            }
        }
        scratch.giveBytes(masks.cleared(phrase))
        return .bits(found, count: count)
    }

    private mutating func matchesLong(_ phrase: PhraseMatches) throws(QueryInterruption) -> RowSet {
        let snapshot = snapshot
        let bytes = snapshot.bytes
        var found = scratch.take(Bits.words(rows))
        var count = 0
        try forEachCandidate(of: phrase) { row, steps throws(QueryInterruption) in
            try steps.spend(64)
            if phrase.contains(row, snapshot.columns, bytes) {
                Bits.insert(row, into: &found)
                count += 1
            }
        }
        return .bits(found, count: count)
    }

    /// Calls `body` with each row that may have the phrase: it has each word that few enough rows have.
    private mutating func forEachCandidate(
        of phrase: PhraseMatches, _ body: (Int, inout QuerySteps) throws(QueryInterruption) -> Void
    ) throws(QueryInterruption) {
        let snapshot = snapshot
        let lists = snapshot.columns[phrase.column].postings
        let bytes = snapshot.bytes
        func total(_ words: [Int]) -> Int { words.reduce(0) { $0 + lists.count($1, bytes) } }
        let groups = ([phrase.first, phrase.last] + phrase.middle.map { [$0] })
            .map { (words: $0, total: total($0)) }
            .sorted { $0.total < $1.total }
        guard let rarest = groups.first, rarest.total < rows / 2 else {
            for row in 0..<rows { try body(row, &steps) }
            return
        }
        var candidates = scratch.take(Bits.words(rows))
        for word in rarest.words { try add(word, of: lists, to: &candidates) }
        // A list that is long compared with the candidates costs more than it saves.
        for group in groups.dropFirst() where group.total < rarest.total * 16 && group.total < rows / 4 * 3 {
            var other = scratch.take(Bits.words(rows))
            for word in group.words { try add(word, of: lists, to: &other) }
            Bits.intersect(&candidates, other)
            scratch.give(other)
        }
        try Bits.forEach(candidates) { row throws(QueryInterruption) in
            try body(row, &steps)
            return true
        }
        scratch.give(candidates)
    }
}
