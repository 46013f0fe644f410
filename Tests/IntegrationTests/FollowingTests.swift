// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Glibc
import Testing

/// `changes`, `watch` and `wait` as processes, against a real daemon that goes away and comes back.
@Suite struct FollowingTests {
    private static func units(_ statuses: [String]) -> String {
        let records = statuses.enumerated().map { #"{"id":"\#($0 + 1)","name":"Pump","status":"\#($1)"}"# }
        return "[\(records.joined(separator: ","))]"
    }

    private func site(_ statuses: String...) throws -> Site { try Site(["units": Self.units(statuses)]) }

    private func value(_ line: String) throws -> JSONValue { try JSONValue.parse(Array(line.utf8)) }

    @Test func `watch prints each change once over a stop, a kill and a daemon that was away for long`() throws {
        let site = try site("ok", "ok")
        let watch = try FollowingProgram(
            ["watch", "--unit", "--initial", "--fields", "status", "-q"], socket: site.daemon.socket)
        let begin = try value(watch.readLine())
        #expect(begin["op"]?.string == "fresh_instance" && begin["reason"]?.string == "start")
        for id in ["1", "2"] { #expect(try value(watch.readLine())["id"]?.string == id) }
        func expectChange(_ id: String, to status: String) throws {
            let line = try watch.readLine()
            let entry = try value(line)
            #expect(entry["op"]?.string == "updated" && entry["id"]?.string == id, "\(line)")
            #expect(entry["record"]?["status"]?.string == status, "\(line)")
        }
        try site.serve("units", Self.units(["faulty", "ok"]))
        try expectChange("1", to: "faulty")
        try site.daemon.stop()
        try site.daemon.start()
        try site.serve("units", Self.units(["faulty", "faulty"]))
        try expectChange("2", to: "faulty")
        site.daemon.kill()
        try site.daemon.start()
        // Perhaps told while the program is away, and perhaps after it is back.
        try site.serve("units", Self.units(["ok", "faulty"]))
        try expectChange("1", to: "ok")
        try site.serve("units", Self.units(["ok", "ok"]))
        try expectChange("2", to: "ok")
        watch.signal(SIGINT)
        #expect(try watch.end() == 130)
    }

    @Test func `watch ends without a word when its reader has gone, though nothing happens`() throws {
        let site = try site("ok")
        let watch = try FollowingProgram(["watch", "--unit", "--initial"], socket: site.daemon.socket)
        _ = try watch.readLine()
        watch.closeOutput()
        #expect(try watch.end() == 0)
        #expect(try watch.errors() == "")
    }

    @Test func `wait ends when the condition holds, and not before`() throws {
        let site = try site("ok", "ok")
        let waiting = try FollowingProgram(
            ["wait", "--unit", "id=1", "--until", "status=faulty"], socket: site.daemon.socket)
        let all = try FollowingProgram(
            ["wait", "--unit", "--until", "status=faulty", "--all"], socket: site.daemon.socket)
        let none = try FollowingProgram(
            ["wait", "--unit", "--until", "status=ok", "--none", "--for", "200ms"], socket: site.daemon.socket)
        try site.serve("units", Self.units(["faulty", "ok"]))
        #expect(try waiting.end() == 0)
        #expect(!all.hasEnded && !none.hasEnded)
        try site.serve("units", Self.units(["faulty", "faulty"]))
        #expect(try all.end() == 0)
        #expect(try none.end() == 0)
        for program in [waiting, all, none] { #expect(try program.errors() == "") }
    }

    @Test func `wait in scripts tells by its exit code alone`() throws {
        let site = try site("ok")
        func run(_ arguments: String...) throws -> ControlProgram.Outcome {
            try ControlProgram.run(["wait"] + arguments, socket: site.daemon.socket)
        }
        for (arguments, code) in [
            (["--unit", "--until", "status=ok"], 0), (["--unit", "--until", "status=ok", "--all"], 0),
            (["--unit", "--until", "status=faulty", "--none"], 0),
            (["--unit", "--until", "status=faulty", "--timeout", "20ms"], 10),
            (["--unit", "--until", "status=ok", "--none", "--timeout", "20ms"], 10),
            (["--unit", "name=nobody", "--until", "status=ok", "--all", "--timeout", "20ms"], 10),
            (["--unit", "--until", "status=ok", "--for", "1h", "--timeout", "20ms"], 10),
            (["--unit", "--until", "status=ok", "--max-age", "1h"], 0),
            (["--unit", "--until", "status=ok", "--max-age", "0", "--timeout", "20ms"], 10),
            (["--document", "--until", "id=1", "--none", "--timeout", "20ms"], 10),
        ] as [([String], Int32)] {
            let run = try ControlProgram.run(["wait"] + arguments, socket: site.daemon.socket)
            #expect(run.code == code && run.output.isEmpty && run.error.isEmpty, "\(arguments): \(run)")
        }
        #expect(try run("--unit", "--until", "nothing=ok").code == 2)
        #expect(try run("--gadget", "--until", "status=ok").code == 2)
    }

    @Test func `changes with a file tells each change once, wherever a run is killed`() throws {
        let site = try site("ok")
        let folder = try TemporaryFolder()
        let arguments = ["changes", "--unit", "--fields", "status", "-o", "jsonl", "--cursor-file", folder("clock")]
        var generator = SeededGenerator(seed: 11)
        var held: [String: String] = [:]
        var clock: String?
        var statuses = Array(repeating: "ok", count: 40)
        var kills = 0
        for round in 0..<60 {
            let status = ["ok", "faulty", "not_reachable"][Int.random(in: 0..<3, using: &generator)]
            statuses[Int.random(in: 0..<40, using: &generator)] = status
            if round % 3 == 0 { try site.serve("units", Self.units(statuses)) }
            let output = try FileDescriptor.open(folder("output"), .create(permissions: 0o600))
            let process = try ChildProcess(
                BuiltProgram.path("claimsctl"), arguments,
                environment: BuiltProgram.environment(["CLAIMSD_SOCKET": site.daemon.socket]), output: output.raw)
            let isLast = round == 59
            let time: Duration = isLast ? .seconds(60) : .microseconds(Int.random(in: 0...25_000, using: &generator))
            if try !process.hasEnded(within: time) {
                process.signal(SIGKILL)
                kills += 1
            }
            _ = process.wait()
            let now = try? folder.read("clock")
            if let now, now != clock {
                #expect(now.hasSuffix("\n"))
                // The output of this run counts, and all of it is there.
                try apply(folder.read("output"), to: &held)
                clock = now
            }
            Files.remove(folder("output"))
        }
        #expect(kills > 0, "no run was killed")
        let client = try site.daemon.connect()
        let answer = try client.request("search", #"{"collection":"units","fields":["id","status"],"limit":1000}"#)
        var served: [String: String] = [:]
        for record in answer["result"]?["records"]?.array ?? [] {
            served[record["id"]?.string ?? ""] = record["status"]?.string
        }
        #expect(held == served)
    }

    private func apply(_ lines: String, to held: inout [String: String]) throws {
        for line in lines.split(separator: "\n") {
            let entry = try value(String(line))
            let id = entry["id"]?.string ?? ""
            switch entry["op"]?.string {
            case "fresh_instance": held = [:]
            case "removed": held[id] = nil
            default: held[id] = entry["record"]?["status"]?.string
            }
        }
    }
}

/// A run of claimsctl that goes on, with its output in a pipe.
final class FollowingProgram {
    private var process: ChildProcess?
    private var output: FileDescriptor?
    private let error: FileDescriptor

    init(_ arguments: [String], socket: String) throws {
        let pipe = try FileDescriptor.pipe()
        error = try FileDescriptor.temporary(in: "/tmp")
        process = try ChildProcess(
            BuiltProgram.path("claimsctl"), arguments,
            environment: BuiltProgram.environment(["CLAIMSD_SOCKET": socket]), output: pipe.writing.raw,
            error: error.raw)
        output = pipe.keepReading()
    }

    /// The next line, without its newline.
    func readLine() throws -> String {
        guard let descriptor = output?.raw else { throw TestFailure("the output is closed") }
        var line: [UInt8] = []
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while unsafe poll(&entry, 1, Int32(LineClient.timeout.wholeMilliseconds)) == 1 {
            var byte: UInt8 = 0
            guard unsafe read(descriptor, &byte, 1) == 1 else { break }
            if byte == 0x0A { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        throw TestFailure("no line: \(try errors())")
    }

    func closeOutput() { output = nil }

    func signal(_ number: Int32) { process?.signal(number) }

    var hasEnded: Bool { (try? process?.hasEnded(within: .zero)) ?? true }

    /// The exit code, once it has ended by itself.
    func end() throws -> Int32 {
        guard let process = process.take() else { throw TestFailure("it has ended before") }
        guard try process.hasEnded(within: LineClient.timeout) else { throw TestFailure("it does not end") }
        return process.wait().code
    }

    /// The text on standard error so far.
    func errors() throws -> String { String(decoding: try error.read(error.size(), at: 0), as: UTF8.self) }
}
