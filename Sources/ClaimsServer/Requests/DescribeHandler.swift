// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsQuery
import ClaimsStore

/// `describe`: the methods, the collections, or one of them.
enum DescribeHandler {
    static func answer(
        _ parameters: DescribeParameters, from peer: Peer, _ context: RequestContext, to writer: inout JSONWriter
    ) throws(RequestError) -> Disposition {
        let language = parameters.language ?? context.configuration.language
        let methodName = parameters.method
        let collectionName = parameters.collection
        var methods = Method.allCases
        let known = context.served.seen.known
        var views = known.views
        if let methodName {
            guard let method = Method(name: methodName) else {
                throw RequestError(
                    DescribeParameters.method, MethodTable.unknown(methodName),
                    hint: MethodTable.hint(for: methodName))
            }
            methods = [method]
        }
        if let collectionName { views = [try context.served.knownView(named: collectionName)] }
        writer.beginObject()
        if collectionName == nil || methodName != nil {
            let example = known.views.first { $0.definition.isArchivable }?.definition.name
            writer.key(DescribeResult.methods)
            writer.beginArray()
            for method in methods {
                method.description.write(to: &writer, collection: example ?? "NAME", language: language)
            }
            writer.endArray()
            if methods.contains(.subscribe) {
                writer.key(DescribeResult.events)
                writer.beginArray()
                for kind in EventKind.allCases { kind.description.write(to: &writer, collection: example ?? "NAME") }
                writer.endArray()
            }
        }
        if methodName == nil || collectionName != nil {
            writer.key(DescribeResult.collections)
            writer.beginArray()
            for view in views {
                DefinitionWriter(view.definition, language: language, knows: { known[$0] != nil }) {
                    peer.may($0, of: view.definition)
                }.write(to: &writer)
            }
            writer.endArray()
        }
        writer.endObject()
        return .answered
    }
}

/// Writes the description of a collection: fields, vocabularies, orders, views and labels.
struct DefinitionWriter {
    private let definition: Definition
    private let language: String
    private let isGranted: (WriteAction) -> Bool
    private let isKnown: (String) -> Bool

    /// - Parameters:
    ///   - isKnown: whether the peer knows of a collection.
    ///   - isGranted: whether the peer may do an action.
    init(
        _ definition: Definition, language: String, knows isKnown: @escaping (String) -> Bool,
        isGranted: @escaping (WriteAction) -> Bool
    ) {
        self.definition = definition
        self.language = language
        self.isKnown = isKnown
        self.isGranted = isGranted
    }

