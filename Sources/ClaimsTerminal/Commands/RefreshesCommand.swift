// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol

extension Verb {
    static let refreshes = Verb(
        "refreshes",
        summary: TranslatedText(
            en: "list the last attempts to refresh collections", pl: "wypisuje ostatnie próby odświeżenia kolekcji"),
        synopsis: "[SELECTOR]",
        details: TranslatedText(
            en: """
                Lists the last attempts to refresh a collection, or all of them, newest first: when each began, how it
                ended, how long it took, and what it changed. 100 are shown unless --limit says otherwise; the daemon
                keeps history.refreshes of each collection. status --plot draws them.
                """,
            pl: """
                Wypisuje ostatnie próby odświeżenia kolekcji lub wszystkich kolekcji, od najnowszej: kiedy się zaczęły,
                jak się skończyły, jak długo trwały i co zmieniły. Pokazuje 100, jeśli --limit nie mówi inaczej; demon
                przechowuje history.refreshes prób każdej kolekcji. status --plot je rysuje.
                """),
        options: [.limit], maxArguments: 0)
}

/// `refreshes`: the log of attempts to refresh.
enum RefreshesCommand {
    private typealias Attempt = RefreshesResult.Attempt

    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        var parameters = RefreshesParameters()
        parameters.collection = context.invocation.selector?.name
        parameters.limit = context.invocation.limit.map { Int64($0) }
        let answer = try context.call(.refreshes, parameters)
        let attempts = answer[RefreshesResult.refreshes]
        let time = context.time
        var presentation = Presentation(answer, rows: rows(attempts, time))
        presentation.text = { options in
            attempts.isEmpty
                ? time.messages.noRefreshes + "\n"
                : table(attempts, time).text(width: options.width, isColored: options.isColored)
        }
        try context.print(presentation)
        try context.flush()
        return .done
    }

    /// The attempts with all that is known of them, for data.
    private static func rows(_ attempts: [AnswerValue], _ time: LocalTime) -> TableRows {
        let names = Attempt.memberList.map { String(describing: $0.name) }
        var rows = TableRows(names.map { ($0, LayoutColumn(heading: $0.uppercased())) })
        for attempt in attempts {
            rows.append(
                names.map { name in
                    let text = attempt[name]?.text ?? ""
                    return (text, Cell(Escaping.line(text)))
                })
        }
        return rows
    }

    /// The attempts as people read them.
    private static func table(_ attempts: [AnswerValue], _ time: LocalTime) -> TextTable {
        let messages = time.messages
        func heading(_ text: String) -> String { text.uppercased() }
        var table = TextTable([
            LayoutColumn(heading: heading(messages.refreshBegan)),
            LayoutColumn(heading: heading(messages.refreshOf), isEmphasized: true),
            LayoutColumn(heading: heading(messages.refreshOutcome), isElastic: true),
            LayoutColumn(heading: heading(messages.refreshTook), isRight: true),
            LayoutColumn(heading: heading(messages.refreshSize), isRight: true),
            LayoutColumn(heading: heading(messages.refreshRecords), isRight: true),
            LayoutColumn(heading: heading(messages.refreshChanges)),
        ])
        for attempt in attempts {
            let outcome = attempt[Attempt.outcome] ?? ""
            let kind = attempt[Attempt.kind].map { " (\(Escaping.line($0)))" } ?? ""
            let site = attempt[Attempt.site].map { " \(Escaping.line($0))" } ?? ""
            let isGood = RefreshOutcome(rawValue: outcome)?.isSuccess == true
            table.append([
                Cell(attempt[Attempt.at]?.string.flatMap { Instant.parse($0) }.map { time.short($0.ms) } ?? ""),
                Cell(Escaping.line(attempt[Attempt.collection] ?? "") + site, style: .bold),
                Cell(messages.outcome(outcome) + kind, style: isGood ? .plain : .warning),
                Cell(attempt[Attempt.duration].map(messages.shortSpan) ?? ""),
                Cell(attempt[Attempt.bytes].map(messages.size) ?? ""),
                Cell(attempt[Attempt.records]?.integer.map { messages.number($0) } ?? ""),
                Cell(changes(attempt, messages)),
            ])
        }
        return table
    }

    /// The numbers of records that came, changed and went, and of elements that are none: `+12 ~3 -1 !2`.
    private static func changes(_ attempt: AnswerValue, _ messages: Messages) -> String {
        let counts = [
            ("+", attempt[Attempt.added]), ("~", attempt[Attempt.updated]), ("-", attempt[Attempt.removed]),
            ("!", attempt[Attempt.quarantined]),
        ]
        return counts.compactMap { mark, count in
            count.flatMap { $0 > 0 ? mark + messages.number($0) : nil }
        }.joined(separator: " ")
    }
}
