// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

@testable import ClaimsTerminal
import ClaimsTestSupport
import Testing

struct StatusTextTests {
    private func collection(_ name: String, _ meta: String, _ more: String = "") -> String {
        #"{"name":"\#(name)","title":"T","total":1000,"archived":0\#(more),"meta":{"collection":"\#(name)",\#(meta)}}"#
    }

    private func status(_ collections: [String], _ more: String = "", _ options: String...) throws -> String {
        let answer = #"{"version":"1.0","collections":[\#(collections.joined(separator: ","))]\#(more)}"#
        let daemon = try ScriptedDaemon.answering(["status": answer])
        return Run(["status", "--color", "never"] + options, daemon, terminal: 100).output
    }

    private let fresh = #""state":"ready","freshness":"fresh","age_ms":5"#
    private let idle = #""state":"unconfigured""#
    private func failing(_ freshness: String, _ at: String = "08:05") -> String {
        #""state":"ready","freshness":"\#(freshness)","last_error":{"kind":"unreachable","message":"The server refused the "#
            + #"connection (depot:81)","at":"2026-11-20T\#(at):00Z"},"next_refresh":"2026-11-20T08:15:02Z""#
    }

    @Test func `it begins with a verdict`() throws {
        func verdict(_ collections: [String], _ more: String = "", _ options: String...) throws -> String {
            let text = try options.isEmpty ? status(collections, more) : status(collections, more, "--lang", "pl")
            return text.split(separator: "\n").first.map(String.init) ?? ""
        }
        let (a, b, c) = (collection("a", fresh), collection("b", fresh), collection("c", idle))
        #expect(try verdict([a]) == "The collection is well.")
        #expect(try verdict([a, b]) == "All 2 collections are well.")
        #expect(try verdict([a, b], "", "pl") == "Wszystkie 2 kolekcje są w porządku.")
        #expect(try verdict([a, b, c]) == "2 collections are well. 1 collection has no upstream.")
        #expect(try verdict([a, c], "", "pl") == "1 kolekcja jest w porządku. 1 kolekcja nie ma serwera.")
        #expect(try verdict([c]) == "1 collection has no upstream.")
        #expect(try verdict([]) == "There are no collections.")
        let worse = [collection("x", failing("stale")), a, collection("y", failing("expired"))]
        #expect(try verdict(worse) == "2 of 3 collections need attention: y, x.")
        #expect(try verdict(worse, "", "pl") == "2 z 3 kolekcji wymagają uwagi: y, x.")
        let mistake = #","problems":[{"collection":"a","file":"/f","message":"m"}],"outbox":{"stuck":2}"#
        #expect(
            try verdict([a], mistake)
                == "The collection is well. The configuration has 1 mistake. 2 operations need attention.")
    }

    @Test func `the worst collection stands first, and a cause that several share is told once`() throws {
        let text = try status([
            collection("a", fresh), collection("b", failing("stale", "08:04")), collection("c", failing("stale")),
            collection("d", #""state":"failed","last_error":{"kind":"tls","message":"Bad"}"#),
        ])
        let names = text.split(separator: "\n").dropFirst(3).prefix(4).map { String($0.prefix(1)) }
        #expect(names == ["d", "b", "c", "a"], "\(text)")
        #expect(
            text.contains(
                "\nb, c: the server refused the connection (depot:81) at 08:05, next try in 2 min\n"
                    + "  check the network and the upstream; it is tried again by itself; to try now: claimsctl refresh\n"
                    + "    --wait\n"), "\(text)")
        #expect(text.components("refused") == 1)
    }

    @Test func `old data says why where nothing has failed`() throws {
        let old = #""state":"ready","freshness":"stale","age_ms":40000,"next_refresh":"2026-11-20T08:15:02Z""#
        #expect(
            try status([collection("a", old, #","ttl_ms":30000"#)])
                .contains("\na: stale: older than its ttl of 30 s, next refresh in 2 min\n"))
        #expect(
            try status([collection("a", old, #","ttl_ms":30000"#)], "", "--lang", "pl")
                .contains("\na: nieaktualne: starsze niż ttl, czyli 30 s, następne odświeżenie za 2 min\n"))
    }

    @Test func `old data is not called well`() throws {
        let old = #""state":"ready","freshness":"stale","age_ms":40000"#
        func verdict(_ collections: [String], _ options: String...) throws -> String? {
            let text = try options.isEmpty ? status(collections) : status(collections, "", "--lang", "pl")
            return text.split(separator: "\n").first.map(String.init)
        }
        let (a, b) = (collection("a", old), collection("b", fresh))
        #expect(try verdict([b, a]) == "Nothing has failed, but 1 collection is stale: a.")
        #expect(try verdict([b, a], "pl") == "Błędów nie ma, ale 1 kolekcja jest nieaktualna: a.")
        #expect(
            try verdict([b, a, collection("c", failing("expired"))])
                == "1 of 3 collections needs attention: c. Stale, too: a.")
    }

    @Test func `one cause is told once, however old it has left the data`() throws {
        let text = try status([collection("a", failing("fresh")), collection("b", failing("stale"))])
        #expect(text.contains("\nb, a: the server refused"), "\(text)")
        #expect(text.components("refused") == 1)
    }

    @Test func `hints name the folder and the command that the daemon tells`() throws {
        let wrong =
            #""state":"ready","freshness":"stale","last_error":{"kind":"http_status","status":404,"message":"M"}"#
        let told =
            #","config_dir":"/srv/x","reload":"kill -HUP 7","problems":[{"file":"/srv/x/claimsd.json5","message":"m"}]"#
        let text = try status([collection("a", wrong)], told)
        #expect(text.contains("check source.url in /srv/x/collections.d/a.json5, then: kill -HUP 7\n"), "\(text)")
        #expect(text.contains("claimsd --check-config --config-dir /srv/x\n"), "\(text)")
        #expect(text.contains("with these mended: kill -HUP 7\n"), "\(text)")
    }

    @Test func `what is withheld without a failure can be asked for`() throws {
        let text = try status([collection("m", #""state":"withheld","freshness":"expired","age_ms":90000"#)])
        #expect(text.contains("\nm: withheld: its data is too old to be shown\n"), "\(text)")
        #expect(text.contains("claimsctl refresh --collection m --wait; to ask it more often:"), "\(text)")
        let meta = AnswerMeta(collection: "m", state: "withheld")
        #expect(Advice.forNoData(meta, .english)?.contains("claimsctl refresh --collection m --wait") == true)
    }

    @Test func `sites that share a cause are told of together`() throws {
        func site(_ name: String, _ status: Int) -> String {
            #"{"site":"\#(name)","freshness":"stale","last_error":{"kind":"http_status","status":\#(status),"#
                + #""message":"Status \#(status)"}}"#
        }
        let sites = #","sites":[\#(site("a", 500)),\#(site("b", 502)),\#(site("c", 500))]"#
        let meta = #""state":"ready","freshness":"stale","sites":{"total":3,"stale":3}"#
        let text = try status([collection("m", meta, sites), collection("n", failing("stale"))])
        #expect(text.contains("\nm: a, c: status 500\n") && text.contains("\nm: b: status 502\n"), "\(text)")
    }

    @Test func `collections without an upstream share their hint`() throws {
        func hint(_ name: String) -> String { #","hint":"write it to /x/collections.d/\#(name).json5, then: reload""# }
        let text = try status([collection("a", idle, hint("a")), collection("b", idle, hint("b"))])
        #expect(
            text.contains(
                "a, b: no upstream is configured\n  write it to /x/collections.d/{a,b}.json5, then: reload\n"),
            "\(text)")
    }

    @Test func `all mistakes are counted, also those that the answer has no room for`() throws {
        let told =
            #","config_dir":"/srv/x","problems":[{"file":"/srv/x/claimsd.json5","message":"m"}],"problems_total":141"#
        let text = try status([collection("a", fresh)], told)
        #expect(text.hasPrefix("The collection is well. The configuration has 141 mistakes.\n"))
        #expect(text.contains("\n140 more mistakes are not shown here\n"), "\(text)")
        let polish = try status([collection("a", fresh)], told, "--lang", "pl")
        #expect(polish.contains("\nnie pokazano tu 140 dalszych błędów\n"), "\(polish)")
    }

    @Test func `many collections without a definition share one remark`() throws {
        func removed(_ count: Int) -> String {
            let entries = (0..<count).map {
                #"{"collection":"gone\#($0)","records":100,"until":"2026-11-2\#($0 % 3 + 1)T08:15:00Z"}"#
            }
            return #","removed":[\#(entries.joined(separator: ","))]"#
        }
        #expect(try status([collection("a", fresh)], removed(3)).components("its definition was removed") == 3)
        let text = try status([collection("a", fresh)], removed(40))
        #expect(
            text.contains(
                "\n40 collections have no definition any more: gone0, gone1, gone2, gone3, gone4, gone5, gone6,")
                && text.contains("4,000 records kept, the first until 2026-11-21")
                && text.contains("  to erase one now: claimsctl forget --collection NAME\n"), "\(text)")
        #expect(text.split(separator: "\n").count < 10)
    }

    @Test(arguments: [[], ["-o", "json"], ["-o", "csv"]])
    func `into a pipe, mistakes and removed collections are told on standard error`(
        _ format: [String]
    ) throws {
        let told =
            #","config_dir":"/srv/x","problems":[{"file":"/f","message":"m"}],"problems_total":141,"#
            + #""removed":[{"collection":"gone","records":7,"until":null}]"#
        let answer = #"{"version":"1.0","collections":[\#(collection("a", fresh))]\#(told)}"#
        let daemon = try ScriptedDaemon.answering(["status": answer])
        let run = Run(["status"] + format, daemon)
        #expect(
            run.errors
                == "The configuration has 141 mistakes; to see all: claimsd --check-config --config-dir /srv/x\n"
                + "1 collection has no definition any more: gone; 7 records kept\n")
        #expect(Run(["status", "-q"] + format, try ScriptedDaemon.answering(["status": answer])).errors == "")
    }

    @Test func `what the guard holds needs somebody, and is told with its numbers`() throws {
        let held = #","held":{"before":1000,"after":12,"added":0,"updated":0,"removed":988,"quarantined":0}"#
        let text = try status([collection("a", fresh, held)], "", "--lang", "pl")
        #expect(text.hasPrefix("1 z 1 kolekcji wymaga uwagi: a.\n"))
        #expect(text.contains("z 1\u{A0}000 rekordów zostałoby 12"))
    }
}

extension String {
    /// How often a word is in the text.
    fileprivate func components(_ word: String) -> Int {
        var count = 0
        var rest = self[...]
        while let range = rest.range(of: word) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}
