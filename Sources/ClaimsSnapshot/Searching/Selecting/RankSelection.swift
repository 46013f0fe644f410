// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Takes the rows at some ranks of many rows in an order. Only these are sorted.
///
/// It looks at each row a few times on average, however deep in the order the ranks are. ``FirstRows`` is for the first few
/// rows, and keeps no others.
struct RankSelection: ~Escapable {
    private let comparison: RowComparison
    private var entries: [RowComparison.Entry] = []

    /// - Parameters:
    ///   - isBackward: whether ranks count from the end of the order.
    ///   - bytes: those of the snapshot that the plan is of.
    @_lifetime(copy bytes)
    init(_ plan: OrderPlan, isBackward: Bool, _ bytes: RawSpan) {
        comparison = RowComparison(plan, isBackward: isBackward, bytes)
    }

    @_lifetime(self: copy self)
    @inline(__always)
    mutating func add(_ row: Int) { entries.append(comparison.entry(row)) }

    /// The rows at these ranks, in the order; fewer where there are not so many rows.
    consuming func rows(_ ranks: Range<Int>, _ steps: inout QuerySteps) throws(QueryInterruption) -> [UInt32] {
        let ranks = ranks.clamped(to: 0..<entries.count)
        guard !ranks.isEmpty else { return [] }
        try select(ranks.lowerBound, in: 0..<entries.count, &steps)
        try select(ranks.upperBound - 1, in: ranks.lowerBound..<entries.count, &steps)
        return comparison.sorted(entries[ranks])
    }

    /// Moves entries so that the one of a rank is at its index, those before it are before, and those after it after.
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

/// Compares rows by an order, or by its reverse.
struct RowComparison: ~Escapable {
    /// A row with what orders it as far as 64 bits tell.
    struct Entry {
        var rank: UInt64
        var row: UInt32
    }

    private let plan: OrderPlan
    private let bytes: RawSpan
    private let rank: RowRank
    /// Turns ranks round where the order is the reverse; else 0.
    private let mask: UInt64

    @_lifetime(copy bytes)
    init(_ plan: OrderPlan, isBackward: Bool, _ bytes: RawSpan) {
        self.plan = plan
        self.bytes = bytes
        rank = RowRank(plan)
        mask = isBackward ? .max : 0
    }

    @inline(__always)
    func entry(_ row: Int) -> Entry { Entry(rank: rank(row, bytes) ^ mask, row: UInt32(truncatingIfNeeded: row)) }

    /// Whether one entry comes before another one. None comes before itself.
    @inline(__always)
    func precedes(_ one: Entry, _ other: Entry) -> Bool {
        if one.rank != other.rank || !rank.isPartial { return one.rank < other.rank }
        return one.row != other.row && plan.precedes(Int(one.row), Int(other.row), bytes) != (mask != 0)
    }

    /// The rows of some entries, in the order.
    func sorted(_ entries: ArraySlice<Entry>) -> [UInt32] {
        var entries = entries
        sort(&entries)
        return entries.map(\.row)
    }

    func sort(_ entries: inout ArraySlice<Entry>) {
        let (plan, bytes, isPartial, isBackward) = (plan, bytes, rank.isPartial, mask != 0)
        entries.sort { one, other in
            if one.rank != other.rank || !isPartial { return one.rank < other.rank }
            return one.row != other.row && plan.precedes(Int(one.row), Int(other.row), bytes) != isBackward
        }
    }
}
