// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsModel
public import ClaimsQuery

/// The served rows of a collection: the rows of a stack of snapshots that no newer one covers.
///
/// Rows are numbered through the layers, beginning with the oldest one. All threads may read it at once.
public final class ServedRows: Sendable {
    /// The layers that have records, the oldest one first; at most five.
    let layers: [ServedLayer]
    /// The snapshot at the bottom; nil if the collection has none.
    public let base: Snapshot?
    /// The number of rows with or without a listed record, over all layers.
    public let end: Int
    /// The number of records that lists have, archived ones too.
    public let count: Int
    /// The number of records that lists have and that are archived.
    public let archivedCount: Int
    /// The number of records in lists that hold a value which a vocabulary does not know.
    public let unsupported: Int

    /// - Parameters:
    ///   - base: the layer of the snapshot at the bottom; nil if the collection has none.
    ///   - newer: the layers over it, the oldest one first.
    public init(base: LayerRows?, newer: [LayerRows] = []) {
        var layers: [ServedLayer] = []
        var end = 0
        for rows in [base].compactMap({ $0 }) + newer {
            layers.append(ServedLayer(rows, start: end))
            end += rows.snapshot.count
        }
        self.base = base?.snapshot
        self.layers = layers
        overlayStart = layers.first { $0.pending != nil }?.start ?? end
        self.end = end
        count = layers.reduce(0) { $0 + $1.snapshot.count - $1.mask.hidden.count }
        archivedCount = layers.reduce(0) { $0 + $1.mask.archived.count }
        unsupported = layers.reduce(0) { $0 + $1.unsupported }
    }

    /// The first number of the rows that may have unsettled operations, the rows of the layer of writes.
    public let overlayStart: Int

    /// The row in the snapshot of the layer of writes; nil for a row of another layer.
    public func overlayRow(_ row: Int) -> Int? { row < overlayStart ? nil : row - overlayStart }

    /// The snapshot that a row is in, and its number there; nil for a row that does not exist.
    @inline(__always)
    public func layer(of row: Int) -> (snapshot: Snapshot, row: Int)? {
        if let base, row < base.count { return (base, row) }
        return served(row).map { ($0.layer.snapshot, $0.row) }
    }

    /// The layer that a row is in, and its number there; nil for a row that does not exist.
    func served(_ row: Int) -> (layer: ServedLayer, row: Int)? {
        for layer in layers where row - layer.start < layer.snapshot.count { return (layer, row - layer.start) }
        return nil
    }

    /// The bytes of the id of a row, as a copy; nil for a row that does not exist.
    public func idBytes(_ row: Int) -> [UInt8]? {
        guard let (snapshot, own) = layer(of: row) else { return nil }
        return snapshot.idBytes(own)
    }

    /// The rows of `base` that are archived or not served; the other rows are the same as without newer layers.
    public var baseExceptions: RowBitmap { base == nil ? RowBitmap() : layers[0].mask.excluded }

    /// Whether lists have the row and it is not archived.
    public func isOrdinary(_ row: Int) -> Bool {
        served(row).map { !$0.layer.mask.excluded.contains($0.row) } ?? false
    }

    /// The row of the record with this id; nil if none is served. Lists may leave the row out.
    public func row(forID id: RawSpan) -> Int? {
        for layer in layers.reversed() {
            // If a layer's row is not served any more, a layer below may serve the record again.
            if let row = layer.snapshot.row(forID: id), !layer.covered.contains(row) { return layer.start + row }
        }
        return nil
    }

    /// Whether lists leave the record out: it is not served, or its deletion is under way.
    public func isUnlisted(_ row: Int) -> Bool {
        served(row).map { $0.layer.mask.hidden.contains($0.row) } ?? true
    }

    public func isArchived(_ row: Int) -> Bool {
        served(row).map { $0.layer.archived.contains($0.row) && !$0.layer.covered.contains($0.row) } ?? false
    }
}

