// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Testing

/// How often a daemon wakes up for nothing.
@Suite struct IdleDaemonTests {
    /// How often each thread of a process has gone to sleep, with the name of the thread.
    private func sleeps(_ pid: Int32) throws -> [String: Int] {
        var sleeps: [String: Int] = [:]
        for task in try Directory.list("/proc/\(pid)/task") {
            let status = try Files.readText("/proc/\(pid)/task/\(task)/status", cap: 1 << 16)
            let fields = status.split(separator: "\n").map { $0.split(separator: ":", maxSplits: 1) }
            func value(_ name: String) -> String? {
                fields.first { $0[0] == name }?.last?.filter { !$0.isWhitespace }
            }
            sleeps["\(value("Name") ?? "") \(task)"] = value("voluntary_ctxt_switches").flatMap { Int($0) }
        }
        return sleeps
    }

    @Test func `between two signs of life an idle daemon wakes up for nothing else`() throws {
        let socket = try NotifySocket()
        // Every three seconds.
        let daemon = try DaemonProcess(environment: ["NOTIFY_SOCKET": socket.path, "WATCHDOG_USEC": "9000000"])
        try daemon.launch()
        _ = try socket.wait { $0.hasPrefix("READY=1") }
        let client = try daemon.connect()
        #expect(try client.request("ping")["result"] != nil)
        let pid = try #require(daemon.pid)
        // The work that the start has left may take a while, and once a minute there is more: one quiet span is enough.
        var busy: [[String: Int]] = []
        while busy.count < 12 {
            _ = try socket.wait { $0 == "WATCHDOG=1" }
            let before = try sleeps(pid)
            _ = try socket.wait { $0 == "WATCHDOG=1" }
            let woken = try sleeps(pid).filter { $0.value > before[$0.key] ?? 0 }
            let count = woken.reduce(0) { $0 + $1.value - (before[$1.key] ?? 0) }
            if count <= 2 { break }
            busy.append(woken)
        }
        #expect(busy.count < 12, "\(busy)")
        try daemon.stop()
    }
}
