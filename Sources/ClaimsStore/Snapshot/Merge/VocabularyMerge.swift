// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// Writes the words of an earlier snapshot with the new ones behind them, their order, and the index of their trigrams.
struct VocabularyMerge: BuildJob {
    let words: WordMerge
    let output: SnapshotOutput

    func write() throws(StoreError) {
        if words.added.isEmpty { try copy() } else { try extend() }
    }

    private func copy() throws(StoreError) {
        let bytes = words.old.bytes
        let kinds: [SectionKind] = [.wordStarts, .words, .wordOrder, .trigramStarts, .trigramCounts, .trigrams]
        for section in words.old.sections {
            guard let kind = SectionKind(rawValue: section.kind), kinds.contains(kind) else { continue }
            try output.write(kind, width: Int(section.width), bytes: bytes.part(section.offset, section.size))
        }
    }

    private func extend() throws(StoreError) {
        let vocabulary = words.old.vocabulary
        let bytes = words.old.bytes
        var starts: [Int] = []
        starts.reserveCapacity(words.count + 1)
        for number in 0..<vocabulary.count { starts.append(vocabulary.starts[number, bytes]) }
        starts.append(vocabulary.words.size)
        for word in words.added {
            starts.append(starts[starts.count - 1] + words.starts[Int(word) + 1] - words.starts[Int(word)])
        }
        let size = starts[starts.count - 1]
        try output.writeTable(.wordStarts, count: starts.count, bound: size) { starts[$0] }
        var section = SectionWriter(.words, size: size, to: output)
        try section.append(vocabulary.words.all(bytes))
        for word in words.added {
            let start = words.starts[Int(word)]
            try section.append(words.fresh.words.bytes.part(start, words.starts[Int(word) + 1] - start))
        }
        try section.finish()
        try writeOrder()
        try writeTrigrams(starts, at: section.offset)
    }

    private func writeOrder() throws(StoreError) {
        let order = words.old.vocabulary.order
        let bytes = words.old.bytes
        var merged: [UInt32] = []
        merged.reserveCapacity(words.count)
        var place = 0
        for added in words.addedInOrder {
            while place < added.place {
                merged.append(UInt32(truncatingIfNeeded: order[place, bytes]))
                place += 1
            }
            merged.append(words.numbers[Int(added.word)])
        }
        while place < words.old.vocabulary.count {
            merged.append(UInt32(truncatingIfNeeded: order[place, bytes]))
            place += 1
        }
        try output.write(.wordOrder, width: 4, merged.span)
    }

    /// - Parameter offset: where the words begin in the file.
    private func writeTrigrams(_ starts: [Int], at offset: Int) throws(StoreError) {
        guard words.count >= Trigram.vocabularyMin, starts[starts.count - 1] <= Trigram.vocabularyMax else { return }
        let buckets = Trigram.buckets(words: words.count)
        let source = TrigramPostings(starts: starts.map { $0 + offset }, buckets: buckets)
        let file = try output.map()
        try PostingBuilder(items: words.count, keys: buckets, source: source).write(
            file.bytes, starts: .trigramStarts, counts: .trigramCounts, lists: .trigrams, owner: 0, to: output)
    }
}
