// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsStore

/// Reads which fields are counted by value, and writes the counts.
enum FacetWriter {
    /// The indexes of the fields of those names.
    ///
    /// - Throws: `bad_params` for fields that are not there, or whose values cannot be counted.
    static func fields(
        _ names: [String], of definition: Definition, parameter: ParameterName
    ) throws(RequestError) -> [Int] {
        let indexes = try FieldList.indexes(names, of: definition, parameter: parameter)
        for index in indexes where definition.fields[index].type == .json {
            throw RequestError(
                .badParams, "field '\(definition.fields[index].name)' holds JSON, whose values are not counted",
                hint: "count a field with few values, such as an enum",
                details: [RequestError.detail("parameter", parameter.text)])
        }
        return indexes
    }

    /// Writes `{FIELD: [{"value","label","count"}]}` in the order of each field.
    static func write(
        _ counts: [[FacetCount]], _ fields: [Int], _ target: QueryTarget, language: String, to writer: inout JSONWriter
    ) {
        let definition = target.view.definition
        var tape = JSONTape()
        writer.beginObject()
        for (field, values) in zip(fields, counts) {
            writer.key(definition.fields[field].name)
            writer.beginArray()
            for value in values {
                writer.beginObject()
                writer.key("value")
                if let code = value.code, let vocabulary = definition.fields[field].vocabulary {
                    let entry = definition.vocabularies[vocabulary].codes[code]
                    writer.string(entry.code)
                    writer.member("label", entry.label.text(language))
                } else {
                    writeValue(of: definition.fields[field].name, in: value.row, target.snapshot, &tape, to: &writer)
                }
                writer.member("count", value.count)
                writer.endObject()
            }
            writer.endArray()
        }
        writer.endObject()
    }

    /// Writes a field's value as it stands in the document of a record that has it.
    private static func writeValue(
        of name: String, in row: Int, _ snapshot: Snapshot, _ tape: inout JSONTape, to writer: inout JSONWriter
    ) {
        let document = snapshot.document(row)
        guard (try? tape.parse(document, from: 0, depth: RecordWriter.depth, as: .document)) != nil,
            let node = tape.member(Array(name.utf8), of: 0, in: document)
        else { return writer.null() }
        writer.raw(document.extracting(tape[node].range))
    }
}
