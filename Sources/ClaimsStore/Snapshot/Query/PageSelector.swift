// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Takes the first rows of a set in an order, after a place: by walking the order, or by going through the set.
struct PageSelector {
    let snapshot: Snapshot
    let plan: OrderPlan
    let limit: Int
    let after: PlaceInOrder?
    /// Rows of the set that are not wanted.
    let excluded: [UInt64]

    func rows(
        _ set: RowSet, count: Int, _ builder: inout SetBuilder
    ) throws(QueryInterruption) -> [UInt32] {
        guard limit > 0, count > 0 else { return [] }
        // Walking takes so many steps on average; where matches are rare in the order it may take many more, and then
        // going through the set is begun instead.
        let expected = limit.multipliedReportingOverflow(by: max(snapshot.count / count, 1)).partialValue
        if expected < count * 2 || isAll(set), let test = RowTest(set, excluding: excluded, snapshot.columns) {
            let bound = isAll(set) ? Int.max : max(count * 2, expected * 4)
            if let rows = try walk(test, bound: bound, &builder.steps) { return rows }
        }
        return try gather(set, &builder)
    }

    private func isAll(_ set: RowSet) -> Bool {
        if case .all = set { return true }
        return false
    }

    // MARK: - Going through the set

    private func gather(_ set: RowSet, _ builder: inout SetBuilder) throws(QueryInterruption) -> [UInt32] {
        let bytes = snapshot.bytes
        var first = FirstRows(plan, limit: limit)
        let after = after
        let keys = plan.keys
        try builder.forEach(in: set) { row in
            if !excluded.isEmpty, Bits.contains(excluded, row) { return true }
            if let after, !after.isBefore(row, keys, bytes) { return true }
            first.offer(row, bytes)
            return true
        }
        return first.sorted(bytes)
    }

    // MARK: - Walking the order

    /// nil where the order cannot be walked, or more than `bound` steps were needed.
    private func walk(
        _ test: RowTest, bound: Int, _ steps: inout QuerySteps
    ) throws(QueryInterruption) -> [UInt32]? {
        switch plan.form {
        case .general: return nil
        case .rows(let descending): return try walkRows(test, descending, bound, &steps)
        case .stored(let rows, _): return try walkStored(test, rows, bound, &steps)
        case .column(let column, let descending, let rowsDescending):
            return try walkColumn(test, column, descending, rowsDescending, bound, &steps)
        }
    }

    private func walkRows(
        _ test: RowTest, _ descending: Bool, _ bound: Int, _ steps: inout QuerySteps
    ) throws(QueryInterruption) -> [UInt32]? {
        let bytes = snapshot.bytes
        var walk = Walk(limit: limit, bound: bound)
        if descending {
            var row = min(after?.row.low ?? snapshot.count, snapshot.count) - 1
            while row >= 0, try walk.step(row, test(row, bytes), &steps) { row -= 1 }
        } else {
            var row = after.map { $0.row.low + ($0.row.isExact ? 1 : 0) } ?? 0
            while row < snapshot.count, try walk.step(row, test(row, bytes), &steps) { row += 1 }
        }
        return walk.result
    }

    private func walkStored(
        _ test: RowTest, _ rows: Table, _ bound: Int, _ steps: inout QuerySteps
    ) throws(QueryInterruption) -> [UInt32]? {
        let bytes = snapshot.bytes
        var walk = Walk(limit: limit, bound: bound)
        var place = 0
        if let after {
            var high = snapshot.count
            while place < high {
                let middle = (place + high) / 2
                if after.isBefore(rows[middle, bytes], plan.keys, bytes) { high = middle } else { place = middle + 1 }
            }
        }
        while place < snapshot.count {
            let row = rows[place, bytes]
            guard try walk.step(row, row < snapshot.count && test(row, bytes), &steps) else { break }
            place += 1
        }
        return walk.result
    }

    private func walkColumn(
        _ test: RowTest, _ column: Column, _ descending: Bool, _ rowsDescending: Bool, _ bound: Int,
        _ steps: inout QuerySteps
    ) throws(QueryInterruption) -> [UInt32]? {
        let bytes = snapshot.bytes
        var walk = Walk(limit: limit, bound: bound)
        var place = after?.places.first?.low ?? 0
        var isFirst = after?.places.first?.isExact ?? false
        while place <= column.distinct {
            let ordinal = descending && place < column.distinct ? column.distinct - 1 - place : place
            let slice = column.slice(ordinal..<ordinal + 1, bytes)
            for index in 0..<slice.count {
                let row = column.row(
                    at: rowsDescending ? slice.upperBound - 1 - index : slice.lowerBound + index, bytes)
                let isSkipped = isFirst && after?.isBefore(row, plan.keys, bytes) == false
                guard try walk.step(row, !isSkipped && test(row, bytes), &steps) else { return walk.result }
            }
            isFirst = false
            place += 1
            // A column of many values without rows here would otherwise count as no steps.
            try steps.spend()
        }
        return walk.result
    }

    /// The rows found so far, and how many steps are left.
    private struct Walk {
        let limit: Int
        var left: Int
        var rows: [UInt32] = []

        init(limit: Int, bound: Int) {
            self.limit = limit
            left = bound
        }

        /// Takes a row that is wanted; false when the walk is at its end.
        @inline(__always)
        mutating func step(
            _ row: Int, _ isWanted: Bool, _ steps: inout QuerySteps
        ) throws(QueryInterruption) -> Bool {
            try steps.spend()
            left &-= 1
            if isWanted { rows.append(UInt32(truncatingIfNeeded: row)) }
            return rows.count < limit && left > 0
        }

        /// nil when the steps were used up before the page was full.
        var result: [UInt32]? { left > 0 || rows.count >= limit ? rows : nil }
    }
}
