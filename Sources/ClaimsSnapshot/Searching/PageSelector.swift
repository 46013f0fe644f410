// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// Takes the first rows of a set in an order, after a boundary: by walking the order, or by going through the set.
struct PageSelector {
    let snapshot: Snapshot
    let plan: OrderPlan
    let limit: Int
    let after: PageBoundary?
    /// Rows of the set that are not wanted.
    let excluded: [UInt64]

    /// - Parameter count: the number of rows to return.
    func rows(_ set: RowSet, count: Int, _ builder: inout SetBuilder) throws(QueryInterruption) -> [UInt32] {
        guard limit > 0, count > 0 else { return [] }
        if let rows = try leading(set, &builder) { return rows }
        let spans = spans(of: set)
        if let spans, let test = RowTest(.all, excluding: excluded, in: snapshot),
            let rows = try walk(test, within: spans, bound: .max, steps: &builder.steps)
        {
            return rows
        }
        // Walking takes this number of steps on average. If matches are rare in the order it may take many more, and
        // then the whole set is read instead.
        let expected = limit.multipliedReportingOverflow(by: max(snapshot.count / count, 1)).partialValue
        if expected < count * 2 || isAll(set), let test = RowTest(set, excluding: excluded, in: snapshot) {
            let bound = isAll(set) ? Int.max : max(count * 2, expected * 4)
            if let rows = try walk(test, bound: bound, steps: &builder.steps) { return rows }
        }
        if case .general = plan.form, spans != nil || count > snapshot.count / 16,
            let test = RowTest(spans == nil ? set : .all, excluding: excluded, in: snapshot)
        {
            return try walkRuns(test, within: spans, steps: &builder.steps)
        }
        return try gather(set, &builder)
    }

    /// The first rows of a set in the requested order, if it is the order of the ids; nil for others.
    private func leading(_ set: RowSet, _ builder: inout SetBuilder) throws(QueryInterruption) -> [UInt32]? {
        guard case .rows(descending: false) = plan.form else { return nil }
        let start = after.map { $0.row.low + ($0.row.isExact ? 1 : 0) } ?? 0
        var rows: [UInt32] = []
        switch set {
        case .bits(let bits, _):
            try builder.steps.spend(bits.count / 8)
            try Bits.forEach(bits, from: start) { row throws(QueryInterruption) in
                try builder.steps.spend()
                if excluded.isEmpty || !Bits.contains(excluded, row) { rows.append(UInt32(truncatingIfNeeded: row)) }
                return rows.count < limit
            }
        case .list where after == nil:
            try builder.forEach(in: set) { row in
                if excluded.isEmpty || !Bits.contains(excluded, row) { rows.append(UInt32(truncatingIfNeeded: row)) }
                return rows.count < limit
            }
        default: return nil
        }
        return rows
    }

    private func isAll(_ set: RowSet) -> Bool {
        if case .all = set { return true }
        return false
    }

    /// The ranks of the set's values in the order, if the set is a range of ordinals of the column that the order
    /// begins with.
    private func spans(of set: RowSet) -> [Range<Int>]? {
        guard case .ordinals(let ordinals) = set, let key = plan.keys.first, key.grouping == nil,
            key.columnID == ordinals.columnID, ordinals.ranges.count <= 64
        else { return nil }
        guard key.descending else { return ordinals.ranges }
        // Absence is last in both directions.
        let distinct = key.ordinals.distinct
        var spans = ordinals.ranges.compactMap { range -> Range<Int>? in
            let present = range.clamped(to: 0..<distinct)
            return present.isEmpty ? nil : distinct - present.upperBound..<distinct - present.lowerBound
        }
        spans.reverse()
        if ordinals.ranges.last?.contains(distinct) == true { spans.append(distinct..<distinct + 1) }
        return spans
    }

    // MARK: - Going through the set

    private func gather(_ set: RowSet, _ builder: inout SetBuilder) throws(QueryInterruption) -> [UInt32] {
        let bytes = snapshot.bytes
        var first = FirstRows(plan, limit: limit, bytes)
        let after = after
        let keys = plan.keys
        try builder.forEach(in: set) { row in
            if !excluded.isEmpty, Bits.contains(excluded, row) { return true }
            if let after, !after.isBefore(row, keys, bytes) { return true }
            first.offer(row)
            return true
        }
        return first.sorted()
    }

    /// Selects rows in orders that are not stored: reads the values of the first key in their order, and the rows of
    /// each value in the order of the other keys, until there are enough.
    private func walkRuns(
        _ test: RowTest, within spans: [Range<Int>]?, steps: inout QuerySteps
    ) throws(QueryInterruption) -> [UInt32] {
        guard let key = plan.keys.first else { return [] }
        var rows: [UInt32] = []
        let start = after?.bounds.first ?? PageBoundary.Bound(low: 0, isExact: false)
        for span in spans ?? [0..<(key.grouping.map { $0.groups + 1 } ?? key.ordinals.distinct + 1)] {
            for rank in max(span.lowerBound, start.low)..<max(span.upperBound, start.low) {
                try steps.spend()
                let rest = PageSelector(
                    snapshot: snapshot, plan: plan.withoutFirstKey, limit: limit - rows.count,
                    after: start.isExact && rank == start.low ? after?.withoutFirstKey : nil, excluded: excluded)
                rows.append(contentsOf: try rest.run(of: key, at: rank, test, steps: &steps))
                if rows.count >= limit { return rows }
            }
        }
        return rows
    }

