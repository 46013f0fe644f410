// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol

extension Verb {
    static let access = Verb(
        "access",
        summary: TranslatedText(
            en: "show what a user sees of each collection, and may do in it",
            pl: "pokazuje, co użytkownik widzi w każdej kolekcji i co mu w niej wolno"),
        synopsis: "[USER]",
        details: TranslatedText(
            en: """
                Shows for each collection whether you see all of it or a part, which rule of its definition says so, and
                what you may do. With the role admin: all collections, the filters of the rules, and USER, by name or
                number, whose groups the name service knows. claimsd-access(7) explains the rules.
                """,
            pl: """
                Pokazuje dla każdej kolekcji, czy widzisz całą, czy część, która reguła jej definicji o tym decyduje
                i co Ci wolno. Z rolą admin: wszystkie kolekcje, filtry reguł oraz USER, podany nazwą lub numerem,
                którego grupy zna usługa nazw. Reguły objaśnia claimsd-access(7).
                """),
        takesSelector: false, maxArguments: 1)
}

/// `access`: what a user sees of each collection.
enum AccessCommand {
    private typealias Collection = AccessResult.Collection

    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        var parameters = AccessParameters()
        parameters.user = context.invocation.terms.first?.text
        let answer = try context.call(.access, parameters)
        let collections = answer[AccessResult.collections]
        let messages = context.messages
        let table = rows(collections, messages)
        var presentation = Presentation(answer, rows: table)
        presentation.text = { options in
            heading(answer, messages) + "\n"
                + (collections.isEmpty
                    ? messages.seesNoCollection + "\n" : table.text(width: options.width, isColored: options.isColored))
        }
        try context.print(presentation)
        try context.flush()
        return .done
    }

    /// The user with its groups: `anna (1000), groups 100 1000`.
    private static func heading(_ answer: AnswerValue, _ messages: Messages) -> String {
        let uid = answer[AccessResult.uid].map { String($0) } ?? ""
        let name = answer[AccessResult.user].map { "\(Escaping.line($0)) (\(uid))" } ?? uid
        let groups = answer[AccessResult.groups].map { String($0.integer ?? 0) }.joined(separator: " ")
        return "\(name), \(messages.accessGroups(groups))"
    }

    private static func rows(_ collections: [AnswerValue], _ messages: Messages) -> TableRows {
        let hasRows = collections.contains { $0[Collection.rows] != nil }
        var columns = [
            ("collection", LayoutColumn(heading: messages.refreshOf.uppercased(), isEmphasized: true)),
            ("sees", LayoutColumn(heading: messages.accessSees.uppercased())),
            ("rule", LayoutColumn(heading: messages.accessRule.uppercased(), isRight: true)),
            ("may", LayoutColumn(heading: messages.accessMay.uppercased(), isElastic: true)),
        ]
        if hasRows {
            columns.append(("rows", LayoutColumn(heading: messages.accessRows.uppercased(), isElastic: true)))
        }
        var rows = TableRows(columns)
        for collection in collections {
            let sees = collection[Collection.sees] ?? ""
            let may = texts(collection[Collection.may]).joined(separator: " ")
            let name = collection[Collection.collection] ?? ""
            let rule = collection[Collection.rule].map { String($0) } ?? ""
            var cells: [(data: String, cell: Cell)] = [
                (name, Cell(Escaping.line(name), style: .bold)), (sees, Cell(messages.accessPart(sees))),
                (rule, Cell(rule)), (may, Cell(Escaping.line(may))),
            ]
            if hasRows {
                let filters = texts(collection[Collection.rows]?.elements ?? []).joined(separator: " or ")
                cells.append((filters, Cell(Escaping.line(filters))))
            }
            rows.append(cells)
        }
        return rows
    }

    private static func texts(_ values: [AnswerValue]) -> [String] { values.compactMap(\.string) }
}
