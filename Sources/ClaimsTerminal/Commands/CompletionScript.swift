// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Completion scripts. They hand the words of the line to the hidden verb of claimsctl, and take its lines as they are:
/// no shell evaluates any of them. Names of files are completed where claimsctl says so.
enum CompletionScript {
    static let shells = ["bash", "zsh", "fish"]

    /// The script for a shell; nil for a shell that there is none for.
    static func text(_ shell: String) -> String? {
        switch shell {
        case "bash": bash
        case "zsh": zsh
        case "fish": fish
        default: nil
        }
    }

    private static var command: String { "command claimsctl \(Verb.complete.word) --" }

    private static var bash: String {
        """
        # bash completion for claimsctl
        _claimsctl() {
            local line=${COMP_LINE:0:COMP_POINT} words=() word blank current index found
            # Readline divides words at '=' and ':'; those without a blank between them belong together.
            for ((index = 0; index <= COMP_CWORD; index++)); do
                blank=${line%%[![:blank:]]*}
                line=${line#"$blank"}
                word=${COMP_WORDS[index]}
                ((index < COMP_CWORD)) || word=$line
                line=${line#"$word"}
                if ((index > 0)) && [ -z "$blank" ] && [ -n "$word" ]; then
                    words[${#words[@]}-1]+=$word
                else
                    words+=("$word")
                fi
            done
            current=$word
            case $current in [=:]*) current=${current:1} ;; esac
            word=${words[${#words[@]}-1]#[\\'\\"]}
            words[${#words[@]}-1]=$word
            current=${current#[\\'\\"]}
            COMPREPLY=()
            while IFS= read -r found; do
                if [ "$found" = '\(CompleteCommand.filesMark)' ]; then
                    compopt -o default
                    continue
                fi
                COMPREPLY+=("${found#"${word%"$current"}"}")
            done < <(\(command) "${words[@]:1}" 2>/dev/null)
            case ${#COMPREPLY[@]}${COMPREPLY[0]-} in 1*[=/]) compopt -o nospace ;; esac
        }
        complete -F _claimsctl claimsctl

        """
    }

    private static var zsh: String {
        """
        #compdef claimsctl
        # zsh completion for claimsctl
        _claimsctl() {
            local -a whole open
            local found files
            while IFS= read -r found; do
                case $found in
                    \(CompleteCommand.filesMark)) files=1 ;;
                    *[=/]) open+=("$found") ;;
                    *) whole+=("$found") ;;
                esac
            done < <(\(command) "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)
            [[ -z $files ]] || _files
            compadd -a whole
            compadd -S '' -a open
        }
        if [ "$funcstack[1]" = _claimsctl ]; then
            _claimsctl "$@"
        else
            compdef _claimsctl claimsctl
        fi

        """
    }

    private static var fish: String {
        """
        # fish completion for claimsctl
        function __claimsctl_complete
            set -l words (commandline -opc)
            set -e words[1]
            set -l current (commandline -ct | string replace -r '^[\\'"]' '')
            set -l found (\(command) $words "$current" 2>/dev/null)
            if contains -- '\(CompleteCommand.filesMark)' $found
                __fish_complete_path "$current"
            end
            string match -v -- '\(CompleteCommand.filesMark)' $found
        end
        complete -c claimsctl -f -a '(__claimsctl_complete)'

        """
    }
}
