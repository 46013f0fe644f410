// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Keys that are byte strings, end to end.
struct ByteKeys: KeySource {
    /// By item: where its key begins; then the end.
    private let starts: [UInt64]

    init(starts: [UInt64]) {
        self.starts = starts
    }

    /// Of keys with these lengths.
    init(_ counts: SpilledElements<UInt32>) {
        let bytes = counts.bytes
        var starts: [UInt64] = []
        starts.reserveCapacity(counts.count + 1)
        var start: UInt64 = 0
        for index in 0..<counts.count {
            starts.append(start)
            start &+= UInt64(bytes.u32(index &* 4))
        }
        starts.append(start)
        self.starts = starts
    }

    @inline(__always)
    func range(_ item: Int) -> Range<Int> { Int(starts[item])..<Int(starts[item &+ 1]) }

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
