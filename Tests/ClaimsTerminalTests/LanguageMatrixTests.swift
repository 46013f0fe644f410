// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
@testable import ClaimsTerminal
import ClaimsTestSupport
import Testing

/// Every verb on a terminal and into a pipe, as text and as JSON, in English and in Polish.
struct LanguageMatrixTests {
    /// A line, and the ids or names that its rows have.
    private static let lines: [(words: [String], rows: [String])] = [
        (["search", "--unit"], ["7", "8"]), (["search", "pump"], ["7", "8"]), (["sort", "--unit", "-id"], ["7", "8"]),
        (["search", "--unit", "--archived", "include"], ["7", "8"]), (["detail", "--unit", "7"], ["7"]),
        (["count", "--unit"], ["2"]), (["count"], ["units", "2"]), (["facets", "--unit", "status"], ["ok", "faulty"]),
        (["status"], ["units", "packs"]), (["refresh", "--wait"], ["units", "packs"]),
        (["history", "--unit", "7"], ["31", "30"]), (["changes", "--unit"], ["7"]),
        (["quarantine", "--unit"], ["3"]), (["explain", "--unit", "status=ok", "--id", "7"], ["status=ok"]),
        (["archive", "--unit", "7"], ["7"]), (["outbox"], ["0192f3a1"]), (["describe", "--unit"], ["status"]),
        (["deal"], ["Umsonst!"]), (["search", "--unit", "--fields", "help"], ["seen_at"]),
        (["unarchive", "--unit", "7"], ["7"]), (["forget", "--unit", "7", "9", "--dry-run"], ["7"]),
        (["refreshes"], ["units"]), (["try", "units"], ["name"]),
        (["outbox", "list", "--state", "conflict"], ["0192f3a1"]),
        (["history", "--unit", "7", "--all"], ["31"]),
    ]

    private static let records =
        #"{"records":[{"collection":"units","id":"7","name":"Pump","status":"faulty","on":true,"archived":true},"#
        + #"{"collection":"units","id":"8","name":"Fan","status":"ok","seen_at":"2026-11-17T08:00:00Z"}],"total":2,"#
        + #""totals":{"units":2},"meta":\#(stale)}"#

    private static let stale =
        #"{"collection":"units","state":"ready","freshness":"stale","source":"upstream","#
        + #""as_of":"2026-11-20T07:13:00.000Z","age_ms":3600000,"last_error":{"kind":"unreachable","message":"M1","#
        + #""at":"2026-11-20T08:00:00Z"},"next_refresh":"2026-11-20T08:15:02Z","quarantined":1}"#

    private static let operation =
        #"{"op":"0192f3a1-0000-7000-8000-000000000000","collection":"units","id":"7","action":"update","#
        + #""state":"conflict","attempts":2,"submitted_at":"2026-11-20T08:00:00Z"}"#

    private static let answers = [
        "search": records, "sort": records,
        "detail": #"{"record":{"id":"7","name":"Pump","status":"faulty","on":false},"provenance":{"source":"upstream","#
            + #""fetched_at":"2026-11-20T07:13:00Z","first_seen":"2026-11-20T07:13:00Z","generation":4},"meta":\#(stale)}"#,
        "count": #"{"total":2,"totals":{"units":2},"meta":\#(stale)}"#,
        "facets":
            #"{"facets":{"status":[{"value":"ok","label":"OK","count":1},{"value":"faulty","label":"F","count":1}]},"#
            + #""total":2,"meta":\#(stale)}"#,
        "status": #"{"version":"1.0","uptime_ms":86400000,"clients":2,"memory_bytes":1048576,"disk_bytes":0,"#
            + #""collections":[{"name":"packs","title":"P","total":0,"archived":0,"ttl_ms":30000,"meta":{"collection":"packs","#
            + #""state":"ready","freshness":"stale","age_ms":40000,"next_refresh":"2026-11-20T08:15:02Z"}},"#
            + #"{"name":"units","title":"U","total":2000,"archived":1,"meta":\#(stale)}],"#
            + #""outbox":{"queued":1,"accepted":1,"stuck":2,"oldest_ms":86400000,"paused":[]},"#
            + #""problems":[{"collection":"z","file":"/f","line":1,"message":"M1"}],"#
            + #""removed":[{"collection":"gone","records":5,"until":"2026-11-30T08:00:00Z"}],"#
            + #""drift":{"units":{"values":[{"field":"status","value":"ODD","count":3}],"members":[{"name":"extra","count":1}],"#
            + #""types":[{"field":"load","expected":"decimal","found":"boolean","count":2}],"unlisted":1}}}"#,
        "refresh": #"{"collections":[{"collection":"packs","outcome":"updated","added":1,"updated":0,"removed":0,"#
            + #""quarantined":0,"meta":null},{"collection":"units","outcome":"failed","meta":\#(stale)}]}"#,
        "history": #"{"versions":[{"seq":31,"at":"2026-11-20T07:00:00Z","op":"updated","cause":"refresh","#
            + #""changes":{"status":["ok","faulty"]}},{"seq":30,"at":"2026-11-19T07:00:00Z","op":"added","cause":"refresh","#
            + #""upstream":true}],"complete":false}"#,
        "changes": #"{"changes":[{"seq":31,"at":"2026-11-20T07:00:00Z","op":"updated","id":"7","cause":"write"}],"#
            + #""clock":"1.31","meta":\#(stale)}"#,
        "quarantine": #"{"entries":[{"entry":3,"id":"","reason":"M1","pointer":"/3","size":12,"#
            + #""first_seen":"2026-11-20T07:00:00Z","last_seen":"2026-11-20T07:00:00Z","excerpt":"{}"}],"total":1}"#,
        "explain":
            #"{"filter":"status=ok","tree":{"op":"term","text":"status=ok","matches":1,"verdict":false,"value":"x"},"#
            + #""plan":[],"total":1,"listed":false,"because":"filter","meta":\#(stale)}"#,
        "archive": #"{"changed":["7"],"unchanged":[],"missing":[]}"#,
        "outbox": #"{"operations":[\#(operation)],"total":1,"paused":[{"origin":"o","reason":"M1","#
            + #""next_try":"2026-11-20T08:15:02Z"}]}"#,
        "unarchive": #"{"changed":["7"],"unchanged":[],"missing":[]}"#,
        "forget": #"{"records":1,"forgotten":["7"],"missing":["9"],"refused":[],"returns":["7"],"clock":"1.2"}"#,
        "refreshes": #"{"refreshes":[{"number":2,"collection":"units","at":"2026-11-20T08:00:00Z","duration_ms":5,"#
            + #""outcome":"failed","kind":"unreachable","bytes":0,"records":0,"added":0,"updated":0,"removed":0,"#
            + #""quarantined":0}]}"#,
        "try":
            #"{"outcome":"would_update","problems":[],"requests":[{"method":"GET","url":"http://x/","status":200,"ms":3,"#
            + #""bytes":2179,"elements":12}],"error":null,"counts":{"records":12,"added":1,"updated":2,"removed":3,"#
            + #""quarantined":1},"fields":{"name":{"filled":2,"wrong":1}},"quarantined":[{"pointer":"/3","reason":"M1","#
            + #""excerpt":"{}"}],"drift":{"values":[],"members":[{"name":"extra","count":1}],"types":[],"unlisted":0},"#
            + #""guard":"M1","sample":[{"id":"7","name":"Pump"}],"changes":{"added":["7"],"updated":["8"],"removed":["9"]}}"#,
        "deal": #"{"record":{"id":"RE"},"message":"Umsonst!","meta":null}"#,
    ]

