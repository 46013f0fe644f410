// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol

extension Verb {
    static let refresh = Verb(
        "refresh",
        summary: LocalizedText(
            en: "ask the upstream now",
            pl: "pyta serwer teraz"),
        synopsis: "[SELECTOR]",
        details: LocalizedText(
            en: """
                Asks the upstream now, for one collection or all. It says that it started; with --wait, what came of
                it. With --site it asks one site of a collection that has several. With --wait it ends with 11 if an
                upstream failed, if its answer is held, or if the join failed.
                """,
            pl: """
                Pyta serwer teraz, o jedną kolekcję albo o wszystkie. Mówi, że zaczęto; z --wait mówi, co z tego
                wyszło. Z --site pyta jeden oddział kolekcji, która ma ich kilka. Z --wait kończy się kodem 11, gdy
                serwer zawiódł, gdy jego odpowiedź wstrzymano albo gdy zawiodło drugie zapytanie (join).
                """),
        options: [.wait, .force, .accept, .site],
        maxArguments: 0)
}

/// `refresh`: asks the upstreams now; with `--wait` reports the outcome.
enum RefreshCommand {
    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let answer = try answer(context)
        try print(answer, context)
        try context.flush()
        return context.invocation.waits ? conclude(answer, context) : .done
    }

    /// Refreshes, and tells meanwhile how far that is.
    static func answer(_ context: CommandContext) throws(CommandError) -> AnswerValue {
        let invocation = context.invocation
        // The daemon has deadlines for transfers.
        let connection = try context.connection(timeout: invocation.waits ? nil : .seconds(30))
        var parameters = RefreshParameters()
        parameters.collection = invocation.selector?.name
        parameters.site = invocation.site
        parameters.isWaiting = invocation.waits
        parameters.isForced = invocation.isForced
        parameters.isAccepted = invocation.accepts
        let isWatched = invocation.waits && context.showsProgress
        parameters.isWatching = isWatched
        let number = connection.request(.refresh, parameters)
        guard isWatched else { return try context.answer(to: number, isLong: invocation.waits) }
        let subject = invocation.selector?.name ?? context.messages.allCollections
        let progress = RefreshProgressLine(context) { context.messages.refreshing(subject, seconds: $0) }
        return try context.answer(to: number, tellingProgress: progress)
    }

    private static func print(_ answer: AnswerValue, _ context: CommandContext) throws(CommandError) {
        typealias Outcome = RefreshResult.Outcome
        let messages = context.messages
        let counts: [(Member<Int>, Messages.Heading)] = [
            (Outcome.added, .added), (Outcome.updated, .updated), (Outcome.removed, .removed),
            (Outcome.quarantined, .quarantined),
        ]
        let outcomes = answer[RefreshResult.collections]
        let hasSites = outcomes.contains { $0[Outcome.site] != nil }
        var rows = TableRows(
            [("collection", TableColumn(heading: messages.heading(.collection)))]
                + (hasSites ? [("site", TableColumn(heading: messages.heading(.site)))] : [])
                + [
                    ("outcome", TableColumn(heading: messages.heading(.outcome)))
                ]
                + counts.map { member, heading in
                    (String(describing: member.name), TableColumn(heading: messages.heading(heading), isRight: true))
                })
        for collection in outcomes {
            let name = collection[Outcome.collection] ?? ""
            let site = collection[Outcome.site] ?? ""
            let outcome = collection[Outcome.outcome] ?? ""
            let known = collection.refreshOutcome
            let style: Style = known?.isFailure == true ? .warning : .plain
            rows.append(
                [(name, Cell(Escaping.line(name)))] + (hasSites ? [(site, Cell(Escaping.line(site)))] : []) + [
                    (outcome, Cell(Escaping.line(messages.word(outcome)), style: style))
                ]
                    + counts.map { member, _ in
                        let number = collection[member]
                        // A refresh that has only started, or has failed, has changed nothing that could be counted.
                        let isCounted = known == .updated || known == .held
                        let shown = isCounted ? number.map { messages.number($0) } ?? "" : ""
                        return (number.map { String($0) } ?? "", Cell(shown))
                    })
        }
        try context.print(Presentation(answer, rows: rows))
    }

    /// Decides the exit code: 11 where an upstream gave nothing that could be taken, or no joined values, or was not asked.
    private static func conclude(_ answer: AnswerValue, _ context: CommandContext) -> ExitCode {
        let troubles = RefreshTroubles(answer, context.time, unit: context.unit) { context.daemonStatus() }
        let reports = troubles.reports
        guard let all = ErrorReport.joined(reports) else { return .done }
        for report in context.format.isJSON ? [all] : reports { context.report(report) }
        return .upstreamFailed
    }
}
