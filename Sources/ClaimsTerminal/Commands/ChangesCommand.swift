// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol

extension Verb {
    static let changes = Verb(
        "changes",
        summary: TranslatedText(
            en: "list changes since an earlier answer",
            pl: "wymienia zmiany od podanej odpowiedzi demona"),
        synopsis: "[SELECTOR] [TERMS…]",
        details: TranslatedText(
            en: """
                Lists how the records that the terms select have changed since the clock in --cursor-file, or else that
                of --since. Without either, all records are listed. The new clock goes into the file once everything is
                written, so that the next run goes on from there. After a failure the file stays as it was: drop the
                output of that run. An entry with the op fresh_instance begins a whole set: drop what came before it.
                Every answer has a clock in its meta.
                """,
            pl: """
                Wymienia zmiany wybranych rekordów od zegara (clock) z --cursor-file albo z --since. Bez obu wymienia
                wszystkie rekordy. Nowy zegar trafia do pliku, gdy wszystko zostało zapisane, więc następne wywołanie
                zaczyna od niego. Po błędzie plik zostaje, jaki był: wynik tego wywołania trzeba odrzucić. Wpis z op
                fresh_instance zaczyna cały zbiór: zapomnij, co było przed nim. Każda odpowiedź ma zegar w meta.
                """),
        options: [.since, .cursorFile, .fields, .view, .archived, .filter, .text], terms: .filters)
}

/// `changes`: all pages of the changes since a clock, and then the new clock in a file.
struct ChangesCommand {
    private let context: CommandContext
    private let file: CursorFile?
    private var parameters = ChangesParameters()

    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        try ChangesCommand(context).run()
    }

    private init(_ context: CommandContext) throws(CommandError) {
        self.context = context
        let invocation = context.invocation
        file = invocation.cursorFile.map { CursorFile($0) }
        parameters.collection = invocation.selector?.name
        parameters.feed = context.feedParameters()
        parameters.since = try file?.clock() ?? invocation.since
    }

    private func run() throws(CommandError) -> ExitCode {
        let printer = ChangesPrinter(context)
        var parameters = parameters
        var isFirst = true
        while true {
            let answer = try context.call(.changes, parameters)
            try printer.print(answer, isFirst: isFirst)
            if answer[ChangesResult.more] == true, let next = answer[ChangesResult.next] {
                parameters.since = nil
                parameters.cursor = next
                isFirst = false
                continue
            }
            try printer.end(answer)
            try context.flush()
            if let file {
                guard let clock = answer[ChangesResult.clock] else {
                    throw .failed(
                        .failure, kind: "protocol",
                        message: TranslatedText(en: "the daemon gave no clock", pl: "demon nie podał zegara"))
                }
                try settleOutput()
                try file.keep(clock)
            }
            context.noticeFreshness(answer[ChangesResult.meta])
            return .done
        }
    }

    /// Brings a file that the output goes to onto its device: the clock must not be newer than what it stands for.
    private func settleOutput() throws(CommandError) {
        try context.printing { () throws(OutputError) in try context.console.output.sync() }
    }
}

/// Prints the entries of a feed, page by page, in every format.
final class ChangesPrinter {
    private let context: CommandContext
    private let isOverAll: Bool
    /// The entries of each page, without the brackets of their array; only for `json`.
    private var pages: [[UInt8]] = []
    private var reasons: [(name: String, value: AnswerValue)] = []
    private var names: [String] = []

    init(_ context: CommandContext) {
        self.context = context
        isOverAll = context.invocation.selector == nil
    }

    func print(_ answer: AnswerValue, isFirst: Bool) throws(CommandError) {
        let fresh = answer[ChangesResult.reasons]?.members ?? []
        switch context.format {
        case .json:
            reasons += fresh
            guard let entries: AnswerValue = answer[ChangesResult.changes], !entries.elements.isEmpty else { return }
            pages.append(Array(entries.document.bytes[(entries.range.lowerBound + 1)..<(entries.range.upperBound - 1)]))
        case .jsonl: try printLines(fresh, answer[ChangesResult.changes])
        case .table, .wide, .csv, .tsv, .spreadsheet, .name:
            var presentation = Presentation(answer, rows: rows(fresh, answer[ChangesResult.changes]))
            presentation.names = names
            let part = presentation
            try context.printing { () throws(OutputError) in try context.printer.printPart(part, isFirst: isFirst) }
        }
    }

