// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol

extension Verb {
    static let forget = Verb(
        "forget",
        summary: TranslatedText(
            en: "erase a removed collection, or records",
            pl: "wymazuje kolekcję, której definicji już nie ma, albo rekordy"),
        synopsis: "(--collection NAME | SELECTOR (ID… | -))",
        details: TranslatedText(
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
                    hint: TranslatedText(
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
        var rows = TableRows(["collection", "records"].map { ($0, LayoutColumn(heading: $0)) })
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

/// `forget` with ids: erases records, after asking.
enum ForgetRecordsCommand {
    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let invocation = context.invocation
        let references = try RecordReference.read(invocation, context.surroundings)
        // Without a time limit: the daemon goes on in any case.
        _ = try context.connection(timeout: nil)
        if !invocation.isConfirmed, !invocation.isDryRun, let first = references.first {
            // Before the question, which must not be about a collection that does not exist.
            _ = try context.descriptions(try context.requestDescription(of: first.collection))
        }
        let asks = context.surroundings.isTerminal(0) && context.console.isErrorTerminal
        guard invocation.isConfirmed || invocation.isDryRun || asks else {
            throw .usage(.asksFirst("forget"))
        }
        if !invocation.isConfirmed, !invocation.isDryRun { try confirm(references, context) }
        var results: [AnswerValue] = []
        for batch in RecordReference.batches(references) {
            for start in stride(from: 0, to: batch.ids.count, by: ForgetParameters.maxIDs) {
                let end = min(start + ForgetParameters.maxIDs, batch.ids.count)
                var parameters = ForgetParameters()
                parameters.collection = batch.collection
                parameters.ids = RecordIDList(Array(batch.ids[start..<end]))
                parameters.isDryRun = invocation.isDryRun
                let request = try context.connection(timeout: nil).request(.forget, parameters)
                results.append(try context.answer(to: request, isLong: true))
            }
        }
        return try print(results, context)
    }

    private static func confirm(_ references: [RecordReference], _ context: CommandContext) throws(CommandError) {
        let names = references.prefix(20).map(\.id).joined(separator: ", ") + (references.count > 20 ? ", …" : "")
        let messages = context.messages
        let question = messages.askForget(Int64(references.count), Escaping.line(names))
        guard context.console.ask(question, messages) else {
            throw .declined(en: "nothing was erased", pl: "niczego nie wymazano")
        }
    }

    private static func print(_ results: [AnswerValue], _ context: CommandContext) throws(CommandError) -> ExitCode {
        func ids(_ outcome: Member<[String]>) -> [String] { results.flatMap { $0[outcome].map(\.text) } }
        let isDryRun = context.invocation.isDryRun
        var rows = TableRows(["id", "outcome", "returns"].map { ($0, LayoutColumn(heading: $0)) })
        let returns = Set(ids(ForgetResult.returns))
        // The name says that nothing was erased.
        let forgotten = isDryRun ? "would_forget" : String(describing: ForgetResult.forgotten.name)
        for (outcome, name) in [
            (ForgetResult.forgotten, forgotten), (ForgetResult.refused, String(describing: ForgetResult.refused.name)),
            (ForgetResult.missing, String(describing: ForgetResult.missing.name)),
        ] {
            for id in ids(outcome) {
                let comesBack = returns.contains(id) ? "true" : ""
                rows.append([(id, Cell(Escaping.line(id))), (name, Cell(name)), (comesBack, Cell(comesBack))])
            }
        }
        var presentation = Presentation(results, rows: rows)
        presentation.names = ids(ForgetResult.forgotten)
        presentation.isDryRun = isDryRun
        presentation.text = { text(ids, isDryRun: isDryRun, $0) }
        try context.print(presentation)
        try context.flush()
        let messages = context.messages
        if isDryRun, !context.format.isForPeople { context.console.notice("claimsctl: \(messages.dryRun)") }
        let refused = ids(ForgetResult.refused)
        guard refused.isEmpty else {
            context.report(
                ErrorReport(
                    .conflict, kind: ErrorKind.conflict.rawValue, message: messages.waitingRecords(refused),
                    hint: messages.outboxShowsThem))
            return .conflict
        }
        let missing = ids(ForgetResult.missing)
        guard missing.isEmpty else {
            context.report(ErrorReport(.notFound, missing: missing, messages))
            return .notFound
        }
        return .done
    }

    private static func text(
        _ ids: (Member<[String]>) -> [String], isDryRun: Bool, _ options: TextOptions
    ) -> String {
        let messages = options.messages
        func line(_ title: String, _ ids: [String]) -> String {
            if ids.isEmpty { return "" }
            let list = Escaping.line(ids.joined(separator: ", "))
            let lines = Fitting.wrap("\(title) \(messages.number(ids.count)): \(list)", to: options.lineWidth - 2)
            return lines.joined(separator: "\n  ") + "\n"
        }
        let text =
            line(messages.erasedRecords(isDryRun: isDryRun), ids(ForgetResult.forgotten))
            + line(messages.comesBack, ids(ForgetResult.returns))
        return text + (isDryRun ? messages.dryRun + "\n" : "")
    }
}
