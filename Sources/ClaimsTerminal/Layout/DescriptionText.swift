// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsClient
import ClaimsModel

/// The text that `claimsctl describe` prints about one collection.
public struct DescriptionText {
    private let collection: CollectionDescription
    private let value: AnswerValue
    private let width: Int
    private let isColored: Bool

    /// Makes the text from an element of `collections` in an answer of `describe`.
    ///
    /// - Parameters:
    ///   - value: the element itself, for the parts that the description does not hold.
    ///   - width: the width of a line in cells.
    public init(_ collection: CollectionDescription, _ value: AnswerValue, width: Int, isColored: Bool) {
        self.collection = collection
        self.value = value
        self.width = width
        self.isColored = isColored
    }

    /// The whole text, which ends with a newline.
    public var text: String {
        var text = Style.heading.apply(to: Escaping.line(collection.title), isColored: isColored)
        text += "  --\(Escaping.line(collection.singular))\n\n"
        text += fields
        if let sort = value["sort"] { text += "\ndefault order  \(list(sort))\n" }
        for sort in value["sorts"]?.elements ?? [] {
            text += "order \(Escaping.line(sort["name"]?.text ?? ""))  \(sort["keys"].map(list) ?? "")\n"
        }
        for view in value["views"]?.elements ?? [] {
            text += "view \(Escaping.line(view["name"]?.text ?? ""))  \(Escaping.line(view["filter"]?.text ?? ""))\n"
        }
        if !collection.groups.isEmpty {
            text += "\n" + heading("Groups") + "\n"
            for group in collection.groups {
                text += "\(Escaping.line(group.key))  \(Escaping.line(group.label))\n"
            }
        }
        for (name, vocabulary) in value["vocabularies"]?.members ?? [] { text += codes(name, vocabulary) }
        return text
    }

    private var fields: String {
        var table = TextTable([
            TableColumn(heading: "FIELD"), TableColumn(heading: "TYPE"), TableColumn(heading: "SHOWN"),
            TableColumn(heading: "OPERATORS", isElastic: true), TableColumn(heading: "TITLE", isElastic: true),
        ])
        for field in collection.fields {
            let uses = [(collection.list.contains(field.name), "list"), (field.isSearched, "search")]
            table.append([
                Cell(Escaping.line(field.name), style: .bold), Cell(field.type.rawValue),
                Cell(uses.filter(\.0).map(\.1).joined(separator: " ")),
                Cell(Escaping.line(field.operators.joined(separator: " "))), Cell(Escaping.line(field.title ?? "")),
            ])
        }
        return table.text(width: width, isColored: isColored)
    }

    private func codes(_ name: String, _ vocabulary: AnswerValue) -> String {
        var text = "\n" + heading("Codes of \(name)") + "\n"
        var table = TextTable([
            TableColumn(heading: "CODE"), TableColumn(heading: "RANK", isRight: true),
            TableColumn(heading: "LABEL", isElastic: true),
            TableColumn(heading: "GROUP", isElastic: true), TableColumn(heading: "BADGE", isElastic: true),
        ])
        for code in vocabulary["codes"]?.elements ?? [] {
            table.append(
                ["code", "rank", "label", "group", "badge"].map { Cell(Escaping.line(code[$0]?.text ?? "")) })
        }
        text += table.text(width: width, isColored: isColored)
        let fallback = vocabulary["fallback"].map { "anything else is \($0.text)" }
        let absent = vocabulary["absent"].map { "a missing value is \($0.text)" }
        let remarks = [fallback, absent].compactMap { $0 }.joined(separator: "; ")
        if !remarks.isEmpty { text += Escaping.line(remarks) + "\n" }
        return text
    }

    private func heading(_ text: String) -> String {
        Style.heading.apply(to: Escaping.line(text), isColored: isColored)
    }

    private func list(_ value: AnswerValue) -> String {
        Escaping.line(value.elements.isEmpty ? value.text : value.elements.map(\.text).joined(separator: ", "))
    }
}
