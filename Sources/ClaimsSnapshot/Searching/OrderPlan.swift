// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// The way in which rows are brought into an order.
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
    /// All keys but the id, beginning with the groups if they are requested.
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
