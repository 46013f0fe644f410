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
        let columnID: Int
        /// The number of values.
        let distinct: Int
        let descending: Bool
        /// Whether equal rows come with the greatest id first.
        let rowsDescending: Bool
    }

    /// A column of the order, or the groups.
    struct Key {
        let columnID: Int
        let ordinals: ColumnOrdinals
        let descending: Bool
        let grouping: Grouping?

        /// The rank of the row by this key; smaller is earlier.
        @inline(__always)
        func rank(_ row: Int, _ bytes: RawSpan) -> Int {
            if let grouping { return grouping.group(ordinals.ordinal(row, bytes)) }
            return ordinals.rank(row, descending: descending, bytes)
        }

        /// The ordinals whose rows have a rank, in ascending order.
        func ordinals(at rank: Int) -> [Int] {
            if let grouping {
                return (0...ordinals.distinct).filter { grouping.group($0) == rank }
            }
            return [descending && rank < ordinals.distinct ? ordinals.distinct - 1 - rank : rank]
        }

        fileprivate init(_ columnID: Int, _ snapshot: Snapshot, descending: Bool, grouping: Grouping? = nil) {
            self.columnID = columnID
            ordinals = snapshot.columnIndex[columnID].ordinals
            self.descending = descending
            self.grouping = grouping
        }

        /// The order by this key alone.
        fileprivate func order(rowsDescending: Bool) -> ColumnOrder {
            ColumnOrder(
                columnID: columnID, distinct: ordinals.distinct, descending: descending, rowsDescending: rowsDescending)
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
            keys.append(Key(grouping.field, snapshot, descending: false, grouping: grouping))
        }
        let idField = snapshot.definition.idField
        var rowsDescending = false
        for key in order.keys {
            if key.field == idField {
                rowsDescending = key.descending
                break
            }
            keys.append(Key(key.field, snapshot, descending: key.descending))
        }
        self.keys = keys
        self.rowsDescending = rowsDescending
        let stored = StoredOrder(order: order, isGrouped: grouping != nil)
        if let number = snapshot.orders.firstIndex(of: stored) {
            form = .stored(rows: snapshot.orderTables[number].rows, ranks: snapshot.orderTables[number].ranks)
        } else if keys.isEmpty {
            form = .rows(descending: rowsDescending)
        } else if keys.count == 1, grouping == nil {
            form = .column(keys[0].order(rowsDescending: rowsDescending))
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
                ? .column(key.order(rowsDescending: rowsDescending)) : .general
        } else {
            form = .rows(descending: rowsDescending)
        }
    }

    var withoutFirstKey: OrderPlan { OrderPlan(after: keys.dropFirst(), rowsDescending: rowsDescending) }

    /// Whether one row comes before another; for rows of equal `RowRank`.
    func precedes(_ row: Int, _ other: Int, _ bytes: RawSpan) -> Bool {
        for index in keys.indices {
            let (rank, otherRank) = (keys[index].rank(row, bytes), keys[index].rank(other, bytes))
            if rank != otherRank { return rank < otherRank }
        }
        return rowsDescending ? row > other : row < other
    }
}
