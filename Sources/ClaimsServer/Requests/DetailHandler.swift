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
        let snapshot = try served.snapshot(of: view, language: language)
        try served.requireAge(view, maxAge: parameters.maxAge, language: language)
        let id = parameters.id.text
        // Bytes have no padding, which is what makes `Span.bytes` unsafe in general.
        guard let location = unsafe snapshot.location(ofID: id.utf8.span.bytes) else {
            throw .recordNotFound(id: id, in: view, language: language, served)
        }
        let record = snapshot.record(at: location)
        let isArchived = view.archive.contains(location.row)
        if !isArchived, language == nil {
            collection.withDetail(now: served.now) { $0.write(record, to: &writer) }
            return .answered
        }
        var extras = DetailWriter.Extras(isArchived: isArchived)
        if isArchived, let mark = view.archive.mark(snapshot.idBytes(location.row)) {
            extras.archivedAt = mark.at
            extras.archivedBy = served.userName(mark.uid)
        }
        if let language {
            var labels = LabelCollector(view.definition)
            labels.collect(location.row, snapshot)
            var text = JSONWriter()
            labels.write(language: language, to: &text)
            extras.labels = text.bytes
            extras.meta = served.meta(view, language: language)
        }
        collection.withDetail(now: served.now) { $0.write(record, with: extras, to: &writer) }
        return .answered
    }
}
