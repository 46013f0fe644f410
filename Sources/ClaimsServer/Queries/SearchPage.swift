// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsSnapshot
import ClaimsStore

/// Builds one page: goes from target to target until the page is full, and keeps the data of the summary.
struct SearchPage {
    private let request: SearchRequest
    private let limit: Int
    /// The number of matches of each target.
    private var totals: [Int]
    /// The page of the first target.
    private var first: Page?
    private var labels: [LabelCollector]
    /// The cursor of the page after this one; nil after the last.
    private(set) var next: Cursor?
    /// The members that only pages with an anchor have.
    private var anchoring: Anchoring?
    /// Whether the data has changed since the page before.
    private var hasMoved = false
    /// The number of records written.
    private(set) var count = 0
    /// The written records of journaled collections, by target.
    private var shown: [Int: ShownIDs] = [:]
    /// Whether an anchor asks for a record that is not among them.
    private var hasMissed = false

    /// The part of the answer's bound that is kept for the summary, in bytes.
    private static let summaryBytes = 1 << 16

    init(_ request: SearchRequest, limit: Int? = nil) {
        self.request = request
        self.limit = limit ?? request.limit ?? PageParameters.maxStreamChunk
        totals = Array(repeating: 0, count: request.selection.targets.count)
        labels = request.selection.targets.map { LabelCollector($0.view.definition) }
    }

    /// Writes the records of the page as elements of an array.
    mutating func collect(
        _ context: QueryContext, budget: QueryBudget, to writer: inout JSONWriter
    ) throws(QueryFailure) {
        if request.isAnchored { return try collectAnchored(context, budget: budget, to: &writer) }
        let maxBytes = Self.maxBytes(context)
        let start = writer.bytes.count
        var isFull = false
        for index in request.selection.targets.indices {
            let target = request.selection.targets[index]
            let isBefore = index < request.cursor?.target ?? 0
            var query = request.query(of: target)
            query.limit = isBefore || isFull ? 0 : limit - count
            query.after = index == request.cursor?.target ? request.cursor?.position : nil
            let page: Page
            do throws(QueryInterruption) {
                page = try target.rows.execute(query, scratch: context.scratch, budget: budget)
            } catch {
                throw .interrupted(error)
            }
            totals[index] = page.total
            if index == 0 { first = page }
            recordMovement(index, target)
            if isBefore || isFull { continue }
            var records = RecordWriter(
                target.view, fields: request.fields[index], namesCollection: request.selection.isSpanning)
            let rows = target.rows
            for (offset, row) in page.rows.enumerated() {
                rows.prefetch(page.rows, around: offset)
                let before = writer.bytes.count
                records.write(Int(row), to: &writer)
                // A page has at least one record, whatever its size, so that paging always makes progress. A comma is
                // not counted.
                if count > 0, writer.bytes.count - 1 - start > maxBytes {
                    writer.removeAll(after: before)
                    isFull = true
                    next = cursor(
                        index, target, after: rows.position(of: Int(page.rows[offset - 1]), in: query))
                    break
                }
                if request.selection.language != nil { labels[index].collect(Int(row), rows) }
                recordShown(Int(row), of: rows, index, target)
                count += 1
            }
            if isFull { continue }
            if let position = page.next {
                isFull = true
                next = cursor(index, target, after: position)
            } else if count == limit, index + 1 < request.selection.targets.count {
                isFull = true
                next = cursor(index + 1, request.selection.targets[index + 1], after: nil)
            }
        }
        dropEmptyRest()
    }

    private mutating func recordShown(_ row: Int, of rows: ServedRows, _ index: Int, _ target: QueryTarget) {
        guard target.view.definition.isJournaled, let (snapshot, own) = rows.layer(of: row) else { return }
        shown[index, default: ShownIDs()].append(snapshot.id(own))
    }

    /// Counts the records of the page, if the collection is journaled.
    ///
    /// - Parameter isFirst: whether the page begins an answer; otherwise it continues one.
    func recordShown(to peer: Peer, by method: Method, isFirst: Bool) {
        for (index, target) in request.selection.targets.enumerated() {
            let shown = shown[index] ?? ShownIDs()
            guard isFirst || shown.count > 0 else { continue }
            peer.record(
                Look(method, requests: isFirst ? 1 : 0, shown: shown, misses: hasMissed ? 1 : 0),
                of: target.view.definition)
        }
    }

    /// The bound of the records' text, in bytes.
    private static func maxBytes(_ context: QueryContext) -> Int {
        max(BufferBudget.share, context.maxAnswerBytes - summaryBytes)
    }

    private mutating func recordMovement(_ index: Int, _ target: QueryTarget) {
        guard let cursor = request.cursor, cursor.target == index else { return }
        let generation = target.view.condition.row.generation
        if cursor.generation != generation || cursor.marks != target.view.markVersion { hasMoved = true }
    }

    /// Drops the cursor if the page ended with a target and the targets after it have no records.
    private mutating func dropEmptyRest() {
        guard let cursor = next, cursor.position == nil else { return }
        if totals[cursor.target...].allSatisfy({ $0 == 0 }) { next = nil }
    }

    private func cursor(
        _ index: Int, _ target: QueryTarget, after position: PagePosition?,
        _ direction: Cursor.Direction = .onward
    ) -> Cursor {
        Cursor(
            query: request.hash, definitions: request.definitions, now: request.selection.now, target: index,
            generation: target.view.condition.row.generation,
            marks: target.view.markVersion, position: position, direction: direction)
    }

