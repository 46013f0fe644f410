// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsTestSupport
import Testing

@testable import ClaimsTerminal

@Suite struct FleetCommandTests {
    private static let answer = """
        {"name":"north","host":"depot","addresses":[{"host":"desk-a","url":"https://a.example/north/",\
        "contact":"2026-11-20T08:00:00.000Z","error":null},{"host":"desk-b","url":"https://b.example/north/",\
        "contact":null,"error":{"kind":"unreachable","message":"nobody listens","at":null}}],"sources":[\
        {"source":"packs:warsaw","leader":"desk-a","role":"may","as_of":"2026-11-20T07:59:00.000Z","issued_at":null,\
        "next_refresh":null,"overdue":false,"state":"s","request":"same","definition":"differs","access":"same","error":null}]}
        """

    @Test func `fleet shows hosts and sources, and ends with 11 where one has an error`() throws {
        let daemon = try ScriptedDaemon.answering(["fleet": Self.answer])
        let run = Run(["fleet", "--color", "never", "--lang", "en"], daemon, terminal: 120)
        let lines = run.output.split(separator: "\n")
        #expect(lines.first == "north, depot")
        #expect(lines.contains { $0.hasPrefix("desk-b") && $0.contains("nobody listens") }, "\(run.output)")
        #expect(
            lines.contains {
                $0.hasPrefix("packs:warsaw") && $0.contains("desk-a") && $0.contains("definition")
                    && $0.contains("may take over")
            })
        #expect(run.code == .upstreamFailed)
        let data = Run(["fleet"], daemon).output.split(separator: "\n").map(String.init)
        #expect(data.contains { $0.hasPrefix("address\thttps://b.example/north/\tdesk-b\t\t\t") }, "\(data)")
        #expect(data.last?.hasPrefix("source\tpacks:warsaw\tdesk-a\t") == true, "\(data)")
        #expect(Run(["fleet", "-o", "json"], daemon).output.contains(#""definition":"differs""#))
    }

    @Test func `fleet shows how many archive marks wait, and ends with 11 where the database has an error`() throws {
        func daemon(_ error: String) throws -> ScriptedDaemon {
            try ScriptedDaemon.answering([
                "fleet": """
                {"name":"north","host":"depot","addresses":[],"sources":[],"marks":{"contact":null,"queued":3,\
                "unshared":1,"clock_ms":null,"error":\(error)}}
                """
            ])
        }
        let broken = try daemon(#"{"kind":"unreachable","message":"nobody listens","at":null}"#)
        let run = Run(["fleet", "--color", "never", "--lang", "en"], broken, terminal: 120)
        #expect(run.output.contains("archive marks: 3 queued, database never reached; 1 stay here"), "\(run.output)")
        #expect(run.output.contains("nobody listens") && run.code == .upstreamFailed)
        #expect(Run(["fleet"], broken).output.contains("marks\t3\t\t\t\tnobody listens"))
        let polish = Run(["fleet", "--lang", "pl"], try daemon("null"), terminal: 120)
        #expect(polish.output.contains("znaczniki archiwum: 3 w kolejce") && polish.code == .done, "\(polish.output)")
    }

    @Test func `fleet says that there is none, in both languages`() throws {
        let daemon = try ScriptedDaemon.answering([
            "fleet": #"{"name":null,"host":"depot","addresses":[],"sources":[]}"#
        ])
        let english = Run(["fleet", "--lang", "en"], daemon, terminal: 80)
        #expect(english.output == "this host belongs to no fleet\n" && english.code == .done)
        #expect(Run(["fleet", "--lang", "pl"], daemon, terminal: 80).output == "ten host nie należy do żadnej floty\n")
    }

    @Test func `status has the fleet in a line`() throws {
        let status = """
            {"version":"1","uptime_ms":1,"clock":"a.1","clients":1,"requests":1,"memory_bytes":1,"disk_bytes":1,\
            "config_dir":"/etc/claimsd","reload":"x","collections":[],"hosts":[],"problems":[],"problems_total":0,\
            "removed":[],"drift":{}}
            """
        func output(_ fleet: String) throws -> String {
            let daemon = try ScriptedDaemon.answering(["status": status, "fleet": fleet])
            return Run(["status", "--color", "never", "--lang", "en"], daemon, terminal: 120).output
        }
        #expect(try output(Self.answer).contains("north: follows desk-a, "))
        let leader = Self.answer.replacing("\"host\":\"depot\"", with: "\"host\":\"desk-a\"")
            .replacing("\"role\":\"may\"", with: "\"role\":\"leads\"")
        #expect(try output(leader).contains("north: this host asks\n"))
        let marks = #"{"name":"north","host":"x","addresses":[],"sources":[],"marks":{"queued":7}}"#
        #expect(try output(marks).contains("north: nobody asks; marks 7 queued\n"))
        #expect(try !output(#"{"name":null,"host":"x","addresses":[],"sources":[]}"#).contains("nobody asks"))
    }
}
