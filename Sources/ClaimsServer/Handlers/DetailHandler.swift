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
        let slot = try context.slot(arguments)
        let view = slot.view
        let language = try arguments.string(.language)
        let snapshot = try context.snapshot(of: view, language: language)
        try context.requireAge(view, arguments.integer(.maximumAge), language: language)
        guard let place = try find(arguments, snapshot, context) else {
            throw missing(context.identifier, in: view, context, language)
        }
        let record = snapshot.record(at: place)
        let isArchived = view.archive.contains(place.row)
        if !isArchived, language == nil {
            slot.withEnding(now: context.now) { $0.write(after: record, to: &writer) }
            return .answered
        }
        writer.beginObject()
        writer.member("record", raw: record.document)
        if isArchived { RecordWriter.markArchived(&writer) }
        writer.member("upstream", raw: record.upstream)
        writer.fragment(slot.origin)
        context.writeInstant(record.firstSeen, to: &writer)
        context.writeInstant("changed_at", record.changedAt, to: &writer)
        writer.member("generation", raw: slot.generation)
        if isArchived, let mark = view.archive.mark(snapshot.idBytes(place.row)) {
            writer.key("archived_at")
            writer.instant(mark.at)
            writer.member("archived_by", context.userName(mark.uid))
        }
        writer.endObject()
        if let language {
            var labels = LabelCollector(view.definition)
            labels.collect(place.row, snapshot)
            writer.key("labels")
            labels.write(language: language, to: &writer)
        }
        writer.key("meta")
        if language == nil {
            slot.writeMeta(now: context.now, to: &writer)
        } else {
            context.writeMeta(view, language: language, to: &writer)
        }
        writer.endObject()
        return .answered
    }

    /// Where the record is that was asked for; nil where there is none, and its id is in `context.identifier` then.
    private static func find(
        _ arguments: borrowing Arguments, _ snapshot: Snapshot, _ context: ServingContext
    ) throws(RequestError) -> RecordPlace? {
        if let id = arguments.plainIdentifier(.id), let place = snapshot.place(ofID: id) { return place }
        context.identifier.removeAll(keepingCapacity: true)
        guard try arguments.appendIdentifier(.id, to: &context.identifier) else { throw arguments.missing(.id) }
        let id = context.identifier
        return snapshot.place(ofID: id.rawSpan)
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
