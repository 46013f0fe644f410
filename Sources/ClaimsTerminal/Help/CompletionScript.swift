// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Completion scripts, made from the same tables as the parser. Selectors are asked of the daemon, if it runs.
public enum CompletionScript {
    public static let shells = ["bash", "zsh", "fish"]

    public static func text(_ shell: String) -> String? {
        switch shell {
        case "bash": bash
        case "zsh": zsh
        case "fish": fish
        default: nil
        }
    }

    private static var verbs: [String] { Verb.words }

    private static func options(_ verb: Verb?) -> [String] {
        Option.allCases.filter { option in
            guard let verb else { return option.verbs == nil }
            return option.applies(to: verb)
        }.map { "--\($0.rawValue)" }
    }

    /// The values of options that take one of a few words.
    private static let choices: [(Option, [String])] = [
        (.output, OutputFormat.allCases.map(\.rawValue)), (.color, ColorMode.allCases.map(\.rawValue)),
        (.archived, ArchivedMode.allCases.map(\.rawValue)),
    ]

    private static let selectors = #"claimsctl describe -o tsv -q 2>/dev/null | awk -F'\t' 'NR > 1 { print "--" $2 }'"#

    private static var bash: String {
        var cases = ""
        for verb in Verb.allCases {
            let words = [verb.rawValue] + Verb.aliases.filter { $0.value == verb }.map(\.key)
            cases += "        \(words.joined(separator: "|"))) options='\(options(verb).joined(separator: " "))' ;;\n"
        }
        var values = ""
        for (option, words) in choices {
            let names = ["--\(option.rawValue)"] + (option.short.map { ["-\($0)"] } ?? [])
            values +=
                "        \(names.joined(separator: "|"))) COMPREPLY=($(compgen -W '\(words.joined(separator: " "))' -- \"$current\")); return ;;\n"
        }
        return """
            # bash completion for claimsctl
            _claimsctl() {
                local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} verb='' word options
                COMPREPLY=()
                case $previous in
            \(values)        --socket) COMPREPLY=($(compgen -f -- "$current")); return ;;
                esac
                for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
                    case $word in -*) ;; *) verb=$word; break ;; esac
                done
                case $verb in
            \(cases)        *) options='\(options(nil).joined(separator: " "))' ;;
                esac
                case $current in
                    -*) COMPREPLY=($(compgen -W "$options $(\(selectors))" -- "$current")) ;;
                    *) [ -n "$verb" ] || COMPREPLY=($(compgen -W '\(verbs.joined(separator: " "))' -- "$current"))
                       case $verb in
                           completion) COMPREPLY=($(compgen -W '\(shells.joined(separator: " "))' -- "$current")) ;;
                           help) COMPREPLY=($(compgen -W '\((verbs + HelpText.topics).joined(separator: " "))' -- "$current")) ;;
                       esac ;;
                esac
            }
            complete -o default -F _claimsctl claimsctl

            """
    }

    private static var zsh: String {
        """
        #compdef claimsctl
        # zsh completion for claimsctl, by way of the one for bash
        autoload -U +X bashcompinit && bashcompinit
        \(bash)
        """
    }

    private static var fish: String {
        var text = "# fish completion for claimsctl\ncomplete -c claimsctl -f\n"
        for verb in Verb.allCases {
            text += "complete -c claimsctl -n __fish_use_subcommand -a \(verb.rawValue) -d '\(quoted(verb.summary))'\n"
        }
        for (alias, verb) in Verb.aliases.sorted(by: { $0.key < $1.key }) {
            text += "complete -c claimsctl -n __fish_use_subcommand -a \(alias) -d '\(quoted(verb.summary))'\n"
        }
        for option in Option.allCases {
            var line = "complete -c claimsctl"
            if let verbs = option.verbs {
                let words = verbs.flatMap { verb in
                    [verb.rawValue] + Verb.aliases.filter { $0.value == verb }.map(\.key)
                }
                line += " -n '__fish_seen_subcommand_from \(words.joined(separator: " "))'"
            }
            line += " -l \(option.rawValue)"
            if let short = option.short { line += " -s \(short)" }
            if option.value != nil { line += option == .socket ? " -rF" : " -x" }
            if let words = choices.first(where: { $0.0 == option })?.1 {
                line += " -a '\(words.joined(separator: " "))'"
            }
            text += line + " -d '\(quoted(option.summary))'\n"
        }
        text +=
            "complete -c claimsctl -a '(\(selectors.replacingQuotes()))' -n 'string match -q -- \"-*\" (commandline -ct)'\n"
        text +=
            "complete -c claimsctl -n '__fish_seen_subcommand_from completion' -a '\(shells.joined(separator: " "))'\n"
        let topics = (verbs + HelpText.topics).joined(separator: " ")
        return text + "complete -c claimsctl -n '__fish_seen_subcommand_from help' -a '\(topics)'\n"
    }

    private static func quoted(_ text: String) -> String { text.replacingQuotes() }
}

extension String {
    /// For a single-quoted string of fish, where a backslash escapes a quote and itself.
    fileprivate func replacingQuotes() -> String {
        var text = ""
        for character in self {
            if character == "'" || character == "\\" { text.append("\\") }
            text.append(character)
        }
        return text
    }
}
