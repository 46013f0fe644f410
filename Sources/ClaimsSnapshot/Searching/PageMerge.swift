// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// Makes one page from the pages of a query in the layers of a collection.
///
/// Rows, groups and facets are merged by the keys of their values (``LayerKey``), because ordinals of different layers
/// cannot be compared.
struct PageMerge {
    let query: PageQuery
    let layers: [ServedLayer]

    /// - Parameter pages: one for each layer, with the rows' numbers in it.
    func merged(_ pages: [Page]) -> Page {
        var page = summary(pages)
        guard query.limit > 0 else { return page }
        page.rows = merged(pages.map(\.rows), limit: query.limit)
        let found = pages.reduce(0) { $0 + $1.rows.count }
        if found > page.rows.count || pages.contains(where: { $0.next != nil }), let last = page.rows.last {
            page.next = position(of: Int(last))
        }
        return page
    }

    /// The totals, groups and facets of all pages, without rows.
    func summary(_ pages: [Page]) -> Page {
        var page = Page(emptyOf: query)
        page.total = pages.reduce(0) { $0 + $1.total }
        page.groups = groups(pages.map(\.groups))
        for (index, field) in query.facets.enumerated() {
            page.facets[index] = facet(pages.map { $0.facets[index] }, field)
        }
        return page
    }

    /// The first rows of all layers in the order of the query, by their numbers in the numbering through all layers.
    ///
    /// - Parameter lists: rows of each layer, in the order.
    func merged(_ lists: [[UInt32]], limit: Int) -> [UInt32] {
        let found = lists.indices.filter { !lists[$0].isEmpty }
        if found.count < 2 {
            guard let only = found.first else { return [] }
            let start = UInt32(truncatingIfNeeded: layers[only].start)
            return lists[only].prefix(limit).map { start + $0 }
        }
        let sorted = found.map { index in lists[index].map { LayeredRow(layer: index, row: Int($0)) } }
        var order = RowOrder(layers, query)
        let merged = Self.merged(sorted, limit: limit) { one, other in
            order.compare(one, other)
        } combining: { one, _ in
            one
        }
        return merged.map { UInt32(truncatingIfNeeded: layers[$0.layer].start + $0.row) }
    }

    private func position(of row: Int) -> PagePosition? {
        guard let layer = layers.last(where: { $0.start <= row && row - $0.start < $0.snapshot.count }) else {
            return nil
        }
        return layer.position(of: row - layer.start, in: query)
    }

    private func groups(_ lists: [[Page.Group]]) -> [Page.Group] {
        var totals: [Int: Int] = [:]
        for group in lists.joined() { totals[group.group, default: 0] += group.total }
        return totals.sorted { $0.key < $1.key }.map { Page.Group(group: $0.key, total: $0.value) }
    }

    // MARK: - Facets

    /// A value with its count in some layers.
    private struct Counted {
        var key: LayerKey
        var count: FacetCount
    }

    private func facet(_ lists: [[FacetCount]], _ field: Int) -> [FacetCount] {
        let found = lists.indices.filter { !lists[$0].isEmpty }
        guard let first = found.first else { return [] }
        if found.count == 1, layers[first].start == 0 { return lists[first] }
        let sorted = found.map { index in
            let layer = layers[index]
            let snapshot = layer.snapshot
            let column = snapshot.column(field)
            return lists[index].map { count in
                Counted(
                    key: LayerKey(count.ordinal, of: count.row ?? 0, column, in: snapshot),
                    count: count.moved(by: layer.start))
            }
        }
        let merged = Self.merged(sorted, limit: .max) { (one: inout Counted, other: inout Counted) in
            LayerKey.compare(&one.key, &other.key, descending: false)
        } combining: { one, other in
            Counted(key: one.key, count: one.count.adding(other.count.count))
        }
        return Self.capped(merged.map(\.count))
    }

    /// The first values, and after them the matches without a value.
    private static func capped(_ counts: [FacetCount]) -> [FacetCount] {
        let values = counts.filter { $0.code != nil || $0.row != nil }
        if values.count <= FacetCount.maxValues { return counts }
        return values.prefix(FacetCount.maxValues) + counts.filter { $0.code == nil && $0.row == nil }
    }

    // MARK: - Sorted lists

    /// Merges sorted lists, the longest one with each shorter one, whose elements are looked up in it.
    ///
    /// - Parameters:
    ///   - limit: the number of elements that are needed.
    ///   - order: negative if the first element comes before the second, 0 if they are equal.
    ///   - combining: makes one element of two equal ones.
    private static func merged<Element>(
        _ lists: [[Element]], limit: Int, by order: (inout Element, inout Element) -> Int,
        combining: (Element, Element) -> Element
    ) -> [Element] {
        let lists = lists.sorted { $0.count > $1.count }
        guard var result = lists.first else { return [] }
        for list in lists.dropFirst() { result = merged(&result, list, limit: limit, by: order, combining: combining) }
        return result.count > limit ? Array(result.prefix(limit)) : result
    }

    private static func merged<Element>(
        _ longer: inout [Element], _ shorter: [Element], limit: Int, by order: (inout Element, inout Element) -> Int,
        combining: (Element, Element) -> Element
    ) -> [Element] {
        var result: [Element] = []
        result.reserveCapacity(min(limit, longer.count + shorter.count))
        var next = 0
        for element in shorter where result.count < limit {
            var element = element
            var (low, high, step) = (next, next, 1)
            /// The index of the equal element.
            var equal: Int?
            func isBefore(_ index: Int) -> Bool {
                let order = order(&longer[index], &element)
                if order == 0 { equal = index }
                return order < 0
            }
            // The steps double, and the last one is halved: near places cost little, far ones a logarithm.
            while high < longer.count, isBefore(high) {
                low = high + 1
                high += step
                step *= 2
            }
            high = min(high, longer.count)
            while low < high {
                let middle = (low + high) / 2
                if isBefore(middle) { low = middle + 1 } else { high = middle }
            }
            result.append(contentsOf: longer[next..<low])
            result.append(equal == low ? combining(longer[low], element) : element)
            next = equal == low ? low + 1 : low
        }
        if result.count < limit { result.append(contentsOf: longer[next...].prefix(limit - result.count)) }
        return result
    }
}

extension FacetCount {
    /// The same value for a layer whose rows begin at `start`.
    fileprivate func moved(by start: Int) -> FacetCount {
        FacetCount(code: code, row: row.map { $0 + start }, count: count, ordinal: ordinal)
    }

    fileprivate func adding(_ more: Int) -> FacetCount {
        FacetCount(code: code, row: row, count: count + more, ordinal: ordinal)
    }
}

extension Page {
    /// The page of a query over no records.
    init(emptyOf query: PageQuery) {
        self.init()
        facets = query.facets.map { _ in [] }
    }
}
