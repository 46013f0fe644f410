// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
@testable import ClaimsTerminal
import ClaimsTestSupport
import Testing

struct RefreshCommandTests {
    @Test func `refresh tells a cause that several share once, and in JSON all in one object`() throws {
        func failed(_ name: String, _ status: Int) -> String {
            #"{"collection":"\#(name)","outcome":"failed","meta":{"collection":"\#(name)","state":"ready","#
                + #""last_error":{"kind":"http_status","status":\#(status),"message":"Status \#(status)"}}}"#
        }
        let daemon = try ScriptedDaemon.answering([
            "refresh": #"{"collections":[\#(failed("a", 404)),\#(failed("b", 500)),\#(failed("c", 404))]}"#,
            "status": #"{"config_dir":"/srv/x","reload":"kill -HUP 7","collections":[]}"#,
        ])
        let run = Run(["refresh", "--wait"], daemon)
        #expect(run.code == .upstreamFailed)
        #expect(
            run.errors == """
                claimsctl: a, c: status 404
                  check source.url in /srv/x/collections.d/{a,c}.json5, then: kill -HUP 7
                claimsctl: b: status 500
                  the upstream has to be put right; it is asked again by itself; to try now: claimsctl refresh --collection b --wait

                """)
        let json = Run(["refresh", "--wait", "-o", "json"], daemon).errors
        #expect(json.split(separator: "\n").count == 1)
        let message = try JSONValue.parse(json)["error"]?["message"]?.string
        #expect(message == "a, c: status 404; b: status 500", "\(json)")
    }

    @Test func `refresh tells the cause of each site, and equal ones once`() throws {
        func failed(_ site: String) -> String {
            #"{"collection":"m","site":"\#(site)","outcome":"failed","meta":{"collection":"m","state":"ready","#
                + #""last_error":{"kind":"http_status","status":500,"site":"c","message":"Status 500"}}}"#
        }
        func state(_ site: String, _ status: Int) -> String {
            #"{"site":"\#(site)","last_error":{"kind":"http_status","status":\#(status),"site":"\#(site)","#
                + #""message":"Status \#(status)"}}"#
        }
        let daemon = try ScriptedDaemon.answering([
            "refresh": #"{"collections":[\#(failed("a")),\#(failed("b")),\#(failed("c"))]}"#,
            "status":
                #"{"collections":[{"name":"m","sites":[\#(state("a", 500)),\#(state("b", 502)),\#(state("c", 500))]}]}"#,
        ])
        let lines = Run(["refresh", "--wait"], daemon).errors.split(separator: "\n").filter {
            $0.hasPrefix("claimsctl")
        }
        #expect(lines == ["claimsctl: m, a, c: status 500", "claimsctl: m, b: status 502"])
    }

    @Test(arguments: ["unchanged", "updated"])
    func `records without what a join fills in are told, and end with 11`(outcome: String) throws {
        let meta =
            #"{"collection":"units","state":"ready","freshness":"fresh","last_error":{"kind":"join","status":500,"#
            + #""message":"The second request, which fills in fields, failed: the server answered 500"}}"#
        let daemon = try ScriptedDaemon.answering([
            "refresh": #"{"collections":[{"collection":"units","outcome":"\#(outcome)","meta":\#(meta)}]}"#,
            "status": #"{"config_dir":"/srv/x","reload":"kill -HUP 7","collections":[]}"#,
        ])
        let run = Run(["refresh", "--unit", "--wait"], daemon)
        #expect(run.code == .upstreamFailed && run.output.contains(outcome))
        #expect(
            run.errors == """
                claimsctl: units: the second request, which fills in fields, failed: the server answered 500
                  the upstream has to be put right; it is asked again by itself; to try now: claimsctl refresh --collection units --wait

                """)
    }

    @Test func `refresh tells the outcome, and a failure with what to do`() throws {
        let meta =
            #"{"collection":"units","state":"ready","freshness":"stale","last_error":{"kind":"http_status","status":404,"message":"The server answered 404","at":"2026-11-20T08:01:00Z"}}"#
        let result =
            #"{"collections":[{"collection":"packs","outcome":"updated","added":1200,"updated":0,"removed":1,"quarantined":0,"meta":\#(Example.meta("packs"))},"#
            + #"{"collection":"units","outcome":"failed","meta":\#(meta)}]}"#
        let daemon = try ScriptedDaemon.answering(["refresh": result])
        let run = Run(["refresh", "--wait", "--force", "--accept"], daemon)
        #expect(run.code == .upstreamFailed)
        #expect(
            run.output
                == "collection\toutcome\tadded\tupdated\tremoved\tquarantined\npacks\tupdated\t1200\t0\t1\t0\nunits\tfailed\t\t\t\t\n"
        )
        #expect(
            run.errors
                == "claimsctl: units: the server answered 404\n  check source.url in /etc/claimsd/collections.d/units.json5\n"
        )
        #expect(daemon.parameters(of: "refresh") == [#"{"wait":true,"force":true,"accept":true}"#])
        #expect(Run(["refresh", "--unit"], daemon).code == .done)
        #expect(Run(["refresh", "unit"], daemon).code == .usage)
    }
}
