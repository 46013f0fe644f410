// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
@testable import ClaimsTerminal
import ClaimsTestSupport
import Testing

struct ListCommandTests {
    private static let units = #"""
        {"records":[{"id":"7","name":"Pump\t1","status":"ok"},{"id":"12","name":"Valve","status":"faulty"}],"total":2,
        """#.split(separator: "\n").joined() + #""meta":\#(Example.meta("units"))}"#

    private static let many =
        #"{"records":[{"id":"1","status":"CREATED"}],"total":4000,"next":"abc","groups":[{"key":"moving","total":4000}],"#
        + #""meta":\#(Example.meta("packs"))}"#

    /// Command lines, and the parameters of the `search` or `sort` they come to.
    private static let requests: [([String], String)] = [
        (["search", "--unit", "status!=ok"], #"{"collection":"unit","filter":"status!=ok","stream":true}"#),
        (
            ["search", "status!=ok", "--unit", "name~pump"],
            #"{"collection":"unit","filter":"status!=ok name~pump","stream":true}"#
        ),
        (["search", "--unit", "water damage"], #"{"collection":"unit","filter":"\"water damage\"","stream":true}"#),
        (
            ["search", "--unit", "--filter", "a=1 or b=2", "c=3"],
            #"{"collection":"unit","filter":"c=3 (a=1 or b=2)","stream":true}"#
        ),
        (
            ["search", "--unit", "--filter", "name~pump status=ok", "a=1", "or", "b=2"],
            #"{"collection":"unit","filter":"(a=1 or b=2) (name~pump status=ok)","stream":true}"#
        ),
        (
            ["search", "--unit", "--filter", "a=1) or (b=2", "c=3"],
            #"{"collection":"unit","filter":"a=1) or (b=2","stream":true}"#
        ),
        (["search", "water"], #"{"filter":"water","stream":true}"#),
        (["list", "--collection", "units", "--limit", "7"], #"{"collection":"units","limit":7}"#),
        (
            ["search", "--unit", "--sort", "-status,name:desc"],
            #"{"collection":"unit","sort":["-status","-name"],"stream":true}"#
        ),
        (
            ["search", "--unit", "--sort", "-name:desc", "--sort", "id:asc"],
            #"{"collection":"unit","sort":["name","id"],"stream":true}"#
        ),
        (
            ["search", "--unit", "--fields", "id,status", "--archived", "only"],
            #"{"collection":"unit","archived":"only","fields":["id","status"],"stream":true}"#
        ),
        (
            ["search", "--unit", "--view", "attention", "--max-age", "10m"],
            #"{"collection":"unit","view":"attention","max_age_ms":600000,"stream":true}"#
        ),
        (
            ["search", "--unit", "--group", "--facets", "status", "-o", "json"],
            #"{"collection":"unit","facets":["status"],"group":true,"stream":true}"#
        ),
        (["search", "--unit", "-o", "name"], #"{"collection":"unit","fields":["id"],"stream":true}"#),
        (["search", "--unit", "--lang", "pl_PL", "-o", "json"], #"{"collection":"unit","stream":true,"lang":"pl"}"#),
        (["sort", "--unit", "-status", "name"], #"{"collection":"unit","by":["-status","name"],"stream":true}"#),
        (["sort", "--pack"], #"{"collection":"pack","stream":true}"#),
    ]

    @Test(arguments: requests)
    func `a command line comes to a request`(_ arguments: [String], _ parameters: String) throws {
        let daemon = try ScriptedDaemon.answering(["search": Self.units, "sort": Self.units])
        let run = Run(arguments, daemon)
        #expect(run.code == .done, "\(run.errors)")
        #expect(daemon.parameters(of: arguments[0] == "sort" ? "sort" : "search") == [parameters])
    }

    @Test func `a word that is in no text, and names a collection or a record, says so`() throws {
        let daemon = try ScriptedDaemon.answering([
            "search": #"{"records":[],"total":0,"meta":{"collections":[]}}"#,
            "detail": #"{"record":{"id":"16730"},"labels":{}}"#,
        ])
        #expect(
            Run(["list", "Units"], daemon).errors.contains("'Units' is a collection: claimsctl list --unit\n"))
        #expect(
            Run(["search", "unit", "--lang", "pl"], daemon).errors
                .contains("„unit” to kolekcja: claimsctl list --unit\n"))
        #expect(
            Run(["search", "--pack", "16730"], daemon).errors
                .contains("'16730' is the id of a record: claimsctl detail --pack 16730\n"))
        #expect(
            Run(["search", "16730"], daemon).errors
                .contains("'16730' is the id of a record: claimsctl detail --pack 16730\n"))
        for words in [["-q", "16730"], ["16730", "x"], ["name=16730"], ["-q", "units"]] {
            #expect(!Run(["search"] + words, daemon).errors.contains("is "), "\(words)")
        }
    }

    @Test func `a word that begins ids, or is one beside conditions, says so in every verb that takes terms`() throws {
        let daemon = try ScriptedDaemon.answering([
            "search": #"{"records":[],"total":0,"meta":{"collections":[]}}"#, "count": #"{"total":3,"meta":{}}"#,
        ])
        let run = Run(["search", "--pack", "16730", "name=x"], daemon)
        #expect(
            run.errors.contains("'16730' begins the ids of 3 records: claimsctl list --pack id.starts=16730\n"),
            "\(run)")
        let whole = try ScriptedDaemon.answering([
            "count": #"{"total":0,"meta":{}}"#, "detail": #"{"record":{"id":"03"},"labels":{}}"#,
        ])
        #expect(
            Run(["count", "--unit", "03"], whole).errors
                .contains("'03' is the id of a record: claimsctl detail --unit 03\n"))
    }

    @Test func `into a pipe a list is TSV with the columns of the table`() throws {
        let daemon = try ScriptedDaemon.answering(["search": Self.units])
        let run = Run(["search", "--unit"], daemon)
        #expect(run.output == "id\tname\tstatus\n7\tPump\\t1\tok\n12\tValve\tfaulty\n")
        #expect(run.errors == "")
    }

    @Test func `on a terminal a list is a table, and says how many there are`() throws {
        let daemon = try ScriptedDaemon.answering(["search": Self.units])
        let run = Run(["search", "--unit", "--color", "never"], daemon, terminal: 80)
        #expect(run.output == "ID  NAME    STATUS\n7   Pump 1  OK\n12  Valve   [Faulty]\n")
        #expect(run.errors == "2 units\n")
        #expect(daemon.parameters(of: "search") == [#"{"collection":"unit","limit":50}"#])
    }

    @Test func `on a terminal a collection with groups comes in them, a page at once`() throws {
        let daemon = try ScriptedDaemon.answering(["search": Self.many])
        let run = Run(["search", "--pack", "--color", "never"], daemon, terminal: 80)
        #expect(daemon.parameters(of: "search")[0] == #"{"collection":"pack","limit":50,"group":true}"#)
        #expect(run.output.hasPrefix("ID  STATUS     SENDER\nOn the way (4,000)\n1   Created\n"))
    }

    @Test func `an order that was asked for is not broken up into groups`() throws {
        let daemon = try ScriptedDaemon.answering(["search": Self.units])
        _ = Run(["search", "--pack", "--sort", "id"], daemon, terminal: 80)
        #expect(daemon.parameters(of: "search") == [#"{"collection":"pack","sort":["id"],"limit":50}"#])
    }

    @Test func `a page that is not all says so`() throws {
        let daemon = try ScriptedDaemon.answering(["search": Self.many])
        let run = Run(["search", "--pack", "--limit", "1"], daemon, terminal: 80)
        #expect(run.errors == "1 of 4,000 packs; a larger --limit shows more, --all in its place shows all\n")
        #expect(daemon.parameters(of: "search").count == 1)
    }

    /// A stream of three parts with two records each, and the result after them.
    private func parts(
        ending: @escaping @Sendable (ScriptedDaemon.Request) -> String = { request in
            request.result(#"{"total":6,"meta":\#(Example.meta("units"))}"#)
        }
    ) throws -> ScriptedDaemon {
        try ScriptedDaemon { request in
            if request.method == "describe" { return .lines([request.result(#"{"collections":[\#(Example.units)]}"#)]) }
            let parts = (0..<3).map { part in
                let records = (1...2).map { #"{"id":"\#(part * 2 + $0)","name":"u"}"# }.joined(separator: ",")
                return #"{"method":"records","params":{"request":\#(request.id),"records":[\#(records)]}}"#
            }
            return .lines(parts + [ending(request)])
        }
    }

    @Test func `into a pipe all parts of a stream are printed, of one request`() throws {
        let daemon = try parts()
        let run = Run(["search", "--unit", "-o", "name"], daemon)
        #expect(run.output == "1\n2\n3\n4\n5\n6\n")
        #expect(daemon.parameters(of: "search").count == 1)
    }

    @Test func `all parts are one JSON document`() throws {
        let run = Run(["search", "--unit", "-o", "json"], try parts())
        let json = try JSONValue.parse(run.output)
        #expect(json["schema_version"]?.integer == 1)
        #expect(json["total"]?.integer == 6)
        #expect(json["records"]?.array?.compactMap { $0["id"]?.string } == ["1", "2", "3", "4", "5", "6"])
        #expect(json["meta"]?["collection"]?.string == "units")
        #expect(json["next"] == nil)
    }

    @Test func `a limit that a page can have is one page, and a larger one ends in the middle of a part`() throws {
        let daemon = try parts()
        _ = Run(["search", "--unit", "--limit", "1000", "-o", "name"], daemon)
        #expect(daemon.parameters(of: "search") == [#"{"collection":"unit","limit":1000,"fields":["id"]}"#])
        let many = try ScriptedDaemon { request in
            let parts = (0..<5).map { part in
                let records = (1...256).map { #"{"id":"\#(part * 256 + $0)"}"# }.joined(separator: ",")
                return #"{"method":"records","params":{"request":\#(request.id),"records":[\#(records)]}}"#
            }
            return .lines(parts + [request.result(#"{"total":1280,"meta":\#(Example.meta("units"))}"#)])
        }
        let run = Run(["search", "--unit", "--limit", "1001", "-o", "name"], many)
        #expect(run.output.split(separator: "\n").map(String.init) == (1...1001).map { "\($0)" })
        let json = Run(["search", "--unit", "--limit", "1001", "-o", "json"], many).output
        #expect(try JSONValue.parse(json)["records"]?.array?.count == 1001)
    }

    @Test func `a table goes on across parts under one heading`() throws {
        let run = Run(["search", "--unit", "--all", "--color", "never"], try parts(), terminal: 60)
        #expect(run.output.hasSuffix("\n1   u\n2   u\n3   u\n4   u\n5   u\n6   u\n"), "\(run.output)")
        #expect(run.output.hasPrefix("ID  NAME  STATUS"))
        // The columns of a list of one part are as wide as they have to be.
        let short = try ScriptedDaemon { request in
            if request.method == "describe" { return .lines([request.result(#"{"collections":[\#(Example.units)]}"#)]) }
            return .lines([
                #"{"method":"records","params":{"request":\#(request.id),"records":[{"id":"7","name":"u"}]}}"#,
                request.result(#"{"total":1,"meta":\#(Example.meta("units"))}"#),
            ])
        }
        let table = Run(["search", "--unit", "--all", "--color", "never"], short, terminal: 60).output
        #expect(table == "ID  NAME  STATUS\n7   u\n")
        #expect(run.errors == "6 units\n")
    }

    @Test func `headings of a streamed list have the totals that come after it`() throws {
        let daemon = try ScriptedDaemon { request in
            if request.method == "describe" { return .lines([request.result(#"{"collections":[\#(Example.packs)]}"#)]) }
            let records = #"[{"id":"1","status":"CREATED"}]"#
            return .lines([
                #"{"method":"records","params":{"request":\#(request.id),"records":\#(records)}}"#,
                request.result(
                    #"{"total":1,"groups":[{"key":"moving","total":1}],"meta":\#(Example.meta("packs"))}"#),
            ])
        }
        let run = Run(["search", "--pack", "--all", "--color", "never"], daemon, terminal: 80)
        #expect(run.output.contains("\nOn the way (1)\n1   Created\n"), "\(run.output)")
    }

    @Test func `when a stream fails no half document is printed`() throws {
        let run = Run(["search", "--unit", "-o", "json"], try parts { $0.error("internal", "broken") })
        #expect(run.output == "")
        #expect(run.code == .failure)
        #expect(run.errors.hasPrefix(#"{"schema_version":1,"error":{"kind":"internal","message":"broken""#))
    }

    @Test func `nothing found is an empty list, and 3 only where it must exist`() throws {
        let empty = #"{"records":[],"total":0,"meta":\#(Example.meta("units"))}"#
        let daemon = try ScriptedDaemon.answering(["search": empty])
        let run = Run(["search", "--unit", "x=y", "-o", "json"], daemon)
        #expect(run.code == .done)
        #expect(try JSONValue.parse(run.output)["records"] == .array([]))
        #expect(Run(["search", "--unit", "x=y"], daemon).output == "id\tname\tstatus\n")
        #expect(Run(["search", "--unit", "x=y"], daemon, terminal: 80).errors == "no units match\n")
        #expect(Run(["search", "--unit", "--exists"], daemon).code == .notFound)
    }

    @Test func `an upstream without records is told from a filter without matches`() throws {
        let meta = #"{"collection":"units","state":"empty","freshness":"fresh"}"#
        let daemon = try ScriptedDaemon.answering(["search": #"{"records":[],"total":0,"meta":\#(meta)}"#])
        #expect(Run(["search", "--unit"], daemon, terminal: 80).errors == "units: the upstream has none\n")
    }

    @Test func `stale data is shown, and said to be stale unless quiet`() throws {
        let meta =
            #"{"collection":"units","state":"ready","freshness":"stale","age_ms":720000,"last_error":{"kind":"timeout","#
            + #""message":"The server timed out","at":"2026-11-20T08:01:00Z"},"next_refresh":"2026-11-20T08:13:42Z"}"#
        let daemon = try ScriptedDaemon.answering(["search": #"{"records":[{"id":"1"}],"total":1,"meta":\#(meta)}"#])
        let run = Run(["search", "--unit", "-o", "name"], daemon)
        #expect(run.output == "1\n")
        #expect(run.errors == "units: 12 min old; the server timed out at 08:01, next try in 40 s\n")
        #expect(run.code == .done)
        #expect(Run(["search", "--unit", "-q"], daemon).errors == "")
    }

    @Test(arguments: [
        ("loading", "the first fetch is under way; to wait for it: claimsctl refresh --collection units --wait"),
        ("failed", "to try again now: claimsctl refresh --collection units --wait; more: claimsctl status"),
        ("unconfigured", "what the daemon says"),
    ])
    func `without data it says what to do`(_ state: String, _ advice: String) throws {
        let daemon = try ScriptedDaemon { request in
            .lines([
                request.error(
                    "no_data", "units has no data",
                    data: #","hint":"what the daemon says","meta":{"collection":"units","state":"\#(state)","#
                        + #""next_refresh":"2026-11-20T08:10:00.000Z"}"#)
            ])
        }
        let run = Run(["search", "--unit"], daemon)
        #expect(run.code == .noData)
        #expect(run.output == "")
        #expect(run.errors == "claimsctl: units has no data\n  \(advice)\n")
    }

    @Test func `over all collections each line says which it is from`() throws {
        let answer =
            #"{"records":[{"collection":"packs","id":"1","sender":"A"},{"collection":"units","id":"7","name":"P"}],"#
            + #""total":2,"totals":{"packs":1,"units":1},"meta":{"collections":[\#(Example.meta("packs")),"#
            + #"{"collection":"late","state":"ready","freshness":"stale","age_ms":5000}],"skipped":[{"collection":"x","reason":"x is late"},"#
            + #"{"collection":"y","state":"unconfigured","reason":"y is nothing"}]}}"#
        let daemon = try ScriptedDaemon.answering(["search": answer])
        let run = Run(["search", "x=1"], daemon)
        #expect(run.output == "collection\tid\tstatus\tsender\tname\npacks\t1\t\tA\t\nunits\t7\t\t\tP\n")
        #expect(run.errors == "left out: x is late\n")
        #expect(Run(["search", "x=1", "-o", "name", "-q"], daemon).output == "packs/1\nunits/7\n")
    }

    @Test func `on a terminal a lone field that finds nothing is told of, and nothing else is`() throws {
        let none = #"{"records":[],"total":0,"meta":\#(Example.meta("units"))}"#
        let daemon = try ScriptedDaemon.answering(["search": none])
        #expect(Run(["search", "--unit", "load"], daemon, terminal: 80).errors.contains("load.ge=100"))
        #expect(!Run(["search", "--unit", "load", "status"], daemon, terminal: 80).errors.contains("load.ge"))
        #expect(!Run(["search", "--unit", "pump"], daemon, terminal: 80).errors.contains("'>'"))
        let found = try ScriptedDaemon.answering(["search": Self.units])
        #expect(!Run(["search", "--unit", "load"], found, terminal: 80).errors.contains("'>'"))
    }

    @Test func `of several collections only those with hits tell their age`() throws {
        func meta(_ name: String) -> String {
            #"{"collection":"\#(name)","state":"ready","freshness":"stale","age_ms":60000}"#
        }
        func answer(_ totals: String) -> String {
            #"{"records":[],"total":1,"totals":\#(totals),"meta":{"collections":[\#(meta("a")),\#(meta("b")),\#(meta("c"))],"skipped":[]}}"#
        }
        let some = try ScriptedDaemon.answering(["search": answer(#"{"a":1,"b":0,"c":2}"#)])
        #expect(Run(["search", "x"], some).errors == "a, c: 1 min old\n")
        let none = try ScriptedDaemon.answering(["search": answer(#"{"a":0,"b":0,"c":0}"#)])
        #expect(Run(["search", "x"], none).errors == "a, b, c: 1 min old\n")
    }

    @Test func `a word that is a field may be what a shell left of a comparison`() throws {
        let daemon = try ScriptedDaemon.answering(["search": Self.units])
        let warned = Run(["search", "--unit", "load"], daemon)
        #expect(warned.code == .done)
        #expect(warned.errors.contains("load.ge=100"))
        #expect(Run(["search", "--unit", "load", "-o", "json"], daemon).errors.contains("load.ge=100"))
        #expect(Run(["search", "--unit", "water"], daemon).errors == "")
        #expect(!Run(["search", "--unit", "load"], daemon, terminal: 80).errors.contains("load.ge"))
    }

    @Test func `facets need a format that has room for them`() throws {
        let daemon = try ScriptedDaemon.answering([
            "search":
                #"{"records":[],"total":0,"facets":{"status":[{"value":"ok","label":"OK","count":1200}]},"meta":null}"#
        ])
        #expect(Run(["search", "--unit", "--facets", "status"], daemon).code == .usage)
        let run = Run(["search", "--unit", "--facets", "status", "--color", "never"], daemon, terminal: 80)
        #expect(
            run.output
                == "\nstatus: 0 records\nCOUNT  VALUE\n1,200  OK     (ok)  \(String(repeating: "█", count: 40))\n")
    }

    @Test func `the fields are listed where they are asked for`() throws {
        let run = Run(["search", "--unit", "--fields", "help"], try ScriptedDaemon.answering([:]))
        #expect(
            run.output.hasPrefix("field\ttype\tlist\toperators\ttitle\nid\tid\ttrue\t\t\nname\ttext\ttrue\t= ~\tName\n")
        )
    }

    @Test func `a filter in sort is refused with the way to do it`() {
        let run = Run(["sort", "--unit", "status!=ok"])
        #expect(run.code == .usage)
        #expect(
            run.errors
                == "claimsctl: 'status!=ok' is a filter, and 'sort' shows all records\n  to filter them too: --filter 'status!=ok'\n"
        )
    }
}
