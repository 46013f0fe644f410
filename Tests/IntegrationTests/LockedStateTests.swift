// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Glibc
import Testing

@testable import ClaimsStore
@testable import claimsd

/// A start or a reload that finds state.db locked, or the disk full.
@Suite struct LockedStateTests {
    private static let second: UInt64 = 1_000_000_000

    private func waitUntil(_ what: String, _ isTrue: () throws -> Bool) throws {
        let deadline = SystemClock.monotonic &+ 90 * Self.second
        let monitor = Monitor(false)
        while try !isTrue() {
            try #require(SystemClock.monotonic < deadline, "\(what) does not come true")
            _ = monitor.wait(upTo: .milliseconds(20)) { $0 ? true : nil }
        }
    }

    @Test func `what may pass is waited for, for a minute in all, and each cause is told once`() {
        var retry = StartRetry()
        let full = StartFailure(StoreError(.storageFull, "open a"))
        let locked = StartFailure(StoreError(.busy, "open a"))
        #expect(retry.decide(on: full, now: 5) == .wait(isNews: true))
        #expect(retry.decide(on: full, now: 10 * Self.second) == .wait(isNews: false))
        #expect(retry.decide(on: locked, now: 44 * Self.second) == .wait(isNews: true))
        #expect(retry.decide(on: locked, now: 46 * Self.second) == .end)
        #expect(locked.exitCode == 1)
        var other = StartRetry()
        #expect(other.decide(on: StartFailure(StoreError(.inUse, "open a", number: 7)), now: 0) == .end)
        #expect(other.decide(on: StartFailure(StoreError(.damaged, "open a")), now: 0) == .end)
    }

    @Test func `a start waits for a program that has locked the state, says so, and can be ended meanwhile`() throws {
        let daemon = try DaemonProcess()
        try daemon.start()
        try daemon.stop()
        do {
            let other = try Database(path: daemon.folder("state/state.db"), access: .update)
            try other.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE", "lock")
            try daemon.launch()
            let words = "the start waits for up to a minute"
            try waitUntil("the wait") { daemon.log.contains(words) }
            #expect(daemon.log.contains("locked by another program"), "\(daemon.log)")
            daemon.signal(SIGTERM)
            #expect(try daemon.waitForEnd(within: .seconds(40)) == .exited(0))
            try daemon.launch()
            try waitUntil("the second wait") { daemon.log.components(of: words) == 2 }
            try other.execute("ROLLBACK", "unlock")
        }
        try waitUntil("the start") { (try? daemon.connect().request("ping")["result"]) != nil }
    }

    @Test func `what a reload could not put into force is told, and comes into force by itself`() throws {
        let daemon = try DaemonProcess()
        try daemon.start()
        let client = try daemon.connect()
        func status() throws -> JSONValue { try #require(client.request("status")["result"]) }
        func problem() throws -> String? {
            try status()["problems"]?.array?.first { $0["collection"] == "things" }?["message"]?.string
        }
        func isServed() throws -> Bool {
            try status()["collections"]?.array?.contains { $0["name"] == "things" } ?? false
        }
        do {
            let other = try Database(path: daemon.folder("state/state.db"), access: .update)
            try other.execute("BEGIN EXCLUSIVE", "lock")
            try daemon.configure(
                "collections.d/things.json5", "{ fields: { id: { type: 'id', from: '/id' } }, writes: { to: 'local' } }"
            )
            daemon.signal(SIGHUP)
            try waitUntil("the problem") { try problem() != nil }
            let message = try #require(try problem())
            #expect(message.contains("locked by another program") && message.hasSuffix("tried again by itself"))
            #expect(try !isServed() && client.request("ping")["result"] != nil)
            try other.execute("ROLLBACK", "unlock")
        }
        try waitUntil("the definition") { try isServed() && problem() == nil }
    }

    @Test func `what is in force and could not be stored is told until it is`() throws {
        let definition = "{ title: 'TITLE', fields: { id: { type: 'id', from: '/id' } } }"
        let daemon = try DaemonProcess(site: ["collections.d/things.json5": definition])
        try daemon.start()
        let client = try daemon.connect()
        func isTold() throws -> Bool {
            try client.request("status")["result"]?["problems"]?.array?.contains {
                $0["file"]?.string?.hasSuffix("/state.db") == true && $0["warning"] == true
            } ?? false
        }
        #expect(try !isTold())
        do {
            let other = try Database(path: daemon.folder("state/state.db"), access: .update)
            try other.execute("BEGIN EXCLUSIVE", "lock")
            try daemon.configure("collections.d/things.json5", definition.replacing("TITLE", with: "Others"))
            daemon.signal(SIGHUP)
            try waitUntil("the warning") { try isTold() }
            try other.execute("ROLLBACK", "unlock")
        }
        try waitUntil("the end of the warning") { try !isTold() }
    }
}

extension String {
    /// How often a text occurs.
    fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
