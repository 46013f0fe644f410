// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Keeps the first few of many rows in an order, or the last few: a heap with the row that leaves next on top.
struct FirstRows: ~Escapable {
    private let comparison: RowComparison
    private let limit: Int
    private var heap: [RowComparison.Entry] = []

    /// - Parameters:
    ///   - isBackward: whether the last rows are kept, and the last one comes first.
    ///   - bytes: the bytes of the snapshot of the plan.
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

/// Selects the rows at some ranks of many rows in an order. Only these are sorted.
///
/// It looks at each row a few times on average, even if the ranks are deep in the order. ``FirstRows`` is for the first
/// few rows, and keeps no others.
struct RankSelection: ~Escapable {
    private let comparison: RowComparison
    private var entries: [RowComparison.Entry] = []

    /// - Parameters:
    ///   - isBackward: whether ranks count from the end of the order.
    ///   - bytes: the bytes of the snapshot of the plan.
    @_lifetime(copy bytes)
    init(_ plan: OrderPlan, isBackward: Bool, _ bytes: RawSpan) {
        comparison = RowComparison(plan, isBackward: isBackward, bytes)
    }

    @_lifetime(self: copy self)
    @inline(__always)
    mutating func add(_ row: Int) { entries.append(comparison.entry(row)) }

    /// The rows at these ranks, in the order; fewer if there are not so many rows.
    consuming func rows(_ ranks: Range<Int>, _ steps: inout QuerySteps) throws(QueryInterruption) -> [UInt32] {
        let ranks = ranks.clamped(to: 0..<entries.count)
        guard !ranks.isEmpty else { return [] }
        try select(ranks.lowerBound, in: 0..<entries.count, &steps)
        try select(ranks.upperBound - 1, in: ranks.lowerBound..<entries.count, &steps)
        return comparison.sorted(entries[ranks])
    }

    /// Moves entries so that the entry of a rank is at its index, with smaller ones before it and larger ones after it.
    @_lifetime(self: copy self)
    private mutating func select(
        _ rank: Int, in range: Range<Int>, _ steps: inout QuerySteps
    ) throws(QueryInterruption) {
        var (low, high) = (range.lowerBound, range.upperBound - 1)
        // Each round halves the range on average. Where rows lie so that it does not, sorting ends it.
        var rounds = 3 * (Int.bitWidth - range.count.leadingZeroBitCount)
        while low < high {
            try steps.spend(high - low)
            if rounds == 0 {
                comparison.sort(&entries[low...high])
                return
            }
            rounds -= 1
            let pivot = pivot(low, high)
            var (left, right) = (low, high)
            while left <= right {
                while comparison.precedes(entries[left], pivot) { left += 1 }
                while comparison.precedes(pivot, entries[right]) { right -= 1 }
                guard left <= right else { break }
                entries.swapAt(left, right)
                left += 1
                right -= 1
            }
            if rank <= right { high = right } else if rank >= left { low = left } else { return }
        }
    }

    /// The middle one of the first, the middle and the last entry.
    private func pivot(_ low: Int, _ high: Int) -> RowComparison.Entry {
        let (first, middle, last) = (entries[low], entries[(low + high) / 2], entries[high])
        if comparison.precedes(first, middle) == comparison.precedes(middle, last) { return middle }
        return comparison.precedes(first, middle) == comparison.precedes(last, first) ? first : last
    }
}
