// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// How rows are brought into an order.
struct OrderPlan {
    enum Form {
        /// By row: the order of the ids, or its reverse.
        case rows(descending: Bool)
        /// By one column, then by row.
        case column(ColumnOrder)
        /// By a stored order.
        case stored(rows: Table, ranks: Table)
        /// By comparing column after column.
        case general
    }

    /// An order by one column, then by row.
    struct ColumnOrder {
        let column: Column
        let descending: Bool
        /// Whether equal rows come with the greatest id first.
        let rowsDescending: Bool
    }

    /// A column of the order, or the groups.
    struct Key {
        let column: Column
        let descending: Bool
        let grouping: Grouping?

        /// The rank of the row by this key; smaller is earlier.
        @inline(__always)
        func rank(_ row: Int, _ bytes: RawSpan) -> Int {
            if let grouping { return grouping.group(column.ordinal(row, bytes)) }
            return column.rank(row, descending: descending, bytes)
        }

        /// The ordinals whose rows have a rank.
        func ordinals(at rank: Int) -> [Int] {
            if let grouping {
                return (0...column.distinct).filter { grouping.group($0) == rank }
            }
            return [descending && rank < column.distinct ? column.distinct - 1 - rank : rank]
        }
    }

    let form: Form
    /// All keys but the id, the groups first where they are asked for.
    let keys: [Key]
    /// Whether equal rows come with the greatest id first.
    let rowsDescending: Bool

    init(_ order: RecordOrder, isGrouped: Bool, _ snapshot: Snapshot) {
        var keys: [Key] = []
        let grouping = isGrouped ? snapshot.grouping : nil
        if let grouping {
            keys.append(Key(column: snapshot.columnIndex[grouping.field], descending: false, grouping: grouping))
        }
        let idField = snapshot.definition.idField
        var rowsDescending = false
        for key in order.keys {
            if key.field == idField {
                rowsDescending = key.descending
                break
            }
            keys.append(Key(column: snapshot.columnIndex[key.field], descending: key.descending, grouping: nil))
        }
        self.keys = keys
        self.rowsDescending = rowsDescending
        let stored = StoredOrder(order: order, isGrouped: grouping != nil)
        if let number = snapshot.orders.firstIndex(of: stored) {
            form = .stored(rows: snapshot.orderTables[number].rows, ranks: snapshot.orderTables[number].ranks)
        } else if keys.isEmpty {
            form = .rows(descending: rowsDescending)
        } else if keys.count == 1, grouping == nil {
            form = .column(
                ColumnOrder(
                    column: keys[0].column, descending: keys[0].descending, rowsDescending: rowsDescending))
        } else {
            form = .general
        }
    }

    /// The order of rows that are equal by the first key.
    private init(after keys: ArraySlice<Key>, rowsDescending: Bool) {
        self.keys = Array(keys)
        self.rowsDescending = rowsDescending
        if let key = keys.first {
            form =
                keys.count == 1 && key.grouping == nil
                ? .column(
                    ColumnOrder(column: key.column, descending: key.descending, rowsDescending: rowsDescending))
                : .general
        } else {
            form = .rows(descending: rowsDescending)
        }
    }

    var withoutFirstKey: OrderPlan { OrderPlan(after: keys.dropFirst(), rowsDescending: rowsDescending) }

    /// Whether one row comes before another; for rows of equal `RowRank`.
    func precedes(_ row: Int, _ other: Int, _ bytes: RawSpan) -> Bool {
        for key in keys {
            let (rank, otherRank) = (key.rank(row, bytes), key.rank(other, bytes))
            if rank != otherRank { return rank < otherRank }
        }
        return rowsDescending ? row > other : row < other
    }
}

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
