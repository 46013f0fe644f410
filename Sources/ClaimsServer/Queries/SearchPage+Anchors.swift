// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsSnapshot
import ClaimsStore

/// The members of an answer that only pages with an anchor have, and those that their cursors lead to.
struct Anchoring {
    /// The number of matches before the page.
    var rank: Int
    /// The cursor of the page before; nil at the start.
    var previous: Cursor?
    /// The relation of the page to the id that it was asked to begin with; nil where it was not.
    var match: AnchorMatch?

    func write(_ context: QueryContext, to writer: inout JSONWriter) {
        if let previous {
            writer.key(SearchResult.previous)
            writer.string(utf8: context.cursors.encode(previous).rawSpan)
        }
        writer.member(SearchResult.rank, rank)
        if let match {
            writer.key(SearchResult.anchored)
            writer.string(match.rawValue)
        }
    }
}

extension SearchPage {
    /// Writes the records of a page that an anchor, or a cursor of such a page, asks for.
    mutating func collectAnchored(
        _ context: QueryContext, budget: QueryBudget, to writer: inout JSONWriter
    ) throws(QueryFailure) {
        guard let target = request.selection.targets.first else { return }
        var query = request.query(of: target)
        query.limit = limit
        let rows = target.rows
        let found: AnchoredPage
        let (anchor, match): (PageAnchor, AnchorMatch?)
        do throws(QueryInterruption) {
            (anchor, match) = try locate(target, query, context, within: budget)
            found = try rows.page(of: query, at: anchor, scratch: context.scratch, budget: budget)
        } catch {
            throw .interrupted(error)
        }
        totals[0] = found.page.total
        first = found.page
        noteMovement(0, target)
        let range = fitting(found.page.rows, of: rows, isBackward: anchor.isBackward, maxBytes: Self.maxBytes(context))
        let kept = Array(found.page.rows[range])
        var records = RecordWriter(target.view, fields: request.fields[0], namesCollection: false)
        for (offset, row) in kept.enumerated() {
            rows.prefetch(kept, around: offset)
            records.write(Int(row), to: &writer)
            if request.selection.language != nil { labels[0].collect(Int(row), rows) }
        }
        count = kept.count
        let rank = found.rank + range.lowerBound
        func cursor(_ row: UInt32?, _ direction: Cursor.Direction) -> Cursor {
            self.cursor(0, target, after: row.flatMap { rows.position(of: Int($0), in: query) }, direction)
        }
        // Of a page without records, the one after is the first, and the one before is the last.
        if rank + count < found.page.total { next = cursor(kept.last, .forward) }
        anchoring = Anchoring(rank: rank, previous: rank > 0 ? cursor(kept.first, .backward) : nil, match: match)
    }

    /// The place in the order that the request names.
    private func locate(
        _ target: QueryTarget, _ query: PageQuery, _ context: QueryContext, within budget: QueryBudget
    ) throws(QueryInterruption) -> (PageAnchor, AnchorMatch?) {
        switch request.anchor {
        case .start: return (.start, nil)
        case .end: return (.end, nil)
        case .rank(let rank): return (.rank(Int(clamping: rank)), nil)
        case .id(let id):
            guard let row = target.view.servedRow(Array(id.utf8)),
                let position = target.rows.position(of: row, in: query)
            else { return (.start, .gone) }
            let isListed =
                switch query.archived {
                case .exclude: target.rows.isOrdinary(row)
                case .include: !target.rows.isUnlisted(row)
                case .only: target.rows.isArchived(row) && !target.rows.isUnlisted(row)
                }
            let isMatch = try target.rows.matches(query.predicate, row: row, scratch: context.scratch, budget: budget)
            return isListed && isMatch ? (.from(position), .exact) : (.after(position), .after)
        case nil:
            let position = request.cursor?.position
            if request.cursor?.direction == .backward { return (position.map { .before($0) } ?? .end, nil) }
            return (position.map { .after($0) } ?? .start, nil)
        }
    }

    /// The rows of a page whose records fit into the answer: the first ones, or the last ones; at least one.
    private func fitting(_ found: [UInt32], of rows: ServedRows, isBackward: Bool, maxBytes: Int) -> Range<Int> {
        var (size, count) = (0, 0)
        for index in found.indices {
            let row = found[isBackward ? found.count - 1 - index : index]
            size += rows.documentSize(Int(row))
            if count > 0, size > maxBytes { break }
            count += 1
        }
        return isBackward ? found.count - count..<found.count : 0..<count
    }
}

extension SearchRequest {
    /// The query of a page of a target; its limit and position are still to be set.
    func query(of target: QueryTarget) -> PageQuery {
        var query = PageQuery(predicate: target.predicate, order: target.order)
        query.isGrouped = isGrouped
        query.archived = selection.archived
        query.facets = facets
        return query
    }
}
