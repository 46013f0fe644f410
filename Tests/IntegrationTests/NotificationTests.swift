// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Glibc
import Testing

/// The messages to the program that started the daemon (sd_notify(3)); no root needed.
@Suite struct NotificationTests {
    private func notified(_ environment: [String: String] = [:]) throws -> (NotifySocket, DaemonProcess) {
        let socket = try NotifySocket()
        let daemon = try DaemonProcess(environment: ["NOTIFY_SOCKET": socket.path].merging(environment) { $1 })
        try daemon.launch()
        return (socket, daemon)
    }

    @Test func `it is ready when it answers, says what it does, and tells that it stops`() throws {
        let (socket, daemon) = try notified()
        let stored = try socket.wait { $0.hasPrefix("FDSTORE=1") }
        #expect(stored == "FDSTORE=1\nFDNAME=listener")
        let ready = try socket.wait { $0.hasPrefix("READY=1") }
        #expect(ready.hasPrefix("READY=1\nSTATUS=5 collections"), "\(ready)")
        // No waiting: readiness means that it listens, and serves its bundle.
        let client = try daemon.connect()
        #expect(try client.request("count", #"{"collection":"countries"}"#)["result"] != nil)
        try daemon.stop()
        #expect(try socket.wait { $0.hasPrefix("STOPPING=1") }.contains("\nSTATUS=stopping"))
    }

    @Test func `a client that has just connected is answered although the daemon stops`() throws {
        let (socket, daemon) = try notified()
        _ = try socket.wait { $0.hasPrefix("READY=1") }
        let old = try daemon.connect()
        let new = try daemon.connect()
        // Only a connection that was accepted is counted.
        while try old.request("status").at("result", "clients")?.integer != 2 {}
        daemon.signal(SIGTERM)
        _ = try socket.wait { $0.hasPrefix("STOPPING=1") }
        #expect(try new.request("ping")["result"] != nil)
        #expect(try old.receive() == nil && new.receive() == nil)
        #expect(try daemon.waitForEnd().code == 0)
    }

    @Test(arguments: [#"{ title: "Parcels" }"#, "{ broken"])
    func `a reload is announced with its time, and ends, however it goes`(definition: String) throws {
        let (socket, daemon) = try notified()
        _ = try socket.wait { $0.hasPrefix("READY=1") }
        try daemon.configure("collections.d/packs.json5", definition)
        let before = SystemClock.monotonic / 1000
        daemon.signal(SIGHUP)
        let reloading = try socket.wait { $0.hasPrefix("RELOADING=1") }
        let time = try #require(reloading.split(separator: "=").last.flatMap { UInt64($0) })
        #expect(time >= before && time <= SystemClock.monotonic / 1000)
        let ready = try socket.wait { !$0.hasPrefix("STATUS=") }
        #expect(ready.hasPrefix("READY=1\nSTATUS=5 collections"), "\(ready)")
        try daemon.stop()
    }

    @Test func `the status follows the clients and the mistakes, also around a reload`() throws {
        let (socket, daemon) = try notified()
        _ = try socket.wait { $0.hasPrefix("READY=1") }
        let client = try daemon.connect()
        #expect(try client.request("ping")["result"] != nil)
        _ = try socket.wait { $0.hasPrefix("STATUS=") && $0.hasSuffix("; 1 client") }
        try daemon.configure("collections.d/packs.json5", "{ broken")
        daemon.signal(SIGHUP)
        _ = try socket.wait { $0.hasPrefix("READY=1") && $0.contains("1 mistake") }
        // A mistake that the reload told is not told once more, and every other is.
        try client.leave()
        _ = try socket.wait { $0.hasPrefix("STATUS=") && $0.contains("; 0 clients") && $0.contains("1 mistake") }
        try daemon.configure("collections.d/packs.json5", "{}")
        daemon.signal(SIGHUP)
        _ = try socket.wait { $0.hasPrefix("READY=1") && !$0.contains("mistake") }
        let next = try daemon.connect()
        _ = try socket.wait { $0.hasPrefix("STATUS=") && $0.hasSuffix("; 1 client") }
        try next.leave()
        try daemon.stop()
    }

    @Test func `signs of life are sent three times an interval, also when there is nothing to do`() throws {
        let (socket, daemon) = try notified(["WATCHDOG_USEC": "600000"])
        _ = try socket.wait { $0.hasPrefix("READY=1") }
        let start = SystemClock.monotonic
        for _ in 0..<4 { _ = try socket.wait { $0 == "WATCHDOG=1" } }
        #expect(SystemClock.monotonic - start >= 500_000_000, "too often")
        try daemon.stop()
        #expect(!daemon.log.contains("no progress"), "\(daemon.log)")
    }
}
