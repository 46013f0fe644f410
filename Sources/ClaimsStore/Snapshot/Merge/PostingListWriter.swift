// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Makes one posting list (`PostingLists` tells how it lies) of ascending items; reused for the next.
struct PostingListWriter {
    private(set) var units: [UInt16] = []
    /// How many items the list has.
    private(set) var count = 0
    private var chunk: UInt32 = 0
    /// The items of the chunk at hand, less the chunk.
    private var items: [UInt16] = []

    mutating func begin() {
        units.removeAll(keepingCapacity: true)
        items.removeAll(keepingCapacity: true)
        count = 0
    }

    @inline(__always)
    mutating func append(_ item: UInt32) {
        if item >> 16 != chunk {
            close()
            chunk = item >> 16
        }
        items.append(UInt16(truncatingIfNeeded: item))
    }

    mutating func end() { close() }

    private mutating func close() {
        guard !items.isEmpty else { return }
        count += items.count
        units.append(UInt16(truncatingIfNeeded: chunk))
        units.append(UInt16(truncatingIfNeeded: items.count - 1))
        if items.count > PostingLists.sparseMax {
            let start = units.count
            units.append(contentsOf: repeatElement(0, count: PostingLists.sparseMax))
            for item in items { units[start &+ Int(item >> 4)] |= 1 << (item & 15) }
        } else {
            units.append(contentsOf: items)
        }
        items.removeAll(keepingCapacity: true)
    }
}
