// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsStore

/// The start after an upgrade: the new program brings files of the old one up to date before it is ready.
@Suite(.enabled(if: !BuiltProgram.isSanitized, "it takes long there, and touches no code that others do not"))
struct SlowStartTests {
    private static let records = 20_000

    /// A daemon that has stored its records, and is stopped; its source is gone.
    private func stopped(_ socket: NotifySocket) throws -> DaemonProcess {
        let folder = try TemporaryFolder()
        let packs = (1...Self.records).map { #"{"id":"\#($0)","status":"CREATED","sender":"Sender number \#($0)"}"# }
        let source = try folder.write("packs.json", "[" + packs.joined(separator: ",") + "]")
        let daemon = try DaemonProcess(
            site: ["collections.d/packs.json5": #"{ source: { url: "file://\#(source)", interval: "1h" } }"#],
            environment: ["NOTIFY_SOCKET": socket.path])
        try daemon.start()
        let client = try daemon.connect()
        let refresh = try client.request("refresh", #"{"collection":"packs","wait":true}"#)
        #expect(refresh["result"] != nil, "\(refresh)")
        #expect(try count(daemon) == Int64(Self.records))
        _ = try client.request("archive", #"{"collection":"packs","ids":["7"]}"#)
        try daemon.stop()
        _ = try socket.wait { $0.hasPrefix("STOPPING=1") }
        return daemon
    }

    /// Starts the daemon, and returns what it told before it was ready.
    private func toldBeforeReady(_ daemon: DaemonProcess, _ socket: NotifySocket) throws -> [String] {
        try daemon.launch()
        var told: [String] = []
        _ = try socket.wait { message in
            told.append(message)
            return message.hasPrefix("READY=1")
        }
        return told.dropLast()
    }

    private func count(_ daemon: DaemonProcess) throws -> Int64? {
        try daemon.connect().request("count", #"{"collection":"packs"}"#).at("result", "total")?.integer
    }

    @Test func `snapshots of another version are rebuilt before it is ready, and the start is given the time`() throws {
        let socket = try NotifySocket()
        let daemon = try stopped(socket)
        let cache = daemon.folder("cache")
        for name in try Directory.list(cache) where name.hasSuffix(".snapshot") {
            var bytes = try Files.readAll(Paths.join(cache, name), cap: 1 << 30)
            // The version of the format.
            bytes[8] ^= 0x40
            try Files.writeAtomically(Paths.join(cache, name), bytes)
        }
        let told = try toldBeforeReady(daemon, socket)
        // At once, and no waiting: all is served again.
        #expect(try count(daemon) == Int64(Self.records - 1))
        #expect(daemon.log.contains("of another version"), "\(daemon.log)")
        #expect(told.contains("EXTEND_TIMEOUT_USEC=30000000"), "\(told)")
        #expect(told.contains { $0.hasPrefix("STATUS=starting") }, "\(told)")
        try daemon.stop()
        let late = socket.received().filter { $0.hasPrefix("EXTEND_TIMEOUT_USEC") || $0.hasPrefix("STATUS=starting") }
        #expect(late == [], "told after it was ready")
    }

    @Test func `an older state database is migrated before it is ready, and the file itself says so`() throws {
        let socket = try NotifySocket()
        let daemon = try stopped(socket)
        let path = Paths.join(daemon.folder("state"), StateDatabase.fileName)
        do {
            let database = try Database(path: path, access: .update)
            try database.execute("PRAGMA user_version = 3; DROP TABLE in_force", "prepare")
        }
        #expect(DatabaseHeader.version(path) == 3)
        _ = try toldBeforeReady(daemon, socket)
        #expect(DatabaseHeader.version(path) == StateDatabase.newestVersion)
        #expect(try count(daemon) == Int64(Self.records - 1))
        // Also where it is killed at once: an installer reads the file, not the log.
        daemon.kill()
        #expect(DatabaseHeader.version(path) == StateDatabase.newestVersion)
    }
}
