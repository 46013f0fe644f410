// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol

extension Verb {
    static let history = Verb(
        "history",
        summary: TranslatedText(
            en: "show the versions of a record",
            pl: "pokazuje wersje rekordu"),
        synopsis: "SELECTOR ID",
        details: TranslatedText(
            en: """
                Tells what became of a record over time, newest first: when it came, which values changed, when it was
                archived, and when it went. Records that are gone have a history too. On a terminal the newest 50
                versions are shown; into a pipe, and with --all, every one that is kept.
                """,
            pl: """
                Mówi, co działo się z rekordem, najnowsze najpierw: kiedy przyszedł, które wartości się zmieniły,
                kiedy trafił do archiwum i kiedy zniknął. Historię mają też rekordy, których już nie ma. W terminalu
                widać 50 najnowszych wersji; do potoku oraz z --all wszystkie przechowywane.
                """),
        options: [.limit, .all], maxArguments: 1, terms: .ids)
}

/// `history`: the versions of a record, page by page.
struct HistoryCommand {
    private typealias Version = HistoryResult.Version

    private let context: CommandContext
    private let reference: RecordReference
    /// The number of versions that are still to be shown.
    private var remaining: Int

    /// The number of versions that a terminal shows.
    private static let screenful = 50

    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        var command = try HistoryCommand(context)
        return try command.run()
    }

    private init(_ context: CommandContext) throws(CommandError) {
        self.context = context
        let invocation = context.invocation
        let references = try RecordReference.read(invocation, context.surroundings)
        guard references.count == 1 else {
            throw .usage(
                UsageError(
                    en: "'history' needs one id", pl: "„history” wymaga jednego identyfikatora",
                    hint: .example("claimsctl history --collection NAME 7")))
        }
        reference = references[0]
        if invocation.limit != nil, invocation.wantsAll {
            throw .usage(.contradiction("--limit", "--all"))
        }
        let showsAll = invocation.wantsAll || !context.console.isTerminal
        remaining = invocation.limit ?? (showsAll ? .max : Self.screenful)
    }

    private mutating func run() throws(CommandError) -> ExitCode {
        var parameters = HistoryParameters()
        parameters.collection = reference.collection
        parameters.id = RecordID(reference.id)
        var result = PagedResult(of: String(describing: HistoryResult.versions.name))
        while true {
            parameters.limit = Int64(min(remaining, PageParameters.maxLimit))
            let answer = try context.call(.history, parameters)
            remaining -= min(remaining, result.append(answer))
            if let next = answer[HistoryResult.next], remaining > 0 {
                parameters.cursor = next
                continue
            }
            try print(result, answer)
            try context.flush()
            return .done
        }
    }

    private func print(_ result: PagedResult, _ last: AnswerValue) throws(CommandError) {
        let hasMore = last[HistoryResult.next] != nil
        let isComplete = last[HistoryResult.isComplete] ?? true
        let rows = rows(result.elements)
        try context.print(result) { presentation in
            presentation.rows = rows
            presentation.text = { options in
                let table = rows.text(width: options.width, isColored: options.isColored)
                if hasMore { return table + options.messages.olderVersions + "\n" }
                return isComplete ? table : table + options.messages.olderVersionsGone + "\n"
            }
        }
    }

    private func rows(_ versions: [AnswerValue]) -> TableRows {
        let messages = context.messages
        var rows = TableRows([
            ("seq", LayoutColumn(heading: messages.heading(.seq), isRight: true)),
            ("at", LayoutColumn(heading: messages.heading(.at))),
            ("op", LayoutColumn(heading: messages.heading(.change))),
            ("cause", LayoutColumn(heading: messages.heading(.cause))),
            ("by", LayoutColumn(heading: messages.heading(.by))),
            ("changed", LayoutColumn(heading: messages.heading(.fields), lines: 3, isElastic: true)),
        ])
        for version in versions {
            let at = version[Version.at]?.string ?? ""
            let changes: AnswerValue? = version[Version.changes]
            let names = changes?.members.map(\.name) ?? []
            var shown = FieldChanges.text(ofPairs: changes)
            if version[Version.values] == false { shown = messages.valuesNotKept }
            if version[Version.upstream] == true, shown.isEmpty { shown = messages.unreadMembers }
            func same(_ text: String) -> (data: String, cell: Cell) { (text, Cell(Escaping.line(text))) }
            func word(_ code: String?) -> (data: String, cell: Cell) {
                (code ?? "", Cell(Escaping.line(messages.word(code ?? ""))))
            }
            rows.append([
                same(version[Version.seq].map { String($0) } ?? ""),
                (at, Cell(Instant.parse(at).map { context.time.short($0.ms) } ?? "")),
                word(version[Version.op]), word(version[Version.cause]),
                same(version[Version.byName] ?? version[Version.by].map { String($0) } ?? ""),
                (names.joined(separator: ","), Cell(shown)),
            ])
        }
        return rows
    }
}
