// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsProtocol

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
        var rows = TableRows(["id", "outcome", "returns"].map { ($0, TableColumn(heading: $0)) })
        let returns = Set(ids(ForgetResult.returns))
        // The name tells that nothing was erased.
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
