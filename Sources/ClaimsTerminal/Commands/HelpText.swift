// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// The pages of `help`, made from the same descriptions as the parser.
struct HelpText {
    /// All verbs there are.
    let verbs: [Verb]
    /// The width of a line in cells.
    let width: Int
    private let messages: Messages

    /// The width of a line that is still easy to read, in cells.
    private static let maxWidth = 100

    init(verbs: [Verb], width: Int = maxWidth, messages: Messages) {
        self.verbs = verbs
        self.messages = messages
        self.width = max(20, min(width, Self.maxWidth))
    }

    static let topics = ["exit-codes", "filters"]

    /// The page of a topic; `nil` where there is none of that name.
    func page(_ topic: String?) -> String? {
        guard let topic else { return overview }
        if let verb = verbs.first(where: { $0.words.contains(topic) }) { return fitted(page(verb)) }
        switch topic {
        case "exit-codes": return fitted(exitCodes)
        case "filters": return fitted(messages.helpFilters)
        default: return nil
        }
    }

    var overview: String { fitted(wholeOverview) }

    private var wholeOverview: String {
        var text = messages.helpUsage + "\n"
        let width = verbs.reduce(0) { max($0, $1.word.utf8.count) }
        for verb in verbs {
            text += "  \(Fitting.pad(verb.word, to: width))  \(messages.text(verb.summary))\n"
        }
        text += "\n\(messages.helpCommonOptions)\n" + options(Option.allCases.filter(\.isCommon))
        return text + messages.helpMore
    }

    private func page(_ verb: Verb) -> String {
        let space = verb.synopsis.isEmpty ? "" : " "
        var text = "claimsctl \(verb.word)\(space)\(verb.synopsis)\n\n\(messages.text(verb.details))\n"
        let own = Option.allCases.filter(verb.options.contains)
        if !own.isEmpty { text += "\n\(messages.helpOptions)\n" + options(own) }
        if !verb.examples.isEmpty {
            text += "\n\(messages.helpExamples)\n" + verb.examples.map { "  claimsctl \($0)\n" }.joined()
        }
        return text + "\n\(messages.helpOfAllVerbs)\n"
    }

    /// The text with lines that fit. Lines that begin at the margin flow together; a line that is set in stays one, and
    /// goes on below its second column, if it has one.
    private func fitted(_ text: String) -> String {
        var lines: [String] = []
        var paragraph: [Substring] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if let first = line.first, first != " " {
                paragraph.append(line)
                continue
            }
            if !paragraph.isEmpty { lines += Fitting.wrap(paragraph.joined(separator: " "), to: width) }
            paragraph = []
            lines += fittedLine(line)
        }
        return lines.joined(separator: "\n") + (paragraph.isEmpty ? "" : paragraph.joined(separator: " "))
    }

    private func fittedLine(_ line: Substring) -> [String] {
        guard DisplayWidth.cells(of: String(line)) > width else { return [String(line)] }
        let margin = line.prefix { $0 == " " }.count
        let content = line.dropFirst(margin)
        let space = String(repeating: " ", count: margin)
        guard let (left, right) = Self.columns(content) else {
            return [space + Fitting.hang(String(content), to: width - margin, indent: margin + 2)]
        }
        let indent = margin + DisplayWidth.cells(of: String(left))
        if indent <= width / 2 {
            return [space + left + Fitting.hang(right, to: width - indent, indent: 0).indented(indent)]
        }
        let below = margin + 4
        return [
            space + left.trimmed,
            String(repeating: " ", count: below)
                + Fitting.hang(right, to: width - below, indent: 0).indented(below),
        ]
    }

    /// The two columns of a line, divided by two spaces or more, which belong to the first.
    private static func columns(_ line: Substring) -> (left: String, right: String)? {
        var index = line.startIndex
        while index < line.endIndex {
            let next = line.index(after: index)
            if line[index] == " ", next < line.endIndex, line[next] == " ",
                let start = line[next...].firstIndex(where: { $0 != " " })
            {
                // After a short option's place comes the long one.
                if line[..<index].isEmpty { return nil }
                return (String(line[..<start]), String(line[start...]))
            }
            index = next
        }
        return nil
    }

    private func options(_ options: [Option]) -> String {
        let names = options.map { option in
            let short = option.short.map { "-\($0), " } ?? "    "
            return "\(short)--\(option.rawValue)" + (option.value.map { " \($0)" } ?? "")
        }
        let width = names.reduce(0) { max($0, $1.count) }
        return zip(names, options).map { "  \(Fitting.pad($0, to: width))  \(messages.text($1.summary))\n" }.joined()
    }

    private var exitCodes: String {
        var text = messages.helpExitCodes + "\n\n"
        for code in ExitCode.allCases {
            text += "  \(Fitting.pad(String(code.rawValue), to: 3, isRight: true))  \(messages.text(code.meaning))\n"
        }
        return text
    }
}

extension String {
    /// The text with this many spaces at the start of each line but the first.
    fileprivate func indented(_ count: Int) -> String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .joined(separator: "\n" + String(repeating: " ", count: count))
    }

    fileprivate var trimmed: String { trimmingSpaces() }
}

extension Verb {
    static let completion = Verb(
        "completion",
        summary: TranslatedText(
            en: "print a completion script for bash, zsh or fish",
            pl: "wypisuje skrypt uzupełniania dla bash, zsh lub fish"),
        synopsis: "(bash | zsh | fish)",
        details: TranslatedText(
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
        summary: TranslatedText(
            en: "explain a verb, the exit codes or filters",
            pl: "objaśnia polecenie, kody zakończenia lub filtry"),
        synopsis: "[VERB | exit-codes | filters]",
        details: TranslatedText(
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
                        ?? TranslatedText(en: "there is: \(list)", pl: "są: \(list)")))
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
        try context.requireNoJSON(
            TranslatedText(en: "'completion' prints a script", pl: "„completion” wypisuje skrypt"))
        try context.printing { () throws(OutputError) in try context.console.output.write(script) }
        try context.flush()
        return .done
    }
}
