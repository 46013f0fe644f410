// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Sorts items by keys of any length: by their first words, and where those are equal by the next.
///
/// The work is bounded by the keys' bytes, whatever they hold; there is no recursion.
struct KeySorter<Source: KeySource> {
    private var source: Source
    private var pairs: [SortPair]
    private var spare: [SortPair]
    /// By place: whether the item there differs from the one before.
    private var firsts: [Bool]

    /// The items in order, and for each whether its key differs from that of the one before.
    ///
    /// Items with equal keys keep their order.
    static func sort(_ items: [UInt32], by source: Source, _ bytes: RawSpan) -> (order: [UInt32], firsts: [Bool]) {
        var sorter = KeySorter(items, source)
        sorter.run(bytes)
        return (sorter.pairs.map(\.item), sorter.firsts)
    }

    private init(_ items: [UInt32], _ source: Source) {
        self.source = source
        pairs = items.map { SortPair(word: 0, item: $0) }
        spare = [SortPair](repeating: SortPair(word: 0, item: 0), count: items.count > 24 ? items.count : 0)
        firsts = [Bool](repeating: true, count: items.count)
    }

    /// Items that are equal so far and lie together.
    private struct Stretch {
        var range: Range<Int>
        var depth: Int
    }

    private mutating func run(_ bytes: RawSpan) {
        var open = [Stretch(range: 0..<pairs.count, depth: 0)]
        while let stretch = open.popLast() {
            for index in stretch.range {
                pairs[index].word = source.word(Int(pairs[index].item), stretch.depth, bytes)
            }
            pairs.sort(stretch.range, spare: &spare)
            forEachRun(in: stretch.range) { run, sorter in
                sorter.split(run, stretch.depth, bytes, &open)
            }
        }
    }

    /// Orders items whose words are equal by where their keys end, and queues those that go on.
    private mutating func split(_ run: Range<Int>, _ depth: Int, _ bytes: RawSpan, _ open: inout [Stretch]) {
        var isMixed = false
        let first = source.rest(Int(pairs[run.lowerBound].item), depth, bytes)
        for index in run {
            let rest = source.rest(Int(pairs[index].item), depth, bytes)
            if rest != first { isMixed = true }
            pairs[index].word = UInt64(rest)
        }
        if isMixed { pairs.sort(run, spare: &spare) }
        forEachRun(in: run) { run, sorter in
            if sorter.pairs[run.lowerBound].word == UInt64(Source.goesOn) {
                open.append(Stretch(range: run, depth: depth + 1))
            } else {
                for index in run.dropFirst() { sorter.firsts[index] = false }
            }
        }
    }

    /// Calls `body` with each run of two or more equal words.
    @inline(__always)
    private mutating func forEachRun(in range: Range<Int>, _ body: (Range<Int>, inout KeySorter) -> Void) {
        var start = range.lowerBound
        while start < range.upperBound {
            let word = pairs[start].word
            var end = start + 1
            while end < range.upperBound, pairs[end].word == word { end += 1 }
            if end - start > 1 { body(start..<end, &self) }
            start = end
        }
    }
}
