// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol

extension Verb {
    static let forget = Verb(
        "forget",
        summary: LocalizedText(
            en: "erase a removed collection, or records",
            pl: "wymazuje kolekcję, której definicji już nie ma, albo rekordy"),
        synopsis: "(--collection NAME | SELECTOR (ID… | -))",
        details: LocalizedText(
            en: """
                Erases a collection whose definition was removed: its records, archive marks and history. Nothing
                brings them back. It asks first; without a terminal it needs --yes. `claimsctl status` lists the
                removed collections.

                With ids it erases these records, from the history too, and returns once nothing of them is in any
                file of the daemon. Records with unsettled operations stay (exit 9). What the upstream still lists
                comes back with its next answer: erase it there first. - reads ids from standard input, one a line.
                """,
            pl: """
                Usuwa na zawsze kolekcję, której definicję usunięto: jej rekordy, znaczniki archiwum i historię. Nic
                ich nie przywróci. Najpierw pyta; bez terminala wymaga --yes. `claimsctl status` wymienia usunięte
                kolekcje.

                Z identyfikatorami wymazuje te rekordy, także z historii, i kończy, gdy nic z nich nie zostało w żadnym
                pliku demona. Rekordy z nierozliczonymi operacjami zostają (kod 9). To, co serwer nadal podaje, wróci
                z jego następną odpowiedzią: najpierw wymaż to na serwerze. - czyta identyfikatory ze standardowego
                wejścia, po jednym w wierszu.
                """),
        options: [.dryRun, .yes], terms: .ids)
}

/// `forget`: erases a removed collection or records, after asking.
enum ForgetCommand {
    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let invocation = context.invocation
        guard invocation.terms.isEmpty else { return try ForgetRecordsCommand.run(context) }
        if invocation.isDryRun {
            throw .usage(
                UsageError(
                    en: "'--dry-run' is for records, and no ids are given",
                    pl: "„--dry-run” dotyczy rekordów, a nie podano identyfikatorów",
                    hint: .example("claimsctl forget --collection NAME 7 --dry-run")))
        }
        // Nobody knows the singular of a removed collection, so an option that is none of ours is a mistake.
        if let selector = invocation.selector, selector.isOption {
            throw .usage(ArgumentParser.unknownOption(selector.name))
        }
        guard let name = invocation.selector?.name else {
            throw .usage(
                UsageError(
                    en: "'forget' needs a collection", pl: "„forget” wymaga kolekcji",
                    hint: ErrorText(
                        en: "claimsctl status lists the removed ones; name one with --collection",
                        pl: "claimsctl status wymienia usunięte; podaj jedną przez --collection")))
        }
        let asks = context.surroundings.isTerminal(0) && context.console.isErrorTerminal
        guard invocation.isConfirmed || asks else {
            throw .usage(.asksFirst("forget"))
        }
        // Without a time limit: the daemon goes on in any case.
        let connection = try context.connection(timeout: nil)
        if !invocation.isConfirmed { try confirm(name, context) }
        var parameters = ForgetParameters()
        parameters.collection = name
        let answer = try context.answer(to: connection.request(.forget, parameters), isLong: true)
        let records = answer[ForgetResult.records] ?? 0
        var rows = TableRows(["collection", "records"].map { ($0, TableColumn(heading: $0)) })
        rows.append([(name, Cell(name)), (String(records), Cell(String(records)))])
        var presentation = Presentation(answer, rows: rows)
        presentation.names = [name]
        presentation.text = { $0.messages.erased(Escaping.line(name), Int64(records)) + "\n" }
        try context.print(presentation)
        try context.flush()
        return .done
    }

    /// Asks whether the collection is to be erased, if there is such a removed one; the daemon refuses any other.
    private static func confirm(_ name: String, _ context: CommandContext) throws(CommandError) {
        let removed = try context.call(.status, StatusParameters())[StatusResult.removed]
        guard let collection = removed.first(where: { $0[StatusResult.Removed.collection] == name }) else { return }
        let records = Int64(collection[StatusResult.Removed.records] ?? 0)
        let messages = context.messages
        guard context.console.ask(messages.askErase(Escaping.line(name), records), messages) else {
            throw .declined(en: "nothing was erased", pl: "niczego nie wymazano")
        }
    }
}
