// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsClient
import ClaimsModel

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
            TableColumn(heading: messages.heading(.field), isEmphasized: true),
            TableColumn(heading: messages.heading(.type)),
            TableColumn(heading: messages.heading(.shown), lines: Self.maxLines, isElastic: true),
            TableColumn(heading: messages.heading(.title), lines: Self.maxLines, isElastic: true),
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
            TableColumn(heading: messages.heading(.code), isEmphasized: true),
            TableColumn(heading: messages.heading(.rank), isRight: true),
            TableColumn(heading: messages.heading(.label), lines: Self.maxLines, isElastic: true),
            TableColumn(heading: messages.heading(.group), lines: Self.maxLines, isElastic: true),
            TableColumn(heading: messages.heading(.badge), lines: Self.maxLines, isElastic: true),
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
