// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsQuery

/// One query on its way through a snapshot.
struct QueryRun {
    private let snapshot: Snapshot
    private let archive: RowBitmap
    /// The rows that are not served; `archive` includes them if a query leaves out archived rows.
    private let hidden: RowBitmap
    private let pending: PendingRows?
    private let scratch: QueryScratch
    var builder: SetBuilder

    init(
        _ snapshot: Snapshot, archive: RowBitmap, hidden: RowBitmap = RowBitmap(), pending: PendingRows? = nil,
        scratch: QueryScratch, budget: QueryBudget
    ) {
        self.hidden = hidden
        self.pending = pending
        self.snapshot = snapshot
        self.archive = archive
        self.scratch = scratch
        builder = SetBuilder(snapshot, scratch: scratch, steps: QuerySteps(budget))
    }

    /// A query's rows: the rows of the set that are not excluded.
    struct Selection {
        var set: RowSet
        var excluded: [UInt64]
        var total: Int
    }

    mutating func total(_ predicate: Predicate, _ archived: ArchivedMode) throws(QueryInterruption) -> Int {
        let selection = try select(predicate, archived)
        defer { release(selection) }
        return selection.total
    }

    mutating func page(_ query: PageQuery) throws(QueryInterruption) -> Page {
        let selection = try select(query.predicate, query.archived)
        defer { release(selection) }
        var page = try summary(of: query, selection)
        guard query.limit > 0, page.total > 0 else { return page }
        let plan = OrderPlan(query.order, isGrouped: query.isGrouped, snapshot)
        let finder = PositionFinder(snapshot: snapshot, plan: plan)
        // One row more than requested shows whether another page follows.
        let selector = PageSelector(
            snapshot: snapshot, plan: plan, limit: min(query.limit, snapshot.count) + 1,
            after: query.after.map { finder.boundary(of: $0) }, excluded: selection.excluded)
        page.rows = try selector.rows(selection.set, count: page.total, &builder)
        if page.rows.count > query.limit {
            page.rows.removeLast()
            if let last = page.rows.last { page.next = finder.position(of: Int(last)) }
        }
        return page
    }

    /// The totals, facets and groups of a query, without rows.
    mutating func summary(of query: PageQuery, _ selection: Selection) throws(QueryInterruption) -> Page {
        var page = Page()
        page.total = selection.total
        let counter = ValueCounter(snapshot: snapshot, excluded: selection.excluded)
        for field in query.facets { page.facets.append(try facet(field, counter, selection)) }
        if query.isGrouped, let grouping = snapshot.grouping {
            page.groups = try groups(grouping, counter, selection)
        }
        return page
    }

    // MARK: - Which rows

    mutating func select(
        _ predicate: Predicate, _ archived: ArchivedMode
    ) throws(QueryInterruption) -> Selection {
        var planner = QueryPlanner(snapshot, pending: pending, scratch: scratch, steps: builder.steps)
        let plan = try planner.plan(predicate)
        switch archived {
        case .include: return selection(try builder.set(plan), excluded: [])
        case .only: return try onlyArchived(plan)
        case .exclude:
            if archive.count == 0 { return selection(try builder.set(plan), excluded: []) }
            return try withoutArchived(try builder.set(plan))
        }
    }

    private func selection(_ set: RowSet, excluded: [UInt64]) -> Selection {
        let total = set.count(snapshot.count)
        return Selection(set: set, excluded: excluded, total: total)
    }

    private mutating func onlyArchived(_ plan: QueryPlan) throws(QueryInterruption) -> Selection {
        if archive.count == 0 { return Selection(set: .none, excluded: [], total: 0) }
        if archive.count <= builder.maxSparse {
            let snapshot = snapshot
            let columns = snapshot.columns
            var rows: [UInt32] = []
            try Bits.forEach(archive.bits) { row throws(QueryInterruption) in
                try builder.steps.spend(4)
                if plan.contains(row, columns) {
                    rows.append(UInt32(truncatingIfNeeded: row))
                }
                return true
            }
            return selection(.rows(rows), excluded: [])
        }
        var bits = try builder.materialized(try builder.set(plan))
        Bits.intersect(&bits, archive.bits)
        return selection(builder.counted(bits), excluded: [])
    }

    private mutating func withoutArchived(_ set: consuming RowSet) throws(QueryInterruption) -> Selection {
        if case .bits(var bits, _) = set {
            // The set must not hold the bits meanwhile: they would be copied.
            set = .none
            Bits.subtract(&bits, archive.bits)
            return selection(builder.counted(bits), excluded: [])
        }
        switch set {
        case .none: return selection(.none, excluded: [])
        case .all: return Selection(set: .all, excluded: archive.bits, total: snapshot.count - archive.count)
        case .rows(let rows):
            return selection(.rows(rows.filter { !Bits.contains(archive.bits, Int($0)) }), excluded: [])
        default:
            let count = set.count(snapshot.count)
            // Few rows are listed, so that nobody tests them again.
            guard count > min(archive.count, builder.maxSparse) else {
                let rows = try builder.listed(set)
                return selection(.rows(rows.filter { !Bits.contains(archive.bits, Int($0)) }), excluded: [])
            }
            let common = try builder.countCommon(set, with: archive)
            return Selection(set: set, excluded: archive.bits, total: max(0, count - common))
        }
    }