    /// Writes everything beside the records as members of the result.
    func writeSummary(_ context: QueryContext, to writer: inout JSONWriter) {
        let selection = request.selection
        let language = selection.language ?? context.configuration.language
        selection.writeTotals(totals, to: &writer)
        if let next {
            writer.key(SearchResult.next)
            writer.string(utf8: context.cursors.encode(next).rawSpan)
        }
        anchoring?.write(context, to: &writer)
        if hasMoved { writer.member(SearchResult.moved, true) }
        if let first, let target = selection.targets.first {
            if !request.facets.isEmpty {
                writer.key(SearchResult.facets)
                FacetWriter.write(
                    first.facets, of: request.facets, target.view.definition, target.rows, language: language,
                    to: &writer)
            }
            if request.isGrouped { writeGroups(first, target, language: language, to: &writer) }
        }
        if let language = selection.language { writeLabels(language: language, to: &writer) }
        writer.key(SearchResult.meta)
        selection.writeMeta(context.served, to: &writer)
    }

    private func writeGroups(_ page: Page, _ target: QueryTarget, language: String, to writer: inout JSONWriter) {
        writer.key(SearchResult.groups)
        writer.beginArray()
        for group in page.groups where group.total > 0 {
            writer.beginObject()
            if group.group < target.view.definition.groups.count {
                let known = target.view.definition.groups[group.group]
                writer.member(SearchResult.GroupTotal.key, known.key)
                writer.member(SearchResult.GroupTotal.label, known.label.text(language))
            } else {
                writer.member(SearchResult.GroupTotal.key, nil)
                writer.member(SearchResult.GroupTotal.label, nil)
            }
            writer.member(SearchResult.GroupTotal.total, group.total)
            writer.endObject()
        }
        writer.endArray()
    }

    private func writeLabels(language: String, to writer: inout JSONWriter) {
        writer.key(SearchResult.labels)
        if request.selection.isSpanning {
            writer.beginObject()
            for (target, collector) in zip(request.selection.targets, labels) {
                writer.key(target.view.definition.name)
                collector.write(language: language, to: &writer)
            }
            writer.endObject()
        } else if let collector = labels.first {
            collector.write(language: language, to: &writer)
        } else {
            writer.beginObject()
            writer.endObject()
        }
    }

    // MARK: - Pages with an anchor

    /// Writes the records of a page with an anchor, or of a cursor from such a page.
    private mutating func collectAnchored(
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
        recordMovement(0, target)
        var records = RecordWriter(target.view, fields: request.fields[0], namesCollection: false)
        let range = fitting(
            found.page.rows, in: &records, isBackward: anchor.isBackward, maxBytes: Self.maxBytes(context))
        let kept = Array(found.page.rows[range])
        for (offset, row) in kept.enumerated() {
            rows.prefetch(kept, around: offset)
            records.write(Int(row), to: &writer)
            if request.selection.language != nil { labels[0].collect(Int(row), rows) }
            recordShown(Int(row), of: rows, 0, target)
        }
        hasMissed = match == .gone
        count = kept.count
        let rank = found.rank + range.lowerBound
        func cursor(_ row: UInt32?, _ direction: Cursor.Direction) -> Cursor {
            self.cursor(0, target, after: row.flatMap { rows.position(of: Int($0), in: query) }, direction)
        }
        // For an empty page, `next` starts at the first record and `previous` at the last.
        if rank + count < found.page.total { next = cursor(kept.last, .forward) }
        anchoring = Anchoring(rank: rank, previous: rank > 0 ? cursor(kept.first, .backward) : nil, match: match)
    }

    /// The position in the order that the request names.
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
    private func fitting(
        _ found: [UInt32], in records: inout RecordWriter, isBackward: Bool, maxBytes: Int
    ) -> Range<Int> {
        var (size, count) = (0, 0)
        for index in found.indices {
            let row = found[isBackward ? found.count - 1 - index : index]
            size += records.size(of: Int(row))
            if count > 0, size > maxBytes { break }
            count += 1
        }
        return isBackward ? found.count - count..<found.count : 0..<count
    }
}

/// The members of an answer that only pages with an anchor have, and the pages that their cursors lead to.
private struct Anchoring {
    /// The number of matches before the page.
    var rank: Int
    /// The cursor of the page before; nil at the start.
    var previous: Cursor?
    /// The relation of the page to the id that it was asked to begin with; nil if it was not.
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

extension ServedRows {
    /// The size of the document in a row, in bytes.
    func documentSize(_ row: Int) -> Int {
        guard let (snapshot, own) = layer(of: row) else { return 0 }
        return snapshot.document(own).byteCount
    }

    /// Prefetches the records that follow `index` in `rows` into the processor's cache.
    ///
    /// Called for each index from 0 on. The records of a page lie anywhere in the file, and loading them one after the
    /// other takes longer than writing them.
    func prefetch(_ rows: [UInt32], around index: Int) {
        if index == 0 {
            for row in rows.prefix(2 * Self.prefetchDistance) { prefetchOffset(row) }
            for row in rows.prefix(Self.prefetchDistance) { prefetchDocument(row) }
        }
        if index + Self.prefetchDistance < rows.count { prefetchDocument(rows[index + Self.prefetchDistance]) }
        let second = index + 2 * Self.prefetchDistance
        if second < rows.count { prefetchOffset(rows[second]) }
    }

    private func prefetchOffset(_ row: UInt32) {
        if let (snapshot, own) = layer(of: Int(row)) { snapshot.prefetchOffset(own) }
    }

    private func prefetchDocument(_ row: UInt32) {
        if let (snapshot, own) = layer(of: Int(row)) { snapshot.prefetchDocument(own) }
    }

    /// The number of records between the one that is written and the one that is prefetched.
    private static var prefetchDistance: Int { 6 }
}
