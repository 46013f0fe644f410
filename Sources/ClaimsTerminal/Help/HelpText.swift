// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The pages of `help`, made from the same tables as the parser.
public enum HelpText {
    public static let topics = ["exit-codes", "filters"]

    /// The page of a topic; `nil` where there is none of that name.
    public static func page(_ topic: String?) -> String? {
        guard let topic else { return overview }
        if let verb = Verb(word: topic) { return page(verb) }
        switch topic {
        case "exit-codes": return exitCodes
        case "filters": return filters
        default: return nil
        }
    }

    public static var overview: String {
        var text = """
            claimsctl [OPTIONS] VERB [SELECTOR] [TERMS…] [OPTIONS]

            A selector is --collection NAME, or the singular of any collection, such as --book. Without
            one, search, count and refresh are about all collections. Options and terms come in any order.


            """
        let width = Verb.allCases.reduce(0) { max($0, $1.rawValue.utf8.count) }
        for verb in Verb.allCases {
            text += "  \(Fitting.pad(verb.rawValue, to: width))  \(verb.summary)\n"
        }
        text += "\nOptions of every verb:\n" + options(Option.allCases.filter { $0.verbs == nil })
        text += """

            claimsctl help VERB explains a verb; claimsctl help filters and claimsctl help exit-codes the rest.

            Environment: CLAIMSD_SOCKET, CLAIMSCTL_OUTPUT, CLAIMSCTL_TIMEOUT, PAGER, NO_COLOR, TZ, LC_ALL,
            LC_MESSAGES, LANG. An option goes before its variable.

            """
        return text
    }

    /// Command lines that work, without the program's name.
    public static func examples(_ verb: Verb) -> [String] { verb.examples }

    private static func page(_ verb: Verb) -> String {
        let space = verb.synopsis.isEmpty ? "" : " "
        var text = "claimsctl \(verb.rawValue)\(space)\(verb.synopsis)\n\n\(verb.details)\n"
        let own = Option.allCases.filter { $0.verbs?.contains(verb) ?? false }
        if !own.isEmpty { text += "\nOptions:\n" + options(own) }
        if !verb.examples.isEmpty {
            text += "\nExamples:\n" + verb.examples.map { "  claimsctl \($0)\n" }.joined()
        }
        return text + "\nclaimsctl help shows the options of every verb.\n"
    }

    private static func options(_ options: [Option]) -> String {
        let names = options.map { option in
            let short = option.short.map { "-\($0), " } ?? "    "
            return "\(short)--\(option.rawValue)" + (option.value.map { " \($0)" } ?? "")
        }
        let width = names.reduce(0) { max($0, $1.count) }
        return zip(names, options).map { "  \(Fitting.pad($0, to: width))  \($1.summary)\n" }.joined()
    }

    private static var exitCodes: String {
        var text = "How claimsctl ends. These numbers never change.\n\n"
        for code in ExitCode.allCases {
            text += "  \(Fitting.pad(String(code.rawValue), to: 3, isRight: true))  \(code.meaning)\n"
        }
        return text
    }
}
