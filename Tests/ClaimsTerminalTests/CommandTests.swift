// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
@testable import ClaimsTerminal
import ClaimsTestSupport
import Testing

struct CommandTests {
    private static let detail =
        #"{"record":{"id":"7","name":"Pump","status":"not_reachable","status.raw":"ODD"},"upstream":{"ID":7},"#
        + #""provenance":{"source":"upstream","first_seen":"2026-11-20T07:13:02.000Z","generation":3},"meta":\#(Example.meta("units"))}"#

    @Test func `detail shows fields, labels and provenance, upstream when asked`() throws {
        let daemon = try ScriptedDaemon.answering(["detail": Self.detail])
        let run = Run(["detail", "--unit", "7", "--raw"], daemon, terminal: 80)
        #expect(run.code == .done)
        let text = run.output.withoutColors()
        #expect(
            text.hasPrefix(
                "id      7\nName    Pump\nstatus  Not reachable (not_reachable; ODD)\nwithout: protocol, seen at"))
        #expect(text.contains("first seen  2026-11-20 07:13:02 UTC, 1 h ago"))
        #expect(text.hasSuffix("Upstream\n{\n  \"ID\": 7\n}\n"))
        #expect(!Run(["detail", "--unit", "7"], daemon, terminal: 80).output.contains("Upstream"))
        #expect(daemon.parameters(of: "detail").first == #"{"collection":"unit","id":"7"}"#)
    }

    @Test func `detail into a pipe is a line of all fields`() throws {
        let run = Run(["detail", "--unit", "7"], try ScriptedDaemon.answering(["detail": Self.detail]))
        #expect(run.output == "id\tname\tstatus\tprotocol\tseen_at\tload\ton\ttags\n7\tPump\tnot_reachable\t\t\t\t\t\n")
    }

    @Test func `detail as JSON is the result, of several a list of results`() throws {
        let daemon = try ScriptedDaemon.answering(["detail": Self.detail])
        let one = try JSONValue.parse(Run(["detail", "--unit", "7", "-o", "json"], daemon).output)
        #expect(one["record"]?["id"]?.string == "7")
        #expect(one["schema_version"]?.integer == 1)
        let two = try JSONValue.parse(Run(["detail", "--unit", "7", "8", "-o", "json"], daemon).output)
        #expect(two["results"]?.array?.count == 2)
        #expect(daemon.parameters(of: "describe").isEmpty)
    }

    @Test func `records that are missing do not keep the others from being shown`() throws {
        let daemon = try ScriptedDaemon { request in
            request.params["id"]?.string == "9"
                ? .lines([request.error("not_found", "no unit '9'")]) : .lines([request.result(Self.detail)])
        }
        let run = Run(["detail", "--unit", "7", "9", "8", "-o", "name"], daemon)
        #expect(run.code == .notFound)
        #expect(run.output == "7\n7\n")
        #expect(run.errors == "claimsctl: no such record: 9\n")
        let alone = Run(["detail", "--unit", "9", "-o", "json"], daemon)
        #expect(alone.code == .notFound)
        #expect(alone.output == "")
        #expect(try JSONValue.parse(alone.errors)["error"]?["kind"]?.string == "not_found")
    }

    @Test func `without a selector an id names its collection`() throws {
        let daemon = try ScriptedDaemon.answering(["detail": Self.detail])
        #expect(Run(["detail", "units/a/7", "-o", "name"], daemon).code == .done)
        #expect(daemon.parameters(of: "detail") == [#"{"collection":"units","id":"a/7"}"#])
        #expect(Run(["detail", "7"], daemon).code == .usage)
        #expect(Run(["detail"], daemon).code == .usage)
    }

    @Test func `a thousand records are asked for without a word too many`() throws {
        let daemon = try ScriptedDaemon.answering(["detail": Self.detail])
        let run = Run(["detail", "--unit", "-o", "name"] + (0..<1000).map(String.init), daemon)
        #expect(run.output == String(repeating: "7\n", count: 1000))
        #expect(daemon.parameters(of: "detail").count == 1000)
    }

    @Test func `archive prints what changed and misses what is missing`() throws {
        let result = #"{"changed":["12","13"],"unchanged":["14"],"missing":["99"],"clock":"1.5"}"#
        let daemon = try ScriptedDaemon.answering(["archive": result, "unarchive": result])
        let run = Run(["archive", "--pack", "12", "13", "14", "99", "-o", "table"], daemon)
        #expect(run.output == "archived 2: 12, 13\narchived before 1: 14\n")
        #expect(run.errors == "claimsctl: no such record: 99\n")
        #expect(run.code == .notFound)
        #expect(daemon.parameters(of: "archive") == [#"{"collection":"pack","ids":["12","13","14","99"]}"#])
        #expect(
            Run(["unarchive", "--pack", "12"], daemon).output
                == "id\toutcome\n12\tchanged\n13\tchanged\n14\tunchanged\n99\tmissing\n")
        #expect(Run(["archive", "--pack", "12", "-o", "name"], daemon).output == "12\n13\n")
        let json = try JSONValue.parse(Run(["archive", "--pack", "12", "-o", "json"], daemon).output)
        #expect(json["clock"]?.string == "1.5")
    }

    @Test func `archive takes a filter instead of ids, and can only tell`() throws {
        let daemon = try ScriptedDaemon.answering([
            "archive": #"{"changed":["1"],"unchanged":[],"missing":[],"clock":"1.5"}"#
        ])
        let run = Run(["archive", "--pack", "--filter", "sender~water damage", "--dry-run", "-o", "table"], daemon)
        #expect(run.output == "would be archived 1: 1\na dry run: nothing was changed\n")
        #expect(
            daemon.parameters(of: "archive") == [
                #"{"collection":"pack","filter":"sender~water damage","dry_run":true}"#
            ])
        _ = Run(["archive", "--pack", "--filter", "sender!~InPost status=CONFIRMED"], daemon)
        #expect(
            daemon.parameters(of: "archive").last
                == #"{"collection":"pack","filter":"sender!~InPost status=CONFIRMED"}"#)
        #expect(Run(["archive", "--pack", "--filter", "a=1", "7"], daemon).code == .usage)
        #expect(Run(["archive", "--filter", "a=1"], daemon).code == .usage)
        #expect(Run(["archive", "--pack"], daemon).code == .usage)
    }

    @Test func `ids of several collections are archived in each`() throws {
        let daemon = try ScriptedDaemon.answering(["archive": #"{"changed":["1"],"unchanged":[],"missing":[]}"#])
        #expect(Run(["archive", "packs/1", "units/2", "packs/3"], daemon).code == .done)
        #expect(
            daemon.parameters(of: "archive") == [
                #"{"collection":"packs","ids":["1","3"]}"#, #"{"collection":"units","ids":["2"]}"#,
            ])
    }

    @Test func `count is a number, or as much as a format asks for`() throws {
        let daemon = try ScriptedDaemon.answering(["count": #"{"total":1234,"meta":\#(Example.meta("units"))}"#])
        #expect(Run(["count", "--unit", "status!=ok"], daemon).output == "1234\n")
        #expect(Run(["count", "--unit"], daemon, terminal: 80).output == "1,234\n")
        #expect(Run(["count", "--unit", "-o", "tsv"], daemon).output == "total\n1234\n")
        #expect(try JSONValue.parse(Run(["count", "--unit", "-o", "json"], daemon).output)["total"]?.integer == 1234)
        #expect(daemon.parameters(of: "count").first == #"{"collection":"unit","filter":"status!=ok"}"#)
        let all = try ScriptedDaemon.answering(["count": #"{"total":3,"totals":{"packs":1,"units":2},"meta":{}}"#])
        #expect(Run(["count"], all).output == "3\n")
        #expect(Run(["count", "-o", "csv"], all).output == "collection,total\npacks,1\nunits,2\n")
        #expect(
            Run(["count", "--color", "never"], all, terminal: 40).output
                == "COLLECTION  TOTAL\npacks           1\nunits           2\nall             3\n")
        #expect(Run(["count", "--exists"], try ScriptedDaemon.answering(["count": #"{"total":0}"#])).code == .notFound)
    }

    @Test func `facets tell words from filters`() throws {
        let result = #"{"facets":{"status":[{"value":"ok","label":"OK","count":3}]},"meta":\#(Example.meta("units"))}"#
        let daemon = try ScriptedDaemon.answering(["facets": result])
        let run = Run(["facets", "--unit", "status,name", "load>=1", "or", "load.none"], daemon)
        #expect(run.output == "field\tvalue\tlabel\tcount\nstatus\tok\tOK\t3\n")
        #expect(
            daemon.parameters(of: "facets") == [
                #"{"collection":"unit","fields":["status","name"],"filter":"load>=1 or load.none"}"#
            ])
        #expect(Run(["facets", "--unit", "load>=1"], daemon).code == .usage)
    }

    @Test func `facets without a selector name those there are, and ask for nothing else`() throws {
        let daemon = try ScriptedDaemon.answering(["facets": #"{"facets":{}}"#])
        let run = Run(["facets", "status"], daemon)
        #expect(run.code == .usage)
        #expect(
            run.errors == """
                claimsctl: 'facets' needs a collection
                  for example: claimsctl facets --pack status; there is: --pack, --unit

                """)
        #expect(daemon.parameters(of: "facets").isEmpty)
    }

    @Test func `count passes the language on, and shows its notice of old data`() throws {
        let daemon = try ScriptedDaemon { request in
            let message = request.params["lang"]?.string == "pl" ? "Serwer odpowiedział 503" : "The server answered 503"
            return .lines([
                request.result(
                    #"{"total":3,"meta":{"collection":"units","state":"ready","freshness":"stale","source":"upstream","#
                        + #""as_of":"2026-11-20T08:00:00.000Z","age_ms":720000,"last_error":{"kind":"http_status","#
                        + #""status":503,"message":"\#(message)"}}}"#)
            ])
        }
        let run = Run(["count", "--unit", "--lang", "pl"], daemon)
        #expect(run.output == "3\n")
        #expect(run.errors.contains("units: dane sprzed 12 min; serwer odpowiedział 503"))
        #expect(Run(["count", "--unit"], daemon).errors.contains("the server answered 503"))
    }

    @Test func `with --fields, all words of facets are a filter`() throws {
        let daemon = try ScriptedDaemon.answering(["facets": #"{"facets":{},"meta":\#(Example.meta("units"))}"#])
        _ = Run(["facets", "--unit", "--fields", "status,name", "water damage", "load>=1"], daemon)
        #expect(
            daemon.parameters(of: "facets") == [
                #"{"collection":"unit","fields":["status","name"],"filter":"\"water damage\" load>=1"}"#
            ])
    }

    @Test func `deal is a line`() throws {
        let daemon = try ScriptedDaemon.answering([
            "deal": #"{"record":{"id":"RE"},"message":"Free to Réunion!","meta":null}"#
        ])
        #expect(Run(["deal"], daemon).output == "Free to Réunion!\n")
        #expect(Run(["deal", "-o", "csv"], daemon).output == "id,message\nRE,Free to Réunion!\n")
    }

    @Test func `status is a table with remarks about what is wrong`() throws {
        let failing =
            #"{"collection":"units","state":"ready","freshness":"stale","as_of":"2026-11-20T08:01:02Z","last_error":{"kind":"timeout","message":"The server timed out","at":"2026-11-20T08:05:00Z"},"next_refresh":"2026-11-20T08:13:42Z","quarantined":2}"#
        let result =
            #"{"version":"1.0","uptime_ms":7200000,"clients":1,"memory_bytes":1048576,"disk_bytes":0,"collections":["#
            + #"{"name":"units","title":"Units","total":20,"archived":3,"meta":\#(failing)},"#
            + #"{"name":"packs","title":"Packs","total":0,"archived":0,"hint":"write a file","meta":{"collection":"packs","state":"unconfigured"}}],"#
            + #""drift":{"units":{"values":[{"field":"status","value":"ODD\u001b","count":3}],"members":[{"name":"extra","count":1}],"#
            + #""types":[{"field":"load","expected":"decimal","found":"boolean","count":2},"#
            + #"{"field":"at","expected":"instant","found":"future","count":1}],"unlisted":1}}}"#
        let daemon = try ScriptedDaemon.answering(["status": result])
        let run = Run(["status", "--color", "never"], daemon, terminal: 100)
        #expect(
            run.output == """
                1 of 2 collections needs attention: units.
                claimsd 1.0, up 2 h, 1 client, 1.0 MiB of memory, 0 B on disk

                COLLECTION  STATE         RECORDS  ARCHIVED  FRESHNESS  AS OF       NEXT REFRESH
                units       ready              20         3  stale      12 min ago  in 40 s
                packs       unconfigured

                units: the server timed out at 08:05, next try in 40 s
                  check the network and the upstream; it is tried again by itself; to try now: claimsctl refresh
                    --collection units --wait

                units: 2 records are in quarantine
                  to see why: claimsctl quarantine --collection units

                packs: no upstream is configured
                  write a file

                Unknown to the definitions
                An upstream sends values or members that its definition does not know. Records are kept and shown;
                to show these too, add them to the definition.
                  units: status has the unknown value 'ODD\\x1b', 3 records
                  units: a member 'extra' that is not read, 1 record
                  units: load is boolean instead of decimal, 2 records
                  units: at is in the future, 1 record
                  units: and 1 more

                """)
        #expect(
            Run(["status"], daemon).output.hasPrefix(
                "collection\tstate\ttotal\tarchived\tfreshness\tas_of\tnext_refresh\tlast_error\nunits\tready\t20\t3\tstale\t2026-11-20T08:01:02Z\t"
            ))
        #expect(Run(["status", "-o", "name"], daemon).output == "units\npacks\n")
    }

    @Test func `describe lays out a collection, lists them, or shows a method`() throws {
        let daemon = try ScriptedDaemon.answering([:])
        let one = Run(["describe", "--unit", "--color", "never"], daemon, terminal: 100)
        #expect(one.output.hasPrefix("Units  --unit\n\nFIELD     TYPE     SHOWN"))
        #expect(one.output.contains("view attention  status!=ok\n"))
        #expect(one.output.contains("anything else is not_reachable\n"))
        #expect(
            Run(["describe"], daemon).output.hasPrefix(
                "name\tsingular\ttitle\tfields\npacks\tpack\tPacks\tid status sender\n"))
        #expect(Run(["describe", "-o", "name"], daemon).output == "packs\nunits\n")
        #expect(Run(["describe", "--unit", "-o", "name"], daemon).output == "units\n")
        _ = Run(["describe", "search", "-o", "json"], daemon)
        #expect(daemon.parameters(of: "describe").last == #"{"method":"search"}"#)
    }

    @Test func `every request has only parameters that its method knows`() throws {
        let list = #"{"records":[],"total":0,"facets":{}}"#
        let daemon = try ScriptedDaemon.answering([
            "search": list, "sort": list, "count": list, "facets": list, "detail": Self.detail,
            "archive": #"{"changed":[],"missing":[]}"#, "unarchive": #"{"changed":[],"missing":[]}"#,
            "refresh": #"{"collections":[]}"#, "status": #"{"collections":[]}"#,
            "deal": #"{"record":{"id":"1"},"message":"m"}"#,
        ])
        let lines = [
            "search --unit a=1 --sort x --limit 3 --fields a --view v --archived only --group --max-age 1h --lang pl",
            "search --unit --facets f -o json",
            "sort --unit -ab --filter a=1 --view v --archived include --max-age 1h --lang pl",
            "count --unit a=1 --view v --archived only --max-age 1h --lang pl",
            "facets --unit f a=1 --view v --archived only --max-age 1h --lang pl",
            "detail --unit 1 --max-age 1h --lang pl", "archive --unit 1 --dry-run --lang pl",
            "unarchive --unit --filter a=1 --lang pl",
            "refresh --unit --wait --force --accept --lang pl", "status --lang pl", "deal --unit --lang pl",
            "describe --unit --lang pl",
        ]
        for line in lines {
            let run = Run(line.split(separator: " ").map(String.init), daemon, terminal: 80)
            #expect(run.code == .done, "\(line): \(run.errors)")
        }
        for request in daemon.requests {
            let method = try #require(Method(name: request.method))
            let known = method.description.parameters.map(\.name)
            for member in request.params.object?.members ?? [] {
                #expect(known.contains(member.key), "\(request.method) does not know \(member.key)")
            }
        }
    }

    @Test func `a daemon that is not there is 4, and said so in the format asked for`() throws {
        let run = Run(["search", "--socket", "/nowhere/socket"])
        #expect(run.code == .unreachable)
        #expect(run.errors.hasPrefix("claimsctl: the daemon cannot be reached at /nowhere/socket: No such file"))
        let json = Run(["search", "-o", "json", "--socket", "/nowhere/socket"])
        #expect(try JSONValue.parse(json.errors)["error"]?["exit_code"]?.integer == 4)
        #expect(json.output == "")
    }

    @Test func `the environment is minded, and options go before it`() throws {
        let daemon = try ScriptedDaemon.answering(["count": #"{"total":1}"#])
        #expect(Run(["count"], daemon, environment: ["CLAIMSCTL_OUTPUT": "json"]).output.hasPrefix("{"))
        #expect(Run(["count", "-o", "table"], daemon, environment: ["CLAIMSCTL_OUTPUT": "json"]).output == "1\n")
        #expect(Run(["count"], daemon, environment: ["CLAIMSCTL_OUTPUT": "yaml"]).code == .usage)
        #expect(Run(["count"], daemon, environment: ["CLAIMSCTL_TIMEOUT": "soon"]).code == .usage)
        let silent = try ScriptedDaemon { _ in .lines([]) }
        #expect(Run(["count"], silent, environment: ["CLAIMSCTL_TIMEOUT": "20ms"]).code == .timeout)
        let search = try ScriptedDaemon.answering(["search": #"{"records":[{"id":"1","status":"faulty"}],"total":1}"#])
        func output(_ environment: [String: String], _ more: String...) -> String {
            Run(["search", "--unit"] + more, search, terminal: 60, environment: environment).output
        }
        #expect(output([:]).contains("\u{1B}["))
        #expect(!output(["NO_COLOR": "1"]).contains("\u{1B}["))
        #expect(!output([:], "--color", "never").contains("\u{1B}["))
        #expect(output(["NO_COLOR": "1"], "--color", "always").contains("\u{1B}["))
        _ = output(["LC_ALL": "pl_PL.UTF-8"])
        #expect(search.requests.last?.params["lang"]?.string == "pl")
    }

    @Test func `help explains every verb and topic, and completion every shell`() {
        for verb in CommandTable.verbs.flatMap(\.words) { #expect(Run(["help", verb]).output.hasPrefix("claimsctl ")) }
        for code in ExitCode.allCases {
            #expect(Run(["help", "exit-codes"]).output.contains(" \(code.rawValue)  \(code.meaning.text("en"))"))
        }
        #expect(Run(["help", "filters"]).output.contains(".ge"))
        #expect(Run(["help", "nothing"]).code == .usage)
        #expect(Run(["--version"]).output == "claimsctl 1.2.3\n")
        #expect(Run([]).code == .usage)
        for shell in CompletionScript.shells {
            #expect(Run(["completion", shell]).output.hasPrefix("#"))
        }
        #expect(Run(["completion", "csh"]).code == .usage)
        #expect(Run(["help"]).output.split(separator: "\n").allSatisfy { $0.count <= 120 })
    }

    @Test func `every example in the help is a command line that parses`() throws {
        for verb in CommandTable.verbs {
            for example in verb.examples {
                guard
                    case .run(let invocation) = try ArgumentParser.parse(
                        Shell.words(example), verbs: CommandTable.verbs)
                else {
                    Issue.record("\(example)")
                    continue
                }
                #expect(invocation.verb == verb)
            }
        }
    }
}
