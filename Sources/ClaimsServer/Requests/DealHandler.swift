// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsSnapshot
import ClaimsStore

/// `deal`: one random record, with the line that the definition makes from it.
enum DealHandler {
    static func answer(
        _ parameters: DealParameters, from peer: Peer, _ context: RequestContext, to writer: inout JSONWriter
    ) throws(RequestError) -> Disposition {
        let language = parameters.language
        let view = try collection(parameters.collection, context)
        guard let deal = view.definition.deal else {
            let names = context.served.catalog.views.filter { $0.definition.deal != nil }.map(\.definition.name)
            let list = names.joined(separator: ", ")
            throw RequestError(
                .badParams,
                TranslatedText(
                    en: "\(view.definition.name) has no deals", pl: "kolekcja \(view.definition.name) nie ma ofert"),
                hint: TranslatedText(
                    en: "its definition names none; the collections with deals are \(list)",
                    pl: "jej definicja żadnej nie podaje; kolekcje z ofertami to \(list)"),
                details: [RequestError.detail("parameter", "collection")])
        }
        let rows = try context.served.rows(of: view, language: language)
        guard let row = pick(rows) else {
            throw RequestError(
                .notFound,
                TranslatedText(
                    en: "\(view.definition.name) has no records to choose from",
                    pl: "kolekcja \(view.definition.name) nie ma rekordów do wyboru"))
        }
        writer.beginObject()
        writer.key(DealResult.record)
        var records = RecordWriter(view, fields: nil, namesCollection: false)
        let start = writer.bytes.count
        records.write(row, to: &writer)
        let record = Array(writer.bytes[start...])
        if let (snapshot, own) = rows.layer(of: row) {
            peer.record(Look(.deal, at: snapshot.id(own)), of: view.definition)
        }
        writer.member(DealResult.message, message(deal.text(language ?? context.configuration.language), record))
        writer.key(DealResult.meta)
        context.served.writeMeta(view, language: language, to: &writer)
        writer.endObject()
        return .answered
    }

    private static func collection(
        _ name: String?, _ context: RequestContext
    ) throws(RequestError) -> CollectionView {
        if let name { return try context.served.view(named: name) }
        let offering = context.served.catalog.views.filter { $0.definition.deal != nil }
        guard offering.count == 1, let only = offering.first else {
            throw RequestError(
                .badParams,
                offering.isEmpty
                    ? TranslatedText(en: "no collection has deals", pl: "żadna kolekcja nie ma ofert")
                    : TranslatedText(en: "several collections have deals", pl: "oferty ma więcej niż jedna kolekcja"),
                hint: .nameCollection, details: [RequestError.detail("parameter", "collection")])
        }
        return only
    }

    /// A random row that is listed and not archived; all of them are as likely.
    private static func pick(_ rows: ServedRows) -> Int? {
        let end = rows.end
        guard end > 0 else { return nil }
        for _ in 0..<maxGuesses {
            let row = Int.random(in: 0..<end)
            if rows.isOrdinary(row) { return row }
        }
        // Few rows are listed. The next one after a guess would be likelier, the longer the gap before it.
        let listed = (0..<end).count { rows.isOrdinary($0) }
        guard listed > 0 else { return nil }
        var left = Int.random(in: 0..<listed)
        return (0..<end).first { row in
            guard rows.isOrdinary(row) else { return false }
            left -= 1
            return left < 0
        }
    }

    /// The number of rows that are guessed before all are inspected.
    private static let maxGuesses = 32

    /// The template with each `{field}` replaced by the record's values.
    private static func message(_ template: String, _ record: [UInt8]) -> String {
        guard let record = try? JSONValue.parse(record), let members = record.object else { return template }
        var line = ""
        var rest = Substring(template)
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            line += rest[..<open]
            let name = String(rest[rest.index(after: open)..<close])
            line += members[name].flatMap { $0.string ?? $0.number } ?? ""
            rest = rest[rest.index(after: close)...]
        }
        return line + rest
    }
}
