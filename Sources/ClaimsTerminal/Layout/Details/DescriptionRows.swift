// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsProtocol

/// The description of a collection or of a method as rows, so that TSV and CSV have all that JSON has.
///
/// Each row is one part: a field, an order, a code, a parameter.
struct DescriptionRows {
    private var rows = TableRows(
        ["part", "name", "type", "title", "value", "more"].map { ($0, TableColumn(heading: $0.uppercased())) })

    private mutating func append(
        _ part: String, name: String = "", type: String = "", title: String = "", value: String = "",
        more: [String] = []
    ) {
        let texts = [part, name, type, title, value, more.joined(separator: " ")]
        rows.append(texts.map { ($0, Cell(Escaping.line($0))) })
    }

    /// The rows of one element of `collections` in an answer of `describe`.
    static func collection(_ value: AnswerValue) -> TableRows {
        typealias Entry = DescribeResult.CollectionEntry
        var rows = DescriptionRows()
        let abilities = [(value[Entry.archive] == true, "archive"), (value[Entry.deal] == true, "deal")]
        rows.append(
            "collection", name: value[Entry.name] ?? "", type: value[Entry.singular] ?? "",
            title: value[Entry.title] ?? "", more: abilities.filter(\.0).map(\.1))
        rows.append("list", value: names(value[Entry.list]))
        if let field = value[Entry.groupBy] { rows.append("group_by", value: field) }
        for field in value[Entry.fields] { rows.append(field: field) }
        rows.append("order", value: names(value[Entry.sort]), more: ["default"])
        for order in value[Entry.sorts] {
            typealias Order = DescribeResult.OrderEntry
            rows.append("order", name: order[Order.name] ?? "", value: names(order[Order.keys]))
        }
        for view in value[Entry.views] {
            typealias View = DescribeResult.ViewEntry
            rows.append(
                "view", name: view[View.name] ?? "", title: view[View.title] ?? "", value: view[View.filter] ?? "")
        }
        for group in value[Entry.groups] {
            typealias Group = DescribeResult.GroupEntry
            rows.append("group", name: group[Group.key] ?? "", title: group[Group.label] ?? "")
        }
        for (name, vocabulary) in value[Entry.vocabularies]?.members ?? [] {
            rows.append(vocabulary: vocabulary, named: name)
        }
        return rows.rows
    }

    private mutating func append(field: AnswerValue) {
        typealias Entry = DescribeResult.FieldEntry
        let marks = [
            (field[Entry.search] == true, "search"), (field[Entry.required] == true, "required"),
            (field[Entry.bold] == true, "bold"),
        ]
        var more = marks.filter(\.0).map(\.1)
        if let lines = field[Entry.lines], lines > 1 { more.append("lines=\(lines)") }
        if let vocabulary = field[Entry.vocabulary]?.string { more.append("vocabulary=\(vocabulary)") }
        append(
            "field", name: field[Entry.name] ?? "", type: field[Entry.type] ?? "",
            title: field[Entry.title]?.string ?? "", value: Self.names(field[Entry.operators]), more: more)
    }

    private mutating func append(vocabulary: AnswerValue, named name: String) {
        typealias Entry = DescribeResult.VocabularyEntry
        typealias Code = DescribeResult.CodeEntry
        let absent = vocabulary[Entry.absent].map { ["absent=\($0)"] } ?? []
        append("vocabulary", name: name, value: vocabulary[Entry.fallback] ?? "", more: absent)
        for code in vocabulary[Entry.codes] {
            let group = code[Code.group]?.string.map { ["group=\($0)"] } ?? []
            let badge = code[Code.badge]?.string.map { ["badge=\($0)"] } ?? []
            append(
                "code", name: code[Code.code] ?? "", type: name, title: code[Code.label] ?? "",
                value: code[Code.rank].map { String($0) } ?? "", more: group + badge)
        }
    }

    /// The rows of one element of `methods` in an answer of `describe`.
    static func method(_ value: AnswerValue) -> TableRows {
        var rows = DescriptionRows()
        rows.append(
            "method", name: value[MethodEntry.name] ?? "", title: value[MethodEntry.summary] ?? "",
            more: value[MethodEntry.role].map { ["role=\($0)"] } ?? [])
        rows.append(schema: value["params"], part: "parameter")
        rows.append(schema: value["result"], part: "result")
        if let example: AnswerValue = value["example"] { rows.append("example", value: example.source) }
        return rows.rows
    }

    private mutating func append(schema: AnswerValue?, part: String) {
        let required = schema?["required"]?.elements.map(\.text) ?? []
        for (name, shape) in schema?["properties"]?.members ?? [] {
            let initial = shape["default"].map { ["default=\($0.source)"] } ?? []
            append(
                part, name: name, type: shape["type"].map(\.text) ?? "", title: shape["description"]?.text ?? "",
                value: shape["enum"].map(\.source) ?? "", more: (required.contains(name) ? ["required"] : []) + initial)
        }
    }

    private static func names(_ values: [AnswerValue]) -> String { values.map(\.text).joined(separator: " ") }
}
