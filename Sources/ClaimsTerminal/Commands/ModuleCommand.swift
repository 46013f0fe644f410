// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// A verb with its command in a module above this one, as claimsctl hands it to ``Program``.
///
/// The verb itself is declared here, beside all others, so that parser, help, completion and manual know it.
public struct ModuleCommand {
    /// The text that is printed for an error in the place of claimsctl's own report, and the exit code.
    public typealias Refusal = (ErrorReport, CommandError, Messages) -> (text: String, code: ExitCode)

    let verb: Verb
    let run: CommandTable.Action
    let refusal: Refusal?

    /// - Parameter refusal: how the verb reports errors, those of the command line too; nil as all others do.
    public init(_ verb: Verb, refusal: Refusal? = nil, _ run: @escaping CommandTable.Action) {
        self.verb = verb
        self.run = run
        self.refusal = refusal
    }

    /// The command of such a verb where the program has none, or is in the middle of a conversation.
    static func refuse(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let word = context.invocation.verb.word
        let line = "claimsctl \(word)"
        throw .failed(
            .failure, kind: word,
            message: ErrorText(en: "'\(word)' cannot run here", pl: "„\(word)” nie może tu działać"),
            hint: ErrorText(en: "on a command line of its own: \(line)", pl: "w osobnym wierszu poleceń: \(line)"))
    }
}