    /// Words that no Polish text has.
    private static let english = [
        "the", "is", "are", "of", "with", "was", "were", "not", "and", "has", "have", "it", "ago", "in", "next", "old",
        "record", "records", "show", "shows", "found", "this", "that", "what", "from", "for", "yes",
        "minute", "days", "needs", "attention", "fresh", "stale", "failed", "updated", "added", "removed", "archived",
    ]

    private func run(_ words: [String], terminal: Bool, _ more: String...) throws -> Run {
        let daemon = try ScriptedDaemon.answering(Self.answers)
        return Run(words + ["--color", "never"] + more, daemon, terminal: terminal ? 120 : nil)
    }

    @Test(arguments: lines.map(\.words)) func `the rows are the same everywhere`(_ words: [String]) throws {
        let rows = try #require(Self.lines.first { $0.words == words }?.rows)
        for isTerminal in [false, true] {
            for language in ["en", "pl"] {
                let text = try run(words, terminal: isTerminal, "--lang", language, "-o", "table").output
                for row in rows { #expect(text.contains(row), "\(words) \(language): \(text)") }
                let json = try run(words, terminal: isTerminal, "--lang", language, "-o", "json").output
                #expect((try? JSONValue.parse(json)) != nil, "\(words): \(json)")
                for row in rows { #expect(json.contains(row), "\(words): \(json)") }
            }
        }
    }

    @Test(arguments: lines.map(\.words))
    func `each request names the language of the person, and in JSON only one that was asked for`(
        _ words: [String]
    ) throws {
        for (format, more, language) in [
            ("table", [], "pl"), ("tsv", [], "pl"), ("json", [], nil), ("json", ["--lang", "pl"], "pl"),
        ] as [(String, [String], String?)] {
            let daemon = try ScriptedDaemon.answering(Self.answers)
            _ = Run(words + ["-o", format] + more, daemon, terminal: nil, environment: ["LC_ALL": "pl_PL.UTF-8"])
            #expect(!daemon.requests.isEmpty)
            for request in daemon.requests {
                #expect(request.params["lang"]?.string == language, "\(words) \(format): \(request.line)")
            }
        }
    }

    @Test(arguments: lines.map(\.words)) func `data is the same in every language`(_ words: [String]) throws {
        for format in ["json", "jsonl", "csv", "tsv", "name"] {
            let english = try run(words, terminal: false, "--lang", "en", "-o", format)
            let polish = try run(words, terminal: false, "--lang", "pl", "-o", format)
            #expect(english.output == polish.output && english.code == polish.code, "\(words) \(format)")
        }
    }

    /// Descriptions show the labels and filters of the example, which are English.
    @Test(arguments: lines.map(\.words).filter { $0[0] != "describe" }) func `in Polish no English is left`(
        _ words: [String]
    ) throws {
        for isTerminal in [false, true] {
            let run = try run(words, terminal: isTerminal, "--lang", "pl", "-o", "table")
            for line in (run.output + run.errors).split(separator: "\n") {
                // Commands are the same in every language.
                let text = line.range(of: "claimsctl ").map { line[..<$0.lowerBound] } ?? line
                let found = text.split { !$0.isLetter }.map { $0.lowercased() }.filter(Self.english.contains)
                #expect(found.isEmpty, "\(words): \(line)")
            }
        }
    }
}
