// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON

/// `count`: how many records there are. A bare number unless another format was asked for.
enum CountCommand {
    static func run(_ session: Session) throws(CommandError) -> ExitCode {
        let connection = try session.connection()
        let invocation = session.invocation
        let request: ListRequest
        do throws(UsageError) {
            request = try ListRequest(invocation, limit: 1, zone: session.zoneParameter, language: nil)
        } catch {
            throw .usage(error)
        }
        session.filter = request.filter
        let id = connection.request("count") { writer in
            if let collection = request.collection { writer.member("collection", collection) }
            if let filter = request.filter { writer.member("filter", filter) }
            if let view = request.view { writer.member("view", view) }
            if let archived = request.archived { writer.member("archived", archived.rawValue) }
            if let maxAge = request.maxAge { writer.member("max_age_ms", maxAge) }
            if let zone = request.zone { writer.member("time_zone", zone) }
        }
        let answer = try session.answer(to: id)
        try print(answer, session)
        try session.flush()
        session.noticeFreshness(answer["meta"])
        return invocation.mustExist && answer["total"]?.integer == 0 ? .notFound : .done
    }

    private static func print(_ answer: AnswerValue, _ session: Session) throws(CommandError) {
        let total = answer["total"]?.text ?? "0"
        let totals = answer["totals"]?.members ?? []
        switch session.format {
        case .json, .jsonl:
            try session.emit(json: answer)
        case .tsv where !session.isFormatGiven, .name:
            try session.emit { $0 += total.utf8 + [UInt8(ascii: "\n")] }
        case .tsv, .csv:
            let writer = SeparatedValues(isCSV: session.format == .csv)
            try session.emit { bytes in
                writer.append(totals.isEmpty ? ["total"] : ["collection", "total"], to: &bytes)
                if totals.isEmpty { writer.append([total], to: &bytes) }
                for (name, count) in totals { writer.append([name, count.text], to: &bytes) }
            }
        case .table, .wide:
            if totals.isEmpty { return try session.show(total + "\n") }
            var table = TextTable([Column(heading: "COLLECTION"), Column(heading: "TOTAL", isRight: true)])
            for (name, count) in totals { table.append([Cell(Escaping.line(name)), Cell(count.text)]) }
            table.append([Cell("all", style: .bold), Cell(total, style: .bold)])
            try session.show(table.text(width: session.width, isColored: session.isColored))
        }
    }
}
