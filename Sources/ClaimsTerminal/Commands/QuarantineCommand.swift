// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol

extension Verb {
    static let quarantine = Verb(
        "quarantine",
        summary: TranslatedText(
            en: "show elements of answers that are no records, and read them again",
            pl: "pokazuje elementy odpowiedzi, które nie są rekordami, i czyta je ponownie"),
        synopsis: "SELECTOR [list | get | retry | drop] [ENTRY…]",
        details: TranslatedText(
            en: """
                Lists elements of an upstream's answers that are no records, each with the reason. get shows the bytes
                of entries. retry reads entries again by the definition in force, drop throws them away; both need the
                role admin, and take all entries if none is named. If one of several is not there, none is changed. If
                retry refuses an entry again, it says so and ends with 8.
                """,
            pl: """
                Wymienia elementy odpowiedzi serwera, które nie są rekordami, wraz z powodem. get pokazuje bajty
                wpisów. retry czyta wpisy ponownie według obecnej definicji, drop je wyrzuca; oba wymagają roli admin,
                a bez ENTRY dotyczą wszystkich. Gdy jednego z kilku nie ma, nie zmienia się żaden. Gdy retry znów
                odrzuci wpis, mówi o tym i kończy się kodem 8.
                """),
        options: [.limit, .all], terms: .words(["list", "get", "retry", "drop"]))
}

/// `quarantine`: the elements of an upstream that are no records.
struct QuarantineCommand {
    private typealias Entry = QuarantineResult.Entry

    private let context: CommandContext
    private let collection: String
    private let entries: [Int64]

