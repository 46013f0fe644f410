// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol

extension Verb {
    static let status = Verb(
        "status", summary: "show the daemon and its collections at a glance",
        details:
            "Shows the daemon and its collections: state, freshness, next refresh, errors and what to do about them.",
        takesSelector: false, maxArguments: 0)
}

/// `status`: the daemon and its collections at a glance, and what to do about what is wrong.
enum StatusCommand {
    private typealias Collection = StatusResult.Collection

    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        var parameters = StatusParameters()
        parameters.language = context.language
        let answer = try context.call(.status, parameters)
        let collections = answer[StatusResult.collections]
        let time = context.time
        let unit = context.unit
        var presentation = Presentation(answer, rows: rows(collections, time: time, hasErrors: true))
        presentation.text = { options in
            // In a table the remarks below say it better.
            let table = rows(collections, time: time, hasErrors: options.isWide)
                .text(width: options.width, isColored: options.isColored)
            let heading = Fitting.hang(daemonLine(answer), to: options.lineWidth, indent: 2)
            return heading + "\n\n" + table + remarks(answer, time: time, options, unit: unit)
                + ProblemText.text(
                    answer, width: options.lineWidth, isColored: options.isColored, unit: unit)
        }
        try context.print(presentation)
        try context.flush()
        return .done
    }

    /// `claimsd 0.1.0, up 3 h, 4 clients, 31 MiB of memory, 12 MiB on disk`
    private static func daemonLine(_ answer: AnswerValue) -> String {
        var parts = ["claimsd \(Escaping.line(answer[StatusResult.version] ?? ""))"]
        if let uptime = answer[StatusResult.uptime] { parts.append("up \(Ages.span(uptime))") }
        if let clients = answer[StatusResult.clients] { parts.append(Numbers.count(clients, "client", "clients")) }
        if let memory = answer[StatusResult.memory] { parts.append("\(Numbers.bytes(memory)) of memory") }
        if let disk = answer[StatusResult.disk] { parts.append("\(Numbers.bytes(disk)) on disk") }
        if let log = answer[StatusResult.keptLog] {
            parts.append("\(Numbers.bytes(log)) of write-ahead log kept by another program")
        }
        return parts.joined(separator: ", ")
    }

    private static func rows(_ collections: [AnswerValue], time: LocalTime, hasErrors: Bool) -> TableRows {
        var rows = TableRows(
            [
                ("collection", TableColumn(heading: "COLLECTION", isEmphasized: true)),
                ("state", TableColumn(heading: "STATE")),
                ("total", TableColumn(heading: "RECORDS", isRight: true)),
                ("archived", TableColumn(heading: "ARCHIVED", isRight: true)),
                ("freshness", TableColumn(heading: "FRESHNESS")), ("as_of", TableColumn(heading: "AS OF")),
                ("next_refresh", TableColumn(heading: "NEXT REFRESH")),
            ] + (hasErrors ? [("last_error", TableColumn(heading: "LAST ERROR", isElastic: true))] : []))
        for collection in collections {
            let value: AnswerValue? = collection[Collection.meta]
            let name = collection[Collection.name] ?? ""
            let meta = CollectionMeta(value) ?? CollectionMeta(collection: name, state: "")
            let asOf = (value?[Meta.asOf]?.text ?? "", Cell(meta.asOf.map(time.short) ?? ""))
            let isDue = meta.nextRefresh.map { $0 < time.now + 1000 } ?? false
            let nextRefresh = (
                value?[Meta.nextRefresh]?.text ?? "", Cell(isDue ? "due" : meta.nextRefresh.map(time.short) ?? "")
            )
            func count(_ member: Member<Int>) -> (data: String, cell: Cell) {
                let number = collection[member]
                return (number.map { String($0) } ?? "", Cell(meta.hasData ? number.map(Numbers.grouped) ?? "" : ""))
            }
            let isFine = meta.state == "ready" || meta.state == "empty"
            let isFresh = meta.freshness == "fresh" || meta.freshness == nil
            let kind = meta.failure?.kind ?? ""
            rows.append(
                [
                    (name, Cell(Escaping.line(name), style: .bold)),
                    (meta.state, Cell(Escaping.line(meta.state), style: isFine ? .plain : .warning)),
                    count(Collection.total), count(Collection.archived),
                    (
                        meta.freshness ?? "",
                        Cell(Escaping.line(meta.freshness ?? ""), style: isFresh ? .plain : .warning)
                    ),
                    asOf, nextRefresh,
                ] + (hasErrors ? [(kind, Cell(Escaping.line(kind), style: .warning))] : []))
        }
        return rows
    }

    /// Under the table: what is wrong with each collection, and what to do about it.
    private static func remarks(
        _ answer: AnswerValue, time: LocalTime, _ options: TextOptions, unit: DaemonUnit?
    ) -> String {
        var text = ""
        for collection in answer[StatusResult.collections] {
            guard let meta = CollectionMeta(collection[Collection.meta]) else { continue }
            let name = collection[Collection.name] ?? meta.collection
            let hint = collection[Collection.hint]
            func add(_ problem: String, advice: String? = nil) {
                let name = Escaping.line(name)
                let line = Fitting.hang("\(name): \(Escaping.line(problem))", to: options.lineWidth, indent: 2)
                text += "\n" + Style.bold.apply(to: name, isColored: options.isColored)
                text += line.dropFirst(name.count) + "\n"
                if let advice {
                    text += "  \(Fitting.hang(Escaping.line(advice), to: max(20, options.lineWidth - 2), indent: 4))\n"
                }
            }
            if meta.isAbandoned {
                add("it has no source any more; what was fetched before is served", advice: hint)
            } else if meta.state == "unconfigured" {
                add("no upstream is configured", advice: hint)
            } else if meta.freshness == "bundle", meta.failure == nil, let hint {
                add("built-in data, and no upstream is configured", advice: hint)
            } else if let failure = meta.failure {
                let reason = FreshnessLine(time).why(meta) ?? failure.kind
                add(reason, advice: Advice.forFailure(failure, collection: name, unit: unit) ?? hint)
            }
            if meta.isDefinitionPrevious { add("the definition before the mistake is in force") }
            if let held = collection[Collection.held] { add(difference(held)) }
            if meta.quarantined > 0 {
                add("\(Numbers.count(meta.quarantined, "record is", "records are")) in quarantine")
            }
        }
        let outbox = OutboxLines.text(
            answer[StatusResult.outbox], time: time, width: options.lineWidth, isColored: options.isColored)
        return text + outbox + removals(answer, time: time, options)
            + DriftText.text(
                answer[StatusResult.drift], width: options.lineWidth, isColored: options.isColored)
    }

    /// The collections that have lost their definitions, how long they are kept, and how to erase them now.
    private static func removals(_ answer: AnswerValue, time: LocalTime, _ options: TextOptions) -> String {
        var text = ""
        for collection in answer[StatusResult.removed] {
            guard let name = collection[StatusResult.Removed.collection] else { continue }
            let records = Numbers.count(collection[StatusResult.Removed.records] ?? 0, "record", "records")
            let until = collection[StatusResult.Removed.until]?.text
            let end = until.flatMap { Instant.parse($0)?.ms }.map(time.clock) ?? until ?? ""
            let title = Style.bold.apply(to: Escaping.line(name), isColored: options.isColored)
            text += "\n\(title): its definition was removed; \(records) kept until \(Escaping.line(end))\n"
            text += "  to erase it now: claimsctl forget --collection \(Escaping.line(name))\n"
        }
        return text
    }

    /// The data that the guard holds back, in words.
    private static func difference(_ held: AnswerValue) -> String {
        typealias Held = StatusResult.Held
        func number(_ member: Member<Int>) -> String { Numbers.grouped(held[member] ?? 0) }
        let counts = [Held.added, Held.updated, Held.removed, Held.quarantined].map { "\(number($0)) \($0.name)" }
        return "held back: \(number(Held.before)) records would become \(number(Held.after)), with "
            + counts.joined(separator: ", ")
    }
}
