// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A number for each row that orders rows as far as 64 bits tell.
struct RowRank {
    private enum Form {
        /// By row alone.
        case row
        /// By a stored order.
        case stored(Table)
        /// By one key, then by row.
        case one(OrderPlan.Key)
        /// By two keys; rows with equal numbers are to be compared.
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
        case .stored(let ranks): return UInt64(ranks[row, bytes])
        case .one(let key): return UInt64(key.place(row, bytes)) << 32 | UInt64(low(row))
        case .two(let first, let second):
            return UInt64(first.place(row, bytes)) << 32 | UInt64(second.place(row, bytes))
        }
    }

    @inline(__always)
    private func low(_ row: Int) -> UInt32 {
        let row = UInt32(truncatingIfNeeded: row)
        return descending ? ~row : row
    }
}