    /// The first rows among those with a rank by `key`, in the order of the other keys.
    private func run(
        of key: OrderPlan.Key, at rank: Int, _ test: RowTest, steps: inout QuerySteps
    ) throws(QueryInterruption) -> [UInt32] {
        let bytes = snapshot.bytes
        let column = snapshot.column(key.columnID)
        let ordinals = key.ordinals(at: rank)
        let runs = ordinals.map { column.slice($0..<$0 + 1) }
        let count = runs.reduce(0) { $0 + $1.count }
        // In a long run, walking the order of the other keys usually finds the first rows long before its end.
        if count > limit * 16,
            let rows = try walk(test.within(key, ordinals), bound: count / 2, steps: &steps)
        {
            return rows
        }
        var first = FirstRows(plan, limit: limit, bytes)
        for run in runs {
            for index in run {
                try steps.spend()
                let row = column.row(at: index)
                guard test(row) else { continue }
                if let after, !after.isBefore(row, plan.keys, bytes) { continue }
                first.offer(row)
            }
        }
        return first.sorted()
    }
}

extension PageSelector {
    /// Walks the order and selects the rows that pass the test; with `spans`, only rows whose first key has one of
    /// these ranks.
    ///
    /// Returns nil if the order cannot be walked, or if it took more than `bound` steps.
    func walk(
        _ test: RowTest, within spans: [Range<Int>]? = nil, bound: Int, steps: inout QuerySteps
    ) throws(QueryInterruption) -> [UInt32]? {
        switch plan.form {
        case .general: return nil
        case .rows(let descending): return try walkRows(test, descending: descending, bound: bound, steps: &steps)
        case .stored(let rows, _): return try walkStored(test, rows: rows, within: spans, bound: bound, steps: &steps)
        case .column(let order):
            let spans = spans ?? [0..<order.distinct + 1]
            return try walkColumn(test, order: order, within: spans, bound: bound, steps: &steps)
        }
    }

    private func walkRows(
        _ test: RowTest, descending: Bool, bound: Int, steps: inout QuerySteps
    ) throws(QueryInterruption) -> [UInt32]? {
        var walk = Walk(limit: limit, bound: bound)
        if descending {
            var row = min(after?.row.low ?? snapshot.count, snapshot.count) - 1
            while row >= 0, try walk.step(row, isWanted: test(row), steps: &steps) { row -= 1 }
        } else {
            var row = after.map { $0.row.low + ($0.row.isExact ? 1 : 0) } ?? 0
            while row < snapshot.count, try walk.step(row, isWanted: test(row), steps: &steps) { row += 1 }
        }
        return walk.result
    }

    private func walkStored(
        _ test: RowTest, rows: Table, within spans: [Range<Int>]?, bound: Int, steps: inout QuerySteps
    ) throws(QueryInterruption) -> [UInt32]? {
        let bytes = snapshot.bytes
        let rows = rows.view(bytes)
        var walk = Walk(limit: limit, bound: bound)
        var start = 0
        if let after { start = firstRank(in: rows) { after.isBefore($0, plan.keys, bytes) } }
        var ranges = [start..<snapshot.count]
        if let spans, let key = plan.keys.first {
            ranges = spans.map { span in
                let low = firstRank(in: rows) { key.rank($0, bytes) >= span.lowerBound }
                let high = firstRank(in: rows) { key.rank($0, bytes) >= span.upperBound }
                return max(low, start)..<max(low, start, high)
            }
        }
        for range in ranges {
            for rank in range {
                let row = rows[rank]
                guard
                    try walk.step(
                        row, isWanted: row < snapshot.count && test(row), steps: &steps)
                else { return walk.result }
            }
        }
        return walk.result
    }

    /// The first rank of a stored order whose row, and with it all after, is as asked.
    private func firstRank(in rows: TableView, _ isReached: (Int) -> Bool) -> Int {
        (0..<snapshot.count).partitionPoint { !isReached(rows[$0]) }
    }

    private func walkColumn(
        _ test: RowTest, order: OrderPlan.ColumnOrder, within spans: [Range<Int>], bound: Int,
        steps: inout QuerySteps
    ) throws(QueryInterruption) -> [UInt32]? {
        let bytes = snapshot.bytes
        let column = snapshot.column(order.columnID)
        var walk = Walk(limit: limit, bound: bound)
        let start = after?.bounds.first ?? PageBoundary.Bound(low: 0, isExact: false)
        for span in spans {
            for rank in max(span.lowerBound, start.low)..<max(span.upperBound, start.low) {
                let ordinal = order.descending && rank < column.distinct ? column.distinct - 1 - rank : rank
                let slice = column.slice(ordinal..<ordinal + 1)
                let isFirst = start.isExact && rank == start.low
                for index in 0..<slice.count {
                    let row = column.row(
                        at: order.rowsDescending ? slice.upperBound - 1 - index : slice.lowerBound + index)
                    let isSkipped = isFirst && after?.isBefore(row, plan.keys, bytes) == false
                    guard
                        try walk.step(
                            row, isWanted: !isSkipped && test(row), steps: &steps)
                    else { return walk.result }
                }
                // Values without rows must not go uncounted.
                try steps.spend()
            }
        }
        return walk.result
    }

    /// The rows found so far, and the number of steps that are left.
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
            _ row: Int, isWanted: Bool, steps: inout QuerySteps
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
