// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The distinct words of all searched fields, by the numbers that tokens use.
struct Vocabulary: Sendable {
    let count: Int
    let starts: Table
    let words: Blob
    /// The words' numbers in the words' byte order.
    let order: Table
    let trigrams: PostingLists
    let buckets: Int

    init(_ sections: SectionIndex) {
        starts = sections.table(.wordStarts)
        words = sections.blob(.words)
        order = sections.table(.wordOrder)
        count = max(min(starts.count - 1, order.count), 0)
        trigrams = sections.postings(.trigramStarts, .trigramCounts, .trigrams)
        buckets = trigrams.counts.count
    }

    /// The bytes of a word.
    @inline(__always)
    @_lifetime(copy bytes)
    func word(_ number: Int, _ bytes: RawSpan) -> RawSpan {
        let range = starts.range(number, bytes)
        return words.part(range.lowerBound..<max(range.lowerBound, range.upperBound &- 1), bytes)
    }

    /// Appends a text: its words with spaces between them.
    func appendText(_ units: TokenTable.Units, to out: inout [UInt8], _ bytes: RawSpan) {
        var index = 0
        while index < units.count {
            if index > 0 { out.append(UInt8(ascii: " ")) }
            out.append(copying: word(TokenUnits.next(&index) { units[$0, bytes] }, bytes))
        }
    }

    /// Orders a text against `probe`; with `isPrefix`, a text that begins with the probe equals it.
    func compare(_ units: TokenTable.Units, _ probe: RawSpan, isPrefix: Bool, _ bytes: RawSpan) -> Int {
        var index = 0
        var offset = 0
        while index < units.count {
            if index > 0 {
                guard offset < probe.byteCount else { return isPrefix ? 0 : 1 }
                let order = 0x20 - Int(probe.u8(offset))
                if order != 0 { return order }
                offset += 1
            }
            let word = word(TokenUnits.next(&index) { units[$0, bytes] }, bytes)
            let common = min(word.byteCount, probe.byteCount - offset)
            let order = word.part(0, common).compare(probe.part(offset, common))
            if order != 0 { return order }
            offset += common
            if common < word.byteCount { return isPrefix ? 0 : 1 }
        }
        return offset < probe.byteCount ? -1 : 0
    }
}
