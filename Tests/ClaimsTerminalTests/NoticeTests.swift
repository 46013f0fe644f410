// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
@testable import ClaimsTerminal
import ClaimsTestSupport
import Testing

/// The remarks beside the result: dry runs, skipped refreshes, collections left out, a silent daemon.
struct NoticeTests {
    @Test func `a dry run is told in every format`() throws {
        let daemon = try ScriptedDaemon.answering([
            "archive": #"{"changed":["1"],"unchanged":["2"],"missing":[],"clock":"1.5"}"#
        ])
        func run(_ format: String, _ more: String...) -> Run {
            Run(["archive", "--pack", "1", "2", "--dry-run", "-o", format] + more, daemon)
        }
        for format in OutputFormat.allCases {
            let run = run(format.rawValue, "-q")
            #expect(run.code == .done)
            #expect((run.output + run.errors).contains("dry run: nothing was changed"), "\(format)")
        }
        for format in ["json", "jsonl"] {
            #expect(try JSONValue.parse(run(format).output)["dry_run"] == .bool(true))
        }
        #expect(run("tsv").output == "id\toutcome\n1\twould_change\n2\tunchanged\n")
        #expect(run("csv").output == "id,outcome\n1,would_change\n2,unchanged\n")
        #expect(run("name").output == "1\n")
        let real = Run(["archive", "--pack", "1", "-o", "json"], daemon)
        #expect(try JSONValue.parse(real.output)["dry_run"] == nil)
        let several = Run(["archive", "packs/1", "units/2", "--dry-run", "-o", "json"], daemon)
        #expect(try JSONValue.parse(several.output)["dry_run"] == .bool(true))
    }

