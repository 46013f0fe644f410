// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsPlatform
@testable import ClaimsTerminal
import ClaimsTestSupport
import Glibc
import Synchronization
import Testing

/// `changes`, `watch` and `wait` against a daemon that answers by a script.
struct FollowingCommandTests {
    private static let ended =
        #"{"type":"ended","error":{"code":1,"message":"unknown field 'x'","data":{"kind":"bad_filter"}}}"#

    private static func event(_ params: String, subscription: Int = 1) -> String {
        #"{"method":"event","params":{"subscription":\#(subscription),\#(params.dropFirst())}"#
    }

    private static func added(_ id: String, clock: String? = nil, seq: Int = 1, cause: String = "refresh") -> String {
        let end = clock.map { #","complete":true,"clock":"\#($0)""# } ?? ""
        return
            #"{"type":"changes","changes":[{"op":"added","id":"\#(id)","seq":\#(seq),"at":"2026-11-20T08:01:02.000Z","#
            + #""cause":"\#(cause)","record":{"id":"\#(id)"}}]\#(end)}"#
    }

    private static func bytes(_ lines: [String]) -> [UInt8] { Array(lines.map { $0 + "\n" }.joined().utf8) }

    /// A daemon that answers the N-th subscription with the N-th list of events, and closes the connection after each
    /// but the last.
    private static func daemon(
        _ subscriptions: [[String]], _ more: @escaping @Sendable (ScriptedDaemon.Request) -> String? = { _ in nil }
    ) throws -> ScriptedDaemon {
        let next = Mutex(0)
        return try ScriptedDaemon { request in
            if let result = more(request) { return .lines([request.result(result)]) }
            guard request.method == "subscribe" else {
                return .lines([request.error("unknown_method", "no method '\(request.method)'")])
            }
            let index = next.withLock { number in
                defer { number += 1 }
                return number
            }
            let clock = request.params["since"] == nil && request.params["initial"] == nil ? #""clock":"e.1-a","# : ""
            let result = request.result(#"{"subscription":1,\#(clock)"meta":\#(Example.meta("units"))}"#)
            let lines = [result] + subscriptions[min(index, subscriptions.count - 1)].map { event($0) }
            return index < subscriptions.count - 1 ? .lastBytes(bytes(lines)) : .lines(lines)
        }
    }

    @Test func `watch in a pipe prints each entry once over lost connections`() throws {
        let daemon = try Self.daemon([
            [Self.added("1", clock: "e.2-a"), Self.added("2")],
            [Self.added("2", clock: "e.3-a"), #"{"type":"lagged","clock":"e.3-a"}"#],
            [Self.added("3", clock: "e.4-a"), Self.ended],
        ])
        let run = Run(["watch", "--unit", "status=ok", "--fields", "name"], daemon)
        #expect(run.code == .usage && run.errors.contains("unknown field 'x'"), "\(run.errors)")
        #expect(
            run.errors.hasPrefix("claimsctl: the daemon has gone away; waiting for it\nclaimsctl: the daemon is back"))
        #expect(run.output.split(separator: "\n").map { $0.contains(#""op":"added","id":"#) } == [true, true, true])
        #expect(
            daemon.parameters(of: "subscribe") == [
                #"{"collection":"unit","filter":"status=ok","fields":["name"]}"#,
                #"{"collection":"unit","filter":"status=ok","fields":["name"],"since":"e.2-a"}"#,
                #"{"collection":"unit","filter":"status=ok","fields":["name"],"since":"e.3-a"}"#,
            ])
    }

    @Test func `watch begins a set that was cut off again, with its line`() throws {
        let begin = #"{"type":"fresh_instance","reason":"start"}"#
        let daemon = try Self.daemon([
            [begin, #"{"type":"changes","changes":[{"op":"added","id":"1","record":{"id":"1"}}]}"#],
            [begin, #"{"type":"synced","total":0,"clock":"e.2-a"}"#, Self.ended],
        ])
        let run = Run(["watch", "--unit", "--initial", "-q"], daemon)
        let line = #"{"op":"fresh_instance","collection":"units","reason":"start"}"#
        #expect(
            run.output.split(separator: "\n").map(String.init) == [
                line, #"{"op":"added","id":"1","record":{"id":"1"}}"#, line,
            ])
        #expect(
            daemon.parameters(of: "subscribe") == Array(repeating: #"{"collection":"unit","initial":true}"#, count: 2))
    }

    @Test func `watch on a terminal shows the list again after an event`() throws {
        let page =
            #"{"records":[{"id":"7","name":"Pump"}],"total":1,"labels":{},"meta":\#(Example.meta("units"))}"#
        let daemon = try Self.daemon([[Self.added("1", clock: "e.2-a"), Self.ended]]) { request in
            switch request.method {
            case "search": page
            case "describe": #"{"collections":[\#(Example.units)]}"#
            default: nil
            }
        }
        let run = Run(["watch", "--unit"], daemon, terminal: 60)
        #expect(run.output.contains("\u{1B}[H") && run.output.contains("Pump") && run.output.contains("1 unit"))
        // Where the cursor cannot be moved, each state stands below the one before.
        let dumb = Run(["watch", "--unit"], daemon, terminal: 60, environment: ["TERM": "dumb"])
        #expect(!dumb.output.contains("\u{1B}") && dumb.output.contains("Pump"))
        #expect(daemon.parameters(of: "search").first?.contains(#""limit":21"#) == true)
    }

    @Test func `watch says what it cannot do`() throws {
        #expect(Run(["watch"]).code == .usage)
        #expect(Run(["watch", "--unit", "--since", "e.1", "--initial"]).code == .usage)
        #expect(Run(["watch", "--unit", "-o", "csv"]).code == .usage)
        #expect(Run(["watch", "--unit", "--sort", "name"]).code == .usage)
        #expect(Run(["watch", "--unit"], environment: ["CLAIMSD_SOCKET": "/nonexistent/socket"]).code == .unreachable)
    }

    @Test func `wait ends with the commit that brings a record`() throws {
        let count = #"{"total":0,"meta":\#(Example.meta("units", #","clock":"e.1""#))}"#
        let subscriptions = Mutex(0)
        let daemon = try ScriptedDaemon { request in
            // A commit after the moment that was counted.
            if request.method == "count" {
                return .lines([request.result(count), Self.event(Self.added("1", clock: "e.2-a"))])
            }
            let answer = request.result(#"{"subscription":1,"clock":"e.1-a","meta":\#(Example.meta("units"))}"#)
            let number = subscriptions.withLock { number in
                number += 1
                return number
            }
            return number == 1 ? .lastBytes(Self.bytes([answer])) : .lines([answer])
        }
        let run = Run(["wait", "--unit", "pump", "--until", "status=ok", "--timeout", "20s"], daemon)
        #expect(run.code == .done && run.output.isEmpty && run.errors.isEmpty)
        #expect(
            daemon.parameters(of: "subscribe").first
                == #"{"collection":"unit","filter":"(pump) and (status=ok)","fields":["id"]}"#)
        #expect(daemon.parameters(of: "subscribe").count == 2, "a daemon that goes away is waited for")
    }

    @Test func `wait ends at its timeout, and is silent`() throws {
        let count = #"{"total":0,"meta":\#(Example.meta("units", #","clock":"e.1""#))}"#
        let daemon = try Self.daemon([[]]) { request in request.method == "count" ? count : nil }
        let run = Run(["wait", "--unit", "--until", "status=ok", "--timeout", "50ms"], daemon)
        #expect(run.code == .timeout && run.output.isEmpty && run.errors.isEmpty)
        let none = Run(
            ["wait", "--unit", "--until", "status=ok", "--none", "--for", "20ms", "--timeout", "20s"], daemon)
        #expect(none.code == .done)
    }

    @Test(.timeLimit(.minutes(1))) func `wait ends at its timeout, however many events come`() throws {
        let count = #"{"total":0,"meta":\#(Example.meta("units", #","clock":"e.1""#))}"#
        let news = Self.event(#"{"type":"state","change":"unchanged"}"#)
        for beginning in ["subscribe", "count"] {
            let daemon = try ScriptedDaemon { request in
                let answer = request.method == "count" ? count : #"{"subscription":1}"#
                let line = request.result(answer)
                return request.method == beginning ? .endless([line, news]) : .lines([line])
            }
            let run = Run(["wait", "--unit", "--until", "status=ok", "--timeout", "200ms"], daemon)
            #expect(run.code == .timeout && run.output.isEmpty && run.errors.isEmpty, "\(run.errors)")
            #expect(daemon.parameters(of: "subscribe").count == 1)
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["subscribe", "count"], ["\n", "x"])
    func `wait ends at its timeout, also where bytes come that are no line`(_ beginning: String, _ bytes: String) throws
    {
        let daemon = try ScriptedDaemon { request in
            request.method == beginning
                ? .endlessBytes(Array(bytes.utf8)) : .lines([request.result(#"{"subscription":1}"#)])
        }
        let run = Run(["wait", "--unit", "--until", "status=ok", "--timeout", "200ms"], daemon)
        #expect(run.code == .timeout && run.output.isEmpty && run.errors.isEmpty, "\(run.errors)")
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: ["", #"{"id":4711,"result":{}}"#, #"{"method":"event","params":{"type":"later"}}"#])
    func `watch ends at its timeout where the subscription is not answered`(line: String) throws {
        let daemon = try ScriptedDaemon { _ in .endless([line]) }
        let run = Run(["watch", "--unit", "--timeout", "200ms"], daemon)
        #expect(run.code == .timeout && run.errors.contains("no answer within 200ms"), "\(run.errors)")
        let screen = Run(["watch", "--unit", "--timeout", "200ms"], daemon, terminal: 80)
        #expect(screen.code == .timeout && screen.output.isEmpty, "\(screen.errors)")
    }

    @Test func `wait for all counts both filters at one clock`() throws {
        let asked = Mutex(0)
        let daemon = try ScriptedDaemon { request in
            guard request.method == "count" else {
                return .lines([request.result(#"{"subscription":1,"clock":"e.1-a","meta":\#(Example.meta("units"))}"#)])
            }
            let number = asked.withLock { number in
                number += 1
                return number
            }
            // The second pair is of one clock.
            let isOther = request.params["filter"]?.string?.contains("not") == true
            let clock = number == 2 ? "e.2" : "e.3"
            let meta = Example.meta("units", #","clock":"\#(clock)""#)
            return .lines([request.result(#"{"total":\#(isOther ? 0 : 3),"meta":\#(meta)}"#)])
        }
        #expect(
            Run(["wait", "--unit", "pump", "--until", "status=ok", "--all", "--timeout", "20s"], daemon).code == .done)
        #expect(daemon.parameters(of: "count").count == 4)
        #expect(daemon.parameters(of: "count")[1].contains("(pump) and not (status=ok)"))
    }

    @Test func `wait says what it cannot do`() throws {
        #expect(Run(["wait", "--unit"]).code == .usage)
        #expect(Run(["wait", "--until", "status=ok"]).code == .usage)
        #expect(Run(["wait", "--unit", "--until", "a=b", "--all", "--none"]).code == .usage)
        let gone = ["CLAIMSD_SOCKET": "/nonexistent/socket"]
        #expect(Run(["wait", "--unit", "--until", "a=b", "--timeout", "1h"], environment: gone).code == .unreachable)
    }

    private static let pages = [
        #"{"changes":[{"op":"added","id":"1","record":{"id":"1"}}],"meta":\#(Example.meta("units")),"more":true,"#
            + #""next":"n","fresh_instance":true,"reasons":{"units":"start"}}"#,
        #"{"changes":[{"op":"updated","id":"2","seq":9,"at":"2026-11-20T08:01:02.000Z","cause":"refresh","#
            + #""changed":["status"],"was":{"status":"ok"},"record":{"id":"2","status":"faulty"}}],"#
            + #""meta":\#(Example.meta("units")),"more":false,"clock":"e.9-a"}"#,
    ]

    private static func changes() throws -> ScriptedDaemon {
        try ScriptedDaemon { request in
            .lines([request.result(pages[request.params["cursor"] == nil ? 0 : 1])])
        }
    }

    @Test func `changes prints all pages in every format`() throws {
        let daemon = try Self.changes()
        #expect(
            Run(["changes", "--unit", "-o", "jsonl"], daemon).output.split(separator: "\n").map(String.init) == [
                #"{"op":"fresh_instance","collection":"units","reason":"start"}"#,
                #"{"op":"added","id":"1","record":{"id":"1"}}"#,
                #"{"op":"updated","id":"2","seq":9,"at":"2026-11-20T08:01:02.000Z","cause":"refresh","#
                    + #""changed":["status"],"was":{"status":"ok"},"record":{"id":"2","status":"faulty"}}"#,
            ])
        let json = try Example.value(Run(["changes", "--unit", "-o", "json"], daemon).output)
        #expect(json["changes"]?.elements.count == 2 && json["clock"]?.string == "e.9-a")
        #expect(json["reasons"]?["units"]?.string == "start" && json["schema_version"]?.integer == 1)
        #expect(Run(["changes", "--unit", "-o", "name"], daemon).output == "1\n2\n")
        #expect(
            Run(["changes", "--unit"], daemon).output == """
                seq\tat\top\tid\tcause\treason\tchanged
                \t\tfresh_instance\t\t\tstart\t
                \t\tadded\t1\t\t\t
                9\t2026-11-20T08:01:02.000Z\tupdated\t2\trefresh\t\tstatus

                """)
        #expect(Run(["changes", "--unit"], daemon, terminal: 100).output.contains("status: ok → faulty"))
        #expect(daemon.parameters(of: "changes").suffix(2).first == #"{"collection":"unit"}"#)
        #expect(daemon.parameters(of: "changes").last == #"{"collection":"unit","cursor":"n"}"#)
    }

    @Test func `changes keeps the clock in its file and goes on from there`() throws {
        let folder = try TemporaryFolder()
        let file = folder("clock")
        let daemon = try Self.changes()
        func run(_ more: String...) -> Run {
            Run(["changes", "--unit", "-o", "jsonl", "--cursor-file", file] + more, daemon)
        }
        #expect(run("--since", "now").code == .done)
        #expect(daemon.parameters(of: "changes").first == #"{"collection":"unit","since":"now"}"#)
        #expect(try folder.read("clock") == "e.9-a\n")
        #expect(run("--since", "now").code == .done)
        #expect(daemon.parameters(of: "changes").dropFirst(2).first == #"{"collection":"unit","since":"e.9-a"}"#)
        #expect(try Directory.list(folder.path) == ["clock"])
    }

    @Test func `changes leaves the file alone after any failure`() throws {
        let folder = try TemporaryFolder()
        try folder.write("clock", "e.1-a\n")
        let daemon = try ScriptedDaemon { request in
            request.params["cursor"] == nil
                ? .lines([request.result(Self.pages[0])]) : .lines([request.error("internal", "broken")])
        }
        #expect(Run(["changes", "--unit", "--cursor-file", folder("clock")], daemon).code == .failure)
        #expect(try folder.read("clock") == "e.1-a\n")
        for text in ["", "\n", "no clock\n", "e.1\ne.2\n", "clock", String(repeating: ".", count: 5000)] {
            try folder.write("clock", text)
            let run = Run(["changes", "--unit", "--cursor-file", folder("clock")], daemon)
            #expect(run.code == .usage && run.errors.contains("holds no clock"), "\(run.errors)")
            #expect(try folder.read("clock") == text)
        }
    }

    @Test func `changes replaces the file that a link leads to`() throws {
        let folder = try TemporaryFolder()
        try Directory.create(folder("kept"))
        #expect(unsafe symlink("kept/clock", folder("link")) == 0)
        #expect(Run(["changes", "--unit", "--cursor-file", folder("link")], try Self.changes()).code == .done)
        #expect(try folder.read("kept/clock") == "e.9-a\n")
        #expect(Files.readLink(folder("link")) == "kept/clock")
    }
}
