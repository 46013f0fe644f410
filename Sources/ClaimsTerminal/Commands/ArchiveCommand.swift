// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol

extension Verb {
    static let archive = Verb(
        "archive",
        summary: TranslatedText(
            en: "hide records from lists",
            pl: "ukrywa rekordy na listach"),
        synopsis: "SELECTOR (ID… | - | --filter EXPR)",
        details: TranslatedText(
            en: """
                Hides records from lists until they are unarchived. Prints what changed. - reads ids from standard
                input, one a line. With --dry-run nothing is changed: it says what would be.
                """,
            pl: """
                Ukrywa rekordy na listach, aż zostaną przywrócone. Wypisuje, co się zmieniło. - czyta identyfikatory
                ze standardowego wejścia, po jednym w wierszu. Z --dry-run nic się nie zmienia: mówi, co by się
                zmieniło.
                """),
        options: [.filter, .dryRun], terms: .ids)

    static let unarchive = Verb(
        "unarchive",
        summary: TranslatedText(
            en: "bring archived records back",
            pl: "przywraca rekordy z archiwum"),
        synopsis: "SELECTOR (ID… | - | --filter EXPR)",
        details: TranslatedText(
            en: """
                Brings archived records back to the lists. Prints what changed. - reads ids from standard input, one a
                line. With --dry-run nothing is changed: it says what would be.
                """,
            pl: """
                Przywraca zarchiwizowane rekordy na listy. Wypisuje, co się zmieniło. - czyta identyfikatory ze
                standardowego wejścia, po jednym w wierszu. Z --dry-run nic się nie zmienia: mówi, co by się zmieniło.
                """),
        options: [.filter, .dryRun], terms: .ids)
}

/// `archive` and `unarchive`, by ids or by a filter: says what changed.
enum ArchiveCommand {
    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let requests = try plan(context)
        let connection = try context.connection()
        let invocation = context.invocation
        context.filter = FilterComposer.conjunction(nil, invocation.filter)
        let zone = context.filter == nil ? nil : context.zoneParameter
        let method: Method = invocation.verb == .archive ? .archive : .unarchive
        let pending = requests.map { request in
            var parameters = request
            parameters.filter = context.filter.map { FilterValue($0) }
            parameters.timeZone = zone
            parameters.isDryRun = invocation.isDryRun
            return connection.request(method, parameters)
        }
        var results: [AnswerValue] = []
        for number in pending { results.append(try context.answer(to: number)) }
        return try print(results, context)
    }

    private static func plan(_ context: CommandContext) throws(CommandError) -> [ArchiveParameters] {
        let invocation = context.invocation
        let verb = invocation.verb.word
        if invocation.filter != nil {
            guard invocation.terms.isEmpty else {
                throw .usage(
                    UsageError(
                        en: "'\(verb)' takes ids or --filter, not both",
                        pl: "„\(verb)” przyjmuje identyfikatory albo --filter, nie oba"))
            }
            guard let selector = invocation.selector else {
                throw .usage(
                    .needsCollection("\(verb) --filter", "claimsctl \(verb) --collection NAME --filter FIELD=VALUE"))
            }
            var parameters = ArchiveParameters()
            parameters.collection = selector.name
            return [parameters]
        }
        let references = try RecordReference.read(invocation, context.surroundings)
        guard !references.isEmpty else {
            throw .usage(
                UsageError(
                    en: "'\(verb)' needs ids, or --filter", pl: "„\(verb)” wymaga identyfikatorów albo --filter",
                    hint: .example("claimsctl \(verb) --collection NAME 12 13")))
        }
        return RecordReference.batches(references).map { batch in
            var parameters = ArchiveParameters()
            parameters.collection = batch.collection
            parameters.ids = RecordIDList(batch.ids)
            return parameters
        }
    }

    private static func print(_ results: [AnswerValue], _ context: CommandContext) throws(CommandError) -> ExitCode {
        func ids(_ outcome: Member<[String]>) -> [String] { results.flatMap { $0[outcome].map(\.text) } }
        var rows = TableRows(["id", "outcome"].map { ($0, LayoutColumn(heading: $0)) })
        // The name says that nothing was changed.
        let changed = context.invocation.isDryRun ? "would_change" : String(describing: ArchiveResult.changed.name)
        let outcomes = [
            (ArchiveResult.changed, changed),
            (ArchiveResult.unchanged, String(describing: ArchiveResult.unchanged.name)),
            (ArchiveResult.missing, String(describing: ArchiveResult.missing.name)),
        ]
        for (outcome, name) in outcomes {
            for id in ids(outcome) { rows.append([(id, Cell(id)), (name, Cell(name))]) }
        }
        var presentation = Presentation(results, rows: rows)
        presentation.names = ids(ArchiveResult.changed)
        presentation.isDryRun = context.invocation.isDryRun
        presentation.text = { text(ids, context.invocation, $0) }
        try context.print(presentation)
        try context.flush()
        if context.invocation.isDryRun, !context.format.isForPeople {
            context.console.notice("claimsctl: \(context.messages.dryRun)")
        }
        let missing = ids(ArchiveResult.missing)
        guard !missing.isEmpty else {
            let isNone = ids(ArchiveResult.changed).isEmpty && ids(ArchiveResult.unchanged).isEmpty
            if isNone, let filter = context.invocation.filter {
                Namesake(context).report(of: [.argument(filter)], for: context.invocation.verb.word)
            }
            return .done
        }
        var report = ErrorReport(.notFound, missing: missing, context.messages)
        let invocation = context.invocation
        report.hint = RecordReference.filterHint(missing, context.messages) { filter in
            let selector = invocation.selector?.argument ?? "--collection NAME"
            let word = ShellWord.quoted(FilterComposer.expression(filter))
            return "claimsctl \(invocation.verb.word) \(selector) --filter \(word) --dry-run"
        }
        context.report(report)
        return .notFound
    }

    /// `archived 2: 12, 13`
    private static func text(
        _ ids: (Member<[String]>) -> [String], _ invocation: Invocation, _ options: TextOptions
    ) -> String {
        let isArchive = invocation.verb == .archive
        let messages = options.messages
        func line(_ title: String, _ ids: [String]) -> String {
            let list = ids.isEmpty ? "" : ": " + Escaping.line(ids.joined(separator: ", "))
            let lines = Fitting.wrap("\(title) \(messages.number(ids.count))\(list)", to: options.lineWidth - 2)
            return lines.joined(separator: "\n  ") + "\n"
        }
        var text = line(
            messages.archived(isArchive: isArchive, isDryRun: invocation.isDryRun), ids(ArchiveResult.changed))
        let unchanged = ids(ArchiveResult.unchanged)
        if !unchanged.isEmpty { text += line(messages.archivedBefore(isArchive: isArchive), unchanged) }
        if invocation.isDryRun { text += messages.dryRun + "\n" }
        return text
    }
}
