// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsStore

/// `detail`: everything about one record.
enum DetailHandler {
    static func answer(
        _ arguments: borrowing Arguments, _ context: ServingContext, to writer: inout JSONWriter
    ) throws(RequestError) -> Disposition {
        let view = try context.view(arguments)
        let language = try arguments.string(.lang)
        context.identifier.removeAll(keepingCapacity: true)
        guard try arguments.appendIdentifier(.id, to: &context.identifier) else { throw arguments.missing(.id) }
        let snapshot = try context.snapshot(of: view, language: language)
        try context.requireAge(view, arguments.integer(.maximumAge), language: language)
        guard let row = snapshot.row(forID: context.identifier.rawSpan) else {
            throw missing(context.identifier, in: view, context, language)
        }
        let isArchived = view.archive.contains(row)
        writer.beginObject()
        writer.key("record")
        var records = RecordWriter(view, snapshot, fields: nil, namesCollection: false)
        records.write(row, to: &writer)
        writer.key("upstream")
        writer.raw(snapshot.upstream(row))
        writer.key("provenance")
        writeProvenance(row, view, snapshot, isArchived: isArchived, context, to: &writer)
        if let language {
            var labels = LabelCollector(view.definition)
            labels.collect(row, snapshot)
            writer.key("labels")
            labels.write(language: language, to: &writer)
        }
        writer.key("meta")
        context.writeMeta(view, language: language, to: &writer)
        writer.endObject()
        return .answered
    }

    private static func writeProvenance(
        _ row: Int, _ view: CollectionView, _ snapshot: Snapshot, isArchived: Bool, _ context: ServingContext,
        to writer: inout JSONWriter
    ) {
        let meta = view.meta(now: context.now, clock: context.catalog.clock)
        writer.beginObject()
        writer.member("source", meta.source?.rawValue)
        writer.key("fetched_at")
        writer.instant(view.condition.source.fetchedAt)
        writer.key("first_seen")
        writer.instant(snapshot.firstSeen(row))
        writer.key("changed_at")
        writer.instant(snapshot.changedAt(row))
        writer.member("generation", meta.generation)
        if isArchived, let mark = view.archive.mark(snapshot.idBytes(row)) {
            writer.key("archived_at")
            writer.instant(mark.at)
            writer.member("archived_by", context.userName(mark.uid))
        }
        writer.endObject()
    }

    private static func missing(
        _ id: [UInt8], in view: CollectionView, _ context: ServingContext, _ language: String?
    ) -> RequestError {
        var meta = JSONWriter()
        context.writeMeta(view, language: language, to: &meta)
        let text = String(decoding: id, as: UTF8.self)
        return RequestError(
            .notFound, "no \(view.definition.singular) has this id",
            details: [RequestError.detail("id", text), ("meta", meta.bytes)])
    }
}
