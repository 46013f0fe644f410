// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel

/// Makes one page of the pages that a query has in a snapshot and in the overlay over it.
///
/// Rows of both are compared by the values that order them: those of the overlay are looked up in the columns of the
/// snapshot below, as the position of a cursor is.
struct PageMerge {
    let query: PageQuery
    let below: Snapshot
    let above: Snapshot

    /// The rows of the overlay have numbers after those of the snapshot below.
    func merged(_ older: Page, _ newer: Page) -> Page {
        var page = summary(older, newer)
        guard query.limit > 0 else { return page }
        page.rows = merged(older.rows, newer.rows, limit: query.limit)
        let found = older.rows.count + newer.rows.count
        if found > page.rows.count || older.next != nil || newer.next != nil, let last = page.rows.last {
            page.next = position(of: Int(last))
        }
        return page
    }

    /// The totals, groups and facets of both, without rows.
    func summary(_ older: Page, _ newer: Page) -> Page {
        var page = Page()
        page.total = older.total + newer.total
        page.groups = Self.merged(older.groups, newer.groups)
        page.facets = older.facets.indices.map { merged(older.facets[$0], newer.facets[$0], of: query.facets[$0]) }
        return page
    }

    /// The first rows of both, in the order; those of the overlay under the numbers that they have over the snapshot.
    func merged(_ older: [UInt32], _ newer: [UInt32], limit: Int) -> [UInt32] {
        if newer.isEmpty { return older }
        let bytes = below.bytes
        let plan = OrderPlan(query.order, isGrouped: query.isGrouped, below)
        let finder = PositionFinder(snapshot: below, plan: plan)
        let ownPlan = OrderPlan(query.order, isGrouped: query.isGrouped, above)
        let ownFinder = PositionFinder(snapshot: above, plan: ownPlan)
        var rows: [UInt32] = []
        rows.reserveCapacity(min(limit, older.count + newer.count))
        var next = 0
        for own in newer {
            let boundary = finder.boundary(of: ownFinder.position(of: Int(own)).withoutHint)
            while next < older.count, rows.count < limit,
                !boundary.isBefore(Int(older[next]), plan.keys, bytes)
            {
                rows.append(older[next])
                next += 1
            }
            if rows.count == limit { return rows }
            rows.append(UInt32(truncatingIfNeeded: below.count + Int(own)))
        }
        rows.append(contentsOf: older[next...].prefix(limit - rows.count))
        return rows
    }

    private func position(of row: Int) -> PagePosition {
        row < below.count
            ? below.position(of: row, in: query) : above.position(of: row - below.count, in: query).withoutHint
    }

    private static func merged(_ older: [Page.Group], _ newer: [Page.Group]) -> [Page.Group] {
        var totals: [Int: Int] = [:]
        for group in older + newer { totals[group.group, default: 0] += group.total }
        return totals.sorted { $0.key < $1.key }.map { Page.Group(group: $0.key, total: $0.value) }
    }

    // MARK: - Facets

    private func merged(_ older: [FacetCount], _ newer: [FacetCount], of field: Int) -> [FacetCount] {
        if newer.isEmpty { return older }
        let column = below.column(field)
        let own = above.column(field)
        let plan = OrderPlan(query.order, isGrouped: false, below)
        let finder = PositionFinder(snapshot: below, plan: plan)
        let ownFinder = PositionFinder(snapshot: above, plan: plan)
        var counts: [FacetCount] = []
        var next = 0
        for count in newer {
            var found = (ordinal: column.distinct, isExact: true)
            if count.ordinal < own.distinct {
                let key = Self.key(count.ordinal, own, ownFinder)
                let (ordinal, isExact) = finder.ordinal(of: key, column)
                found = (ordinal, isExact)
            }
            while next < older.count, older[next].ordinal < found.ordinal {
                counts.append(older[next])
                next += 1
            }
            if found.isExact, next < older.count, older[next].ordinal == found.ordinal {
                let both = older[next]
                counts.append(
                    FacetCount(code: both.code, row: both.row, count: both.count + count.count, ordinal: both.ordinal))
                next += 1
            } else {
                counts.append(
                    FacetCount(
                        code: count.code, row: count.row.map { $0 + below.count }, count: count.count,
                        ordinal: found.ordinal))
            }
        }
        counts.append(contentsOf: older[next...])
        return Self.capped(counts)
    }

    /// The key by which the columns of both snapshots order a value.
    private static func key(_ ordinal: Int, _ column: ColumnView, _ finder: PositionFinder) -> [UInt8] {
        guard column.kind.isIdentity else { return finder.value(ordinal, column.sample(ordinal), column) ?? [] }
        var key: [UInt8] = []
        KeyEncoding.natural(column.key(ordinal), into: &key)
        return key
    }

    /// The first values, and after them the matches without a value.
    private static func capped(_ counts: [FacetCount]) -> [FacetCount] {
        let values = counts.filter { $0.code != nil || $0.row != nil }
        if values.count <= FacetCount.maxValues { return counts }
        return values.prefix(FacetCount.maxValues) + counts.filter { $0.code == nil && $0.row == nil }
    }
}

extension PagePosition {
    /// The same position without the row that saves looking it up: it is none of the snapshot below.
    var withoutHint: PagePosition {
        var position = self
        position.row = .max
        return position
    }
}

extension Page {
    /// The page of a query over no records.
    init(emptyOf query: PageQuery) {
        self.init()
        facets = query.facets.map { _ in [] }
    }

    /// The same page with a position that is good for a later snapshot, too.
    var withoutHint: Page {
        var page = self
        page.next = next?.withoutHint
        return page
    }
}