    private func printLines(
        _ fresh: [(name: String, value: AnswerValue)], _ entries: [AnswerValue]
    ) throws(CommandError) {
        let isTerminal = context.console.isTerminal
        try context.printing { () throws(OutputError) in
            for (name, reason) in fresh {
                try context.console.write { $0 += PrintedFeed.beginning(of: name, reason: reason.string) }
            }
            for entry in entries {
                try context.console.write { bytes in
                    if isTerminal {
                        bytes += JSONLayout.terminalSafe(Array(entry.source.utf8))
                    } else {
                        entry.appendSource(to: &bytes)
                    }
                    bytes.append(UInt8(ascii: "\n"))
                }
            }
        }
    }

    /// Ends the last page.
    func end(_ answer: AnswerValue) throws(CommandError) {
        guard context.format == .json else { return }
        var tail = JSONWriter()
        tail.beginObject()
        if !reasons.isEmpty {
            tail.member(ChangesResult.freshInstance, true)
            tail.key(ChangesResult.reasons)
            tail.beginObject()
            for (index, reason) in reasons.enumerated()
            where !reasons[(index + 1)...].contains(where: { $0.name == reason.name }) {
                tail.key(reason.name)
                tail.raw(Array(reason.value.source.utf8))
            }
            tail.endObject()
        }
        for name in [ChangesResult.meta.name, ChangesResult.clock.name] {
            guard let value = answer[String(describing: name)] else { continue }
            tail.key(name)
            tail.raw(Array(value.source.utf8))
        }
        tail.endObject()
        var document = Array(#"{"schema_version":\#(JSONLayout.schemaVersion),"changes":["#.utf8)
        document += pages.joined(separator: [UInt8(ascii: ",")])
        document += Array("]".utf8)
        document += tail.bytes.count > 2 ? [UInt8(ascii: ",")] + tail.bytes.dropFirst() : tail.bytes.dropFirst()
        let shown =
            context.console.isTerminal ? JSONLayout.indented(JSONLayout.terminalSafe(document)) : document
        try context.printing { () throws(OutputError) in
            try context.console.write { $0 += shown + [UInt8(ascii: "\n")] }
        }
    }

    private func rows(_ fresh: [(name: String, value: AnswerValue)], _ entries: [AnswerValue]) -> TableRows {
        let messages = context.messages
        var columns = [
            ("seq", LayoutColumn(heading: messages.heading(.seq), isRight: true)),
            ("at", LayoutColumn(heading: messages.heading(.at))),
            ("op", LayoutColumn(heading: messages.heading(.change))),
            ("id", LayoutColumn(heading: messages.heading(.id), isEmphasized: true)),
            ("cause", LayoutColumn(heading: messages.heading(.cause))),
            ("reason", LayoutColumn(heading: messages.heading(.reason))),
            ("changed", LayoutColumn(heading: messages.heading(.fields), lines: 3, isElastic: true)),
        ]
        if isOverAll {
            columns.insert(("collection", LayoutColumn(heading: messages.heading(.collection))), at: 3)
        }
        var rows = TableRows(columns)
        names = []
        for (name, reason) in fresh {
            append(op: "fresh_instance", collection: name, reason: reason.string ?? "", to: &rows)
        }
        for entry in entries {
            let collection = entry[FeedEntry.collection] ?? ""
            let id = entry[FeedEntry.id] ?? ""
            names.append(isOverAll ? "\(collection)/\(id)" : id)
            append(entry, op: entry[FeedEntry.op] ?? "", collection: collection, reason: Self.reason(entry), to: &rows)
        }
        return rows
    }

    private func append(
        _ entry: AnswerValue? = nil, op: String, collection: String, reason: String, to rows: inout TableRows
    ) {
        let at = entry?[FeedEntry.at]?.string ?? ""
        let shown = Instant.parse(at).map { context.time.short($0.ms) } ?? ""
        let seq = entry?[FeedEntry.seq].map { String($0) } ?? ""
        let changed = entry?[FeedEntry.changed].compactMap(\.string) ?? []
        func same(_ text: String) -> (data: String, cell: Cell) { (text, Cell(Escaping.line(text))) }
        func word(_ code: String) -> (data: String, cell: Cell) {
            (code, Cell(Escaping.line(context.messages.word(code))))
        }
        var row = [
            (seq, Cell(seq)), (at, Cell(shown)), word(op), same(entry?[FeedEntry.id] ?? ""),
            word(entry?[FeedEntry.cause] ?? ""), same(reason),
            (changed.joined(separator: ","), Cell(entry.map(FieldChanges.text) ?? "")),
        ]
        if isOverAll { row.insert(same(collection), at: 3) }
        rows.append(row)
    }

    private static func reason(_ entry: AnswerValue) -> String {
        let reason = entry[FeedEntry.reason] ?? ""
        return entry[FeedEntry.to].map { "\(reason) \($0)" } ?? reason
    }
}
