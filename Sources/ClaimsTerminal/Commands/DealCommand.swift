// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol

extension Verb {
    static let deal = Verb(
        "deal",
        summary: TranslatedText(
            en: "advertise a record, drawn at random",
            pl: "pokazuje ofertę: losowany rekord"),
        synopsis: "[SELECTOR]",
        details: TranslatedText(
            en: """
                Prints a line that advertises a record, drawn at random each time.
                """,
            pl: """
                Wypisuje ofertę: rekord losowany za każdym razem.
                """),
        maxArguments: 0)
}

/// `deal`: a record drawn at random, a line of its own unless another format was asked for.
enum DealCommand {
    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let invocation = context.invocation
        var parameters = DealParameters()
        parameters.collection = invocation.selector?.name
        let answer = try context.call(.deal, parameters)
        let message = answer[DealResult.message] ?? ""
        let id = answer[DealResult.record]?["id"]?.text ?? ""
        var rows = TableRows(["id", "message"].map { ($0, LayoutColumn(heading: $0)) })
        rows.append([(id, Cell(id)), (message, Cell(message))])
        var presentation = Presentation(answer, rows: rows)
        presentation.plain = Array(message.utf8)
        presentation.text = { _ in Escaping.line(message) + "\n" }
        try context.print(presentation)
        try context.flush()
        context.noticeFreshness(answer[DealResult.meta])
        return .done
    }
}
