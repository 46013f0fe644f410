// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

@testable import ClaimsTerminal
import ClaimsClient
import ClaimsJSON
import ClaimsTestSupport
import Testing

/// `history`, `explain` and `quarantine` against a daemon that answers by a script.
struct RecordCommandTests {
    private static let versions = [
        #"{"seq":9,"at":"2026-11-20T08:01:02.000Z","generation":3,"cause":"refresh","op":"updated","#
            + #""changes":{"status":["ok","faulty"],"name":[null,"Pump"]}}"#,
        #"{"seq":7,"at":"2026-11-20T07:01:02.000Z","generation":2,"cause":"archive","op":"archived","by":1000}"#,
        #"{"seq":2,"at":"2026-11-20T06:01:02.000Z","generation":1,"cause":"refresh","op":"added","record":{"id":"7"}}"#,
    ]

    private static func history() throws -> ScriptedDaemon {
        try ScriptedDaemon { request in
            let isFirst = request.params["cursor"] == nil
            let page = isFirst ? versions[0] : versions[1] + "," + versions[2]
            let next = isFirst ? #","next":"n""# : ""
            return .lines([request.result(#"{"versions":[\#(page)],"complete":false\#(next)}"#)])
        }
    }

    @Test func `history shows all versions in every format`() throws {
        let daemon = try Self.history()
        #expect(
            Run(["history", "--unit", "7"], daemon).output == """
                seq\tat\top\tcause\tby\tchanged
                9\t2026-11-20T08:01:02.000Z\tupdated\trefresh\t\tstatus,name
                7\t2026-11-20T07:01:02.000Z\tarchived\tarchive\t1000\t
                2\t2026-11-20T06:01:02.000Z\tadded\trefresh\t\t

                """)
        let table = Run(["history", "units/7", "--all"], daemon, terminal: 100).output
        #expect(table.contains("status: ok → faulty, name: – → Pump") && table.contains("older versions are not kept"))
        #expect(
            Run(["history", "--unit", "7", "-o", "jsonl"], daemon).output == Self.versions.joined(separator: "\n")
                + "\n")
        let json = try Example.value(Run(["history", "--unit", "7", "-o", "json"], daemon).output)
        #expect(json["versions"]?.elements.count == 3 && json["complete"]?.bool == false && json["next"] == nil)
        #expect(json["schema_version"]?.integer == 1)
        #expect(Run(["history", "--unit", "7", "-o", "name", "--limit", "1"], daemon).output == "9\n")
        #expect(daemon.parameters(of: "history").last == #"{"collection":"unit","id":"7","limit":1}"#)
    }

    @Test func `history is about one record`() throws {
        #expect(Run(["history", "--unit"]).code == .usage)
        #expect(Run(["history", "--unit", "1", "2"]).code == .usage)
        #expect(Run(["history", "7"]).code == .usage)
        let daemon = try ScriptedDaemon { .lines([$0.error("not_found", "no record '9'")]) }
        #expect(Run(["history", "--unit", "9"], daemon).code == .notFound)
    }

    @Test func `explain shows the parts of a filter, and what they say of a record`() throws {
        let answer =
            #"{"filter":"status!=ok pump","tree":{"op":"and","matches":1,"verdict":false,"of":["#
            + #"{"op":"term","text":"status!=ok","field":"status","matches":40,"verdict":true,"value":"faulty"},"#
            + #"{"op":"term","text":"pump","matches":null,"verdict":false,"value":{"name":"gate"},"cut":true}]},"#
            + #""plan":["The index of status is read."],"total":1,"listed":false,"because":"filter","#
            + #""meta":\#(Example.meta("units"))}"#
        let daemon = try ScriptedDaemon { .lines([$0.result(answer)]) }
        let run = Run(["explain", "--unit", "status!=ok", "pump", "--id", "7"], daemon)
        #expect(
            run.output == """
                part\tmatches\tverdict\tvalue
                and\t1\tfalse\t
                status!=ok\t40\ttrue\tfaulty
                pump\t\tfalse\t{"name":"gate"}

                """)
        #expect(daemon.parameters(of: "explain").first == #"{"collection":"unit","filter":"status!=ok pump","id":"7"}"#)
        let table = Run(["explain", "--unit", "pump", "--id", "7"], daemon, terminal: 100).output
        for part in ["· status!=ok", "The index of status", "1 record matches", "7 is not listed: the filter"] {
            #expect(table.contains(part), "\(table)")
        }
        #expect(Run(["explain", "pump"], daemon).code == .usage)
        let json = try Example.value(Run(["explain", "--unit", "pump", "-o", "json"], daemon).output)
        #expect(json["tree"]?["of"]?.elements.count == 2)
    }

