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
        writer.raw(snapshot.document(row))
        if isArchived { RecordWriter.markArchived(&writer) }
        writer.key("upstream")
        writer.raw(snapshot.upstream(row))
        writer.key("provenance")
        writeProvenance(row, slot, snapshot, isArchived: isArchived, context, to: &writer)
        if let language {
            var labels = LabelCollector(view.definition)
            labels.collect(row, snapshot)
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

    private static func writeProvenance(
        _ row: Int, _ slot: ViewSlot, _ snapshot: Snapshot, isArchived: Bool, _ context: ServingContext,
        to writer: inout JSONWriter
    ) {
        writer.raw(slot.origin)
        writer.key("first_seen")
        context.writeInstant(snapshot.firstSeen(row), to: &writer)
        writer.key("changed_at")
        context.writeInstant(snapshot.changedAt(row), to: &writer)
        writer.member("generation", raw: slot.generation)
        if isArchived, let mark = slot.view.archive.mark(snapshot.idBytes(row)) {
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
