// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Compares rows by an order, or by its reverse.
struct RowComparison: ~Escapable {
    /// A row with the first 64 bits of its order.
    struct Entry {
        var rank: UInt64
        var row: UInt32
    }

    private let plan: OrderPlan
    private let bytes: RawSpan
    private let rank: RowRank
    /// Reverses ranks if the order is descending; otherwise 0.
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

/// A number for each row that decides the order of rows, as far as 64 bits can.
struct RowRank {
    private enum Form {
        /// The order of rows.
        case row
        /// A stored order.
        case stored(Table)
        /// The order of one key, then of rows.
        case one(OrderPlan.Key)
        /// The order of two keys; rows with equal numbers must be compared.
        case two(OrderPlan.Key, OrderPlan.Key)
    }

    private let form: Form
    private let descending: Bool
    /// Whether rows may have equal numbers.
    let isPartial: Bool

    init(_ plan: OrderPlan) {
        descending = plan.rowsDescending
        let keys = plan.keys
        if case .stored(_, let ranks) = plan.form {
            form = .stored(ranks)
        } else if let first = keys.first {
            form = keys.count > 1 ? .two(first, keys[1]) : .one(first)
        } else {
            form = .row
        }
        if case .two = form { isPartial = true } else { isPartial = false }
    }

    @inline(__always)
    func callAsFunction(_ row: Int, _ bytes: RawSpan) -> UInt64 {
        switch form {
        case .row: return UInt64(low(row))
        case .stored(let ranks): return UInt64(ranks.view(bytes)[row])
        case .one(let key): return UInt64(key.rank(row, bytes)) << 32 | UInt64(low(row))
        case .two(let first, let second):
            return UInt64(first.rank(row, bytes)) << 32 | UInt64(second.rank(row, bytes))
        }
    }

    @inline(__always)
    private func low(_ row: Int) -> UInt32 {
        let row = UInt32(truncatingIfNeeded: row)
        return descending ? ~row : row
    }
}
