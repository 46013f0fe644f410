// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Something to sort, by its number, and the part of its key that is being compared.
struct SortPair {
    var word: UInt64
    var item: UInt32
}

extension [SortPair] {
    /// Sorts `range` by `word`, keeping the order of equals; `spare` must be as long as this.
    mutating func sort(_ range: Range<Int>, spare: inout [SortPair]) {
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
            var place = index
            while place > range.lowerBound, self[place - 1].word > pair.word {
                self[place] = self[place - 1]
                place -= 1
            }
            self[place] = pair
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
                if middle < end, self[middle - 1].word > self[middle].word { merge(start, middle, end, &spare) }
            }
            width *= 2
        }
    }

    private mutating func merge(_ start: Int, _ middle: Int, _ end: Int, _ spare: inout [SortPair]) {
        for index in start..<middle { spare[index] = self[index] }
        var left = start
        var right = middle
        var target = start
        while left < middle {
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

    /// Byte by byte from the least significant; bytes that are the same in all are passed over.
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
            var place = range.lowerBound
            for value in 0..<256 {
                next[value] = place
                place += Int(counts[digit * 256 + value])
            }
            if isInSpare {
                Self.scatter(spare, &self, range, shift, &next)
            } else {
                Self.scatter(self, &spare, range, shift, &next)
            }
            isInSpare.toggle()
        }
        if isInSpare {
            for index in range { self[index] = spare[index] }
        }
    }

    private static func scatter(
        _ source: [SortPair], _ target: inout [SortPair], _ range: Range<Int>, _ shift: UInt64, _ next: inout [Int]
    ) {
        for index in range {
            let pair = source[index]
            let value = Int(truncatingIfNeeded: pair.word >> shift & 255)
            target[next[value]] = pair
            next[value] &+= 1
        }
    }
}
