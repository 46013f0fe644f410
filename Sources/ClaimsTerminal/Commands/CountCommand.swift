// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol

extension Verb {
    static let count = Verb(
        "count",
        summary: TranslatedText(
            en: "count records",
            pl: "liczy rekordy"),
        synopsis: "[SELECTOR] [TERMS…]",
        details: TranslatedText(
            en: """
                Prints how many records match. Terms are as for search.
                """,
            pl: """
                Wypisuje, ile rekordów pasuje. Argumenty jak w search.
                """),
        options: [.view, .archived, .text, .filter, .exists, .maxAge], terms: .filters)
}

/// `count`: how many records there are. A bare number unless another format was asked for.
enum CountCommand {
    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let invocation = context.invocation
        var parameters = CountParameters()
        parameters.collection = invocation.selector?.name
        parameters.selection = context.selection(filteredBy: invocation.terms)
        let answer = try context.call(.count, parameters)
        try context.print(presentation(of: answer))
        try context.flush()
        if answer[CountResult.total] == 0 { Namesake(context).report(of: invocation.terms) }
        context.noticeFreshness(answer[CountResult.meta], totals: answer[CountResult.totals])
        return invocation.mustExist && answer[CountResult.total] == 0 ? .notFound : .done
    }

    private static func presentation(of answer: AnswerValue) -> Presentation {
        let total = answer[CountResult.total].map { String($0) } ?? "0"
        let totals = answer[CountResult.totals]?.members ?? []
        let names = totals.isEmpty ? ["total"] : ["collection", "total"]
        var rows = TableRows(names.map { ($0, LayoutColumn(heading: $0)) })
        if totals.isEmpty { rows.append([(total, Cell(total))]) }
        for (name, count) in totals { rows.append([(name, Cell(name)), (count.text, Cell(count.text))]) }
        var presentation = Presentation(answer, rows: rows)
        presentation.names = [total]
        presentation.plain = Array(total.utf8)
        presentation.text = { options in
            let messages = options.messages
            let whole = messages.number(answer[CountResult.total] ?? 0)
            if totals.isEmpty { return whole + "\n" }
            var table = TextTable([
                LayoutColumn(heading: messages.heading(.collection)),
                LayoutColumn(heading: messages.heading(.total), isRight: true),
            ])
            for (name, count) in totals {
                table.append([Cell(Escaping.line(name)), Cell(messages.number(count.integer ?? 0))])
            }
            table.append([Cell(messages.word("all"), style: .bold), Cell(whole, style: .bold)])
            return table.text(width: options.lineWidth, isColored: options.isColored)
        }
        return presentation
    }
}
