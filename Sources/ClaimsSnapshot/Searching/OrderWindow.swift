// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// Selects rows of a set from one end of an order: the first rows after some that are skipped, or the last ones.
///
/// ``PageSelector`` selects the rows after a boundary.
struct OrderWindow {
    let snapshot: Snapshot
    let plan: OrderPlan
    /// Rows of the set that are not wanted.
    let excluded: [UInt64]
    /// Whether the rows are taken from the end.
    let isBackward: Bool
    /// Only rows that do not come after it are taken; nil for all.
    var end: PageBoundary?
    /// The number of rows that are passed over, from the end that the rows are taken from.
    var skip = 0
    let limit: Int

    /// The rows, in the order.
    ///
    /// - Parameter count: the number of wanted rows that the set has.
    func rows(_ set: RowSet, count: Int, _ builder: inout SetBuilder) throws(QueryInterruption) -> [UInt32] {
        guard limit > 0, count > 0 else { return [] }
        var rows = try walked(set, count: count, &builder)
        if rows == nil { rows = try gathered(set, count: count, &builder) }
        return isBackward ? rows?.reversed() ?? [] : rows ?? []
    }

    // MARK: - Along the order

    private func walked(
        _ set: RowSet, count: Int, _ builder: inout SetBuilder
    ) throws(QueryInterruption) -> [UInt32]? {
        var isAll = false
        if case .all = set { isAll = true }
        // As in `PageSelector`: if matches are rare in the order, reading the whole set takes fewer steps.
        let steps = (skip + limit).multipliedReportingOverflow(by: max(snapshot.count / count, 1)).partialValue
        guard isAll || steps < count * 2, let test = RowTest(set, excluding: excluded, in: snapshot) else { return nil }
        var walk = Walk(skip: skip, limit: limit, left: isAll ? .max : max(count * 2, steps * 4))
        switch plan.form {
        case .general: return nil
        case .rows(let descending):
            let last = snapshot.count - 1
            try walkRows(test, isWhole: isAll, &walk, steps: &builder.steps) { descending ? last - $0 : $0 }
        case .stored(let table, _):
            let rows = table.view(snapshot.bytes)
            try walkRows(test, isWhole: isAll, &walk, steps: &builder.steps) { rows[$0] }
        case .column(let order): try walkColumn(test, order, &walk, steps: &builder.steps)
        }
        return walk.result
    }

    /// Walks an order in which the index of a row is known.
    private func walkRows(
        _ test: RowTest, isWhole: Bool, _ walk: inout Walk, steps: inout QuerySteps, row: (Int) -> Int
    ) throws(QueryInterruption) {
        let bytes = snapshot.bytes
        var stop = snapshot.count
        if let end { stop = (0..<stop).partitionPoint { !end.isBefore(row($0), plan.keys, bytes) } }
        var index = 0
        // If every row counts, skipped rows need no look.
        if isWhole, excluded.isEmpty {
            index = min(walk.skip, stop)
            walk.skip = 0
        }
        while index < stop {
            let found = row(isBackward ? stop - 1 - index : index)
            guard try walk.step(found, isWanted: found < snapshot.count && test(found), &steps) else { return }
            index += 1
        }
    }

    private func walkColumn(
        _ test: RowTest, _ order: OrderPlan.ColumnOrder, _ walk: inout Walk, steps: inout QuerySteps
    ) throws(QueryInterruption) {
        let bytes = snapshot.bytes
        let column = snapshot.column(order.columnID)
        let bound = end?.bounds.first
        let stop = bound.map { min($0.low + ($0.isExact ? 1 : 0), column.distinct + 1) } ?? column.distinct + 1
        for number in 0..<stop {
            let rank = isBackward ? stop - 1 - number : number
            let ordinal = order.descending && rank < column.distinct ? column.distinct - 1 - rank : rank
            let slice = column.slice(ordinal..<ordinal + 1)
            let isLast = bound?.isExact == true && rank == bound?.low
            let runsDown = order.rowsDescending != isBackward
            for index in 0..<slice.count {
                let row = column.row(at: runsDown ? slice.upperBound - 1 - index : slice.lowerBound + index)
                let isPast = isLast && end?.isBefore(row, plan.keys, bytes) == true
                guard try walk.step(row, isWanted: !isPast && test(row), &steps) else { return }
            }
            // Values without rows must not go uncounted.
            try steps.spend()
        }
    }

