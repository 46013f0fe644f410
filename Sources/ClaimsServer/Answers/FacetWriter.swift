// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsSnapshot
import ClaimsStore

/// Writes how often each value of some fields occurs.
enum FacetWriter {
    /// Writes `{FIELD: [{"value","label","count"}]}`, the values in the order of each field.
    ///
    /// Records without a value are counted last, under the value null.
    static func write(
        _ counts: [[FacetCount]], of fields: [Int], _ definition: Definition, _ rows: ServedRows, language: String,
        to writer: inout JSONWriter
    ) {
        var tape = JSONTape()
        writer.beginObject()
        for (field, values) in zip(fields, counts) {
            writer.key(definition.fields[field].name)
            writer.beginArray()
            for value in values {
                writer.beginObject()
                writer.key(FacetValue.value)
                if let code = value.code, let vocabulary = definition.fields[field].vocabulary {
                    let entry = definition.vocabularies[vocabulary].codes[code]
                    writer.string(entry.code)
                    writer.member(FacetValue.label, entry.label.text(language))
                } else if let row = value.row {
                    writeValue(of: definition.fields[field].name, in: row, rows, &tape, to: &writer)
                } else {
                    writer.null()
                    writer.member(FacetValue.label, absent.text(language))
                }
                writer.member(FacetValue.count, value.count)
                writer.endObject()
            }
            writer.endArray()
        }
        writer.endObject()
    }

    /// The label of the records without a value.
    private static let absent = LocalizedText(en: "none", pl: "brak")

    /// Writes a field's value as it stands in the document of a record that has it.
    private static func writeValue(
        of name: String, in row: Int, _ rows: ServedRows, _ tape: inout JSONTape, to writer: inout JSONWriter
    ) {
        guard let (snapshot, own) = rows.layer(of: row) else { return writer.null() }
        let document = snapshot.document(own)
        guard (try? tape.parse(document, from: 0, depth: RecordWriter.maxDepth, as: .document)) != nil,
            let node = tape.member(Array(name.utf8), of: 0, in: document)
        else { return writer.null() }
        writer.raw(document.extracting(tape[node].range))
    }
}
