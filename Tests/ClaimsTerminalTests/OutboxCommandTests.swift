// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsTestSupport
import Testing

@testable import ClaimsTerminal

@Suite struct OutboxCommandTests {
    private static let first = "0192f3a1-0000-7001-8000-000000000001"
    private static let second = "0192f3a1-0000-7002-8000-000000000002"
    private static let third = "0192f3b2-0000-7000-8000-000000000003"

    private static let settled = "0192f3b2-0000-7000-8000-000000000009"

    private static func operation(_ op: String, _ state: String, _ more: String = "") -> String {
        #"{"op":"\#(op)","collection":"forms","id":"7","action":"update","fields":["title"],"state":"\#(state)","#
            + #""attempts":2,"submitted_at":"2026-11-20T08:03:02.000Z","submitted_by":"anna"\#(more)}"#
    }

    private func daemon() throws -> ScriptedDaemon {
        try WritingExample.daemon(to: "upstream") { request in
            guard request.method == "outbox" else { return nil }
            switch request.params["action"]?.string {
            case nil where request.params["state"]?.string == "rejected":
                let waiting = Self.operation(Self.second, "rejected")
                return .lines([request.result(#"{"operations":[\#(waiting)],"total":1}"#)])
            case nil:
                let operations = [
                    Self.operation(Self.third, "queued", #","next_try":"2026-11-20T08:13:42.000Z""#),
                    Self.operation(Self.second, "rejected", #","message":"status 422: no\u001b[31m""#),
                    Self.operation(Self.first, "held", #","reason":"operator""#),
                    request.params["state"] == nil ? Self.operation(Self.settled, "confirmed") : nil,
                ].compactMap(\.self).joined(separator: ",")
                let paused =
                    #"[{"origin":"https://d.example","since":"2026-11-20T08:00:00.000Z","reason":"no credential","#
                    + #""next_try":"2026-11-20T08:14:02.000Z"}]"#
                return .lines([request.result(#"{"operations":[\#(operations)],"total":3,"paused":\#(paused)}"#)])
            case "get":
                let more =
                    #","values":{"title":"New","notes":null},"before":{"title":"Old"},"#
                    + #""answer":{"status":422,"body":"no"},"#
                    + #""log":[{"attempt":1,"at":"2026-11-20T08:04:02.000Z","state":"rejected","status":422}]"#
                let op = request.params["ops"]?.array?.first?.string ?? ""
                return .lines([request.result(#"{"operations":[\#(Self.operation(op, "rejected", more))]}"#)])
            default:
                return .lines([
                    request.result(
                        #"{"changed":["\#(Self.third)"],"refused":[{"op":"\#(Self.first)","state":"sending"}],"#
                            + #""missing":[],"clock":"1.9"}"#)
                ])
            }
        }
    }

    @Test func `on a narrow terminal a record's name, which is never cut, is the title of a card`() throws {
        let run = Run(["outbox"], try daemon(), terminal: 40, typed: [])
        #expect(
            run.output.withoutColors().hasPrefix(
                """
                forms/7                           queued
                  next try in 40 s
                  0192f3b2-0000-7000 · action update
                  age 10 min

                """), "\(run.output)")
    }

    @Test func `the list shows as much of a name as tells operations apart, and where nothing is sent to`() throws {
        let run = Run(["outbox"], try daemon(), terminal: 80, typed: [])
        #expect(
            run.output.withoutColors() == """
                OP                  RECORD   ACTION  STATE     MESSAGE                    AGE
                0192f3b2-0000-7000  forms/7  update  queued    next try in 40 s        10 min
                0192f3a1-0000-7002  forms/7  update  rejected  status 422: no\\x1b[31m  10 min
                0192f3a1-0000-7001  forms/7  update  held      operator                10 min

                """)
        #expect(run.errors.contains("3 operations\n"))
        #expect(run.errors.contains("https://d.example is paused: no credential; next try in 1 min"), "\(run.errors)")
        let piped = Run(["outbox"], try daemon(), input: "")
        #expect(piped.output.contains("\(Self.second)\tforms\t7\tupdate\trejected\t"))
    }

    @Test func `an action of a definition has its title, and a state the word that other verbs have for it`() throws {
        let daemon = try WritingExample.daemon(to: "upstream") { request in
            guard request.method == "outbox" else { return nil }
            let operations = [
                Self.operation(Self.second, "accepted").replacing("update", with: "renew"),
                Self.operation(Self.first, "held"),
            ].joined(separator: ",")
            let paused =
                #"[{"origin":"https://d.example","since":"2026-11-20T08:00:00.000Z","reason":"Requests fail.","#
                + #""next_try":"2026-11-20T08:14:02.000Z"}]"#
            return .lines([request.result(#"{"operations":[\#(operations)],"total":2,"paused":\#(paused)}"#)])
        }
        let polish = Run(["outbox", "--lang", "pl"], daemon, terminal: 120, typed: [])
        let text = polish.output.withoutColors()
        #expect(text.contains("  renew  "), "\(text)")
        #expect(text.contains("  zmiana  ") && text.contains("przyjęta") && text.contains("wstrzymana"), "\(text)")
        #expect(polish.errors.contains("https://d.example wstrzymano: requests fail; następna"), "\(polish.errors)")
        #expect(Run(["outbox"], daemon, input: "").output.contains("\trenew\taccepted\t"))
        let one = Run(["outbox", "get", Self.second, "--lang", "pl"], daemon, terminal: 80, typed: [])
        #expect(one.output.withoutColors().contains("przyjęta"), "\(one.output)")
        // Nobody is asked for titles that nobody needs.
        let plain = try self.daemon()
        _ = Run(["outbox"], plain, terminal: 80, typed: [])
        #expect(plain.parameters(of: "describe").isEmpty)
    }

    @Test func `an operation is shown with its values, the answer and the attempts`() throws {
        let run = Run(["outbox", "get", Self.second], try daemon(), terminal: 80, typed: [])
        let text = run.output.withoutColors()
        #expect(text.contains("Values\ntitle  New (before: Old)\nnotes  none\n"), "\(text)")
        #expect(text.contains("Answer\nstatus  422\nbody    no\n"), "\(text)")
        #expect(text.contains("rejected, status 422\n"), "\(text)")
    }

    @Test func `what waits or needs somebody is listed, with all of them the settled ones, too`() throws {
        let daemon = try daemon()
        let some = Run(["outbox"], daemon, input: "")
        #expect(daemon.parameters(of: "outbox").last == #"{"state":"unsettled","limit":1000}"#)
        #expect(!some.output.contains("confirmed"))
        let all = Run(["outbox", "--all"], daemon, input: "")
        #expect(daemon.parameters(of: "outbox").last == #"{"limit":1000}"#)
        #expect(all.output.contains("\(Self.settled)\tforms\t7\tupdate\tconfirmed\t"))
    }

    @Test func `a beginning that is printed names the operation among those that are not shown, too`() throws {
        let run = Run(["outbox", "--state", "rejected"], try daemon(), terminal: 80, typed: [])
        #expect(run.output.withoutColors().contains("0192f3a1-0000-7002  forms/7"), "\(run.output)")
    }

    @Test func `what waits for another says for which, as long as tells them apart`() throws {
        let daemon = try WritingExample.daemon(to: "upstream") { request in
            guard request.method == "outbox" else { return nil }
            let waiting = Self.operation(Self.second, "queued", #","waits_for":"\#(Self.first)""#)
            return .lines([request.result(#"{"operations":[\#(waiting)],"total":1}"#)])
        }
        let run = Run(["outbox"], daemon, terminal: 100, typed: [])
        #expect(run.output.withoutColors().contains("waits for 0192f3a1-0000-7001 "), "\(run.output)")
    }

    @Test(arguments: [
        ("uncertain", "--as done"), ("conflict", "--as mine"), ("rejected", "--as done"), ("held", "--as done"),
    ])
    func `a retry that is refused for good points at what goes on`(state: String, way: String) throws {
        let daemon = try WritingExample.daemon(to: "upstream") { request in
            guard request.method == "outbox" else { return nil }
            let resolve = ["rejected", "held"].contains(state) ? #","resolve":["done","again"]"# : ""
            let refused = #"[{"op":"\#(Self.first)","state":"\#(state)"\#(resolve)}]"#
            return .lines([request.result(#"{"changed":[],"refused":\#(refused),"missing":[],"clock":"1.9"}"#)])
        }
        let retry = Run(["outbox", "retry", Self.first], daemon, input: "")
        #expect(retry.code == .conflict)
        #expect(retry.errors.contains("claimsctl outbox resolve \(Self.first) \(way)"), "\(retry.errors)")
        #expect(!Run(["outbox", "drop", Self.first], daemon, input: "").errors.contains("resolve"))
    }

    @Test func `a conflict is shown with what the upstream has`() throws {
        let daemon = try WritingExample.daemon(to: "upstream") { request in
            guard request.method == "outbox" else { return nil }
            let more = #","values":{"title":"New"},"before":{"title":"Old"},"theirs":{"title":"Other","notes":null}"#
            return .lines([request.result(#"{"operations":[\#(Self.operation(Self.first, "conflict", more))]}"#)])
        }
        let text = Run(["outbox", "get", Self.first], daemon, terminal: 80, typed: []).output.withoutColors()
        #expect(text.contains("Values\ntitle  New (before: Old)\n"), "\(text)")
        #expect(text.contains("At the upstream\ntitle  Other\nnotes  none\n"), "\(text)")
    }

    @Test func `an operation is named by its beginning where only one has it`() throws {
        let daemon = try daemon()
        let run = Run(["outbox", "hold", "0192F3B2"], daemon, input: "")
        #expect(run.code == .conflict && run.output.contains("\(Self.third)\tchanged\n"), "\(run)")
        #expect(run.errors.contains("does not allow 'hold'") && run.errors.contains("\(Self.first) (sending)"))
        #expect(daemon.parameters(of: "outbox").last == #"{"action":"hold","ops":["\#(Self.third)"]}"#)
        let several = Run(["outbox", "hold", "0192f3a1"], daemon, input: "")
        #expect(several.code == .usage && several.errors.contains("several operations begin with '0192f3a1'"))
        #expect(Run(["outbox", "hold", "0192f3ff"], daemon, input: "").code == .notFound)
        #expect(Run(["outbox", "hold", "0192"], daemon, input: "").code == .usage)
    }

    @Test func `a corrected value goes with the retry, read by its field's type`() throws {
        let daemon = try daemon()
        _ = Run(["outbox", "retry", Self.second, "amount=2.50", "title=x"], daemon, input: "")
        #expect(
            daemon.parameters(of: "outbox").contains(
                #"{"action":"retry","ops":["\#(Self.second)"],"fields":{"amount":2.50,"title":"x"}}"#))
        #expect(Run(["outbox", "retry", Self.first, Self.second, "title=x"], daemon, input: "").code == .usage)
    }

    @Test func `a doubt is ended in a way that is named`() throws {
        let daemon = try daemon()
        _ = Run(["outbox", "resolve", Self.third, "--as", "done", "--id", "77"], daemon, input: "")
        #expect(
            daemon.parameters(of: "outbox").last
                == #"{"action":"resolve","ops":["\#(Self.third)"],"as":"done","id":"77"}"#)
        #expect(Run(["outbox", "resolve", Self.third], daemon, input: "").code == .usage)
        #expect(Run(["outbox", "resolve", Self.third, "--as", "theirs"], daemon, input: "").code == .usage)
        #expect(Run(["outbox", "drop", Self.third, "--as", "done"], daemon, input: "").code == .usage)
    }

    @Test(arguments: [["outbox", "hold"], ["outbox", "lits"], ["outbox", "list", "x"], ["outbox", "get"]])
    func `a line that names no operation, or no action, is a usage error`(arguments: [String]) throws {
        #expect(Run(arguments, try daemon(), input: "").code == .usage)
    }

    @Test func `status says how many operations are under way, and which need attention`() throws {
        let result =
            #"{"version":"1.0","clock":"1.2","clients":1,"collections":[],"problems":[],"removed":[],"drift":{},"#
            + #""outbox":{"queued":2,"accepted":0,"stuck":1,"oldest_ms":7200000,"#
            + #""paused":[{"origin":"https://d.example","since":"2026-11-20T08:00:00.000Z","reason":"status 401","#
            + #""next_try":"2026-11-20T08:14:02.000Z"}]}}"#
        let run = Run(["status"], try ScriptedDaemon.answering(["status": result]), terminal: 80)
        #expect(
            run.output.withoutColors().hasSuffix(
                """

                outbox: 2 queued, 1 needs attention, the oldest from 2 h ago
                  to see them: claimsctl outbox --state stuck
                  https://d.example is paused: status 401; next try in 1 min

                """), "\(run.output)")
    }

    @Test func `operations can be selected by collection and state`() throws {
        let daemon = try daemon()
        _ = Run(["outbox", "retry", "--form", "--state", "held"], daemon, input: "")
        #expect(daemon.parameters(of: "outbox").contains(#"{"action":"retry","collection":"form","state":"held"}"#))
    }

    /// A daemon whose only operation waits behind one that waits for a person.
    private func waitingDaemon() throws -> ScriptedDaemon {
        try WritingExample.daemon(to: "upstream") { request in
            if request.method == "submit" {
                return .lines([request.result(WritingExample.outcome(of: request, state: "queued"))])
            }
            guard request.method == "outbox" else { return nil }
            if request.params["action"] == "retry" {
                let changed = #"["\#(Self.third)"]"#
                return .lines([request.result(#"{"changed":\#(changed),"refused":[],"missing":[],"clock":"1.9"}"#)])
            }
            let op = request.params["ops"]?.array?.first?.string ?? Self.third
            let waits = #","waits_for":"\#(Self.second)","stuck_behind":"\#(Self.first)""#
            return .lines([request.result(#"{"operations":[\#(Self.operation(op, "queued", waits))],"total":1}"#)])
        }
    }

    @Test func `an operation that waits behind one that needs a person says so wherever it is shown`() throws {
        let daemon = try waitingDaemon()
        let list = Run(["outbox"], daemon, terminal: 120, typed: []).output.withoutColors()
        #expect(list.contains("waits for 0192f3a1-0000-7001, which needs a person"), "\(list)")
        let retry = Run(["outbox", "retry", Self.third], daemon, input: "")
        #expect(retry.code == .done && retry.errors.contains("still waits for operation \(Self.first)"), "\(retry)")
        for line in [["edit", "--form", "7", "title=x", "--wait"], ["outbox", "wait", Self.third]] {
            let run = Run(line, daemon, terminal: 120, typed: [])
            #expect(run.code == .upstreamFailed, "\(run)")
        }
        let edit = Run(["edit", "--form", "7", "title=x", "--wait", "--lang", "pl"], daemon, terminal: 120, typed: [])
        #expect(edit.errors.contains("operacja \(Self.first) wymaga decyzji"), "\(edit.errors)")
    }

    @Test(arguments: [["resolve", "--as", "mine"], ["hold"]])
    func `a decision that the state does not allow says which one does`(_ words: [String]) throws {
        let daemon = try WritingExample.daemon(to: "upstream") { request in
            guard request.method == "outbox" else { return nil }
            let refused = #"[{"op":"\#(Self.first)","state":"uncertain"}]"#
            return .lines([request.result(#"{"changed":[],"refused":\#(refused),"missing":[],"clock":"1.9"}"#)])
        }
        let run = Run(["outbox", words[0], Self.first] + words.dropFirst(), daemon, input: "")
        #expect(run.code == .conflict)
        #expect(run.errors.contains("--as done; to send it again: --as again"), "\(run.errors)")
    }
}
