// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsProtocol

extension Verb {
    static let archive = Verb(
        "archive", summary: "hide records from lists", synopsis: "SELECTOR (ID… | - | --filter EXPR)",
        details: """
            Hides records from lists until they are unarchived. Prints what changed. - reads ids from standard input,
            one a line. With --dry-run nothing is changed: it says what would be.
            """,
        examples: [
            "archive --book 12 13", "archive --book --filter shelf=cellar --dry-run", "archive --book -",
        ],
        options: [.filter, .dryRun], terms: .ids)

    static let unarchive = Verb(
        "unarchive", summary: "bring archived records back", synopsis: "SELECTOR (ID… | - | --filter EXPR)",
        details: """
            Brings archived records back to the lists. Prints what changed. - reads ids from standard input, one a
            line. With --dry-run nothing is changed: it says what would be.
            """,
        examples: ["unarchive --book 12"], options: [.filter, .dryRun], terms: .ids)
}

/// `archive` and `unarchive`, by ids or by a filter: says what changed.
enum ArchiveCommand {
    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let requests = try plan(context)
        let connection = try context.connection()
        let invocation = context.invocation
        if let filter = invocation.filter { context.filter = FilterComposer.compose([.argument(filter)]) }
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
                throw .usage(UsageError("'\(verb)' takes ids or --filter, not both"))
            }
            guard let selector = invocation.selector else {
                throw .usage(
                    UsageError(
                        "'\(verb) --filter' needs a collection", hint: "select one: --book, or --collection NAME"))
            }
            var parameters = ArchiveParameters()
            parameters.collection = selector.name
            return [parameters]
        }
        let references = try RecordReference.read(invocation, context.surroundings)
        guard !references.isEmpty else {
            throw .usage(
                UsageError("'\(verb)' needs ids, or --filter", hint: "for example: claimsctl \(verb) --book 12 13"))
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
        var rows = TableRows(["id", "outcome"].map { ($0, TableColumn(heading: $0)) })
        // Nobody may take a dry run for a change.
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
        presentation.text = { text(ids, context.invocation, width: $0.lineWidth) }
        try context.print(presentation)
        try context.flush()
        if context.invocation.isDryRun, !context.format.isForPeople {
            context.console.notice("claimsctl: a dry run: nothing was changed")
        }
        let missing = ids(ArchiveResult.missing)
        guard !missing.isEmpty else { return .done }
        var report = ErrorReport(.notFound, missing: missing)
        let invocation = context.invocation
        report.hint = RecordReference.filterHint(missing) { word in
            let selector = invocation.selector?.argument ?? "--collection NAME"
            return "claimsctl \(invocation.verb.word) \(selector) --filter \(word) --dry-run"
        }
        context.report(report)
        return .notFound
    }

    /// `archived 2: 12, 13`
    private static func text(
        _ ids: (Member<[String]>) -> [String], _ invocation: Invocation, width: Int
    ) -> String {
        let isArchive = invocation.verb == .archive
        let done = isArchive ? "archived" : "unarchived"
        var text = line(invocation.isDryRun ? "would be \(done)" : done, ids(ArchiveResult.changed), width: width)
        let unchanged = ids(ArchiveResult.unchanged)
        if !unchanged.isEmpty { text += line(isArchive ? "archived before" : "not archived", unchanged, width: width) }
        if invocation.isDryRun { text += "a dry run: nothing was changed\n" }
        return text
    }

    private static func line(_ title: String, _ ids: [String], width: Int) -> String {
        let list = ids.isEmpty ? "" : ": " + Escaping.line(ids.joined(separator: ", "))
        let lines = Fitting.wrap("\(title) \(Numbers.grouped(Int64(ids.count)))\(list)", to: width - 2)
        return lines.joined(separator: "\n  ") + "\n"
    }
}
