// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

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

    /// Moves the pairs of a range to where `next` says, by the digit that begins at bit `shift` of their words.
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