    /// The number of entries that a terminal shows.
    private static let screenful = 50

    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let words = context.invocation.terms.map(\.text)
        let action = words.first ?? "list"
        let command = try QuarantineCommand(context, entries: words.dropFirst())
        switch action {
        case "list": return try command.list()
        case "get": return try command.get()
        case "retry": return try command.retry()
        case "drop": return try command.drop()
        default:
            throw .usage(.none(action, of: ["list", "get", "retry", "drop"], .quarantine))
        }
    }

    private init(_ context: CommandContext, entries: some Sequence<String>) throws(CommandError) {
        self.context = context
        collection = try context.requiredCollection("claimsctl quarantine --collection NAME")
        var numbers: [Int64] = []
        for text in entries {
            guard let number = Int64(text), number > 0 else {
                throw .usage(
                    UsageError(
                        en: "'\(text)' is no number of an entry", pl: "„\(text)” nie jest numerem wpisu",
                        hint: TranslatedText(
                            en: "they are listed by: claimsctl quarantine", pl: "wymienia je: claimsctl quarantine")))
            }
            numbers.append(number)
        }
        self.entries = numbers
    }

    private func parameters(_ action: QuarantineAction, _ entry: Int64? = nil) -> QuarantineParameters {
        var parameters = QuarantineParameters()
        parameters.collection = collection
        parameters.action = action
        parameters.entry = entry
        return parameters
    }

    private func list() throws(CommandError) -> ExitCode {
        guard entries.isEmpty else {
            throw .usage(
                UsageError(
                    en: "'list' takes no entries", pl: "„list” nie przyjmuje wpisów",
                    hint: TranslatedText(
                        en: "to see one: claimsctl quarantine get ENTRY",
                        pl: "aby zobaczyć jeden: claimsctl quarantine get ENTRY")))
        }
        let invocation = context.invocation
        let showsAll = invocation.wantsAll || !context.console.isTerminal
        var remaining = invocation.limit ?? (showsAll ? .max : Self.screenful)
        var parameters = parameters(.list)
        var result = PagedResult(of: String(describing: QuarantineResult.entries.name))
        while true {
            parameters.limit = Int64(min(remaining, PageParameters.maxLimit))
            let answer = try context.call(.quarantine, parameters)
            remaining -= min(remaining, result.append(answer))
            if let next = answer[QuarantineResult.next], remaining > 0 {
                parameters.cursor = next
                continue
            }
            let rows = rows(result.elements)
            try context.print(result) { $0.rows = rows }
            try context.flush()
            if context.console.isTerminal { context.notice(tally(result.elements.count, answer)) }
            return .done
        }
    }

    private func tally(_ shown: Int, _ answer: AnswerValue) -> String {
        let messages = context.messages
        let total = answer[QuarantineResult.total] ?? Int64(shown)
        if total == 0 { return messages.none(.entries) }
        guard Int64(shown) < total else { return messages.count(total, .entries) }
        return messages.more(Int64(shown), of: total, .entries, hasLimit: context.invocation.limit != nil)
    }

    private func rows(_ entries: [AnswerValue]) -> TableRows {
        let hasSites = entries.contains { $0[Entry.site] != nil }
        var columns = [
            ("entry", LayoutColumn(heading: heading(.entry), isRight: true)),
            ("id", LayoutColumn(heading: heading(.id))),
            ("reason", LayoutColumn(heading: heading(.reason), lines: 2, isElastic: true)),
            ("pointer", LayoutColumn(heading: heading(.pointer))),
            ("size", LayoutColumn(heading: heading(.size), isRight: true)),
            ("first_seen", LayoutColumn(heading: heading(.firstSeen))),
            ("last_seen", LayoutColumn(heading: heading(.lastSeen))),
            ("excerpt", LayoutColumn(heading: heading(.begins), isElastic: true)),
        ]
        if hasSites { columns.insert(("site", LayoutColumn(heading: heading(.site))), at: 1) }
        var rows = TableRows(columns)
        for entry in entries {
            var cells = [
                same(entry[Entry.entry].map { String($0) } ?? ""), same(entry[Entry.id] ?? ""),
                same(entry[Entry.reason] ?? ""), same(entry[Entry.pointer] ?? ""),
                same(entry[Entry.size].map { String($0) } ?? ""), time(entry[Entry.firstSeen]?.string),
                time(entry[Entry.lastSeen]?.string), same(entry[Entry.excerpt] ?? ""),
            ]
            if hasSites { cells.insert(same(entry[Entry.site] ?? ""), at: 1) }
            rows.append(cells)
        }
        return rows
    }

    private func word(_ code: String) -> (data: String, cell: Cell) { (code, Cell(context.messages.word(code))) }

    private func heading(_ heading: Messages.Heading) -> String { context.messages.heading(heading) }

    private func same(_ text: String) -> (data: String, cell: Cell) { (text, Cell(Escaping.line(text))) }

    private func time(_ text: String?) -> (data: String, cell: Cell) {
        let shown = text.flatMap { Instant.parse($0) }.map { context.time.short($0.ms) }
        return (text ?? "", Cell(shown ?? ""))
    }

    /// Prints entries whole: into a pipe the bytes that the upstream sent.
    private func get() throws(CommandError) -> ExitCode {
        guard !entries.isEmpty else {
            throw .usage(
                UsageError(
                    en: "'get' needs an entry", pl: "„get” wymaga wpisu",
                    hint: .example("claimsctl quarantine --collection NAME get 3")))
        }
        var answers: [AnswerValue] = []
        for entry in entries { answers.append(try context.call(.quarantine, parameters(.get, entry))) }
        var presentation = Presentation(answers)
        let whole = answers.map { $0[QuarantineResult.bytes] ?? $0[QuarantineResult.base64] ?? "" }
        presentation.plain = Array(whole.joined(separator: "\n").utf8)
        presentation.names = entries.map { String($0) }
        presentation.text = { [rows = rows(answers)] options in
            rows.text(width: options.width, isColored: options.isColored)
                + whole.map { "\n" + Escaping.line($0) + "\n" }.joined()
        }
        try context.print(presentation)
        try context.flush()
        for answer in answers where answer[QuarantineResult.isTruncated] == true {
            context.notice(context.messages.cutEntry(answer[Entry.entry] ?? 0))
        }
        return .done
    }

    private func retry() throws(CommandError) -> ExitCode {
        let answers = try change(.retry)
        var rows = TableRows([
            ("entry", LayoutColumn(heading: heading(.entry), isRight: true)),
            ("outcome", LayoutColumn(heading: heading(.outcome))),
            ("id", LayoutColumn(heading: heading(.id))),
            ("reason", LayoutColumn(heading: heading(.reason), lines: 3, isElastic: true)),
        ])
        var refused: [String] = []
        for answer in answers {
            for entry in answer[QuarantineResult.accepted] {
                let number = entry[QuarantineResult.Accepted.entry].map { String($0) } ?? ""
                rows.append([same(number), word("accepted"), same(entry[QuarantineResult.Accepted.id] ?? ""), same("")])
            }
            for entry in answer[QuarantineResult.refused] {
                let number = entry[QuarantineResult.Refused.entry].map { String($0) } ?? ""
                refused.append(number)
                let reason = entry[QuarantineResult.Refused.reason] ?? ""
                rows.append([same(number), word("refused"), same(""), same(reason)])
            }
        }
        try show(answers, rows, none: context.messages.nothingInQuarantine)
        guard !refused.isEmpty else { return .done }
        let list = refused.prefix(20).joined(separator: ", ") + (refused.count > 20 ? ", …" : "")
        context.report(
            ErrorReport(.invalid, kind: "invalid", message: context.messages.stillNoRecords(refused.count, list)))
        return .invalid
    }

    private func drop() throws(CommandError) -> ExitCode {
        let answers = try change(.drop)
        var rows = TableRows([
            ("entry", LayoutColumn(heading: heading(.entry), isRight: true)),
            ("outcome", LayoutColumn(heading: heading(.outcome))),
        ])
        for entry in answers.flatMap({ $0[QuarantineResult.dropped] }) {
            rows.append([same(entry.text), word("dropped")])
        }
        try show(answers, rows, none: context.messages.nothingInQuarantine)
        return .done
    }

    /// Changes the entries of the line, one after the other, or all at once. If one of several is not there, none is
    /// changed.
    private func change(_ action: QuarantineAction) throws(CommandError) -> [AnswerValue] {
        if entries.count > 1 {
            for entry in entries { _ = try context.call(.quarantine, parameters(.get, entry)) }
        }
        // A refresh that is under way ends first.
        let connection = try context.connection(timeout: context.invocation.timeout == nil ? nil : .seconds(30))
        let requests = entries.isEmpty ? [parameters(action)] : entries.map { parameters(action, $0) }
        var answers: [AnswerValue] = []
        for parameters in requests {
            let number = connection.request(.quarantine, parameters)
            answers.append(try context.answer(to: number, isLong: true))
        }
        return answers
    }

    private func show(_ answers: [AnswerValue], _ rows: TableRows, none: String) throws(CommandError) {
        var presentation = Presentation(answers, rows: rows)
        presentation.text = { options in
            rows.isEmpty ? none + "\n" : rows.text(width: options.width, isColored: options.isColored)
        }
        try context.print(presentation)
        try context.flush()
    }
}
