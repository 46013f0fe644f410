// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Keeps the first few of many rows in an order, or the last few: a heap with the one to go next on top.
struct FirstRows: ~Escapable {
    private let comparison: RowComparison
    private let limit: Int
    private var heap: [RowComparison.Entry] = []

    /// - Parameters:
    ///   - isBackward: whether the last rows are kept, and the last one comes first.
    ///   - bytes: those of the snapshot that the plan is of.
    @_lifetime(copy bytes)
    init(_ plan: OrderPlan, limit: Int, isBackward: Bool = false, _ bytes: RawSpan) {
        comparison = RowComparison(plan, isBackward: isBackward, bytes)
        self.limit = limit
        heap.reserveCapacity(min(limit, 4096))
    }

    @_lifetime(self: copy self)
    @inline(__always)
    mutating func offer(_ row: Int) {
        let entry = comparison.entry(row)
        if heap.count == limit {
            guard limit > 0, comparison.precedes(entry, heap[0]) else { return }
            heap[0] = entry
            siftDown(0)
        } else {
            heap.append(entry)
            siftUp(heap.count - 1)
        }
    }

    /// The rows kept, in order.
    consuming func sorted() -> [UInt32] { comparison.sorted(heap[...]) }

    @_lifetime(self: copy self)
    private mutating func siftUp(_ index: Int) {
        var index = index
        while index > 0 {
            let parent = (index - 1) / 2
            guard comparison.precedes(heap[parent], heap[index]) else { return }
            heap.swapAt(parent, index)
            index = parent
        }
    }

    @_lifetime(self: copy self)
    private mutating func siftDown(_ index: Int) {
        var index = index
        while true {
            var child = index * 2 + 1
            guard child < heap.count else { return }
            if child + 1 < heap.count, comparison.precedes(heap[child], heap[child + 1]) { child += 1 }
            guard comparison.precedes(heap[index], heap[child]) else { return }
            heap.swapAt(index, child)
            index = child
        }
    }
}
