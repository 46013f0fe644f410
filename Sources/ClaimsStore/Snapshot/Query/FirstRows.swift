// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Keeps the first few of many rows in an order: a heap with the last of them on top.
struct FirstRows {
    private struct Entry {
        var rank: UInt64
        var row: UInt32
    }

    private let plan: OrderPlan
    private let rank: RowRank
    private let limit: Int
    private var heap: [Entry] = []

    init(_ plan: OrderPlan, limit: Int) {
        self.plan = plan
        rank = RowRank(plan)
        self.limit = limit
        heap.reserveCapacity(min(limit, 4096))
    }

    @inline(__always)
    mutating func offer(_ row: Int, _ bytes: RawSpan) {
        let entry = Entry(rank: rank(row, bytes), row: UInt32(truncatingIfNeeded: row))
        if heap.count == limit {
            guard limit > 0, precedes(entry, heap[0], bytes) else { return }
            heap[0] = entry
            sink(0, bytes)
        } else {
            heap.append(entry)
            rise(heap.count - 1, bytes)
        }
    }

    /// The rows kept, in order.
    consuming func sorted(_ bytes: RawSpan) -> [UInt32] {
        let plan = plan
        let isPartial = rank.isPartial
        return heap.sorted { one, other in
            if one.rank != other.rank || !isPartial { return one.rank < other.rank }
            return plan.precedes(Int(one.row), Int(other.row), bytes)
        }.map(\.row)
    }

    @inline(__always)
    private func precedes(_ one: Entry, _ other: Entry, _ bytes: RawSpan) -> Bool {
        if one.rank != other.rank || !rank.isPartial { return one.rank < other.rank }
        return plan.precedes(Int(one.row), Int(other.row), bytes)
    }

    private mutating func rise(_ index: Int, _ bytes: RawSpan) {
        var index = index
        while index > 0 {
            let parent = (index - 1) / 2
            guard precedes(heap[parent], heap[index], bytes) else { return }
            heap.swapAt(parent, index)
            index = parent
        }
    }

    private mutating func sink(_ index: Int, _ bytes: RawSpan) {
        var index = index
        while true {
            var child = index * 2 + 1
            guard child < heap.count else { return }
            if child + 1 < heap.count, precedes(heap[child], heap[child + 1], bytes) { child += 1 }
            guard precedes(heap[index], heap[child], bytes) else { return }
            heap.swapAt(index, child)
            index = child
        }
    }
}
