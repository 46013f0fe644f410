// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsClient
import ClaimsModel
import ClaimsProtocol

/// The text that `claimsctl describe` prints about one collection.
public struct DescriptionText {
    private let collection: CollectionDescription
    private let value: AnswerValue
    private let messages: Messages
    private let width: Int
    private let isColored: Bool

    /// Makes the text from an element of `collections` in an answer of `describe`.
    ///
    /// - Parameters:
    ///   - value: the element itself, for the parts that the description does not hold.
    ///   - width: the width of a line in cells.
    public init(
        _ collection: CollectionDescription, _ value: AnswerValue, _ messages: Messages, width: Int, isColored: Bool
    ) {
        self.messages = messages
        self.collection = collection
        self.value = value
        self.width = width
        self.isColored = isColored
    }

    /// The whole text, which ends with a newline.
    public var text: String {
        var text = Style.heading.apply(to: Escaping.line(collection.title), isColored: isColored)
        text += "  --\(Escaping.line(collection.singular))\n\n"
        text += fields + "\n"
        text += operators + "\n"
        text += line(messages.describedCollection, collection.name)
        text += line(messages.describedList, collection.list.joined(separator: ", "))
        if let sort = value["sort"] { text += line(messages.defaultOrder, list(sort)) }
        for sort in value["sorts"]?.elements ?? [] {
            text += line(messages.order(sort["name"]?.text ?? ""), sort["keys"].map(list) ?? "")
        }
        for view in value["views"]?.elements ?? [] {
            let title = view["title"].map { " (\($0.text))" } ?? ""
            text += line(messages.view(view["name"]?.text ?? ""), (view["filter"]?.text ?? "") + title)
        }
        let abilities = [(value["archive"]?.bool, "archive"), (value["deal"]?.bool, "deal")]
        let known = abilities.filter { $0.0 == true }.map(\.1)
        if !known.isEmpty { text += line(messages.describedVerbs, known.joined(separator: ", ")) }
        if !collection.groups.isEmpty {
            text += "\n" + heading(messages.groups(by: collection.groupBy)) + "\n"
            for group in collection.groups {
                text += line(group.key, group.label)
            }
        }
        text += actions
        for (name, vocabulary) in value["vocabularies"]?.members ?? [] { text += codes(name, vocabulary) }
        return text
    }

    /// The actions on records, with the fields that can be given; `*` marks those that must be.
    private var actions: String {
        guard let writes = collection.writes, !writes.actions.isEmpty else { return "" }
        var text = "\n" + heading(messages.actions(isUpstream: writes.isUpstream)) + "\n"
        for action in writes.actions {
            var parts = action.fields.map { $0.isRequired ? "\($0.name)*" : $0.name }
            if let files = action.files { parts.append(messages.takesFiles(files.words(messages))) }
            if let condition = action.condition { parts.append(messages.actionWhere(condition)) }
            if !action.isGranted { parts.append(messages.needsRole(action.role)) }
            text += line(action.name, parts.joined(separator: ", "))
        }
        return text
    }

    /// The maximum number of lines of a cell: what is described is not cut.
    private static let maxLines = 40

    private func line(_ name: String, _ text: String) -> String {
        Fitting.hang(Escaping.line("\(name)  \(text)"), to: width, indent: 2) + "\n"
    }

    private var fields: String {
        var table = TextTable([
            LayoutColumn(heading: messages.heading(.field), isEmphasized: true),
            LayoutColumn(heading: messages.heading(.type)),
            LayoutColumn(heading: messages.heading(.shown), lines: Self.maxLines, isElastic: true),
            LayoutColumn(heading: messages.heading(.title), lines: Self.maxLines, isElastic: true),
        ])
        for (index, field) in collection.fields.enumerated() {
            let entries = value["fields"]?.elements ?? []
            let isRequired = entries.indices.contains(index) && entries[index]["required"]?.bool == true
            let uses = [
                (collection.list.contains(field.name), messages.word("list")),
                (field.isSearched, messages.word("search")),
                (isRequired, messages.word("required")), (field.isEmphasized, messages.word("bold")),
                (field.lines > 1, messages.lines(field.lines)),
                (field.vocabulary.map { $0 != field.name } ?? false, messages.codesOf(field.vocabulary ?? "")),
            ]
            table.append([
                Cell(Escaping.line(field.name), style: .bold), Cell(field.type.rawValue),
                Cell(Escaping.line(uses.filter(\.0).map(\.1).joined(separator: ", "))),
                Cell(Escaping.line(field.title ?? "")),
            ])
        }
        return table.text(width: width, isColored: isColored)
    }

    /// The operators of filters, a line for all types that have the same.
    private var operators: String {
        var types: [(operators: String, types: [String])] = []
        for field in collection.fields where !field.operators.isEmpty {
            let (operators, type) = (field.operators.joined(separator: " "), field.type.rawValue)
            guard let index = types.firstIndex(where: { $0.operators == operators }) else {
                types.append((operators, [type]))
                continue
            }
            if !types[index].types.contains(type) { types[index].types.append(type) }
        }
        return types.map { line(messages.operators(of: $0.types.joined(separator: ", ")), $0.operators) }.joined()
    }

    private func codes(_ name: String, _ vocabulary: AnswerValue) -> String {
        var text = "\n" + heading(messages.codes(of: name)) + "\n"
        var table = TextTable([
            LayoutColumn(heading: messages.heading(.code), isEmphasized: true),
            LayoutColumn(heading: messages.heading(.rank), isRight: true),
            LayoutColumn(heading: messages.heading(.label), lines: Self.maxLines, isElastic: true),
            LayoutColumn(heading: messages.heading(.group), lines: Self.maxLines, isElastic: true),
            LayoutColumn(heading: messages.heading(.badge), lines: Self.maxLines, isElastic: true),
        ])
        for code in vocabulary["codes"]?.elements ?? [] {
            table.append(
                ["code", "rank", "label", "group", "badge"].map { Cell(Escaping.line(code[$0]?.text ?? "")) })
        }
        text += table.text(width: width, isColored: isColored)
        let fallback = vocabulary["fallback"].map { messages.fallback($0.text) }
        let absent = vocabulary["absent"].map { messages.absent($0.text) }
        let remarks = [fallback, absent].compactMap { $0 }.joined(separator: "; ")
        if !remarks.isEmpty { text += Fitting.hang(Escaping.line(remarks), to: width, indent: 2) + "\n" }
        return text
    }

    private func heading(_ text: String) -> String {
        Style.heading.apply(to: Escaping.line(text), isColored: isColored)
    }

    private func list(_ value: AnswerValue) -> String {
        Escaping.line(value.elements.isEmpty ? value.text : value.elements.map(\.text).joined(separator: ", "))
    }
}

/// The description of a collection or of a method as rows, so that TSV and CSV have all that JSON has.
///
/// Each row is one part: a field, an order, a code, a parameter.
struct DescriptionRows {
    private var rows = TableRows(
        ["part", "name", "type", "title", "value", "more"].map { ($0, LayoutColumn(heading: $0.uppercased())) })

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
