// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

extension Verb {
    static let completion = Verb(
        "completion",
        summary: LocalizedText(
            en: "print a completion script for bash, zsh or fish",
            pl: "wypisuje skrypt uzupełniania dla bash, zsh lub fish"),
        synopsis: "(bash | zsh | fish)",
        details: LocalizedText(
            en: """
                Prints a completion script. For bash: source <(claimsctl completion bash). It asks the daemon for
                fields, codes, views, orders and, after a first character, ids.
                """,
            pl: """
                Wypisuje skrypt uzupełniania. Dla basha: source <(claimsctl completion bash). Pyta demona o pola,
                kody, widoki, porządki, a po pierwszym znaku o identyfikatory.
                """),
        takesSelector: false, maxArguments: 1, terms: .words(CompletionScript.shells),
        takesHost: false)

    static let help = Verb(
        "help",
        summary: LocalizedText(
            en: "explain a verb, the exit codes or filters",
            pl: "objaśnia polecenie, kody zakończenia lub filtry"),
        synopsis: "[VERB | exit-codes | filters]",
        details: LocalizedText(
            en: """
                Explains a verb, the exit codes or filters.
                """,
            pl: """
                Objaśnia polecenie, kody zakończenia lub filtry.
                """),
        takesSelector: false, maxArguments: 1,
        terms: .topics, takesHost: false)
}

/// `help`: the page of a topic.
enum HelpCommand {
    static func run(_ context: CommandContext, verbs: [Verb]) throws(CommandError) -> ExitCode {
        let topic = context.invocation.terms.first?.text
        guard let page = HelpText(verbs: verbs, width: context.console.width, messages: context.messages).page(topic)
        else {
            let known = verbs.map(\.word) + verbs.flatMap(\.aliases).sorted() + HelpText.topics
            let list = known.joined(separator: ", ")
            throw .usage(
                UsageError(
                    en: "no help on '\(topic ?? "")'", pl: "nie ma pomocy na temat „\(topic ?? "")”",
                    hint: Suggestion.question(topic ?? "", among: known)
                        ?? ErrorText(en: "there is: \(list)", pl: "są: \(list)")))
        }
        let isJSON = context.invocation.output?.isJSON ?? false
        let text = isJSON ? JSONLayout.text([("topic", topic ?? ""), ("text", page)]) : page
        try context.printing { () throws(OutputError) in try context.console.output.write(text) }
        try context.flush()
        return .done
    }
}

/// `completion`: a script for a shell.
enum CompletionCommand {
    static func run(_ context: CommandContext) throws(CommandError) -> ExitCode {
        let shells = context.invocation.terms.map(\.text)
        guard shells.count == 1, let script = CompletionScript.text(shells[0]) else {
            let known = CompletionScript.shells.joined(separator: ", ")
            throw .usage(
                UsageError(en: "'completion' needs a shell: \(known)", pl: "„completion” wymaga powłoki: \(known)"))
        }
        try context.requireNoJSON(ErrorText(en: "'completion' prints a script", pl: "„completion” wypisuje skrypt"))
        try context.printing { () throws(OutputError) in try context.console.output.write(script) }
        try context.flush()
        return .done
    }
}
