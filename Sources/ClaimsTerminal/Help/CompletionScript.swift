// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// Completion scripts, made from the same descriptions as the parser. Selectors are asked of the daemon, if it runs.
struct CompletionScript {
    /// All verbs there are.
    let verbs: [Verb]

    static let shells = ["bash", "zsh", "fish"]

    /// The script for a shell; nil for a shell that there is none for.
    func text(_ shell: String) -> String? {
        switch shell {
        case "bash": bash
        case "zsh": zsh
        case "fish": fish
        default: nil
        }
    }

    private var words: [String] { verbs.map(\.word) + verbs.flatMap(\.aliases).sorted() }

    private func options(_ verb: Verb?) -> [String] {
        Option.allCases.filter { verb?.takes($0) ?? ($0.isCommon || $0 == .collection) }.map { "--\($0.rawValue)" }
    }

    /// The values of options that take one of a few words.
    private static let choices: [(Option, [String])] = [
        (.output, OutputFormat.allCases.map(\.rawValue)), (.color, ColorMode.allCases.map(\.rawValue)),
        (.archived, ArchivedMode.allCases.map(\.rawValue)),
    ]

    private static let selectors =
        #"claimsctl describe -o tsv -q 2>/dev/null | awk -F'\t' 'NR > 1 && $2 { print "--" $2 }'"#

    private var bash: String {
        var cases = ""
        for verb in verbs {
            let isAsked = verb.takesSelector ? " asks=yes" : ""
            cases +=
                "        \(verb.words.joined(separator: "|"))) options='\(options(verb).joined(separator: " "))'\(isAsked) ;;\n"
        }
        var values = ""
        for (option, words) in Self.choices {
            let names = ["--\(option.rawValue)"] + (option.short.map { ["-\($0)"] } ?? [])
            values +=
                "        \(names.joined(separator: "|"))) COMPREPLY=($(compgen -W '\(words.joined(separator: " "))' -- \"$current\")); return ;;\n"
        }
        return """
            # bash completion for claimsctl
            _claimsctl() {
                local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} verb='' word options asks=''
                COMPREPLY=()
                case $previous in
            \(values)        --socket) COMPREPLY=($(compgen -f -- "$current")); return ;;
                esac
                for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
                    case $word in -*) ;; *) verb=$word; break ;; esac
                done
                case $verb in
            \(cases)        *) options='\(options(nil).joined(separator: " "))' asks=yes ;;
                esac
                case $current in
                    -*) COMPREPLY=($(compgen -W "$options $([ -z "$asks" ] || \(Self.selectors))" -- "$current")) ;;
                    *) [ -n "$verb" ] || COMPREPLY=($(compgen -W '\(words.joined(separator: " "))' -- "$current"))
                       case $verb in
                           completion) COMPREPLY=($(compgen -W '\(Self.shells.joined(separator: " "))' -- "$current")) ;;
                           help) COMPREPLY=($(compgen -W '\((words + HelpText.topics).joined(separator: " "))' -- "$current")) ;;
                       esac ;;
                esac
            }
            complete -o default -F _claimsctl claimsctl

            """
    }

    private var zsh: String {
        """
        #compdef claimsctl
        # zsh completion for claimsctl, by way of the one for bash
        autoload -U +X bashcompinit && bashcompinit
        \(bash)
        """
    }

    private var fish: String {
        var text = "# fish completion for claimsctl\ncomplete -c claimsctl -f\n"
        let aliased = verbs.filter { !$0.aliases.isEmpty }
        for (word, verb) in verbs.map({ ($0.word, $0) }) + aliased.flatMap({ verb in verb.aliases.map { ($0, verb) } })
        {
            text += "complete -c claimsctl -n __fish_use_subcommand -a \(word) -d '\(quoted(verb.summary))'\n"
        }
        for option in Option.allCases {
            var line = "complete -c claimsctl"
            if !option.isCommon {
                let words = verbs.filter { $0.takes(option) }.flatMap(\.words)
                line += " -n '__fish_seen_subcommand_from \(words.joined(separator: " "))'"
            }
            line += " -l \(option.rawValue)"
            if let short = option.short { line += " -s \(short)" }
            if option.value != nil { line += option == .socket ? " -rF" : " -x" }
            if let words = Self.choices.first(where: { $0.0 == option })?.1 {
                line += " -a '\(words.joined(separator: " "))'"
            }
            text += line + " -d '\(quoted(option.summary))'\n"
        }
        let silent = verbs.filter { !$0.takesSelector }.flatMap(\.words).joined(separator: " ")
        let exceptions = "; and not __fish_seen_subcommand_from \(silent)"
        text +=
            "complete -c claimsctl -a '(\(Self.selectors.replacingQuotes()))' -n 'string match -q -- \"-*\" (commandline -ct)\(exceptions)'\n"
        text +=
            "complete -c claimsctl -n '__fish_seen_subcommand_from completion' -a '\(Self.shells.joined(separator: " "))'\n"
        let topics = (words + HelpText.topics).joined(separator: " ")
        return text + "complete -c claimsctl -n '__fish_seen_subcommand_from help' -a '\(topics)'\n"
    }

    private func quoted(_ text: String) -> String { text.replacingQuotes() }
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
