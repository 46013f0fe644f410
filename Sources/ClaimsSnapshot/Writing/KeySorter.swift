// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// Sorts items by keys of any length: by the first 64 bits, and by the next ones if those are equal.
///
/// The work is bounded by the number of bytes of the keys; there is no recursion.
struct KeySorter<Source: KeySource> {
    private var source: Source
    private var pairs: [SortPair]
    private var spare: [SortPair]
    /// Whether the item at each position differs from the one before.
    private var firsts: [Bool]
    /// The stretches that are still to be sorted.
    private var open: [Stretch] = []

    /// The items in order, and for each whether its key differs from the key of the one before.
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

    /// Neighbouring items whose keys are equal up to a depth.
    private struct Stretch {
        var range: Range<Int>
        var depth: Int
    }

    private mutating func run(_ bytes: RawSpan) {
        open = [Stretch(range: 0..<pairs.count, depth: 0)]
        while let stretch = open.popLast() {
            for index in stretch.range {
                pairs[index].word = source.word(Int(pairs[index].item), stretch.depth, bytes)
            }
            pairs.sort(stretch.range, spare: &spare)
            forEachRun(in: stretch.range) { run, sorter in
                sorter.split(Stretch(range: run, depth: stretch.depth), bytes)
            }
        }
    }

