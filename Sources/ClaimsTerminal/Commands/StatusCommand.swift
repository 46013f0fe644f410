// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol

extension Verb {
    static let status = Verb(
        "status",
        summary: TranslatedText(
            en: "show the daemon and its collections at a glance",
            pl: "pokazuje w skrócie demona i jego kolekcje"),
        details: TranslatedText(
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
        // A daemon of an earlier version has none.
        let fleet = context.format.isForPeople ? try? context.call(.fleet, FleetParameters()) : nil
        let collections = answer[StatusResult.collections]
        let plots = try StatusPlots(context, collections)
        let time = context.time
        let unit = context.unit
        var presentation = Presentation(answer, rows: rows(collections, time: time, hasErrors: true))
        presentation.text = { options in
            var status = StatusText(answer, time: time, unit: unit, options)
            status.fleet = fleet.flatMap { FleetCommand.summary(of: $0, time) }
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
        func column(_ heading: Messages.Heading, isRight: Bool = false) -> LayoutColumn {
            LayoutColumn(heading: messages.heading(heading), isRight: isRight)
        }
        var rows = TableRows(
            [
                ("collection", LayoutColumn(heading: messages.heading(.collection), isEmphasized: true)),
                ("state", column(.state)), ("total", column(.records, isRight: true)),
                ("archived", column(.archived, isRight: true)), ("freshness", column(.freshness)),
                ("as_of", column(.asOf)), ("next_refresh", column(.nextRefresh)),
            ]
                + (hasErrors
                    ? [("last_error", LayoutColumn(heading: messages.heading(.lastError), isElastic: true))] : []))
        for collection in collections {
            let value: AnswerValue? = collection[Collection.meta]
            let name = collection[Collection.name] ?? ""
            let meta = AnswerMeta(value) ?? AnswerMeta(collection: name, state: "")
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

/// The plots of `status --plot`: the refreshes of each collection over a span of time.
struct StatusPlots {
    private let plots: [(title: String, attempts: [RefreshPlot.Attempt])]
    private let span: WrittenSpan
    private let style: PlotStyle

    /// The span where none is asked for.
    static let standardSpan = WrittenSpan(text: "24h", duration: .seconds(86_400))
    /// The columns beside the slots: the indent, the longest name and two gaps.
    private static let margin = 2 + 8 + 2 + 2

    /// Asks for the attempts of every collection in an answer of `status`; nil if no plots are wanted.
    init?(_ context: CommandContext, _ collections: [AnswerValue]) throws(CommandError) {
        guard context.invocation.wantsPlot else {
            if context.invocation.since == nil { return nil }
            throw .usage(
                UsageError(
                    en: "--since is about plots", pl: "--since dotyczy wykresów",
                    hint: .example("claimsctl status --plot --since 24h")))
        }
        span = try Self.span(context.invocation.since)
        style = context.console.plotStyle
        let connection = try context.connection()
        var pending: [(title: String, number: ClientConnection.RequestNumber)] = []
        for collection in collections {
            guard let name = collection[StatusResult.Collection.name] else { continue }
            var parameters = RefreshesParameters()
            parameters.collection = name
            parameters.limit = Int64(PageParameters.maxLimit)
            pending.append((name, connection.request(.refreshes, parameters)))
        }
        var plots: [(title: String, attempts: [RefreshPlot.Attempt])] = []
        for (title, number) in pending {
            let answer = try context.answer(to: number)
            plots.append((title, answer[RefreshesResult.refreshes].compactMap(RefreshPlot.Attempt.init)))
        }
        self.plots = plots
    }

    private static func span(_ text: String?) throws(CommandError) -> WrittenSpan {
        guard let text else { return standardSpan }
        do throws(UsageError) {
            let span = try ArgumentParser.span(text, of: "--since")
            guard span.duration > .zero, span.duration < TimeSpan.infinity else {
                throw UsageError(
                    en: "--since '\(text)' has no length", pl: "--since „\(text)” nie ma długości",
                    hint: .example("claimsctl status --plot --since 24h"))
            }
            return span
        } catch {
            throw .usage(error)
        }
    }

    /// The text, an empty line before it.
    func text(_ time: LocalTime, width: Int, isColored: Bool) -> String {
        let messages = time.messages
        let length = span.duration.wholeMilliseconds
        var text = "\n" + Style.heading.apply(to: messages.refreshesOfLast(span.text), isColored: isColored) + "\n"
        let rows = plots.map { title, attempts in
            (title, RefreshPlot(attempts, from: time.now - length, to: time.now, slots: RefreshPlot.maxSlots))
        }
        let widest = rows.flatMap { $1.rows(style, messages) }.reduce(0) { max($0, DisplayWidth.cells(of: $1.values)) }
        let slots = max(10, min(RefreshPlot.maxSlots, width - Self.margin - widest))
        for (title, attempts) in plots {
            text += Style.bold.apply(to: Escaping.line(title), isColored: isColored) + "\n"
            let plot = RefreshPlot(attempts, from: time.now - length, to: time.now, slots: slots)
            guard !plot.isEmpty else {
                text += "  \(messages.nothingInSpan)\n"
                continue
            }
            for row in plot.rows(style, messages) {
                text += "  \(Fitting.pad(row.name, to: 8))  \(row.slots)  \(row.values)\n"
            }
        }
        return text
    }
}
