// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol

extension Verb {
    static let explain = Verb(
        "explain",
        summary: TranslatedText(
            en: "show how a filter is read",
            pl: "pokazuje, jak czytany jest filtr"),
        synopsis: "SELECTOR [TERMS…]",
        details: TranslatedText(
            en: """
                Tells how a filter is understood: its parts, how many records match each of them, and how the records
                are found. With --id also which parts are true for that record, with the values that were compared,
                and whether it is listed.
                """,
            pl: """
                Mówi, jak czytany jest filtr: z jakich składa się części, ile rekordów pasuje do każdej i jak rekordy
                są znajdowane. Z --id także, które części są prawdziwe dla tego rekordu, jakie wartości porównano i
                czy jest na liście.
                """),
        options: [.id, .view, .archived, .text, .filter], terms: .filters)
}

/// `explain`: the parts of a filter, what each of them matches, and what they say of a record.
enum ExplainCommand {
    private typealias Node = ExplainResult.Node

    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let invocation = context.invocation
        let selection = context.selection(filteredBy: invocation.terms)
        var parameters = ExplainParameters()
        parameters.collection = try context.requiredCollection("claimsctl explain --collection NAME FIELD=VALUE")
        parameters.filter = selection.filter
        parameters.view = selection.view
        parameters.archived = selection.archived
        parameters.timeZone = selection.timeZone
        parameters.id = invocation.id.map { RecordID($0) }
        let answer = try context.call(.explain, parameters)
        try context.print(presentation(of: answer, id: invocation.id, context.messages))
        try context.flush()
        if answer[ExplainResult.total] == 0 { Namesake(context).report(of: invocation.terms) }
        context.noticeFreshness(answer[ExplainResult.meta])
        return .done
    }

    private static func presentation(
        of answer: AnswerValue, id: String?, _ messages: Messages
    ) -> Presentation {
        var columns = [
            ("part", LayoutColumn(heading: messages.heading(.part), lines: 3, isElastic: true)),
            ("matches", LayoutColumn(heading: messages.heading(.matches), isRight: true)),
        ]
        if id != nil {
            columns.append(("verdict", LayoutColumn(heading: messages.heading(.truth))))
            columns.append(("value", LayoutColumn(heading: messages.heading(.value), lines: 2, isElastic: true)))
        }
        var rows = TableRows(columns)
        if let tree: AnswerValue = answer[ExplainResult.tree] {
            append(tree, depth: 0, hasID: id != nil, to: &rows, messages)
        }
        var presentation = Presentation(answer, rows: rows)
        presentation.names = [answer[ExplainResult.filter] ?? ""]
        presentation.text = { [rows] options in
            var lines: [String] = []
            if let filter = answer[ExplainResult.filter], !filter.isEmpty { lines += [Escaping.line(filter), ""] }
            lines.append(rows.text(width: options.width, isColored: options.isColored))
            lines += answer[ExplainResult.plan].compactMap(\.string).map(Escaping.line)
            if let total = answer[ExplainResult.total] {
                lines.append(options.messages.matching(Int64(total)))
            }
            if let id, let isListed = answer[ExplainResult.listed] {
                let isArchived = answer[ExplainResult.because] == "archived"
                let reason = isArchived ? options.messages.itIsArchived : options.messages.filterExcludes
                lines.append(options.messages.listed(Escaping.line(id), isListed ? nil : reason))
            }
            return lines.map {
                $0.hasSuffix("\n") || $0.isEmpty ? $0 : Fitting.hang($0, to: options.lineWidth, indent: 2)
            }
            .joined(separator: "\n") + "\n"
        }
        return presentation
    }

    private static func append(
        _ node: AnswerValue, depth: Int, hasID: Bool, to rows: inout TableRows, _ messages: Messages
    ) {
        let op = node[Node.op] ?? ""
        let text = op == "term" ? node[Node.text] ?? "" : op
        let matches = node[Node.matches]
        var row = [
            (text, Cell(String(repeating: "· ", count: min(depth, maxIndent)) + Escaping.line(text))),
            (matches.map { String($0) } ?? "", Cell(matches.map { messages.number($0) } ?? "?")),
        ]
        if hasID {
            let verdict = node["verdict"]?.bool
            row.append(
                (
                    verdict.map { $0 ? "true" : "false" } ?? "",
                    Cell(verdict.map { $0 ? messages.yes : messages.no } ?? "")
                ))
            let value = node["value"]?.text ?? ""
            let shown = node[Node.isCut] == true ? value + "…" : value
            row.append((value, Cell(Escaping.line(shown))))
        }
        rows.append(row)
        for part in node[Node.of] { append(part, depth: depth + 1, hasID: hasID, to: &rows, messages) }
    }

    /// The depth from which parts are no longer set in.
    private static let maxIndent = 16
}