    private static let entry =
        #"{"entry":3,"pointer":"/4/id","reason":"no id","size":12,"excerpt":"{\"x\":1}","#
        + #""first_seen":"2026-11-20T06:01:02.000Z","last_seen":"2026-11-20T08:01:02.000Z"}"#

    private static func quarantine() throws -> ScriptedDaemon {
        try ScriptedDaemon { request in
            switch request.params["action"]?.string {
            case "get":
                let members = entry.dropLast() + #","truncated":true,"bytes":"{\"x\":1}"}"#
                return .lines([request.result(String(members))])
            case "retry":
                return .lines([
                    request.result(
                        #"{"accepted":[{"entry":2,"id":"7"}],"refused":[{"entry":3,"reason":"no id"}],"clock":"e.4"}"#)
                ])
            case "drop": return .lines([request.result(#"{"dropped":[2,3]}"#)])
            default: return .lines([request.result(#"{"entries":[\#(entry)],"total":1}"#)])
            }
        }
    }

    @Test func `quarantine lists entries, and shows one as it came`() throws {
        let daemon = try Self.quarantine()
        #expect(
            Run(["quarantine", "--unit"], daemon).output == """
                entry\tid\treason\tpointer\tsize\tfirst_seen\tlast_seen\texcerpt
                3\t\tno id\t/4/id\t12\t2026-11-20T06:01:02.000Z\t2026-11-20T08:01:02.000Z\t{"x":1}

                """)
        #expect(Run(["quarantine", "--unit", "list", "-o", "name"], daemon).output == "3\n")
        #expect(Run(["quarantine", "--unit", "-o", "jsonl"], daemon).output == Self.entry + "\n")
        let run = Run(["quarantine", "--unit", "get", "3"], daemon)
        #expect(run.output == #"{"x":1}"# + "\n" && run.errors.contains("is cut"))
        #expect(Run(["quarantine", "--unit", "get", "3"], daemon, terminal: 100).output.contains("no id"))
        #expect(daemon.parameters(of: "quarantine").last == #"{"collection":"unit","action":"get","entry":3}"#)
    }

    @Test func `quarantine retries and drops entries, one or all`() throws {
        let daemon = try Self.quarantine()
        let retry = Run(["quarantine", "--unit", "retry"], daemon)
        #expect(retry.code == .invalid && retry.errors.contains("1 entry is still no record: 3"))
        #expect(
            retry.output == """
                entry\toutcome\tid\treason
                2\taccepted\t7\t
                3\trefused\t\tno id

                """)
        #expect(daemon.parameters(of: "quarantine") == [#"{"collection":"unit","action":"retry"}"#])
        let drop = Run(["quarantine", "--unit", "drop", "2", "3"], daemon)
        #expect(drop.code == .done)
        #expect(
            daemon.parameters(of: "quarantine").suffix(2) == [
                #"{"collection":"unit","action":"drop","entry":2}"#,
                #"{"collection":"unit","action":"drop","entry":3}"#,
            ])
    }

    @Test(arguments: ["retry", "drop"])
    func `quarantine changes no entry where one of several is not there`(action: String) throws {
        let daemon = try ScriptedDaemon { request in
            request.params["action"] == "get" && request.params["entry"] == 4
                ? .lines([request.error("not_found", "units has no entry 4 in quarantine")])
                : .lines([request.result(Self.entry.dropLast() + #","truncated":false,"bytes":"x"}"#)])
        }
        let run = Run(["quarantine", "--unit", action, "3", "4"], daemon)
        #expect(run.code == .notFound && run.errors.contains("no entry 4") && run.output == "")
        #expect(daemon.parameters(of: "quarantine").allSatisfy { !$0.contains(action) })
    }

    @Test func `quarantine says what it cannot do`() throws {
        for arguments in [["get"], ["get", "x"], ["drop", "0"], ["rety"], ["list", "3"]] {
            #expect(Run(["quarantine", "--unit"] + arguments).code == .usage, "\(arguments)")
        }
        #expect(Run(["quarantine"]).code == .usage)
    }
}