    /// Orders items whose words are equal by the ends of their keys, and queues those with longer keys.
    private mutating func split(_ stretch: Stretch, _ bytes: RawSpan) {
        let run = stretch.range
        var isMixed = false
        let first = source.rest(Int(pairs[run.lowerBound].item), stretch.depth, bytes)
        for index in run {
            let rest = source.rest(Int(pairs[index].item), stretch.depth, bytes)
            if rest != first { isMixed = true }
            pairs[index].word = UInt64(rest)
        }
        if isMixed { pairs.sort(run, spare: &spare) }
        forEachRun(in: run) { run, sorter in
            if sorter.pairs[run.lowerBound].word == UInt64(Source.goesOn) {
                sorter.open.append(Stretch(range: run, depth: stretch.depth + 1))
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

/// Keys of any length as a sequence of 64-bit words that order like them.
///
/// `bytes` holds the keys. For each item, depths are asked for in ascending order, each once.
protocol KeySource {
    /// The word at `depth`; zeros if the key has ended.
    mutating func word(_ item: Int, _ depth: Int, _ bytes: RawSpan) -> UInt64
    /// Orders keys whose words are equal up to `depth`: the number of bytes of the key in the last word, or `goesOn` if
    /// the key is longer.
    func rest(_ item: Int, _ depth: Int, _ bytes: RawSpan) -> Int
}

extension KeySource {
    static var goesOn: Int { .max }
}

/// A source of keys that are byte strings.
protocol ByteKeySource: KeySource {
    /// The range of a key's bytes.
    func range(_ item: Int) -> Range<Int>
}

extension ByteKeySource {
    @inline(__always)
    mutating func word(_ item: Int, _ depth: Int, _ bytes: RawSpan) -> UInt64 {
        let range = range(item)
        let offset = range.lowerBound &+ depth &* 8
        let left = range.upperBound &- offset
        guard left > 0 else { return 0 }
        let word = bytes.bigEndianWord(at: offset)
        return left >= 8 ? word : word & ~(UInt64.max >> UInt64(left &* 8))
    }

    @inline(__always)
    func rest(_ item: Int, _ depth: Int, _ bytes: RawSpan) -> Int {
        let left = range(item).count &- depth &* 8
        return left <= 8 ? left : Self.goesOn
    }
}

/// Byte strings as sort keys. They lie end to end.
struct ByteKeys: ByteKeySource {
    /// The start of each item's key; then the end.
    private let starts: [UInt64]

    init(starts: [UInt64]) {
        self.starts = starts
    }

    /// Keys of these lengths, in bytes or in other units.
    init(_ counts: SpilledElements<UInt32>) {
        let bytes = counts.bytes
        var starts: [UInt64] = []
        starts.reserveCapacity(counts.count + 1)
        var start: UInt64 = 0
        for index in 0..<counts.count {
            starts.append(start)
            start &+= UInt64(bytes.u32(at: index &* 4))
        }
        starts.append(start)
        self.starts = starts
    }

    @inline(__always)
    func range(_ item: Int) -> Range<Int> { Int(starts[item])..<Int(starts[item &+ 1]) }
}

/// An item to sort, with the 64 bits of its key that are being compared.
public struct SortPair {
    /// The 64 bits of the key, as a number that orders as they do.
    public var word: UInt64
    /// The number of the item.
    public var item: UInt32

    /// Makes a pair from 64 bits of a key and an item's number.
    public init(word: UInt64, item: UInt32) {
        self.word = word
        self.item = item
    }
}

extension [SortPair] {
    /// Sorts the pairs in `range` by `word`. The sort is stable.
    ///
    /// - Parameter spare: an array of the same length, whose elements are overwritten.
    public mutating func sort(_ range: Range<Int>, spare: inout [SortPair]) {
        if range.count <= 24 {
            insertionSort(range)
        } else if range.count <= 4096 {
            mergeSort(range, &spare)
        } else {
            radixSort(range, &spare)
        }
    }

    private mutating func insertionSort(_ range: Range<Int>) {
        guard range.count > 1 else { return }
        for index in range.lowerBound + 1..<range.upperBound {
            let pair = self[index]
            var target = index
            while target > range.lowerBound, self[target - 1].word > pair.word {
                self[target] = self[target - 1]
                target -= 1
            }
            self[target] = pair
        }
    }

    private mutating func mergeSort(_ range: Range<Int>, _ spare: inout [SortPair]) {
        var width = 16
        for start in stride(from: range.lowerBound, to: range.upperBound, by: width) {
            insertionSort(start..<Swift.min(start + width, range.upperBound))
        }
        while width < range.count {
            for start in stride(from: range.lowerBound, to: range.upperBound, by: width * 2) {
                let middle = Swift.min(start + width, range.upperBound)
                let end = Swift.min(start + width * 2, range.upperBound)
                if middle < end, self[middle - 1].word > self[middle].word {
                    merge(start..<middle, with: end, spare: &spare)
                }
            }
            width *= 2
        }
    }

    /// Merges a sorted range with the sorted range that follows it and ends at `end`.
    private mutating func merge(_ range: Range<Int>, with end: Int, spare: inout [SortPair]) {
        for index in range { spare[index] = self[index] }
        var left = range.lowerBound
        var right = range.upperBound
        var target = range.lowerBound
        while left < range.upperBound {
            if right < end, self[right].word < spare[left].word {
                self[target] = self[right]
                right += 1
            } else {
                self[target] = spare[left]
                left += 1
            }
            target += 1
        }
    }

    /// Sorts byte by byte, from the least significant. Bytes that are the same in all words are skipped.
    private mutating func radixSort(_ range: Range<Int>, _ spare: inout [SortPair]) {
        var counts = [UInt32](repeating: 0, count: 8 * 256)
        for index in range {
            var word = self[index].word
            for digit in 0..<8 {
                counts[digit &* 256 &+ Int(word & 255)] &+= 1
                word >>= 8
            }
        }
        let first = self[range.lowerBound].word
        var isInSpare = false
        for digit in 0..<8 {
            let shift = UInt64(digit * 8)
            if counts[digit * 256 + Int(first >> shift & 255)] == UInt32(range.count) { continue }
            var next = [Int](repeating: 0, count: 256)
            var start = range.lowerBound
            for value in 0..<256 {
                next[value] = start
                start += Int(counts[digit * 256 + value])
            }
            if isInSpare {
                Self.scatter(range, of: spare, into: &self, by: shift, &next)
            } else {
                Self.scatter(range, of: self, into: &spare, by: shift, &next)
            }
            isInSpare.toggle()
        }
        if isInSpare {
            for index in range { self[index] = spare[index] }
        }
    }

    /// Moves the pairs of a range to the positions in `next`, by the digit that begins at bit `shift` of their words.
    private static func scatter(
        _ range: Range<Int>, of source: [SortPair], into target: inout [SortPair], by shift: UInt64,
        _ next: inout [Int]
    ) {
        for index in range {
            let pair = source[index]
            let value = Int(truncatingIfNeeded: pair.word >> shift & 255)
            target[next[value]] = pair
            next[value] &+= 1
        }
    }
}