    func release(_ selection: consuming Selection) {
        if case .bits(let bits, _) = selection.set { scratch.keep(bits) }
    }

    // MARK: - Counts

    private mutating func facet(
        _ field: Int, _ counter: ValueCounter, _ selection: Selection
    ) throws(QueryInterruption) -> [FacetCount] {
        let snapshot = snapshot
        let column = snapshot.column(field)
        let counts = try counter.counts(field, selection.set, &builder)
        var facet: [FacetCount] = []
        for ordinal in 0..<column.distinct where counts[ordinal] > 0 && facet.count < FacetCount.maxValues {
            facet.append(
                FacetCount(
                    code: column.kind.isCoded ? ordinal : nil, row: sample(ordinal, column),
                    count: counts[ordinal], ordinal: ordinal))
        }
        let absent = counts[column.distinct]
        if absent > 0 { facet.append(FacetCount(code: nil, row: nil, count: absent, ordinal: column.distinct)) }
        return facet
    }

    /// A row that is served and has an ordinal.
    private func sample(_ ordinal: Int, _ column: ColumnView) -> Int {
        let first = column.sample(ordinal)
        if !hidden.contains(first) { return first }
        for index in column.slice(ordinal..<ordinal + 1) where !hidden.contains(column.row(at: index)) {
            return column.row(at: index)
        }
        return first
    }

    private mutating func groups(
        _ grouping: Grouping, _ counter: ValueCounter, _ selection: Selection
    ) throws(QueryInterruption) -> [Page.Group] {
        var totals = [Int](repeating: 0, count: grouping.groups + 1)
        let counts = try counter.counts(grouping.field, selection.set, &builder)
        for (ordinal, count) in counts.enumerated() { totals[grouping.group(ordinal)] += count }
        return totals.enumerated().compactMap { group, total in
            total > 0 ? Page.Group(group: group, total: total) : nil
        }
    }
}

/// Counts the values of a column over a set of rows.
struct ValueCounter {
    let snapshot: Snapshot
    /// Rows of the set that do not count.
    let excluded: [UInt64]

    /// The number of rows of the set with each ordinal, absence last.
    func counts(_ columnID: Int, _ set: RowSet, _ builder: inout SetBuilder) throws(QueryInterruption) -> [Int] {
        let bytes = snapshot.bytes
        let column = snapshot.column(columnID)
        var counts = [Int](repeating: 0, count: column.distinct + 1)
        if let ranges = whole(columnID, set, column) {
            for range in ranges {
                for ordinal in range { counts[ordinal] = column.slice(ordinal..<ordinal + 1).count }
            }
            // Few rows are looked up one by one, many in the bitmaps of the values.
            let values = ranges.reduce(0) { $0 + $1.count }
            if column.bitmap(0) != nil, values * excluded.count / 8 < Bits.count(excluded) {
                for range in ranges {
                    for ordinal in range {
                        try builder.steps.spend(excluded.count / 8)
                        guard let offset = column.bitmap(ordinal) else { continue }
                        counts[ordinal] -= Bits.countCommon(excluded, bytes, at: offset)
                    }
                }
                return counts
            }
            try Bits.forEach(excluded) { row throws(QueryInterruption) in
                try builder.steps.spend()
                let ordinal = column.ordinal(row)
                if row < snapshot.count, OrdinalRanges.contains(ordinal, ranges) { counts[ordinal] -= 1 }
                return true
            }
            return counts
        }
        if case .bits(let bits, let count) = set, column.bitmap(0) != nil,
            bits.count * (column.distinct + 1) < count * 2
        {
            for ordinal in 0...column.distinct {
                try builder.steps.spend(bits.count / 8)
                if let offset = column.bitmap(ordinal) { counts[ordinal] = Bits.countCommon(bits, bytes, at: offset) }
            }
            return counts
        }
        try builder.forEach(in: set) { row in
            if excluded.isEmpty || !Bits.contains(excluded, row) { counts[column.ordinal(row)] &+= 1 }
            return true
        }
        return counts
    }

    /// The ordinals all of whose rows are in the set, if the set was made from ordinals.
    private func whole(_ columnID: Int, _ set: RowSet, _ column: ColumnView) -> [Range<Int>]? {
        switch set {
        case .all: return [0..<column.distinct + 1]
        case .ordinals(let ordinals): return ordinals.columnID == columnID ? ordinals.ranges : nil
        default: return nil
        }
    }
}
