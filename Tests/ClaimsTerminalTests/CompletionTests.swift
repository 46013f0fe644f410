// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
@testable import ClaimsTerminal
import ClaimsTestSupport
import Testing

/// The candidates for the last word of a command line.
struct CompletionRequestTests {
    private func request(_ words: String...) -> CompletionRequest {
        CompletionRequest(words, verbs: CommandTable.parsed)
    }

    @Test func `the first word is a verb, and never the hidden one`() {
        #expect(request("").sources == [.words(CommandTable.verbs.flatMap(\.words))])
        #expect(request("-q", "--socket", "/s", "se").stem == "se")
    }

    @Test func `options and selectors are offered after a hyphen`() {
        #expect(request("search", "--").sources.last == .selectors)
        #expect(request("search", "--unit", "--").sources.contains(.selectors) == false)
        #expect(request("help", "--").sources.contains(.selectors) == false)
        guard case .words(let words)? = request("count", "--").sources.first else {
            return #expect(Bool(false), "no options")
        }
        #expect(words.contains("--view") && !words.contains("--sort"))
    }

    @Test func `a term is a field, and after an operator a code`() {
        #expect(request("search", "--unit", "sta").sources == [.fields(suffix: "=")])
        let codes = request("search", "--unit", "status!=ok,fa")
        #expect(codes.sources == [.codes(field: "status")])
        #expect(codes.prefix == "status!=ok," && codes.stem == "fa" && codes.collection == "unit")
        #expect(request("search", "--unit", "load>3").sources.isEmpty)
        #expect(request("facets", "--unit", "name,sta").prefix == "name,")
        #expect(request("wait", "--unit", "--until", "status=").sources == [.codes(field: "status")])
        #expect(request("count", "--filter=status=f").prefix == "--filter=status=")
    }

    @Test func `sort keys may descend`() {
        #expect(request("sort", "--unit", "-st").prefix == "-")
        #expect(request("search", "--unit", "--sort", "name,-st").prefix == "name,-")
        #expect(request("search", "--unit", "--sort", "name,-st").stem == "st")
    }

    @Test func `the inputs of an action are offered, and no other field`() {
        #expect(request("add", "--unit", "").sources == [.inputs(action: "create")])
        #expect(request("edit", "--unit", "").sources == [.ids])
        #expect(request("edit", "--unit", "7", "").sources == [.ids, .inputs(action: "update")])
        #expect(request("act", "--unit", "").sources == [.actions])
        #expect(request("act", "--unit", "renew", "").sources == [.ids])
        #expect(request("act", "--unit", "renew", "7", "st").sources == [.ids, .inputs(action: "renew")])
        #expect(request("act", "--unit", "renew", "7", "status=").sources == [.codes(field: "status")])
    }

    @Test func `files are offered where a file can stand, and nowhere else`() {
        for words in [
            ["add", "--unit", "--attach", ""], ["try", ""], ["share", "--unit", "7", ""], ["--socket", "/"],
        ] {
            #expect(CompletionRequest(words, verbs: CommandTable.parsed).takesFiles, "\(words)")
        }
        for words in [
            [""], ["detail", "--unit", ""], ["search", "x"], ["search", "--limit", ""], ["share", "--unit", ""],
        ] {
            #expect(!CompletionRequest(words, verbs: CommandTable.parsed).takesFiles, "\(words)")
        }
    }

    @Test func `ids are offered from the start`() {
        #expect(request("detail", "--unit", "").sources == [.ids])
        #expect(request("detail", "--unit", "7").sources == [.ids])
        #expect(request("detail", "un").sources == [.collections(suffix: "/")])
        let reference = request("detail", "units/7")
        #expect(reference.collection == "units" && reference.prefix == "units/" && reference.stem == "7")
        #expect(request("explain", "--unit", "--id", "7").sources == [.ids])
    }

