// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsProtocol

extension Verb {
    static let delete = Verb(
        "delete", summary: "delete records", synopsis: "SELECTOR (ID… | -)",
        details: """
            Deletes records. On a terminal it asks first; elsewhere it needs --yes. - reads ids from standard input, one
            a line. Where records go to an upstream, they are hidden at once, and gone once the upstream has said yes.
            """,
        examples: ["delete --book 7", "delete --book 12 13 --yes", "delete --book 7 --dry-run"],
        options: [.dryRun, .op, .wait, .yes], terms: .ids)
}

/// `delete`: takes records away, after asking.
enum DeleteCommand {
    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let invocation = context.invocation
        let references = try RecordReference.read(invocation, context.surroundings)
        guard let first = references.first else {
            throw .usage(UsageError("'delete' needs an id", hint: "for example: claimsctl delete --book 7"))
        }
        try ActCommand.requireOne(references, context)
        let description = try context.descriptions(try context.requestDescription(of: first.collection)).first
        guard invocation.isConfirmed || invocation.isDryRun || context.asksQuestions else {
            throw .usage(
                UsageError("'delete' asks first, and there is no terminal", hint: "add --yes, if you are sure"))
        }
        if !invocation.isConfirmed, !invocation.isDryRun {
            let names = references.prefix(20).map(\.id).joined(separator: ", ") + (references.count > 20 ? ", …" : "")
            let count = Numbers.count(
                Int64(references.count), description?.singular ?? "record", description?.name ?? "records")
            let question = "Delete \(count): \(names)? [y/N] "
            Interruption.setHarmless(true)
            defer { Interruption.setHarmless(false) }
            guard context.console.ask(Escaping.line(question)) else {
                throw .failed(.failure, kind: "declined", message: "nothing was deleted")
            }
        }
        return try ActCommand.submit("delete", references, context, of: description)
    }
}
