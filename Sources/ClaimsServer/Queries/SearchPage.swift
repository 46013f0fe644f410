// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsStore

/// One page in the making: goes from target to target until it is full, and keeps what the summary tells.
struct SearchPage {
    private let request: SearchRequest
    private let limit: Int
    private var totals: [Int]
    private var first: Page?
    private var labels: [LabelCollector]
    private var next: Cursor?
    /// Whether the data changed since the page before.
    private var hasMoved = false
    /// How many records were written.
    private(set) var count = 0

    /// What a record may add to an answer after its bound was checked, in bytes: the summary has room too.
    private static let summaryRoom = 1 << 16

    init(_ request: SearchRequest, _ context: ServingContext, limit: Int? = nil) {
        self.request = request
        self.limit = limit ?? request.limit ?? ProtocolVersion.streamChunk
        totals = Array(repeating: 0, count: request.selection.targets.count)
        labels = request.selection.targets.map { LabelCollector($0.view.definition) }
    }

    /// The cursor of the page after this one; nil after the last.
    var following: Cursor? { next }

    /// Writes the records of the page as elements of an array.
    mutating func collect(
        _ context: ServingContext, budget: QueryBudget, to writer: inout JSONWriter
    ) throws(QueryFailure) {
        let most = max(BufferBudget.share, context.answerBytes - Self.summaryRoom)
        let start = writer.bytes.count
        var isFull = false
        for index in request.selection.targets.indices {
            let target = request.selection.targets[index]
            let isBefore = index < request.cursor?.target ?? 0
            var query = PageQuery(predicate: target.predicate, order: target.order)
            query.isGrouped = request.isGrouped
            query.archived = request.selection.archived
            query.facets = request.facets
            query.limit = isBefore || isFull ? 0 : limit - count
            query.after = index == request.cursor?.target ? request.cursor?.position : nil
            let page: Page
            do throws(QueryInterruption) {
                page = try target.snapshot.execute(
                    query, archive: target.view.archive, scratch: context.scratch, budget: budget)
            } catch {
                throw .interrupted(error)
            }
            totals[index] = page.total
            if index == 0 { first = page }
            noteMovement(index, target)
            if isBefore || isFull { continue }
            var records = RecordWriter(
                target.view, target.snapshot, fields: request.fields[index],
                namesCollection: request.selection.isSpanning)
            let snapshot = target.snapshot
            for (offset, row) in page.rows.enumerated() {
                snapshot.fetchAhead(page.rows, at: offset)
                // At least one record is written, whatever its size, so that paging always goes on.
                if count > 0, writer.bytes.count - start + snapshot.document(Int(row)).byteCount > most {
                    isFull = true
                    next = cursor(
                        index, target, after: target.snapshot.position(of: Int(page.rows[offset - 1]), in: query))
                    break
                }
                records.write(Int(row), to: &writer)
                if request.selection.language != nil { labels[index].collect(Int(row), snapshot) }
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

    private mutating func noteMovement(_ index: Int, _ target: QueryTarget) {
        guard let cursor = request.cursor, cursor.target == index else { return }
        let generation = target.view.condition.row.generation
        if cursor.generation != generation || cursor.archive != target.view.archive.revision { hasMoved = true }
    }

    /// Where the page ended with a target, and no record follows in the others, there is no next page.
    private mutating func dropEmptyRest() {
        guard let cursor = next, cursor.position == nil else { return }
        if totals[cursor.target...].allSatisfy({ $0 == 0 }) { next = nil }
    }

    private func cursor(_ index: Int, _ target: QueryTarget, after position: PagePosition?) -> Cursor {
        Cursor(
            query: request.hash, now: request.selection.now, target: index,
            generation: target.view.condition.row.generation,
            archive: target.view.archive.revision, position: position)
    }

    /// Writes everything beside the records as members of the result.
    func writeSummary(_ context: ServingContext, to writer: inout JSONWriter) {
        let selection = request.selection
        let language = selection.language ?? context.configuration.language
        writer.member("total", totals.reduce(0, +))
        if selection.isSpanning {
            writer.key("totals")
            writer.beginObject()
            for (target, total) in zip(selection.targets, totals) {
                writer.key(target.view.definition.name)
                writer.integer(total)
            }
            writer.endObject()
        }
        if let next {
            let codec = context.configuration.cursors
            writer.key("next")
            writer.string(utf8: codec.encode(next).rawSpan)
        }
        if hasMoved { writer.member("moved", true) }
        if let first, let target = selection.targets.first {
            if !request.facets.isEmpty {
                writer.key("facets")
                FacetWriter.write(first.facets, request.facets, target, language: language, to: &writer)
            }
            if request.isGrouped { writeGroups(first, target, language: language, to: &writer) }
        }
        if let language = selection.language { writeLabels(language: language, to: &writer) }
        writer.key("meta")
        SelectionMeta.write(selection, context, to: &writer)
    }

    private func writeGroups(_ page: Page, _ target: QueryTarget, language: String, to writer: inout JSONWriter) {
        writer.key("groups")
        writer.beginArray()
        for group in page.groups where group.total > 0 {
            writer.beginObject()
            if group.group < target.view.definition.groups.count {
                let known = target.view.definition.groups[group.group]
                writer.member("key", known.key)
                writer.member("label", known.label.text(language))
            } else {
                writer.key("key")
                writer.null()
                writer.key("label")
                writer.null()
            }
            writer.member("total", group.total)
            writer.endObject()
        }
        writer.endArray()
    }

    private func writeLabels(language: String, to writer: inout JSONWriter) {
        writer.key("labels")
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
