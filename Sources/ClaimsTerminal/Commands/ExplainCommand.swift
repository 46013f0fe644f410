// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsProtocol

extension Verb {
    static let explain = Verb(
        "explain", summary: "tell how a filter is understood", synopsis: "SELECTOR [TERMS…]",
        details: """
            Tells how a filter is understood: its parts, how many records match each of them, and how the records are
            found. With --id also which parts are true for that record, with the values that were compared, and whether
            it is listed.
            """,
        examples: ["explain --book 'pages>100' water", "explain --book shelf!=cellar --id 7"],
        options: [.id, .view, .archived, .text, .filter], terms: .filters)
}

/// `explain`: the parts of a filter, what each of them matches, and what they say of a record.
enum ExplainCommand {
    private typealias Node = ExplainResult.Node

    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let invocation = context.invocation
        let selection = context.selection(filteredBy: invocation.terms, language: nil)
        var parameters = ExplainParameters()
        parameters.collection = try context.requiredCollection("claimsctl explain --book 'pages>100'")
        parameters.filter = selection.filter
        parameters.view = selection.view
        parameters.archived = selection.archived
        parameters.timeZone = selection.timeZone
        parameters.language = context.language
        parameters.id = invocation.id.map { RecordID($0) }
        let answer = try context.call(.explain, parameters)
        try context.print(presentation(of: answer, id: invocation.id))
        try context.flush()
        context.noticeFreshness(answer[ExplainResult.meta])
        return .done
    }

    private static func presentation(of answer: AnswerValue, id: String?) -> Presentation {
        var columns = [
            ("part", TableColumn(heading: "PART", lines: 3, isElastic: true)),
            ("matches", TableColumn(heading: "MATCHES", isRight: true)),
        ]
        if id != nil {
            columns.append(("verdict", TableColumn(heading: "TRUE")))
            columns.append(("value", TableColumn(heading: "VALUE", lines: 2, isElastic: true)))
        }
        var rows = TableRows(columns)
        if let tree: AnswerValue = answer[ExplainResult.tree] { append(tree, depth: 0, hasID: id != nil, to: &rows) }
        var presentation = Presentation(answer, rows: rows)
        presentation.names = [answer[ExplainResult.filter] ?? ""]
        presentation.text = { [rows] options in
            var lines: [String] = []
            if let filter = answer[ExplainResult.filter], !filter.isEmpty { lines += [Escaping.line(filter), ""] }
            lines.append(rows.text(width: options.width, isColored: options.isColored))
            lines += answer[ExplainResult.plan].compactMap(\.string).map(Escaping.line)
            if let total = answer[ExplainResult.total] {
                lines.append(Numbers.count(total, "record matches", "records match"))
            }
            if let id, let isListed = answer[ExplainResult.listed] {
                let reason = answer[ExplainResult.because] == "archived" ? "it is archived" : "the filter excludes it"
                lines.append("\(Escaping.line(id)) is \(isListed ? "listed" : "not listed: \(reason)")")
            }
            return lines.map {
                $0.hasSuffix("\n") || $0.isEmpty ? $0 : Fitting.hang($0, to: options.lineWidth, indent: 2)
            }
            .joined(separator: "\n") + "\n"
        }
        return presentation
    }

    private static func append(_ node: AnswerValue, depth: Int, hasID: Bool, to rows: inout TableRows) {
        let op = node[Node.op] ?? ""
        let text = op == "term" ? node[Node.text] ?? "" : op
        let matches = node[Node.matches]
        var row = [
            (text, Cell(String(repeating: "· ", count: min(depth, maxIndent)) + Escaping.line(text))),
            (matches.map { String($0) } ?? "", Cell(matches.map(Numbers.grouped) ?? "?")),
        ]
        if hasID {
            let verdict = node["verdict"]?.bool
            row.append((verdict.map { $0 ? "true" : "false" } ?? "", Cell(verdict.map { $0 ? "yes" : "no" } ?? "")))
            let value = node["value"]?.text ?? ""
            let shown = node[Node.isCut] == true ? value + "…" : value
            row.append((value, Cell(Escaping.line(shown))))
        }
        rows.append(row)
        for part in node[Node.of] { append(part, depth: depth + 1, hasID: hasID, to: &rows) }
    }

    /// The depth from which parts are no longer set in.
    private static let maxIndent = 16
}