extension ServedRows {
    /// Runs a query over all layers, and returns one page of rows with the exact totals that the query asks for.
    ///
    /// - Parameters:
    ///   - scratch: memory that only the calling thread uses.
    ///   - budget: the time that the query may run.
    /// - Throws: `QueryInterruption` when the budget is used up or the query is cancelled. The caller may run it again
    ///   from its start.
    public func execute(
        _ query: PageQuery, scratch: QueryScratch, budget: QueryBudget
    ) throws(QueryInterruption) -> Page {
        guard layers.count > 1 else {
            return try layers.first?.page(query, scratch: scratch, budget: budget) ?? Page(emptyOf: query)
        }
        var pages: [Page] = []
        for layer in layers { pages.append(try layer.page(query, scratch: scratch, budget: budget)) }
        return PageMerge(query: query, layers: layers).merged(pages)
    }

    /// The exact number of records that match a condition.
    ///
    /// - Parameter scratch: memory that only the calling thread uses.
    /// - Throws: `QueryInterruption` when the budget is used up or the query is cancelled. The caller may run it again
    ///   from its start.
    public func count(
        _ predicate: Predicate, archived: ArchivedMode, scratch: QueryScratch, budget: QueryBudget
    ) throws(QueryInterruption) -> Int {
        var total = 0
        for layer in layers { total += try layer.total(predicate, archived, scratch: scratch, budget: budget) }
        return total
    }

    /// Calls `body` with the row of each record that matches a condition and that lists have, archived or not, in no
    /// particular order.
    ///
    /// - Parameter scratch: memory that only the calling thread uses.
    /// - Throws: `QueryInterruption` when the budget is used up or the query is cancelled; `body` has been called for a
    ///   part of the rows then.
    public func forEachMatch(
        _ predicate: Predicate, scratch: QueryScratch, budget: QueryBudget, _ body: (Int) -> Void
    ) throws(QueryInterruption) {
        for layer in layers {
            try layer.forEachMatch(predicate, scratch: scratch, budget: budget) { body(layer.start + $0) }
        }
    }

    /// Whether the record of a row matches a condition, archived or not.
    ///
    /// - Throws: `QueryInterruption` when the budget is used up or the query is cancelled.
    public func matches(
        _ predicate: Predicate, row: Int, scratch: QueryScratch, budget: QueryBudget = .unlimited
    ) throws(QueryInterruption) -> Bool {
        guard let (layer, own) = served(row) else { return false }
        return try layer.isTrue(predicate, row: own, scratch: scratch, budget: budget)
    }

    /// The way in which a query would find the records of a condition.
    ///
    /// The outline describes the oldest layer, or the first newer layer that can have matches if the oldest one cannot.
    ///
    /// - Parameter row: the row to try the condition on; nil for none.
    /// - Throws: `QueryInterruption` when the budget is used up or the query is cancelled.
    public func outline(
        of predicate: Predicate, row: Int? = nil, scratch: QueryScratch, budget: QueryBudget
    ) throws(QueryInterruption) -> OutlinedCondition {
        let tried = row.flatMap { served($0) }
        var (outline, bound, isTrue): (PlanOutline, Int, Bool?) = (.none, 0, nil)
        for layer in layers {
            let own = layer.snapshot === tried?.layer.snapshot ? tried?.row : nil
            let found = try layer.snapshot.outline(
                of: predicate, row: own, pending: layer.pending, scratch: scratch, budget: budget)
            if outline == .none { outline = found.outline }
            bound += found.bound
            isTrue = isTrue ?? found.isTrue
        }
        return OutlinedCondition(outline: outline, bound: bound, isTrue: isTrue)
    }

    /// The position of a row's record in the order of a query; a page after it begins with the next record.
    public func position(of row: Int, in query: PageQuery) -> PagePosition? {
        served(row).map { $0.layer.position(of: $0.row, in: query) }
    }
}
