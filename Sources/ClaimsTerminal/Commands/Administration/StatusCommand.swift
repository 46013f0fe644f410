// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol

extension Verb {
    static let status = Verb(
        "status",
        summary: LocalizedText(
            en: "show the daemon and its collections at a glance",
            pl: "pokazuje w skrócie demona i jego kolekcje"),
        details: LocalizedText(
            en: """
                Shows the daemon and its collections: state, freshness, next refresh, errors and what to do about them.
                It begins with a verdict; then the worst come first. With --plot it draws the refreshes of each
                collection of the last day, or of the span after --since, such as 7d: how many records there were, and
                how long each refresh took; a cross is one that failed or was held.
                """,
            pl: """
                Pokazuje demona i jego kolekcje: stan, aktualność, następne odświeżenie, błędy i co z nimi zrobić.
                Zaczyna od oceny całości; potem najgorsze najpierw. Z --plot rysuje odświeżenia każdej kolekcji z
                ostatniej doby albo z okresu podanego w --since, np. 7d: ile było rekordów i jak długo trwało każde
                odświeżenie; krzyżyk to odświeżenie nieudane lub wstrzymane.
                """),
        options: [.plot, .since], takesSelector: false,
        maxArguments: 0)
}

/// `status`: the daemon and its collections at a glance, and what to do about what is wrong.
enum StatusCommand {
    private typealias Collection = StatusResult.Collection

    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let answer = try context.call(.status, StatusParameters())
        let collections = answer[StatusResult.collections]
        let plots = try StatusPlots(context, collections)
        let time = context.time
        let unit = context.unit
        var presentation = Presentation(answer, rows: rows(collections, time: time, hasErrors: true))
        presentation.text = { options in
            let status = StatusText(answer, time: time, unit: unit, options)
            // In a table the remarks below say it better.
            let table = rows(status.worstFirst, time: time, hasErrors: options.isWide)
                .text(width: options.width, isColored: options.isColored)
            return status.heading + "\n" + table + status.remarks
                + (plots?.text(time, width: options.lineWidth, isColored: options.isColored) ?? "")
        }
        try context.print(presentation)
        try context.flush()
        if !context.format.isForPeople {
            let options = TextOptions(
                width: nil, lineWidth: .max, isColored: false, isWide: true, messages: context.messages, plot: nil)
            for line in StatusText(answer, time: time, unit: unit, options).notices { context.notice(line) }
        }
        return .done
    }

    private static func rows(_ collections: [AnswerValue], time: LocalTime, hasErrors: Bool) -> TableRows {
        let messages = time.messages
        func column(_ heading: Messages.Heading, isRight: Bool = false) -> TableColumn {
            TableColumn(heading: messages.heading(heading), isRight: isRight)
        }
        var rows = TableRows(
            [
                ("collection", TableColumn(heading: messages.heading(.collection), isEmphasized: true)),
                ("state", column(.state)), ("total", column(.records, isRight: true)),
                ("archived", column(.archived, isRight: true)), ("freshness", column(.freshness)),
                ("as_of", column(.asOf)), ("next_refresh", column(.nextRefresh)),
            ]
                + (hasErrors
                    ? [("last_error", TableColumn(heading: messages.heading(.lastError), isElastic: true))] : []))
        for collection in collections {
            let value: AnswerValue? = collection[Collection.meta]
            let name = collection[Collection.name] ?? ""
            let meta = CollectionMeta(value) ?? CollectionMeta(collection: name, state: "")
            let asOf = (value?[Meta.asOf]?.text ?? "", Cell(meta.asOf.map(time.short) ?? ""))
            let isDue = meta.nextRefresh.map { $0 < time.now + 1000 } ?? false
            let nextRefresh = (
                value?[Meta.nextRefresh]?.text ?? "",
                Cell(isDue ? messages.due : meta.nextRefresh.map(time.short) ?? "")
            )
            func count(_ member: Member<Int>) -> (data: String, cell: Cell) {
                let number = collection[member]
                let shown = meta.hasData ? number.map { messages.number($0) } : nil
                return (number.map { String($0) } ?? "", Cell(shown ?? ""))
            }
            let isFine = meta.state == "ready" || meta.state == "empty"
            let isFresh = meta.freshness == "fresh" || meta.freshness == nil
            let kind = meta.failure?.kind ?? ""
            let freshness = messages.word(meta.freshness ?? "")
            rows.append(
                [
                    (name, Cell(Escaping.line(name), style: .bold)),
                    (meta.state, Cell(Escaping.line(messages.word(meta.state)), style: isFine ? .plain : .warning)),
                    count(Collection.total), count(Collection.archived),
                    (meta.freshness ?? "", Cell(Escaping.line(freshness), style: isFresh ? .plain : .warning)),
                    asOf, nextRefresh,
                ] + (hasErrors ? [(kind, Cell(Escaping.line(kind), style: .warning))] : []))
        }
        return rows
    }
}
