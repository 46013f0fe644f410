// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

extension Verb {
    static let completion = Verb(
        "completion", summary: "print a completion script for bash, zsh or fish", synopsis: "(bash | zsh | fish)",
        details: """
            Prints a completion script. For bash: source <(claimsctl completion bash). It asks the daemon for fields,
            codes, views, orders and, after a first character, ids.
            """,
        examples: ["completion bash"], takesSelector: false, maxArguments: 1, terms: .words(CompletionScript.shells),
        takesHost: false)

    static let help = Verb(
        "help", summary: "explain a verb, the exit codes or filters", synopsis: "[VERB | exit-codes | filters]",
        details: "Explains a verb, the exit codes or filters.",
        examples: ["help search", "help filters", "help exit-codes"], takesSelector: false, maxArguments: 1,
        terms: .topics, takesHost: false)
}

/// `help`: the page of a topic.
enum HelpCommand {
    static func run(_ context: CommandContext, verbs: [Verb]) throws(CommandError) -> ExitCode {
        let topic = context.invocation.terms.first?.text
        guard let page = HelpText(verbs: verbs, width: context.console.width).page(topic) else {
            let known = verbs.map(\.word) + verbs.flatMap(\.aliases).sorted() + HelpText.topics
            let hint = Suggestion.hint(topic ?? "", among: known) ?? "there is: \(known.joined(separator: ", "))"
            throw .usage(UsageError("no help on '\(topic ?? "")'", hint: hint))
        }
        try context.printing { () throws(OutputError) in try context.console.output.write(page) }
        try context.flush()
        return .done
    }
}

/// `completion`: a script for a shell.
enum CompletionCommand {
    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let shells = context.invocation.terms.map(\.text)
        guard shells.count == 1, let script = CompletionScript.text(shells[0]) else {
            throw .usage(UsageError("'completion' needs a shell: \(CompletionScript.shells.joined(separator: ", "))"))
        }
        try context.printing { () throws(OutputError) in try context.console.output.write(script) }
        try context.flush()
        return .done
    }
}
