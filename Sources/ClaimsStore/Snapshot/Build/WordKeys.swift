// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The words as sort keys: item N is word N as the last of a text, item `count` + N as one that a space follows.
struct WordKeys: KeySource {
    private let starts: [Int]
    private let count: Int

    init(_ list: WordList) {
        let lengths = list.lengths.bytes
        var starts: [Int] = []
        starts.reserveCapacity(list.count + 1)
        var start = 0
        for index in 0..<list.count {
            starts.append(start)
            start += Int(lengths.u32(index * 4)) + 1
        }
        starts.append(start)
        self.starts = starts
        count = list.count
    }

    /// By word: where it begins; then where all end. A space follows each word.
    var wordStarts: [Int] { starts }

    @inline(__always)
    func range(_ item: Int) -> Range<Int> {
        item < count ? starts[item]..<starts[item + 1] - 1 : starts[item - count]..<starts[item - count + 1]
    }

    @inline(__always)
    mutating func word(_ item: Int, _ depth: Int, _ bytes: RawSpan) -> UInt64 {
        let range = range(item)
        let offset = range.lowerBound &+ depth &* 8
        let left = range.upperBound &- offset
        guard left > 0 else { return 0 }
        let word = bytes.bigEndianWord(offset)
        return left >= 8 ? word : word & ~(UInt64.max >> UInt64(left &* 8))
    }

    @inline(__always)
    func rest(_ item: Int, _ depth: Int, _ bytes: RawSpan) -> Int {
        let left = range(item).count &- depth &* 8
        return left <= 8 ? left : Self.goesOn
    }
}
