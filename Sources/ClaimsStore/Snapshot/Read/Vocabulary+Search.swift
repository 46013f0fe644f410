// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

extension Vocabulary {
    /// The words that have `pattern` in them, which has no space; in ascending order of their numbers.
    func words(
        containing pattern: [UInt8], _ bytes: RawSpan, _ scratch: QueryScratch, _ steps: inout QuerySteps
    ) throws(QueryInterruption) -> [Int] {
        pattern.count >= 3 && buckets > 0
            ? try lookUp(pattern, bytes, scratch, &steps) : try scan(pattern, bytes, &steps)
    }

    /// The words that end with `suffix`, which has no space; in ascending order of their numbers.
    func words(
        withSuffix suffix: [UInt8], _ bytes: RawSpan, _ scratch: QueryScratch, _ steps: inout QuerySteps
    ) throws(QueryInterruption) -> [Int] {
        // A space follows each word.
        guard suffix.count >= 3, buckets > 0 else {
            return try scan(suffix + [UInt8(ascii: " ")], bytes, &steps)
        }
        return try lookUp(suffix, bytes, scratch, &steps).filter { word($0, bytes).hasSuffix(suffix.raw) }
    }

    private func scan(_ pattern: [UInt8], _ bytes: RawSpan, _ steps: inout QuerySteps) throws(QueryInterruption)
        -> [Int]
    {
        var found: [Int] = []
        let text = words.all(bytes)
        var search = PieceSearch(pattern)
        while let match = try search.next(in: text, &steps) {
            let number = starts.last(notAbove: match, from: found.last ?? 0, bytes)
            guard number < count else { break }
            if found.last != number { found.append(number) }
            search.skip(to: starts[number + 1, bytes])
        }
        return found
    }

    /// The most buckets that are looked into for one pattern; what they share is checked word by word.
    private static var bucketsMax: Int { 4 }

    private func lookUp(
        _ pattern: [UInt8], _ bytes: RawSpan, _ scratch: QueryScratch, _ steps: inout QuerySteps
    ) throws(QueryInterruption) -> [Int] {
        var lists: [(bucket: Int, count: Int)] = []
        for offset in 0...pattern.count - 3 {
            let bucket = Trigram.bucket(pattern.raw, at: offset, of: buckets)
            if !lists.contains(where: { $0.bucket == bucket }) { lists.append((bucket, trigrams.count(bucket, bytes))) }
        }
        lists.sort { $0.count < $1.count }
        var found: [Int] = []
        if lists[0].count == 0 { return found }
        var words = scratch.take(Bits.words(count))
        for (place, list) in lists.prefix(Self.bucketsMax).enumerated() {
            try steps.spend(min(list.count, words.count) / 4 + 1)
            if place == 0 {
                PostingUnion.add(list.bucket, of: trigrams, bytes, to: &words)
                if list.count < 64 { break }
            } else {
                var other = scratch.take(words.count)
                PostingUnion.add(list.bucket, of: trigrams, bytes, to: &other)
                Bits.intersect(&words, other)
                scratch.give(other)
            }
        }
        Bits.clearTail(&words, rows: count)
        // What many words have, they mostly have at the same place.
        var place = 0
        try Bits.forEach(words) { number throws(QueryInterruption) in
            try steps.spend(8)
            let word = word(number, bytes)
            if word.part(place, pattern.count).isEqual(pattern.raw) {
                found.append(number)
            } else if let match = ByteSearch.firstIndex(of: pattern.raw, in: word) {
                place = match
                found.append(number)
            }
            return true
        }
        scratch.give(words)
        return found
    }

    /// The words that begin with `prefix`, in ascending order of their numbers.
    func words(withPrefix prefix: RawSpan, _ bytes: RawSpan) -> [Int] {
        let low = bound(prefix, isAfter: false, bytes)
        let high = bound(prefix, isAfter: true, bytes)
        return (low..<max(low, high)).map { min(order[$0, bytes], max(count - 1, 0)) }.sorted()
    }

    /// The number of a word, nil where no text has it.
    func number(of text: RawSpan, _ bytes: RawSpan) -> Int? {
        let place = bound(text, isAfter: false, bytes)
        let number = order[place, bytes]
        return place < count && word(number, bytes).isEqual(text) ? number : nil
    }

    /// The first place in the order whose word is not below `prefix`, or with `isAfter` neither that nor begins so.
    private func bound(_ prefix: RawSpan, isAfter: Bool, _ bytes: RawSpan) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            let word = word(order[middle, bytes], bytes)
            if word.compare(prefix) < 0 || isAfter && word.hasPrefix(prefix) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
