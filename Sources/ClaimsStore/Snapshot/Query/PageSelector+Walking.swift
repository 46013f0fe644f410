// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension PageSelector {
    /// Goes along the order and takes the rows that pass the test; with `spans`, only where the first key's value has
    /// one of these places.
    ///
    /// nil where the order cannot be walked, or more than `bound` steps were needed.
    func walk(
        _ test: RowTest, _ spans: [Range<Int>]?, bound: Int, _ steps: inout QuerySteps
    ) throws(QueryInterruption) -> [UInt32]? {
        switch plan.form {
        case .general: return nil
        case .rows(let descending): return try walkRows(test, descending, bound, &steps)
        case .stored(let rows, _): return try walkStored(test, rows, spans, bound, &steps)
        case .column(let column, let descending, let rowsDescending):
            let spans = spans ?? [0..<column.distinct + 1]
            return try walkColumn(test, column, descending, rowsDescending, spans, bound, &steps)
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
        _ test: RowTest, _ rows: Table, _ spans: [Range<Int>]?, _ bound: Int, _ steps: inout QuerySteps
    ) throws(QueryInterruption) -> [UInt32]? {
        let bytes = snapshot.bytes
        var walk = Walk(limit: limit, bound: bound)
        var start = 0
        if let after { start = firstPlace(rows, bytes) { after.isBefore($0, plan.keys, bytes) } }
        var ranges = [start..<snapshot.count]
        if let spans, let key = plan.keys.first {
            ranges = spans.map { span in
                let low = firstPlace(rows, bytes) { key.place($0, bytes) >= span.lowerBound }
                let high = firstPlace(rows, bytes) { key.place($0, bytes) >= span.upperBound }
                return max(low, start)..<max(low, start, high)
            }
        }
        for range in ranges {
            for place in range {
                let row = rows[place, bytes]
                guard try walk.step(row, row < snapshot.count && test(row, bytes), &steps) else { return walk.result }
            }
        }
        return walk.result
    }

    /// The first place of a stored order whose row, and with it all after, is as asked.
    private func firstPlace(_ rows: Table, _ bytes: RawSpan, _ isReached: (Int) -> Bool) -> Int {
        var low = 0
        var high = snapshot.count
        while low < high {
            let middle = (low + high) / 2
            if isReached(rows[middle, bytes]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private func walkColumn(
        _ test: RowTest, _ column: Column, _ descending: Bool, _ rowsDescending: Bool, _ spans: [Range<Int>],
        _ bound: Int, _ steps: inout QuerySteps
    ) throws(QueryInterruption) -> [UInt32]? {
        let bytes = snapshot.bytes
        var walk = Walk(limit: limit, bound: bound)
        let start = after?.places.first ?? PlaceInOrder.Place(low: 0, isExact: false)
        for span in spans {
            for place in max(span.lowerBound, start.low)..<max(span.upperBound, start.low) {
                let ordinal = descending && place < column.distinct ? column.distinct - 1 - place : place
                let slice = column.slice(ordinal..<ordinal + 1, bytes)
                let isFirst = start.isExact && place == start.low
                for index in 0..<slice.count {
                    let row = column.row(
                        at: rowsDescending ? slice.upperBound - 1 - index : slice.lowerBound + index, bytes)
                    let isSkipped = isFirst && after?.isBefore(row, plan.keys, bytes) == false
                    guard try walk.step(row, !isSkipped && test(row, bytes), &steps) else { return walk.result }
                }
                // Values without rows must not go uncounted.
                try steps.spend()
            }
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