    @Test func `a value that holds a further condition of the collection is told of`() throws {
        let daemon = try ScriptedDaemon.answering(["count": #"{"total":0}"#])
        let swallowed = Run(["count", "--unit", "name~pump status=ok"], daemon)
        #expect(
            swallowed.errors.hasPrefix("claimsctl: 'name~pump status=ok' is one condition, and 'status=' a part of its")
        )
        #expect(daemon.parameters(of: "count") == [#"{"collection":"unit","filter":"name~\"pump status=ok\""}"#])
        #expect(Run(["count", "name~pump sender=x"], daemon).errors.contains("'sender='"), "of all collections")
        let long = Run(["count", "--unit", String(repeating: "name~pump ", count: 300)], daemon)
        #expect(long.errors.contains("is one condition") && long.errors.count < 700, "\(long.errors)")
        for line in [
            ["count", "--unit", "name~pump shelf=ok"], ["count", "--unit", "--filter", "name~pump status=ok"],
            ["count", "--unit", "name~pump", "status=ok"], ["count", "--unit", "name~pump status=ok", "-q"],
        ] {
            #expect(Run(line, daemon).errors.isEmpty, "\(line)")
        }
    }

    @Test func `a refresh that was skipped and waited for is 11, with the reason and the time`() throws {
        let paused =
            #"{"collection":"units","outcome":"skipped","until":"2026-11-20T08:20:02.000Z","meta":{"collection":"units","state":"ready","#
            + #""freshness":"stale","last_error":{"kind":"http_status","status":429,"message":"The server answered 429","at":"2026-11-20T08:01:00Z"}}}"#
        let daemon = try ScriptedDaemon.answering(["refresh": #"{"collections":[\#(paused)]}"#])
        let run = Run(["refresh", "--unit", "--wait"], daemon)
        #expect(run.code == .upstreamFailed)
        #expect(
            run.errors == """
                claimsctl: units: not asked: the server wants no request before 08:20, in 7 min. The server answered 429
                  to ask all the same: claimsctl refresh --collection units --force --wait

                """)
        #expect(Run(["refresh", "--unit"], daemon).code == .done)
        let gone = try ScriptedDaemon.answering([
            "refresh": #"{"collections":[{"collection":"units","outcome":"skipped","meta":null}]}"#
        ])
        let removed = Run(["refresh", "--wait", "-o", "json"], gone)
        #expect(removed.code == .upstreamFailed)
        #expect(try JSONValue.parse(removed.errors)["error"]?["message"]?.string?.contains("removed") == true)
    }

    @Test func `a collection whose truth is this host is skipped without a failure`() throws {
        let daemon = try ScriptedDaemon.answering([
            "refresh":
                #"{"collections":[{"collection":"notes","outcome":"skipped","meta":{"collection":"notes","state":"ready","source":"local"}}]}"#
        ])
        let run = Run(["refresh", "--wait"], daemon)
        #expect(run.code == .done && run.errors.isEmpty)
    }

    @Test func `what an answer leaves out is told once, with the names`() throws {
        let meta =
            #"{"clock":"1.1","collections":[],"skipped":["#
            + #"{"collection":"claims","state":"ready","reason":"unknown field 'shelf'"},"#
            + #"{"collection":"units","state":"loading","reason":"units is being fetched for the first time"},"#
            + #"{"collection":"packs","state":"ready","reason":"unknown field 'shelf'"}]}"#
        let daemon = try ScriptedDaemon.answering([
            "search": #"{"records":[],"total":0,"meta":\#(meta)}"#,
            "count": #"{"total":0,"totals":{},"meta":\#(meta)}"#,
        ])
        for verb in ["search", "count"] {
            #expect(
                Run([verb, "shelf=1"], daemon).errors
                    == "left out: claims, packs (unknown field 'shelf'); units is being fetched for the first time\n"
            )
            #expect(Run([verb, "shelf=1", "-q"], daemon).errors.isEmpty)
        }
    }

    @Test(arguments: [24, 40, 60, 79]) func `what is said beside a pipe fits the terminal it is said on`(
        _ columns: Int
    ) throws {
        let message = "The upstream of these records cannot be asked before somebody has put it right"
        let daemon = try ScriptedDaemon { request in
            .lines([request.error("upstream_failed", message)])
        }
        for line in [["count", "--unit"], ["serch"], ["count", "--limit", "x"], ["wait", "--unit"]] {
            for language in ["en", "pl"] {
                let run = Run(line + ["--lang", language], daemon, errorColumns: columns)
                let words = Set(run.errors.split { " \n".contains($0) })
                for line in run.errors.split(separator: "\n") {
                    #expect(line.count <= columns || !line.dropFirst(2).contains(" "), "\(line)")
                }
                let whole = Run(line + ["--lang", language], daemon).errors
                #expect(words == Set(whole.split { " \n".contains($0) }), "\(run.errors)")
            }
        }
    }

    @Test func `data that is too old is told with the age that was written`() throws {
        func run(_ age: Int, _ more: String...) throws -> String {
            let daemon = try ScriptedDaemon { request in
                let meta = #"{"collection":"units","state":"ready","freshness":"stale","age_ms":\#(age)}"#
                return .lines([request.error("not_fresh", "too old", data: #","meta":\#(meta)"#)])
            }
            let run = Run(["count", "--unit"] + more, daemon)
            #expect(run.code == .tooOld)
            return run.errors
        }
        #expect(try run(720_000, "--max-age", "10m").hasPrefix("claimsctl: units: 12 min old, and --max-age is 10m\n"))
        #expect(
            try run(1700, "--max-age", "1500ms").hasPrefix("claimsctl: units: 1.7 s old, and --max-age is 1500ms\n"))
        #expect(
            try run(720_000, "--max-age", "10m", "--lang", "pl")
                .hasPrefix("claimsctl: units: dane sprzed 12 min, a --max-age to 10m\n"))
    }

    @Test func `a daemon that does not answer is told of, and waited for to the end`() throws {
        let silent = try ScriptedDaemon { _ in .lines([]) }
        let run = Run(
            ["count", "-o", "json", "--timeout", "1500ms"], silent, silenceLimit: .milliseconds(20))
        #expect(run.code == .timeout)
        #expect(run.output.isEmpty)
        let lines = run.errors.split(separator: "\n")
        #expect(lines.count == 2, "\(run.errors)")
        #expect(lines[0].contains("listens at \(silent.path), but does not answer"))
        #expect(lines[0].hasSuffix("waiting on for 1500ms"))
        #expect(try JSONValue.parse(String(lines[1]))["error"]?["message"]?.string == "no answer within 1500ms")
        #expect(
            Run(["count", "-q", "--timeout", "1s"], silent, silenceLimit: .milliseconds(20)).errors
                .hasPrefix("claimsctl: no answer within 1s\n"))
    }

    @Test func `a daemon that is well is not called stuck`() throws {
        let daemon = try ScriptedDaemon { request in
            request.method == "ping" ? .lines([request.result("{}")]) : .lines([])
        }
        let run = Run(["count", "--timeout", "700ms"], daemon, silenceLimit: .milliseconds(20))
        #expect(run.errors.hasPrefix("claimsctl: the daemon is well, but this request takes long; waiting on"))
        let refresh = Run(["refresh", "--wait", "--timeout", "700ms"], daemon, silenceLimit: .milliseconds(20))
        #expect(refresh.errors.hasPrefix("claimsctl: no answer within 700ms\n"))
    }

    @Test(arguments: ["infinity", "10000y", "200y"])
    func `a time limit without an end is none`(_ span: String) throws {
        let daemon = try ScriptedDaemon.answering(["count": #"{"total":1}"#])
        #expect(Run(["count", "--timeout", span], daemon).output == "1\n")
        #expect(Run(["count"], daemon, environment: ["CLAIMSCTL_TIMEOUT": span]).output == "1\n")
    }

    @Test(arguments: ["20ms", "500us", "0.02s", "0"])
    func `a time limit is told as it was written`(_ span: String) throws {
        let silent = try ScriptedDaemon { _ in .lines([]) }
        #expect(Run(["count", "--timeout", span], silent).errors.hasPrefix("claimsctl: no answer within \(span)\n"))
    }
}
