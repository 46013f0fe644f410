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

    /// - Parameter count: how many rows are wanted in all.
    func rows(_ set: RowSet, count: Int, _ builder: inout SetBuilder) throws(QueryInterruption) -> [UInt32] {
        guard limit > 0, count > 0 else { return [] }
        if let rows = try leading(set, &builder) { return rows }
        let spans = spans(of: set)
        if let spans, let test = RowTest(.all, excluding: excluded, snapshot.columns),
            let rows = try walk(test, spans, bound: .max, &builder.steps)
        {
            return rows
        }
        // Walking takes so many steps on average; where matches are rare in the order it may take many more, and then
        // going through the set is begun instead.
        let expected = limit.multipliedReportingOverflow(by: max(snapshot.count / count, 1)).partialValue
        if expected < count * 2 || isAll(set), let test = RowTest(set, excluding: excluded, snapshot.columns) {
            let bound = isAll(set) ? Int.max : max(count * 2, expected * 4)
            if let rows = try walk(test, nil, bound: bound, &builder.steps) { return rows }
        }
        if case .general = plan.form, spans != nil || count > snapshot.count / 16,
            let test = RowTest(spans == nil ? set : .all, excluding: excluded, snapshot.columns)
        {
            return try walkRuns(test, spans, &builder.steps)
        }
        return try gather(set, &builder)
    }

    /// The first rows of a set that lies in the order asked for, that of the ids; nil for others.
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

    /// Where the set is slices of the column that the order begins with: the places of their values in it.
    private func spans(of set: RowSet) -> [Range<Int>]? {
        guard case .slices(let slices) = set, let key = plan.keys.first, key.grouping == nil,
            key.column.kind.owner == slices.owner, slices.ranges.count <= 64
        else { return nil }
        guard key.descending else { return slices.ranges }
        // Absence is last in both directions.
        let distinct = key.column.distinct
        var spans = slices.ranges.compactMap { range -> Range<Int>? in
            let present = range.clamped(to: 0..<distinct)
            return present.isEmpty ? nil : distinct - present.upperBound..<distinct - present.lowerBound
        }
        spans.reverse()
        if slices.ranges.last?.contains(distinct) == true { spans.append(distinct..<distinct + 1) }
        return spans
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

    /// For orders that are not stored: goes through the values of the first key in their order, and takes the rows of
    /// each in the order of the other keys, until there are enough.
    private func walkRuns(
        _ test: RowTest, _ spans: [Range<Int>]?, _ steps: inout QuerySteps
    ) throws(QueryInterruption) -> [UInt32] {
        guard let key = plan.keys.first else { return [] }
        var rows: [UInt32] = []
        let start = after?.places.first ?? PlaceInOrder.Place(low: 0, isExact: false)
        for span in spans ?? [0..<(key.grouping.map { $0.groups + 1 } ?? key.column.distinct + 1)] {
            for place in max(span.lowerBound, start.low)..<max(span.upperBound, start.low) {
                try steps.spend()
                let rest = PageSelector(
                    snapshot: snapshot, plan: plan.withoutFirstKey, limit: limit - rows.count,
                    after: start.isExact && place == start.low ? after?.withoutFirstKey : nil, excluded: excluded)
                rows.append(contentsOf: try rest.run(of: key, at: place, test, &steps))
                if rows.count >= limit { return rows }
            }
        }
        return rows
    }

    /// The first rows of those that come at a place by `key`, in the order that is left without it.
    private func run(
        of key: OrderPlan.Key, at place: Int, _ test: RowTest, _ steps: inout QuerySteps
    ) throws(QueryInterruption) -> [UInt32] {
        let bytes = snapshot.bytes
        let slices = key.ordinals(at: place).map { key.column.slice($0..<$0 + 1, bytes) }
        let count = slices.reduce(0) { $0 + $1.count }
        // Of a long run, walking the order that is left mostly finds the first rows long before its end.
        if count > limit * 16,
            let rows = try walk(test.within(key, at: place), nil, bound: count / 2, &steps)
        {
            return rows
        }
        var first = FirstRows(plan, limit: limit)
        for slice in slices {
            for index in slice {
                try steps.spend()
                let row = key.column.row(at: index, bytes)
                guard test(row, bytes) else { continue }
                if let after, !after.isBefore(row, plan.keys, bytes) { continue }
                first.offer(row, bytes)
            }
        }
        return first.sorted(bytes)
    }
}
