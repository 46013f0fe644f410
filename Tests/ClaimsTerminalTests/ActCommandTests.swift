// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsTestSupport
import Testing

@testable import ClaimsTerminal

@Suite struct ActCommandTests {
    @Test(arguments: [
        ["act", "renew", "--form", "7", "8", "title=x"], ["renew", "--form", "7", "8", "title=x"],
        ["renew", "forms/7", "forms/8", "title=x"],
    ]) func `an action is named after act, or in the place of a verb`(arguments: [String]) throws {
        let daemon = try WritingExample.daemon()
        let run = Run(arguments, daemon, input: "")
        #expect(run.code == .done, "\(run)")
        let collection = arguments.contains("--form") ? "form" : "forms"
        #expect(
            daemon.submitted()
                == ["7", "8"].map {
                    #"{"collection":"\#(collection)","action":"renew","id":"\#($0)","fields":{"title":"x"}}"#
                })
    }

    @Test func `the actions of a collection are described with their fields and files`() throws {
        let run = Run(["describe", "--form"], try WritingExample.daemon(), terminal: 80)
        let text = run.output.withoutColors()
        #expect(
            text.contains(
                """
                Actions, done on this host
                create  kind*, title*, amount, links, files (png, pdf, at most 1.0 MiB)

                """), "\(text)")
        #expect(text.contains("renew  title, where kind=card\n"))
    }

    @Test func `a word that is neither verb nor action names the nearest of both`() throws {
        let daemon = try WritingExample.daemon()
        let run = Run(["renw", "--form", "7"], daemon, input: "")
        #expect(
            run.code == .usage && run.errors == "claimsctl: unknown verb 'renw'\n  did you mean 'renew'?\n", "\(run)")
        #expect(Run(["serach", "--form", "7"], daemon, input: "").errors.contains("did you mean 'search'?"))
        #expect(Run(["serach", "water"], nil, environment: ["CLAIMSD_SOCKET": "/nowhere"], input: "").code == .usage)
        #expect(daemon.submitted().isEmpty)
    }

    @Test func `what is refused of one record keeps no other back`() throws {
        let daemon = try WritingExample.daemon { request in
            guard request.method == "submit", request.params["id"]?.string == "7" else { return nil }
            return .lines([request.error("not_allowed", "only for cards", data: #","filter":"kind=card""#)])
        }
        let run = Run(["renew", "--form", "7", "8"], daemon, input: "")
        #expect(run.code == .conflict && run.errors == "claimsctl: 7: only for cards\n", "\(run)")
        #expect(run.output.contains("\n8\t"))
        let json = Run(["renew", "--form", "7", "-o", "json"], daemon, input: "")
        #expect(try JSONValue.parse(json.errors)["error"]?["filter"]?.string == "kind=card")
    }

    @Test(arguments: ["y", "yes"]) func `a yes on the terminal deletes`(answer: String) throws {
        let daemon = try WritingExample.daemon()
        let run = Run(["delete", "--form", "7", "8"], daemon, terminal: 80, typed: [answer])
        #expect(run.code == .done && run.errors == "Delete 2 forms: 7, 8? [y/N] ", "\(run)")
        #expect(daemon.submitted().count == 2)
        #expect(run.output.hasPrefix("deleted form 7; operation "))
    }

    @Test func `anything else does not, and without a terminal it needs a yes on the line`() throws {
        let daemon = try WritingExample.daemon()
        #expect(Run(["delete", "--form", "7"], daemon, terminal: 80, typed: ["no"]).code == .failure)
        #expect(Run(["delete", "--form", "7"], daemon, input: "").code == .usage)
        #expect(daemon.submitted().isEmpty)
        #expect(Run(["delete", "--form", "7", "--yes"], daemon, input: "").code == .done)
        #expect(daemon.submitted() == [#"{"collection":"form","action":"delete","id":"7"}"#])
    }

    @Test(arguments: ["create", "update", "delete"]) func `what has a verb of its own is no action`(name: String) throws
    {
        let daemon = try WritingExample.daemon()
        #expect(Run(["act", name, "--form", "7"], daemon, input: "").code == .usage)
        #expect(daemon.submitted().isEmpty)
    }

    @Test func `one name of an operation is not for several records`() throws {
        let op = "0192f3a1-0000-7000-8000-000000000001"
        #expect(Run(["renew", "--form", "7", "8", "--op", op], try WritingExample.daemon(), input: "").code == .usage)
    }

    @Test(arguments: [
        ("accepted", ExitCode.done), ("confirmed", .done), ("rejected", .upstreamFailed), ("held", .upstreamFailed),
    ]) func `waiting ends once the upstream has said something`(state: String, code: ExitCode) throws {
        let daemon = try WritingExample.daemon(to: "upstream") { request in
            let op = request.params["ops"]?.array?.first?.string ?? ""
            switch (request.method, request.params["action"]?.string) {
            case ("submit", _): return .lines([request.result(WritingExample.outcome(of: request, state: "queued"))])
            case ("outbox", "wait"):
                let progress = #"{"request":\#(request.id),"op":"\#(op)","sent":1,"size":2}"#
                return .lines([#"{"method":"progress","params":\#(progress)}"#, request.result(#"{"operations":[]}"#)])
            case ("outbox", "get"):
                let operation = #"{"op":"\#(op)","id":"77","state":"\#(state)","message":"status 422"}"#
                return .lines([request.result(#"{"operations":[\#(operation)]}"#)])
            default: return nil
            }
        }
        let run = Run(["renew", "--form", "7", "--wait"], daemon, input: "")
        #expect(run.code == code && run.output.hasSuffix("\t\(state)\n"), "\(run)")
        if code != .done { #expect(run.errors.contains("status 422") && run.errors.contains("claimsctl outbox get")) }
        let line = Run(["renew", "--form", "7", "--wait", "-o", "table"], daemon, input: "").output
        #expect(line.hasPrefix(code == .done ? "renew form 77; operation " : "form 77; operation "), "\(line)")
        let last = line.split(separator: ";").last
        #expect(last?.hasPrefix(" \(state)") == true, "the outcome comes last: \(line)")
        let json = try JSONValue.parse(Run(["renew", "--form", "7", "--wait", "-o", "json"], daemon, input: "").output)
        #expect(json["state"]?.string == state && json["id"]?.string == "77")
    }
}