    @Test func `the value of an option is completed as what it is`() {
        #expect(request("search", "-o", "").sources == [.words(OutputFormat.allCases.map(\.rawValue))])
        #expect(request("search", "--unit", "--view", "a").sources == [.views])
        #expect(request("search", "--view=a").prefix == "--view=")
        #expect(request("search", "--collection", "").sources == [.collections(suffix: "")])
        #expect(request("--socket", "/tmp/s", "search", "x").socket == "/tmp/s")
        #expect(request("search", "--socket", "/tmp").sources.isEmpty)
    }

    @Test func `only words that no shell evaluates are plain`() {
        for word in ["7", "a-b.c_d", "x/y:z@w+1,2", "żółw"] { #expect(CompletionWord.isPlain(word), "\(word)") }
        for word in Hostile.words + ["", "-x", "~", "=x", "a=b", "%1", "a\u{202E}b", "a\u{7F}", "a\u{00A0}b"] {
            #expect(!CompletionWord.isPlain(word), "\(word)")
        }
    }
}

/// Words that a shell must not evaluate. Each would make the file `evaluated`.
enum Hostile {
    static let words = [
        "7$(touch evaluated)", "7`touch evaluated`", "7;touch evaluated", "7|touch evaluated", "7&touch evaluated",
        "7\ntouch evaluated", "7 (touch evaluated)", "7'$(touch evaluated)", "7\"$(touch evaluated)", "7{a,b}", "7*",
        "7?", "7[a]", "7\\a", "7>evaluated", "7<(touch evaluated)", "7!touch", "7#a", "7${x:=`touch evaluated`}", "7~",
        "7\ttouch evaluated", "7$'\\n'touch evaluated",
    ]
}

/// Completion in real shells, against a daemon with hostile names.
struct CompletionScriptTests {
    private static func daemon() throws -> ScriptedDaemon {
        let ids = (["7", "77", "7-b"] + Hostile.words).map { word in
            var text = ""
            for scalar in word.unicodeScalars {
                switch scalar {
                case "\"", "\\": text += "\\\(scalar)"
                case "\n": text += "\\n"
                case "\t": text += "\\t"
                default: text.unicodeScalars.append(scalar)
                }
            }
            return #"{"id":"\#(text)"}"#
        }
        return try .answering(["search": #"{"records":[\#(ids.joined(separator: ","))],"total":3}"#])
    }

    /// Runs a script of a shell in an empty folder, with claimsctl in its path.
    private func run(_ shell: String, _ arguments: [String], _ daemon: ScriptedDaemon?) throws -> [String] {
        let folder = try TemporaryFolder()
        let programs = Paths.parent(try BuiltProgram.path("claimsctl"))
        let run = try ControlProgram.run(
            "/usr/bin/env", ["-C", folder.path, shell] + arguments,
            environment: [
                "PATH": "\(programs):/usr/local/bin:/usr/bin:/bin", "HOME": folder.path,
                "CLAIMSD_SOCKET": daemon?.path ?? "/nonexistent/socket",
            ])
        #expect(!Files.exists(folder("evaluated")), "\(shell) evaluated a word")
        return run.output.split(separator: "\n").map(String.init)
    }

    private static func isInstalled(_ shell: String) -> Bool {
        ["/usr/bin/", "/bin/", "/usr/local/bin/"].contains { Files.exists($0 + shell) }
    }

    private func bash(_ words: [String], _ daemon: ScriptedDaemon?) throws -> [String] {
        let list = words.map(ShellWord.quoted).joined(separator: " ")
        let line = words.reduce("") { $0 + ($0.isEmpty || $1 == "=" || $0.hasSuffix("=") ? "" : " ") + $1 }
        return try run(
            "bash",
            [
                "--norc", "-c",
                """
                source <(claimsctl completion bash)
                COMP_WORDS=(\(list)) COMP_CWORD=\(words.count - 1) COMP_LINE=\(ShellWord.quoted(line)) COMP_POINT=${#COMP_LINE}
                _claimsctl 2>/dev/null
                printf '%s\\n' "${COMPREPLY[@]}"
                """,
            ], daemon)
    }

    @Test func `bash completes what the daemon knows, and evaluates none of it`() throws {
        let daemon = try Self.daemon()
        #expect(try bash(["claimsctl", "detail", "--unit", "7"], daemon) == ["7", "77", "7-b"])
        #expect(try bash(["claimsctl", "detail", "units/7"], daemon) == ["units/7", "units/77", "units/7-b"])
        #expect(try bash(["claimsctl", "search", "--unit", "status", "=", "f"], daemon) == ["faulty"])
        #expect(
            try bash(["claimsctl", "search", "--unit", "status", "="], daemon) == ["faulty", "not_reachable", "ok"])
        #expect(try bash(["claimsctl", "search", "--unit", "--view", "a"], daemon) == ["attention"])
        #expect(try bash(["claimsctl", "search", "--unit", "'stat"], daemon) == ["status="])
        #expect(try bash(["claimsctl", "search", "--pac"], daemon) == ["--pack"])
        #expect(try bash(["claimsctl", "sort", "--unit", "-st"], daemon) == ["-status"])
        #expect(try bash(["claimsctl", "detail", "--unit", ""], daemon) == ["7", "77", "7-b"])
        #expect(try bash(["claimsctl", "search", "--limit", ""], daemon) == [])
        #expect(try bash(["claimsctl", "try", ""], daemon).contains("%files") == false)
        #expect(try bash(["claimsctl", "un"], nil) == ["unarchive"])
        #expect(try bash(["claimsctl", "help", "exit"], nil) == ["exit-codes"])
    }

    @Test(.enabled(if: isInstalled("fish")))
    func `fish completes what the daemon knows, and evaluates none of it`() throws {
        let daemon = try Self.daemon()
        func fish(_ line: String) throws -> [String] {
            try run(
                "fish",
                ["--no-config", "-c", "claimsctl completion fish | source; complete -C \(ShellWord.quoted(line))"],
                daemon
            ).sorted()
        }
        #expect(try fish("claimsctl detail --unit 7") == ["7", "7-b", "77"])
        #expect(try fish("claimsctl search --unit status=f") == ["status=faulty"])
        #expect(try fish("claimsctl una") == ["unarchive"])
    }

    @Test(.enabled(if: isInstalled("zsh")))
    func `zsh completes what the daemon knows, and evaluates none of it`() throws {
        let daemon = try Self.daemon()
        func zsh(_ line: String) throws -> [String] {
            let script = """
                zmodload zsh/zpty
                zpty shell zsh -f -i
                zpty -w shell 'autoload -U compinit; compinit -D -u; source <(claimsctl completion zsh)'
                zpty -w shell 'compadd() { print -rl -- "${(P@)argv[-1]}" >> found; builtin compadd "$@" }'
                zpty -w shell 'print rea""dy'
                zpty -r shell output '*ready*'
                zpty -w -n shell \(ShellWord.quoted(line))$'\\t'
                zpty -w shell ' ; print o""ver'
                zpty -r shell output '*over*'
                zpty -d shell
                cat found
                """
            return try run("zsh", ["-f", "-c", script], daemon).filter { !$0.isEmpty }.sorted()
        }
        #expect(try zsh("claimsctl detail --unit 7") == ["7", "7-b", "77"])
        #expect(try zsh("claimsctl search --unit status=f") == ["status=faulty"])
    }

    @Test func `without an answer of the daemon a completion ends, and says nothing`() throws {
        let daemon = try ScriptedDaemon { _ in .lines([]) }
        let run = try ControlProgram.run(["__complete", "--", "detail", "--unit", "7"], socket: daemon.path)
        #expect(run.code == 0 && run.output.isEmpty && run.error.isEmpty)
        let gone = try ControlProgram.run(["__complete", "--", "detail", "--unit", "7"], socket: "/nonexistent/socket")
        #expect(gone.code == 0 && gone.output.isEmpty && gone.error.isEmpty)
    }
}
