// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension SetBuilder {
    /// The rows that have a phrase: those that have each of its words, checked word by word.
    mutating func matches(_ phrase: PhraseMatches) throws(QueryInterruption) -> RowSet {
        let snapshot = snapshot
        let bytes = snapshot.bytes
        var rows = try candidates(of: phrase)
        guard phrase.middle.count + 2 <= PhraseMasks.placesMax else {
            for index in rows.indices {
                var (left, found) = (rows[index], UInt64(0))
                while left != 0 {
                    let bit = left.trailingZeroBitCount
                    left &= left &- 1
                    try steps.spend(64)
                    if phrase.contains(index << 6 | bit, snapshot.columns, bytes) { found |= 1 << UInt64(bit) }
                }
                rows[index] = found
            }
            return counted(rows)
        }
        let tokens = snapshot.columns[phrase.column].tokens
        let masks = PhraseMasks(
            phrase, units: scratch.takeBytes(PhraseMasks.unitCount), words: snapshot.vocabulary.count)
        var batch = PhraseBatch()
        for index in rows.indices {
            var left = rows[index]
            while left != 0 {
                try batch.append(index << 6 | left.trailingZeroBitCount, tokens, masks, &rows, &steps, bytes)
                left &= left &- 1
            }
        }
        try batch.check(masks, &rows, &steps, bytes)
        scratch.giveBytes(masks.cleared(phrase))
        return counted(rows)
    }

    /// Lists, all of whose rows together are candidates.
    private struct Group {
        let lists: PostingLists
        let keys: [Int]
        var total = 0
        /// What uniting them costs.
        var cost = 0

        init(_ lists: PostingLists, _ keys: [Int], rows: Int, _ bytes: RawSpan) {
            self.lists = lists
            self.keys = keys
            for key in keys {
                let count = lists.count(key, bytes)
                total += count
                cost += ListMatches.cost(of: count, rows)
            }
        }
    }

    /// The rows that may have the phrase, as a bitmap: those that have each of its words and junctions whose lists are
    /// soon united.
    private mutating func candidates(of phrase: PhraseMatches) throws(QueryInterruption) -> [UInt64] {
        let snapshot = snapshot
        let bytes = snapshot.bytes
        let rows = rows
        let column = snapshot.columns[phrase.column]
        var groups = ([phrase.first, phrase.last] + phrase.middle.map { [$0] })
            .map { Group(column.postings, $0, rows: rows, bytes) }
        groups += junctions(of: phrase, column).map { Group(column.junctions, $0, rows: rows, bytes) }
        groups.sort { $0.total < $1.total }
        var candidates = scratch.take(Bits.words(rows))
        var left = rows
        var isNarrowed = false
        for group in groups {
            // Uniting the lists costs as much as they have rows; it saves looking through the texts of the others, each
            // of which takes as long as some 32 rows of a list. How many others there are is only guessed.
            let saved = 32 * Double(left) * Double(rows) / Double(rows + group.total)
            guard Double(group.cost + rows / 32) < saved else { continue }
            var added = isNarrowed ? scratch.take(candidates.count) : candidates
            if !isNarrowed { candidates = [] }
            for key in group.keys { try add(key, of: group.lists, to: &added) }
            if isNarrowed {
                Bits.intersect(&candidates, added)
                scratch.give(added)
            } else {
                candidates = added
                isNarrowed = true
            }
            left = Bits.count(candidates)
        }
        if !isNarrowed { Bits.invert(&candidates, rows: rows) }
        return candidates
    }

    /// For each place between two words of the phrase: the keys of the junctions that it can be.
    private func junctions(of phrase: PhraseMatches, _ column: Column) -> [[Int]] {
        guard let junction = Junction(keys: column.junctions.counts.count) else { return [] }
        let vocabulary = snapshot.vocabulary
        let bytes = snapshot.bytes
        func classes(_ words: [Int], _ one: (RawSpan) -> Int) -> [Int] {
            var found = [Bool](repeating: false, count: junction.classes)
            for word in words where column.postings.count(word, bytes) > 0 {
                found[one(vocabulary.word(word, bytes))] = true
            }
            return found.indices.filter { found[$0] }
        }
        let words = [phrase.first] + phrase.middle.map { [$0] } + [phrase.last]
        return words.indices.dropLast().map { place in
            let endings = classes(words[place]) { junction.ending(of: $0) }
            let beginnings = classes(words[place + 1]) { junction.beginning(of: $0) }
            return endings.flatMap { ending in beginnings.map { junction.key(ending, $0) } }
        }
    }
}
