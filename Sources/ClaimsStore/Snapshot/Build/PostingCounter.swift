// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The first pass of building posting lists: how many items of each chunk have each key.
struct PostingCounter {
    /// Each chunk's keys, and how many items have them; the chunk's begin at its place in `starts`.
    private(set) var keys = ChunkedArray<UInt32>()
    /// One less each, since none is 0 and a chunk has no more than fit then.
    private var countsBelow = ChunkedArray<UInt16>()
    private(set) var starts: [Int] = [0]
    /// By key: how many items have it in all, and the units of its list.
    private(set) var totals: [UInt32]
    private(set) var units: [UInt32]

    init<Source: PostingSource>(items: Int, keys keyCount: Int, source: Source, _ bytes: RawSpan) {
        totals = [UInt32](repeating: 0, count: keyCount)
        units = totals
        var present = totals
        var last = totals
        var touched: [UInt32] = []
        for chunk in PostingLists.chunks(items) {
            for item in PostingLists.items(of: chunk, items) {
                let mark = UInt32(truncatingIfNeeded: item &+ 1)
                source.forEachKey(of: item, bytes) { key in
                    guard key < keyCount, last[key] != mark else { return }
                    last[key] = mark
                    if present[key] == 0 { touched.append(UInt32(truncatingIfNeeded: key)) }
                    present[key] &+= 1
                }
            }
            for key in touched {
                let count = present[Int(key)]
                keys.append(key)
                countsBelow.append(UInt16(truncatingIfNeeded: count &- 1))
                totals[Int(key)] += count
                units[Int(key)] += UInt32(PostingLists.containerUnits(Int(count)))
                present[Int(key)] = 0
            }
            touched.removeAll(keepingCapacity: true)
            starts.append(keys.count)
        }
    }

    /// How many items of its chunk have the key at `entry`.
    @inline(__always)
    func count(_ entry: Int) -> Int { Int(countsBelow[entry]) &+ 1 }

    /// Lets go of what is by key.
    mutating func forgetTotals() {
        totals = []
        units = []
    }

    /// The keys of a chunk with their counts, by index into `keys`.
    func entries(of chunk: Int) -> Range<Int> { starts[chunk]..<starts[chunk + 1] }
}
