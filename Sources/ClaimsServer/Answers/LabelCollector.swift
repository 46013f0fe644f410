// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsStore

/// Gathers the codes that occur in an answer, and writes their labels.
struct LabelCollector {
    private let definition: Definition
    /// For each field the codes seen, by index; empty for fields that are no enums.
    private var seen: [[Bool]]

    init(_ definition: Definition) {
        self.definition = definition
        seen = definition.fields.map { field in
            guard let vocabulary = field.vocabulary else { return [] }
            return Array(repeating: false, count: definition.vocabularies[vocabulary].codes.count)
        }
    }

    /// Notes the codes of the record in `row`.
    mutating func collect(_ row: Int, _ snapshot: Snapshot) {
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
