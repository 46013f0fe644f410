// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
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
    private static let absent = TranslatedText(en: "none", pl: "brak")

    /// Writes a field's value as the document of a record has it.
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

/// Collects the codes that occur in an answer, and writes their labels.
struct LabelCollector {
    private let definition: Definition
    /// For each field, whether each of its codes was seen; empty for fields that are no enums.
    private var seen: [[Bool]]

    init(_ definition: Definition) {
        self.definition = definition
        seen = definition.fields.enumerated().map { index, field in
            guard let vocabulary = field.vocabulary, definition.sight(of: index) != .hidden else { return [] }
            return Array(repeating: false, count: definition.vocabularies[vocabulary].codes.count)
        }
    }

    /// Adds the codes of the record in a served row.
    mutating func collect(_ row: Int, _ rows: ServedRows) {
        guard let (snapshot, row) = rows.layer(of: row) else { return }
        for field in seen.indices where !seen[field].isEmpty {
            if let code = snapshot.code(row, field: field), code < seen[field].count { seen[field][code] = true }
        }
    }

    /// Writes `{FIELD: {CODE: label}}`, the keys of groups beside the codes that carry them.
    func write(language: String, to writer: inout JSONWriter) {
        writer.beginObject()
        for (index, field) in definition.fields.enumerated() where seen[index].contains(true) {
            guard let vocabulary = field.vocabulary else { continue }
            writer.key(field.name)
            writer.beginObject()
            var groups: [Int] = []
            for (code, entry) in definition.vocabularies[vocabulary].codes.enumerated() where seen[index][code] {
                writer.key(entry.code)
                writer.string(entry.label.text(language))
                if index == definition.groupBy, let group = entry.group, !groups.contains(group) {
                    groups.append(group)
                }
            }
            for group in groups.sorted() {
                writer.key(definition.groups[group].key)
                writer.string(definition.groups[group].label.text(language))
            }
            writer.endObject()
        }
        writer.endObject()
    }
}
