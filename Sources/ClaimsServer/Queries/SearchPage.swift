// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsSnapshot
import ClaimsStore

/// `search` and `sort`: finds one page and writes it.
struct SearchOperation: QueryOperation {
    let request: SearchRequest

    var timeout: Duration { request.selection.timeout }

    func run(
        _ context: QueryContext, budget: QueryBudget, to writer: inout JSONWriter
    ) throws(QueryFailure) {
        var page = SearchPage(request)
        writer.beginObject()
        writer.key(SearchResult.records)
        writer.beginArray()
        try page.collect(context, budget: budget, to: &writer)
        writer.endArray()
        page.writeSummary(context, to: &writer)
        writer.endObject()
    }
}

/// Builds one page: goes from target to target until the page is full, and keeps the data of the summary.
struct SearchPage {
    let request: SearchRequest
    let limit: Int
    var totals: [Int]
    var first: Page?
    var labels: [LabelCollector]
    var next: Cursor?
    /// The members that only pages with an anchor have.
    var anchoring: Anchoring?
    /// Whether the data has changed since the page before.
    private var hasMoved = false
    /// The number of records written.
    var count = 0

    /// The part of the answer's bound that is kept for the summary, in bytes.
    private static let summaryBytes = 1 << 16

    init(_ request: SearchRequest, limit: Int? = nil) {
        self.request = request
        self.limit = limit ?? request.limit ?? PageParameters.maxStreamChunk
        totals = Array(repeating: 0, count: request.selection.targets.count)
        labels = request.selection.targets.map { LabelCollector($0.view.definition) }
    }

    /// The cursor of the page after this one; nil after the last.
    var following: Cursor? { next }

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
            noteMovement(index, target)
            if isBefore || isFull { continue }
            var records = RecordWriter(
                target.view, fields: request.fields[index], namesCollection: request.selection.isSpanning)
            let rows = target.rows
            for (offset, row) in page.rows.enumerated() {
                rows.prefetch(page.rows, around: offset)
                // A page has at least one record, whatever its size, so that paging always goes on.
                if count > 0, writer.bytes.count - start + rows.documentSize(Int(row)) > maxBytes {
                    isFull = true
                    next = cursor(
                        index, target, after: rows.position(of: Int(page.rows[offset - 1]), in: query))
                    break
                }
                records.write(Int(row), to: &writer)
                if request.selection.language != nil { labels[index].collect(Int(row), rows) }
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

    /// The bound of the records' text, in bytes.
    static func maxBytes(_ context: QueryContext) -> Int {
        max(BufferBudget.share, context.maxAnswerBytes - summaryBytes)
    }

    mutating func noteMovement(_ index: Int, _ target: QueryTarget) {
        guard let cursor = request.cursor, cursor.target == index else { return }
        let generation = target.view.condition.row.generation
        if cursor.generation != generation || cursor.marks != target.view.markVersion { hasMoved = true }
    }

    /// Drops the cursor where the page ended with a target and the targets after it have no records.
    private mutating func dropEmptyRest() {
        guard let cursor = next, cursor.position == nil else { return }
        if totals[cursor.target...].allSatisfy({ $0 == 0 }) { next = nil }
    }

    func cursor(
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
