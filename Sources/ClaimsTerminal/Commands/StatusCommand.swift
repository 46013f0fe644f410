// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON

/// `status`: the daemon and its collections at a glance, and what to do about what is wrong.
enum StatusCommand {
    static func run(_ session: Session) throws(CommandError) -> ExitCode {
        if let term = session.invocation.terms.first {
            throw .usage(UsageError("'status' takes no terms: '\(term.text)'"))
        }
        let connection = try session.connection()
        let id = connection.request("status") { writer in
            if let language = session.language { writer.member("lang", language) }
        }
        let answer = try session.answer(to: id)
        if session.format.isJSON {
            try session.emit(json: answer)
        } else {
            let collections = answer["collections"]?.elements ?? []
            if session.format.isForPeople { try session.show(daemonLine(answer) + "\n\n") }
            try session.emit(rows(collections, session))
            if session.format.isForPeople { try session.show(remarks(answer, session)) }
        }
        try session.flush()
        return .done
    }

    /// `claimsd 0.1.0, up 3 h, 4 clients, 31 MiB of memory, 12 MiB on disk`
    private static func daemonLine(_ answer: AnswerValue) -> String {
        var parts = ["claimsd \(Escaping.line(answer["version"]?.text ?? ""))"]
        if let uptime = answer["uptime_ms"]?.integer { parts.append("up \(Ages.span(uptime))") }
        if let clients = answer["clients"]?.integer { parts.append(Numbers.count(clients, "client", "clients")) }
        if let memory = answer["memory_bytes"]?.integer { parts.append("\(Numbers.bytes(memory)) of memory") }
        if let disk = answer["disk_bytes"]?.integer { parts.append("\(Numbers.bytes(disk)) on disk") }
        return parts.joined(separator: ", ")
    }

    private static func rows(_ collections: [AnswerValue], _ session: Session) -> RowSet {
        // In a table the remarks below say it better.
        let hasErrors = session.format != .table
        var rows = RowSet(
            [
                ("collection", Column(heading: "COLLECTION", isEmphasized: true)), ("state", Column(heading: "STATE")),
                ("total", Column(heading: "RECORDS", isRight: true)),
                ("archived", Column(heading: "ARCHIVED", isRight: true)),
                ("freshness", Column(heading: "FRESHNESS")), ("as_of", Column(heading: "AS OF")),
                ("next_refresh", Column(heading: "NEXT REFRESH")),
            ] + (hasErrors ? [("last_error", Column(heading: "LAST ERROR", isElastic: true))] : []))
        for collection in collections {
            let value = collection["meta"]
            let name = collection["name"]?.text ?? ""
            let meta = Meta(value) ?? Meta(collection: name, state: "")
            func time(_ key: String) -> (data: String, cell: Cell) {
                let data = value?[key]?.text ?? ""
                let ms = key == "as_of" ? meta.asOf : meta.nextRefresh
                if key == "next_refresh", let ms, ms < session.time.now + 1000 { return (data, Cell("due")) }
                return (data, Cell(ms.map { session.time.short($0) } ?? ""))
            }
            func count(_ key: String) -> (data: String, cell: Cell) {
                let number = collection[key]?.integer
                return (number.map { String($0) } ?? "", Cell(meta.hasData ? number.map(Numbers.grouped) ?? "" : ""))
            }
            let isFine = meta.state == "ready" || meta.state == "empty"
            let isFresh = meta.freshness == "fresh" || meta.freshness == nil
            let kind = meta.failure?.kind ?? ""
            rows.append(
                [
                    (name, Cell(Escaping.line(name), style: .bold)),
                    (meta.state, Cell(Escaping.line(meta.state), style: isFine ? .plain : .warning)),
                    count("total"), count("archived"),
                    (
                        meta.freshness ?? "",
                        Cell(Escaping.line(meta.freshness ?? ""), style: isFresh ? .plain : .warning)
                    ),
                    time("as_of"), time("next_refresh"),
                ] + (hasErrors ? [(kind, Cell(Escaping.line(kind), style: .warning))] : []))
        }
        return rows
    }

    /// Under the table: what is wrong with each collection, and what to do about it.
    private static func remarks(_ answer: AnswerValue, _ session: Session) -> String {
        var text = ""
        for collection in answer["collections"]?.elements ?? [] {
            guard let meta = Meta(collection["meta"]) else { continue }
            let name = collection["name"]?.text ?? meta.collection
            let hint = collection["hint"]?.string
            if meta.state == "unconfigured" {
                text += remark(name, "no upstream is configured", hint, session)
            } else if meta.freshness == "bundle", meta.failure == nil, let hint {
                text += remark(name, "built-in data, and no upstream is configured", hint, session)
            } else if let failure = meta.failure {
                let why = FreshnessLine.why(meta, time: session.time) ?? failure.kind
                text += remark(name, why, Advice.forFailure(failure, collection: name) ?? hint, session)
            }
            if let held = collection["held"] { text += remark(name, difference(held), nil, session) }
            if meta.quarantined > 0 {
                let count = Numbers.count(meta.quarantined, "record is", "records are")
                text += remark(name, "\(count) in quarantine", nil, session)
            }
        }
        return text + DriftText.text(answer["drift"], isColored: session.isColored)
    }

    /// What the guard holds back.
    private static func difference(_ held: AnswerValue) -> String {
        func number(_ key: String) -> String { Numbers.grouped(held[key]?.integer ?? 0) }
        let counts = ["added", "updated", "removed", "quarantined"].map { "\(number($0)) \($0)" }
        return "held back: \(number("before")) records would become \(number("after")), with "
            + counts.joined(separator: ", ")
    }

    private static func remark(_ name: String, _ what: String, _ advice: String?, _ session: Session) -> String {
        let name = Style.bold.apply(to: Escaping.line(name), isColored: session.isColored)
        var text = "\n\(name): \(Escaping.line(what))\n"
        if let advice { text += "  \(Escaping.line(advice))\n" }
        return text
    }
}
