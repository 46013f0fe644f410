// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsProtocol

extension Verb {
    static let delete = Verb(
        "delete",
        summary: TranslatedText(
            en: "delete records",
            pl: "usuwa rekordy"),
        synopsis: "SELECTOR (ID… | -)",
        details: TranslatedText(
            en: """
                Deletes records. On a terminal it asks first; elsewhere it needs --yes. - reads ids from standard
                input, one a line. Where records go to an upstream, they are hidden at once, and gone once the
                upstream has said yes.
                """,
            pl: """
                Usuwa rekordy. W terminalu najpierw pyta; poza nim wymaga --yes. - czyta identyfikatory ze
                standardowego wejścia, po jednym w wierszu. Rekordy, które idą do serwera, znikają od razu, a
                przestają istnieć, gdy serwer się zgodzi.
                """),
        options: [.dryRun, .op, .wait, .yes], terms: .ids)
}

/// `delete`: takes records away, after asking.
enum DeleteCommand {
    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let invocation = context.invocation
        let references = try RecordReference.read(invocation, context.surroundings)
        guard let first = references.first else {
            throw .usage(.needsID("delete", .example("claimsctl delete --collection NAME 7")))
        }
        try ActCommand.requireOne(references, context)
        let description = try context.descriptions(try context.requestDescription(of: first.collection)).first
        guard invocation.isConfirmed || invocation.isDryRun || context.asksQuestions else {
            throw .usage(.asksFirst("delete"))
        }
        if !invocation.isConfirmed, !invocation.isDryRun {
            let names = references.prefix(20).map(\.id).joined(separator: ", ") + (references.count > 20 ? ", …" : "")
            let messages = context.messages
            let question = messages.askDelete(messages.count(references.count, Plural(of: description)), names)
            Interruption.set(isHarmless: true)
            defer { Interruption.set(isHarmless: false) }
            guard context.console.ask(Escaping.line(question), messages) else {
                throw .declined(en: "nothing was deleted", pl: "niczego nie usunięto")
            }
        }
        return try ActCommand.submit("delete", references, context, of: description)
    }
}
