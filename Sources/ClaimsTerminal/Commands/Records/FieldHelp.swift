// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol

/// `--fields help`: which fields there are.
enum FieldHelp {
    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let answer = try context.answer(to: try context.requestDescription(of: context.invocation.selector?.name))
        let collections = CollectionDescription.all(in: answer)
        let messages = context.messages
        let isOne = collections.count <= 1
        var rows = TableRows(
            (isOne ? [] : [("collection", TableColumn(heading: messages.heading(.collection)))]) + [
                ("field", TableColumn(heading: messages.heading(.field), isEmphasized: true)),
                ("type", TableColumn(heading: messages.heading(.type))),
                ("list", TableColumn(heading: messages.heading(.list))),
                ("operators", TableColumn(heading: messages.heading(.operators), lines: 40, isElastic: true)),
                ("title", TableColumn(heading: messages.heading(.title), isElastic: true)),
            ])
        for collection in collections {
            for field in collection.fields {
                let isListed = collection.list.contains(field.name)
                let operators = field.operators.joined(separator: " ")
                rows.append(
                    (isOne ? [] : [(collection.name, Cell(Escaping.line(collection.name)))]) + [
                        (field.name, Cell(Escaping.line(field.name), style: .bold)),
                        (field.type.rawValue, Cell(field.type.rawValue)),
                        (isListed ? "true" : "false", Cell(isListed ? messages.yes : "")),
                        (operators, Cell(Escaping.line(operators))),
                        (field.title ?? "", Cell(Escaping.line(field.title ?? ""))),
                    ])
            }
        }
        var presentation = Presentation(answer, rows: rows)
        presentation.nameColumn = isOne ? 0 : 1
        try context.print(presentation)
        try context.flush()
        return .done
    }
}
