// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsQuery

/// Writes what a client needs to know of a collection: fields, vocabularies, orders, views and labels.
struct DefinitionWriter {
    private let definition: Definition
    private let language: String

    init(_ definition: Definition, language: String) {
        self.definition = definition
        self.language = language
    }

    /// Writes the object.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", definition.name)
        writer.member("title", definition.title)
        writer.member("singular", definition.singular)
        writer.member("archive", definition.isArchivable)
        writer.member("deal", definition.deal != nil)
        writer.key("list")
        writeNames(definition.list.map { definition.fields[$0].name }, to: &writer)
        writer.member("group_by", definition.groupBy.map { definition.fields[$0].name })
        writer.key("fields")
        writer.beginArray()
        for field in definition.fields { write(field, to: &writer) }
        writer.endArray()
        writer.key("vocabularies")
        writer.beginObject()
        for vocabulary in definition.vocabularies {
            writer.key(vocabulary.name)
            write(vocabulary, to: &writer)
        }
        writer.endObject()
        writer.key("groups")
        writer.beginArray()
        for group in definition.groups {
            writer.beginObject()
            writer.member("key", group.key)
            writer.member("label", group.label.text(language))
            writer.endObject()
        }
        writer.endArray()
        writer.key("sort")
        writeNames(keys(definition.defaultOrder), to: &writer)
        writer.key("sorts")
        writer.beginArray()
        for named in definition.orders {
            writer.beginObject()
            writer.member("name", named.name)
            writer.key("keys")
            writeNames(keys(named.order), to: &writer)
            writer.endObject()
        }
        writer.endArray()
        writer.key("views")
        writer.beginArray()
        for view in definition.views {
            writer.beginObject()
            writer.member("name", view.name)
            writer.member("filter", view.filter)
            if let title = view.title { writer.member("title", title.text(language)) }
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
    }

    private func write(_ field: Field, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", field.name)
        writer.member("type", field.type.rawValue)
        if let title = field.title { writer.member("title", title.text(language)) }
        writer.member("search", field.isSearched)
        writer.member("required", field.isRequired)
        writer.member("bold", field.isEmphasized)
        writer.member("lines", field.lines)
        if let vocabulary = field.vocabulary {
            writer.member("vocabulary", definition.vocabularies[vocabulary].name)
        }
        writer.key("operators")
        writeNames(field.type.operators.map(\.symbol), to: &writer)
        writer.endObject()
    }

    private func write(_ vocabulary: Vocabulary, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("fallback", vocabulary.codes[vocabulary.fallback].code)
        writer.member("absent", vocabulary.absent.map { vocabulary.codes[$0].code })
        writer.key("codes")
        writer.beginArray()
        for code in vocabulary.codes {
            writer.beginObject()
            writer.member("code", code.code)
            writer.member("rank", code.rank)
            if let group = code.group { writer.member("group", definition.groups[group].key) }
            if let badge = code.badge { writer.member("badge", badge.text(language)) }
            writer.member("label", code.label.text(language))
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
    }

    private func writeNames(_ names: [String], to writer: inout JSONWriter) {
        writer.beginArray()
        for name in names { writer.string(name) }
        writer.endArray()
    }

    private func keys(_ order: RecordOrder) -> [String] {
        order.keys.map { ($0.descending ? "-" : "") + definition.fields[$0.field].name }
    }
}
