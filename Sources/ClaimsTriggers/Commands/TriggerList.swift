// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsTerminal

/// `trigger [NAME]`: how each trigger with a command is doing.
enum TriggerList {
    static func run(
        _ context: CommandContext, _ words: [String], _ folders: TriggerFolders
    ) throws(CommandError) -> ExitCode {
        let files = TriggerFiles(folders)
        for problem in files.problems { context.notice(problem.description) }
        var reports = TriggerReport.all(files, folders)
        if let name = words.first {
            guard words.count == 1 else { throw .usage(tooMany) }
            reports = try reports.filter { $0.name == name }.nonempty(name, folders)
        }
        let answer = try document(reports)
        let time = context.time
        var presentation = Presentation(answer, rows: rows(reports, TriggerText(time)))
        presentation.text = { options in
            reports.isEmpty
                ? context.messages.noTriggers(folders.file(of: "NAME")) + "\n"
                : table(reports, TriggerText(time), context.messages)
                    .text(width: options.width, isColored: options.isColored)
        }
        try context.print(presentation)
        try context.flush()
        return .done
    }

    private static let tooMany = UsageError(
        en: "'trigger' takes the name of one trigger, or run, test, skip or text",
        pl: "„trigger” przyjmuje nazwę jednego wyzwalacza albo run, test, skip lub text",
        hint: TranslatedText(en: "what it takes: claimsctl help trigger", pl: "co przyjmuje: claimsctl help trigger"))

    private static func document(_ reports: [TriggerReport]) throws(CommandError) -> AnswerValue {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("triggers")
        writer.beginArray()
        for report in reports {
            writer.beginObject()
            writer.member("name", report.name)
            writer.member("state", report.condition.word)
            writer.member("up", report.condition.isUp)
            let status = report.status
            writer.member("members", status?.members)
            writer.member("batch", status?.batch)
            writer.member("lines", status?.count)
            writer.member("attempt", status?.attempt)
            writer.member("last_exit", status?.lastExit?.text)
            writer.member("last_told", status?.reportedAt.map { Instant(ms: $0).text })
            writer.member("next_try", status?.nextTry.map { Instant(ms: $0).text })
            writer.member("problem", status?.problem)
            if case .wrong(let problems) = report.condition {
                writer.key("problems")
                writer.beginArray()
                for problem in problems { writer.string(problem.description) }
                writer.endArray()
            }
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        do throws(JSONError) {
            return try AnswerDocument(writer.bytes).root
        } catch {
            throw .failed(.failure, kind: "internal", message: error.text)
        }
    }

    private static func rows(_ reports: [TriggerReport], _ text: TriggerText) -> TableRows {
        let names = ["name", "state", "members", "lines", "attempt", "last_exit", "last_told", "next_try", "details"]
        var rows = TableRows(names.map { ($0, LayoutColumn(heading: $0.uppercased())) })
        for report in reports {
            let status = report.status
            let values = [
                report.name, report.condition.word, status?.members.map { "\($0)" }, status?.count.map { "\($0)" },
                status?.attempt.map { "\($0)" }, status?.lastExit?.text,
                status?.reportedAt.map { Instant(ms: $0).text },
                status?.nextTry.map { Instant(ms: $0).text }, text.details(report),
            ]
            rows.append(values.map { ($0 ?? "", Cell(Escaping.line($0 ?? ""))) })
        }
        return rows
    }

    private static func table(_ reports: [TriggerReport], _ text: TriggerText, _ messages: Messages) -> TextTable {
        var table = TextTable([
            LayoutColumn(heading: messages.triggerHeading.uppercased(), isEmphasized: true),
            LayoutColumn(heading: messages.triggerDetails.uppercased(), lines: 4, isElastic: true),
        ])
        for report in reports {
            let word = report.status == nil ? messages.triggerState(report.condition.word) + ": " : ""
            table.append([Cell(report.name, style: .bold), Cell(word + text.details(report))])
        }
        return table
    }
}

extension [TriggerReport] {
    /// The reports, if there are any; otherwise the reason why there are none.
    fileprivate func nonempty(
        _ name: String, _ folders: TriggerFolders
    ) throws(CommandError) -> [TriggerReport] {
        if !isEmpty { return self }
        try TriggerCommand.runnable(name, folders)
        return [TriggerReport(name: name, condition: .stopped)]
    }
}
