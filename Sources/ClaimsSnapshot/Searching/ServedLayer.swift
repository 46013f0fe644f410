// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsQuery

/// The records of one snapshot that a collection serves.
public struct LayerRows: Sendable {
    public var snapshot: Snapshot
    /// The archived rows.
    public var archived = RowBitmap()
    /// The rows that are not served, because a newer layer has their ids as records or as gone.
    public var covered = RowBitmap()
    /// The rows that are not served to a peer, because a rule of access leaves them out; nil if no rule does.
    public var outside: RowBitmap?
    /// The rows that are answered by id, but are in no list: a delete of the record is under way.
    public var unlisted = RowBitmap()
    /// The rows with unsettled operations; nil for a layer that never has any.
    public var pending: PendingRows?

    public init(_ snapshot: Snapshot) {
        self.snapshot = snapshot
    }
}

/// One layer with the number of its first row, and with the rows that queries leave out. It is a class
/// because it is looked up for each row of an answer, and a struct with so many bitmaps would be expensive to copy.
final class ServedLayer: Sendable {
    let snapshot: Snapshot
    /// The number of its first row among the rows of all layers.
    let start: Int
    let archived: RowBitmap
    let covered: RowBitmap
    let pending: PendingRows?
    let mask: RowMask
    /// Whether a rule of access may leave out rows.
    private let isLimited: Bool

    init(_ rows: LayerRows, start: Int) {
        snapshot = rows.snapshot
        self.start = start
        archived = rows.archived
        isLimited = rows.outside != nil
        var covered = rows.covered
        if let outside = rows.outside { covered.formUnion(outside) }
        self.covered = covered
        pending = rows.pending
        mask = RowMask(archived: rows.archived, covered: covered, unlisted: rows.unlisted)
    }

    /// The number of its listed records that hold a value which a vocabulary does not know; 0 if it is not reported.
    var unsupported: Int {
        if isLimited { return 0 }
        var count = snapshot.unsupported
        if count > 0 { mask.hidden.forEach { count -= snapshot.isUnsupported($0) ? 1 : 0 } }
        return count
    }

    /// The position of a row's record in the order of a query, as it is good for any stack of layers.
    func position(of row: Int, in query: PageQuery) -> PagePosition {
        portable(snapshot.position(of: row, in: query))
    }

    /// A position of the layer in a form for any stack of layers. The row of a snapshot in memory has no meaning there,
    /// and a row number that counts hidden records would reveal them.
    func portable(_ position: PagePosition) -> PagePosition {
        guard snapshot.identity.generation == .max || isLimited else { return position }
        var position = position
        position.row = .max
        return position
    }
}

extension ServedLayer {
    func page(_ query: PageQuery, scratch: QueryScratch, budget: QueryBudget) throws(QueryInterruption) -> Page {
        var own = query
        var (run, archived) = run(query.archived, scratch: scratch, budget: budget)
        own.archived = archived
        var page = try run.page(own)
        page.next = page.next.map { portable($0) }
        return page
    }

    /// A run of a query over the layer, and the mode with which it leaves out hidden rows, too.
    func run(_ mode: ArchivedMode, scratch: QueryScratch, budget: QueryBudget) -> (QueryRun, ArchivedMode) {
        let (archived, archive) = mask.selection(mode)
        let run = QueryRun(
            snapshot, archive: archive, hidden: mask.hidden, pending: pending, scratch: scratch, budget: budget)
        return (run, archived)
    }

    func total(
        _ predicate: Predicate, _ mode: ArchivedMode, scratch: QueryScratch, budget: QueryBudget
    ) throws(QueryInterruption) -> Int {
        var (run, archived) = run(mode, scratch: scratch, budget: budget)
        return try run.total(predicate, archived)
    }

    func forEachMatch(
        _ predicate: Predicate, scratch: QueryScratch, budget: QueryBudget, _ body: (Int) -> Void
    ) throws(QueryInterruption) {
        var builder = SetBuilder(snapshot, scratch: scratch, steps: QuerySteps(budget))
        var planner = QueryPlanner(snapshot, pending: pending, scratch: scratch, steps: builder.steps)
        let set = try builder.set(try planner.plan(predicate))
        let hidden = mask.hidden
        try builder.forEach(in: set) { row in
            if !hidden.contains(row) { body(row) }
            return true
        }
        if case .bits(let bits, _) = set { scratch.keep(bits) }
    }

    func isTrue(
        _ predicate: Predicate, row: Int, scratch: QueryScratch, budget: QueryBudget
    ) throws(QueryInterruption) -> Bool {
        var planner = QueryPlanner(snapshot, pending: pending, scratch: scratch, steps: QuerySteps(budget))
        return PreparedPredicate(try planner.plan(predicate), on: snapshot).contains(row)
    }
}
