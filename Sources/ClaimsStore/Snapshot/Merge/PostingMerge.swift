// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// Writes the posting lists of one field's words: those of an earlier snapshot, without the rows that do not go on and
/// with the new ones. Lists that nothing changes in are copied.
struct PostingMerge {
    let input: MergeInput
    let owner: Int
    let lists: PostingLists

    func write(_ fresh: FreshTokens) throws(StoreError) {
        let rows = FreshPostings(input.rows, fresh, words: input.words.count)
        let isTouched = touchedWords()
        let bytes = input.old.bytes
        let places = input.rows.places
        var units = SpillStream<UInt16>(Paths.parent(input.output.path))
        var starts: [UInt32] = [0]
        starts.reserveCapacity(input.words.count + 1)
        var counts: [UInt32] = []
        counts.reserveCapacity(input.words.count)
        var list = PostingListWriter()
        for word in 0..<input.words.count {
            let range = rows.range(word)
            let old = word < lists.counts.count ? lists.starts.range(word, bytes) : 0..<0
            if range.isEmpty, let isTouched, word >= isTouched.count || !isTouched[word],
                old.upperBound <= lists.size
            {
                let copied = bytes.part(lists.offset &+ old.lowerBound &* 2, old.count &* 2)
                try units.append(contentsOf: unsafe copied._unsafeView(as: UInt16.self))
                counts.append(UInt32(truncatingIfNeeded: word < lists.counts.count ? lists.count(word, bytes) : 0))
            } else {
                list.begin()
                var next = range.lowerBound
                if word < lists.counts.count {
                    lists.forEach(word, bytes) { there in
                        guard there < places.count, places[there] != RowMerge.gone else { return true }
                        let row = places[there]
                        while next < range.upperBound, rows.rows[next] < row {
                            list.append(rows.rows[next])
                            next &+= 1
                        }
                        list.append(row)
                        return true
                    }
                }
                for index in next..<range.upperBound { list.append(rows.rows[index]) }
                list.end()
                try units.append(contentsOf: list.units.span)
                counts.append(UInt32(truncatingIfNeeded: list.count))
            }
            guard units.count <= Int(UInt32.max) else { throw StoreError(.tooLarge, "index the words") }
            starts.append(UInt32(units.count))
        }
        try input.output.write(.postingCounts, owner: owner, width: 4, counts.span)
        try input.output.write(.postingStarts, owner: owner, width: 4, starts.span)
        let sealed = try units.seal()
        var section = SectionWriter(.postings, owner: owner, width: 2, size: sealed.count * 2, to: input.output)
        try section.append(sealed.bytes.part(0, sealed.count * 2))
        try section.finish()
    }

    /// The words of rows that do not go on; nil where every list changes, because rows get other numbers.
    private func touchedWords() -> [Bool]? {
        guard input.rows.keepsRows else { return nil }
        let bytes = input.old.bytes
        let texts = input.old.column(owner).tokens
        var isTouched = [Bool](repeating: false, count: lists.counts.count)
        for row in input.rows.places.indices where input.rows.places[row] == RowMerge.gone {
            let units = texts.units(row, bytes)
            var index = 0
            while index < units.count {
                let word = TokenUnits.next(&index) { units[$0, bytes] }
                if word < isTouched.count { isTouched[word] = true }
            }
        }
        return isTouched
    }
}