    /// The rows found so far, and the number of steps that are left.
    private struct Walk {
        var skip: Int
        let limit: Int
        var left: Int
        var rows: [UInt32] = []

        /// Takes a row that is wanted; false when the walk is at its end.
        @inline(__always)
        mutating func step(
            _ row: Int, isWanted: Bool, _ steps: inout QuerySteps
        ) throws(QueryInterruption) -> Bool {
            try steps.spend()
            left &-= 1
            if isWanted {
                if skip > 0 { skip &-= 1 } else { rows.append(UInt32(truncatingIfNeeded: row)) }
            }
            return rows.count < limit && left > 0
        }

        /// nil if the steps were used up before there were enough rows.
        var result: [UInt32]? { left > 0 || rows.count >= limit ? rows : nil }
    }

    // MARK: - Through the set

    private func gathered(_ set: RowSet, count: Int, _ builder: inout SetBuilder) throws(QueryInterruption) -> [UInt32]
    {
        let bytes = snapshot.bytes
        let (keys, end) = (plan.keys, end)
        // Keeping the first ones is quicker while they are few: measured with a million rows.
        if skip <= limit || (skip + limit) * 16 <= count {
            var first = FirstRows(plan, limit: skip + limit, isBackward: isBackward, bytes)
            try builder.forEach(in: set) { row in
                if !excluded.isEmpty, Bits.contains(excluded, row) { return true }
                if let end, end.isBefore(row, keys, bytes) { return true }
                first.offer(row)
                return true
            }
            return Array(first.sorted().dropFirst(skip))
        }
        var selection = RankSelection(plan, isBackward: isBackward, bytes)
        try builder.forEach(in: set) { row in
            if !excluded.isEmpty, Bits.contains(excluded, row) { return true }
            if let end, end.isBefore(row, keys, bytes) { return true }
            selection.add(row)
            return true
        }
        return try selection.rows(skip..<skip + limit, &builder.steps)
    }
}

extension OrderWindow {
    /// The number of rows of a set that are not excluded and do not come after a boundary.
    static func count(
        upTo end: PageBoundary, of set: RowSet, excluding excluded: [UInt64], by plan: OrderPlan,
        in snapshot: Snapshot, _ builder: inout SetBuilder
    ) throws(QueryInterruption) -> Int {
        let bytes = snapshot.bytes
        let keys = plan.keys
        var count = 0
        if case .all = set, let all = countOfAll(upTo: end, by: plan, in: snapshot) {
            count = all
            try Bits.forEach(excluded) { row throws(QueryInterruption) in
                try builder.steps.spend()
                if row < snapshot.count, !end.isBefore(row, keys, bytes) { count -= 1 }
                return true
            }
            return count
        }
        try builder.forEach(in: set) { row in
            if !excluded.isEmpty, Bits.contains(excluded, row) { return true }
            if !end.isBefore(row, keys, bytes) { count &+= 1 }
            return true
        }
        return count
    }

    /// The number of all rows that do not come after a boundary, if the order gives it without a look at each row.
    private static func countOfAll(upTo end: PageBoundary, by plan: OrderPlan, in snapshot: Snapshot) -> Int? {
        let bytes = snapshot.bytes
        let row: (Int) -> Int
        switch plan.form {
        case .general, .column: return nil
        case .rows(let descending):
            let last = snapshot.count - 1
            row = { descending ? last - $0 : $0 }
        case .stored(let table, _):
            row = { table.view(snapshot.bytes)[$0] }
        }
        return (0..<snapshot.count).partitionPoint { !end.isBefore(row($0), plan.keys, bytes) }
    }
}

extension PageBoundary {
    /// The boundary right before the record of the position: that record comes after it.
    var beforeItsRecord: PageBoundary {
        let low = rowsDescending && row.isExact ? row.low + 1 : row.low
        return PageBoundary(bounds: bounds, row: Bound(low: low, isExact: false), rowsDescending: rowsDescending)
    }
}
