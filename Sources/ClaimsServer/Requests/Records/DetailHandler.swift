// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsSnapshot
import ClaimsStore

/// `detail`: everything about one record.
enum DetailHandler {
    static func answer(
        _ parameters: DetailParameters, _ context: RequestContext, to writer: inout JSONWriter
    ) throws(RequestError) -> Disposition {
        let served = context.served
        let collection = try served.collection(named: parameters.collection)
        let view = collection.view
        let language = parameters.language
        let rows = try served.rows(of: view, language: language)
        try served.requireAge(view, maxAge: parameters.maxAge, language: language)
        let id = parameters.id.text
        // Bytes have no padding, which is what makes `Span.bytes` unsafe in general.
        if rows.overlay == nil, let snapshot = view.snapshot, language == nil,
            let location = unsafe snapshot.location(ofID: id.utf8.span.bytes), !view.archive.contains(location.row)
        {
            let record = snapshot.record(at: location)
            collection.withDetail(now: served.now) { $0.write(record, to: &writer) }
            return .answered
        }
        guard let row = view.servedRow(Array(id.utf8)), let (snapshot, own) = rows.layer(of: row),
            let location = snapshot.location(own)
        else { throw .recordNotFound(id: id, in: view, language: language, served) }
        var extras = extras(of: row, own, in: view, served)
        if let language {
            var labels = LabelCollector(view.definition)
            labels.collect(row, rows)
            var text = JSONWriter()
            labels.write(language: language, to: &text)
            extras.labels = text.bytes
            extras.meta = served.meta(view, language: language)
        }
        let record = snapshot.record(at: location)
        collection.withDetail(now: served.now) { $0.write(record, with: extras, to: &writer) }
        return .answered
    }

    /// The parts of the answer that come from archive marks and from writes.
    ///
    /// - Parameter own: the row in the snapshot that it is in.
    private static func extras(
        of row: Int, _ own: Int, in view: CollectionView, _ served: ServedCatalog
    ) -> DetailWriter.Extras {
        var extras = DetailWriter.Extras(isArchived: view.rows.isArchived(row))
        guard let id = view.rows.idBytes(row) else { return extras }
        if extras.isArchived, let mark = view.archive.mark(id) {
            extras.archivedAt = mark.at
            extras.archivedBy = served.userName(mark.uid)
        }
        guard view.rows.overlayRow(row) != nil, let overlay = view.overlay else { return extras }
        extras.pending = overlay.pending(own)?.json
        extras.written = overlay.written(own).map { ($0, served.userName($0.uid)) }
        // Where this host is the truth, what was written is the object itself.
        if !view.definition.isLocal {
            extras.upstream = Array("null".utf8)
            if let below = view.snapshot, let row = below.row(forID: id.rawSpan) {
                extras.upstream = below.upstream(row).array
            }
        }
        return extras
    }
}
