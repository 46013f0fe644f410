// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Glibc
import Testing

/// Connections that come and go, and who has to make room for them.
@Suite struct ComingAndGoingTests {
    private static let archive = #"{"id":1,"method":"archive","params":{"collection":"things","ids":["7"]}}"# + "\n"

    /// Stops the daemon's threads, to go on with SIGCONT, and returns when all of them stand.
    private func suspend(_ daemon: DaemonProcess) throws {
        let tasks = "/proc/\(try #require(daemon.pid))/task"
        daemon.signal(SIGSTOP)
        func isRunning(_ task: String) throws -> Bool {
            try !Files.readText("\(tasks)/\(task)/stat", cap: 1 << 12).contains(") T ")
        }
        let deadline = SystemClock.monotonic &+ LineClient.timeout.wholeNanoseconds
        while try Directory.list(tasks).contains(where: isRunning) {
            guard SystemClock.monotonic < deadline else { throw TestFailure("the daemon does not stop") }
        }
    }

    /// Returns when so many are connected.
    private func waitForClients(_ count: Int64, _ client: LineClient) throws {
        let deadline = SystemClock.monotonic &+ LineClient.timeout.wholeNanoseconds
        while try client.request("status").at("result", "clients")?.integer != count {
            guard SystemClock.monotonic < deadline else { throw TestFailure("there are not \(count) clients") }
        }
    }

    @Test func `who has left before being let in takes nobody's place`() throws {
        let besieged = try BesiegedDaemon(site: ["claimsd.json5": "{ limits: { clients_per_user: 2 } }"])
        let clients = try (0..<2).map { _ in try besieged.daemon.connect() }
        for client in clients { #expect(try client.request("ping")["result"] != nil) }
        // All of them are gone when the daemon hears of them.
        try suspend(besieged.daemon)
        for number in 0..<200 {
            let peer = try HostilePeer(besieged.daemon)
            try peer.push(#"{"id":\#(number),"method":"ping"}"# + "\n")
            peer.leave()
        }
        besieged.daemon.signal(SIGCONT)
        for client in clients { #expect(try client.request("ping")["result"] != nil) }
    }

    @Test func `what has an effect is done for who has left before being let in`() throws {
        let besieged = try BesiegedDaemon()
        let client = try besieged.daemon.connect()
        #expect(try client.request("ping")["result"] != nil)
        try suspend(besieged.daemon)
        let peer = try HostilePeer(besieged.daemon)
        try peer.push(Self.archive)
        peer.leave()
        besieged.daemon.signal(SIGCONT)
        let deadline = SystemClock.monotonic &+ LineClient.timeout.wholeNanoseconds
        var archived: [String] = []
        while archived.isEmpty, SystemClock.monotonic < deadline {
            archived = try client.request("search", #"{"collection":"things","archived":"only"}"#).ids
        }
        #expect(archived == ["7"])
    }

    @Test func `thousands that have come and gone leave nothing open`() throws {
        let besieged = try BesiegedDaemon()
        let pid = try #require(besieged.daemon.pid)
        func descriptors() throws -> Int { try Directory.list("/proc/\(pid)/fd").count }
        let client = try besieged.daemon.connect()
        try waitForClients(1, client)
        let before = try descriptors()
        for number in 0..<3000 {
            let peer = try HostilePeer(besieged.daemon)
            if number % 2 == 0 { try peer.push(#"{"id":1,"method":"ping"}"# + "\n") }
            if number % 4 == 0 { #expect(try peer.lines(1).count == 1) }
        }
        try waitForClients(1, client)
        #expect(try descriptors() <= before)
    }

    @Test func `who opens as many connections as there may be files leaves some for others, and for refreshes`() throws
    {
        let besieged = try BesiegedDaemon()
        let pid = try #require(besieged.daemon.pid)
        let lowering = try ChildProcess("prlimit", ["--pid", "\(pid)", "--nofile=80:80"])
        let hasEnded = try lowering.hasEnded(within: LineClient.timeout)
        try #require(hasEnded)
        let status = lowering.wait()
        try #require(status == .exited(0))
        besieged.daemon.signal(SIGHUP)
        let client = try besieged.daemon.connect()
        let deadline = SystemClock.monotonic &+ LineClient.timeout.wholeNanoseconds
        var maxClients: Int64 = 0
        while maxClients != 40, SystemClock.monotonic < deadline {
            maxClients = try #require(try client.request("hello").at("result", "limits", "clients")?.integer)
        }
        #expect(maxClients == 40)
        let peers = try (0..<120).map { _ in try HostilePeer(besieged.daemon) }
        try besieged.expectUnharmed()
        let refreshed = try client.request("refresh", #"{"collection":"things","wait":true,"force":true}"#)
        #expect(refreshed.at("result", "collections", "0", "outcome")?.string == "unchanged", "\(refreshed)")
        withExtendedLifetime(peers) {}
    }

    @Test func `a process that opens many pushes out its own, not another's that has yet to ask`() throws {
        let besieged = try BesiegedDaemon(site: ["claimsd.json5": "{ limits: { clients_per_user: 10 } }"])
        let client = try besieged.daemon.connect()
        try waitForClients(1, client)
        let input = try FileDescriptor.pipe()
        let output = try FileDescriptor.temporary(in: besieged.daemon.folder.path)
        let other = try ChildProcess(
            BuiltProgram.path("claimsctl"), ["--socket", besieged.daemon.socket, "raw", "-"],
            environment: BuiltProgram.environment([:]), input: input.reading.raw, output: output.raw)
        try waitForClients(2, client)
        let burst = try (0..<100).map { _ in try HostilePeer(besieged.daemon) }
        // The last client to come is heard of last.
        let last = try HostilePeer(besieged.daemon)
        try last.push(#"{"id":1,"method":"ping"}"# + "\n")
        #expect(try last.lines(1) == [#"{"jsonrpc":"2.0","id":1,"result":{}}"#])
        try input.writing.write(Array((#"{"id":1,"method":"ping"}"# + "\n").utf8))
        _ = input.keepReading()
        #expect(try other.hasEnded(within: LineClient.timeout))
        let answer = try String(decoding: output.read(output.size(), at: 0), as: UTF8.self)
        #expect(answer == #"{"jsonrpc":"2.0","id":1,"result":{}}"# + "\n")
        withExtendedLifetime(burst) {}
    }
}
