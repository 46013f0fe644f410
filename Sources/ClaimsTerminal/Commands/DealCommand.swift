// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON

/// `deal`: the deal of the day, a line of its own unless another format was asked for.
enum DealCommand {
    static func run(_ session: Session) throws(CommandError) -> ExitCode {
        let invocation = session.invocation
        if let term = invocation.terms.first { throw .usage(UsageError("'deal' takes no terms: '\(term.text)'")) }
        let connection = try session.connection()
        let answer = try session.answer(
            to: connection.request("deal") { writer in
                if let selector = invocation.selector { writer.member("collection", selector.name) }
                if let language = session.language { writer.member("lang", language) }
            })
        let message = answer["message"]?.text ?? ""
        let id = answer["record"]?["id"]?.text ?? ""
        switch session.format {
        case .json, .jsonl: try session.emit(json: answer)
        case .table, .wide: try session.show(Escaping.line(message) + "\n")
        case .tsv where !session.isFormatGiven: try session.emit { $0 += message.utf8 + [UInt8(ascii: "\n")] }
        case .tsv, .csv, .name:
            var rows = RowSet(["id", "message"].map { ($0, Column(heading: $0)) })
            rows.append([(id, Cell(id)), (message, Cell(message))])
            try session.emit(rows)
        }
        try session.flush()
        session.noticeFreshness(answer["meta"])
        return .done
    }
}
