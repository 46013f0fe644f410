// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// A verb with its command in a module above this one, as claimsctl hands it to ``Program``.
///
/// The verb itself is declared here, beside all others, so that parser, help, completion and manual know it.
public struct ModuleCommand {
    let verb: Verb
    let run: CommandTable.Action

    public init(_ verb: Verb, _ run: @escaping CommandTable.Action) {
        self.verb = verb
        self.run = run
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
