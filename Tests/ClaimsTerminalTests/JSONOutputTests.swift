// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
@testable import ClaimsTerminal
import ClaimsTestSupport
import Testing

/// Under `-o json` standard output is valid JSON or empty, and an error is one object on standard error.
struct JSONOutputTests {
    /// A line of each verb.
    private static let lines = [
        "browse", "search --unit", "sort --unit", "detail --unit 7", "archive --unit 7", "unarchive --unit 7",
        "refresh --wait",
        "add --unit name=x --yes", "edit --unit 7 name=x", "delete --unit 7 --yes", "act mend --unit 7",
        "open --unit 7",
        "share --unit 7 /dev/null/copies", "share --unit 7 --tar", "outbox", "outbox get 0192f3a1", "outbox wait",
        "outbox retry 0192f3a1", "outbox hold 0192f3a1", "outbox drop 0192f3a1", "outbox resolve 0192f3a1 --as mine",
        "status", "status --plot", "check", "metrics", "trigger", "access", "fleet", "refreshes", "count",
        "facets --unit status", "changes --unit", "wait --unit --until status=ok", "history --unit 7",
        "explain --unit status=ok",
        "quarantine --unit", "quarantine --unit get 3", "forget --collection gone --yes", "forget --unit 7 --yes",
        "deal", "describe",
        "define -",
        "try units", "stdio", "completion bash", "help", "help search", "help filters", "--version", "--help",
        "search --help", "", "serch", "search --limit x", "detail --unit",
    ]

    /// Verbs that end only when somebody ends them, or send on what they read: their loss of a daemon has its own tests.
    private static let endless: Set = ["watch", "raw"]

    @Test func `each verb is tried`() {
        let tried = Set(Self.lines.compactMap { $0.split(separator: " ").first.map(String.init) })
        #expect(Set(CommandTable.verbs.map(\.word)).subtracting(tried).subtracting(Self.endless).isEmpty)
    }

    private func check(_ run: Run, _ line: String) {
        if !run.output.isEmpty {
            #expect((try? JSONValue.parse(run.output)) != nil, "\(line): \(run.output)")
        }
        if run.code != .done {
            let error = try? JSONValue.parse(run.errors)
            #expect(error?["error"]?["message"]?.string?.isEmpty == false, "\(line): \(run.errors)")
            #expect(error?["error"]?["exit_code"]?.integer == Int64(run.code.rawValue), "\(line)")
        }
    }

    @Test(arguments: lines) func `without a daemon`(_ line: String) {
        let words = line.split(separator: " ").map(String.init)
        check(Run(words + ["-o", "json", "--socket", "/dev/null/none"], input: ""), line)
    }

    @Test(arguments: lines, ["forbidden", "bad_filter", "timeout", "busy", "no_data"])
    func `with a daemon that refuses`(_ line: String, _ kind: String) throws {
        let daemon = try ScriptedDaemon { .lines([$0.error(kind, "M")]) }
        let words = line.split(separator: " ").map(String.init)
        // It connects and goes on as its standard input does.
        if words.first == "stdio" { return }
        check(Run(words + ["-o", "json"], daemon, input: ""), line)
    }

    @Test func `a variable is about data, and changes neither scripts nor pages`() {
        let environment = ["CLAIMSCTL_OUTPUT": "json"]
        #expect(Run(["completion", "bash"], environment: environment).output.hasPrefix("# bash"))
        #expect(Run(["help"], environment: environment).output.hasPrefix("claimsctl "))
        #expect(Run(["--version"], environment: environment).output == "claimsctl 1.2.3\n")
        #expect(Run(["--version", "-o", "json"]).output == "{\"schema_version\":1,\"version\":\"1.2.3\"}\n")
    }
}