    /// Writes the object.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(DescribeResult.CollectionEntry.name, definition.name)
        writer.member(DescribeResult.CollectionEntry.title, definition.title.text(language))
        writer.member(DescribeResult.CollectionEntry.singular, definition.singular)
        writer.member(DescribeResult.CollectionEntry.archive, definition.isArchivable)
        writer.member(DescribeResult.CollectionEntry.deal, definition.deal != nil)
        writer.key(DescribeResult.CollectionEntry.list)
        writeNames(definition.list.map { definition.fields[$0].name }, to: &writer)
        writer.member(DescribeResult.CollectionEntry.groupBy, definition.groupBy.map { definition.fields[$0].name })
        writer.key(DescribeResult.CollectionEntry.fields)
        writer.beginArray()
        for index in definition.shownFields { write(definition.fields[index], index, to: &writer) }
        writer.endArray()
        writer.key(DescribeResult.CollectionEntry.vocabularies)
        writer.beginObject()
        for (index, vocabulary) in definition.vocabularies.enumerated() where isShown(index) {
            writer.key(vocabulary.name)
            write(vocabulary, to: &writer)
        }
        writer.endObject()
        writer.key(DescribeResult.CollectionEntry.groups)
        writer.beginArray()
        for group in definition.groups {
            writer.beginObject()
            writer.member(DescribeResult.GroupEntry.key, group.key)
            writer.member(DescribeResult.GroupEntry.label, group.label.text(language))
            writer.endObject()
        }
        writer.endArray()
        writer.key(DescribeResult.CollectionEntry.sort)
        writeNames(keys(definition.defaultOrder), to: &writer)
        writer.key(DescribeResult.CollectionEntry.sorts)
        writer.beginArray()
        for named in definition.orders {
            writer.beginObject()
            writer.member(DescribeResult.OrderEntry.name, named.name)
            writer.key(DescribeResult.OrderEntry.keys)
            writeNames(keys(named.order), to: &writer)
            writer.endObject()
        }
        writer.endArray()
        writer.key(DescribeResult.CollectionEntry.views)
        writer.beginArray()
        for view in definition.views {
            writer.beginObject()
            writer.member(DescribeResult.ViewEntry.name, view.name)
            writer.member(DescribeResult.ViewEntry.filter, view.filter)
            if let title = view.title { writer.member(DescribeResult.ViewEntry.title, title.text(language)) }
            writer.endObject()
        }
        writer.endArray()
        if var rules = definition.writes, let destination = rules.destination {
            for index in rules.fields.indices where !(rules.fields[index].refs.map(isKnown) ?? true) {
                rules.fields[index].refs = nil
            }
            writer.key(DescribeResult.CollectionEntry.writes)
            writer.beginObject()
            writer.member(WritesEntry.to, destination.rawValue)
            writer.key(WritesEntry.actions)
            writer.beginArray()
            for action in rules.offered { write(action, rules, to: &writer) }
            writer.endArray()
            writer.endObject()
        }
        writer.endObject()
    }

    private func write(_ action: WriteAction, _ rules: WriteRules, to writer: inout JSONWriter) {
        let scope = WriteScope(of: action, in: definition)
        let role = Role.write.rawValue
        writer.beginObject()
        writer.member(WritesEntry.ActionEntry.name, action.name)
        writer.member(WritesEntry.ActionEntry.title, action.title(language))
        writer.member(WritesEntry.ActionEntry.role, scope.map { "\(role):\($0.collection)" } ?? role)
        writer.member(WritesEntry.ActionEntry.isGranted, isGranted(action))
        if let condition = action.condition { writer.member(WritesEntry.ActionEntry.when, condition.filter) }
        writer.key(WritesEntry.ActionEntry.fields)
        ActionSchema(definition, rules, language: language).schema(of: action).write(to: &writer)
        if let files = rules.attachments(of: action) {
            writer.key(WritesEntry.ActionEntry.files)
            writer.beginObject()
            writer.member(WritesEntry.FileRules.field, definition.fields[files.field].name)
            writer.key(WritesEntry.FileRules.types)
            writeNames(files.types, to: &writer)
            writer.member(WritesEntry.FileRules.min, files.minCount)
            writer.member(WritesEntry.FileRules.max, files.maxCount)
            writer.member(WritesEntry.FileRules.size, Int64(files.maxSize))
            writer.endObject()
        }
        writer.endObject()
    }

    /// Whether a field that is shown has a vocabulary, or no field has it.
    private func isShown(_ vocabulary: Int) -> Bool {
        let users = definition.fields.indices.filter { definition.fields[$0].vocabulary == vocabulary }
        return users.isEmpty || users.contains { definition.sight(of: $0) != .hidden }
    }

    private func write(_ field: Field, _ index: Int, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(DescribeResult.FieldEntry.name, field.name)
        writer.member(DescribeResult.FieldEntry.type, field.type.rawValue)
        if let title = field.title { writer.member(DescribeResult.FieldEntry.title, title.text(language)) }
        writer.member(DescribeResult.FieldEntry.search, field.isSearched)
        writer.member(DescribeResult.FieldEntry.required, field.isRequired)
        writer.member(DescribeResult.FieldEntry.volatile, field.isVolatile)
        writer.member(DescribeResult.FieldEntry.bold, field.isEmphasized)
        writer.member(DescribeResult.FieldEntry.lines, field.lines)
        if let vocabulary = field.vocabulary {
            writer.member(DescribeResult.FieldEntry.vocabulary, definition.vocabularies[vocabulary].name)
        }
        var operators = field.type.operators.map(\.symbol)
        if case .masked(let mask) = definition.sight(of: index) {
            operators = []
            writer.member(DescribeResult.FieldEntry.mask, mask.name)
        }
        writer.key(DescribeResult.FieldEntry.operators)
        writeNames(operators, to: &writer)
        writer.endObject()
    }

    private func write(_ vocabulary: Vocabulary, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member(DescribeResult.VocabularyEntry.fallback, vocabulary.codes[vocabulary.fallback].code)
        writer.member(DescribeResult.VocabularyEntry.absent, vocabulary.absent.map { vocabulary.codes[$0].code })
        writer.key(DescribeResult.VocabularyEntry.codes)
        writer.beginArray()
        for code in vocabulary.codes {
            writer.beginObject()
            writer.member(DescribeResult.CodeEntry.code, code.code)
            writer.member(DescribeResult.CodeEntry.rank, code.rank)
            if let group = code.group, group < definition.groups.count {
                writer.member(DescribeResult.CodeEntry.group, definition.groups[group].key)
            }
            if let badge = code.badge { writer.member(DescribeResult.CodeEntry.badge, badge.text(language)) }
            writer.member(DescribeResult.CodeEntry.label, code.label.text(language))
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
