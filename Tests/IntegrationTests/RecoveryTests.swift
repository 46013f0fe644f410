// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Testing

extension DaemonProcess {
    /// Deletes everything in the cache folder.
    func loseCache() throws {
        for name in try Directory.list(folder("cache")) { Files.remove(Paths.join(folder("cache"), name)) }
    }

    /// The paths of the snapshot files.
    func snapshots() throws -> [String] {
        try Directory.list(folder("cache")).filter { $0.hasSuffix(".snapshot") }.map {
            Paths.join(folder("cache"), $0)
        }
    }
}

/// After any loss in the cache, the daemon serves everything from the state database, without the upstream.
@Suite struct RecoveryTests {
    private func restartAlone(_ site: Site, _ damage: (String) throws -> Void) throws {
        site.daemon.kill()
        site.upstream.stop()
        for path in try site.daemon.snapshots() { try damage(path) }
        try site.daemon.start()
        let client = try site.daemon.connect()
        #expect(try client.request("search", #"{"collection":"units"}"#).ids == ["1", "2", "3", "4", "5", "6", "10"])
        #expect(try client.request("search", #"{"collection":"packs"}"#).ids.count == 6)
        let detail = try client.request("detail", #"{"collection":"units","id":"3"}"#)
        #expect(detail.at("result", "upstream", "extra", "deep")?.array?.count == 2)
        #expect(detail.at("result", "meta", "generation")?.integer == 1)
        #expect(detail.at("result", "meta", "source")?.string == "cache")
    }

    @Test func `a deleted cache is rebuilt under the same generation`() throws {
        try restartAlone(try Site()) { Files.remove($0) }
    }

    @Test(arguments: [0, 1, 7, 64, 4_096])
    func `a truncated snapshot is rebuilt`(size: Int) throws {
        try restartAlone(try Site()) { path in
            let bytes = try Files.readAll(path, cap: 1 << 30)
            try FileDescriptor.open(path, .replace(permissions: 0o600)).write(Array(bytes.prefix(size)))
        }
    }

    @Test(arguments: [0, 8, 16, 40, 100, 200])
    func `a snapshot with a garbled header is rebuilt`(offset: Int) throws {
        try restartAlone(try Site()) { path in
            var bytes = try Files.readAll(path, cap: 1 << 30)
            for index in offset..<min(offset + 8, bytes.count) { bytes[index] ^= 0xa5 }
            try FileDescriptor.open(path, .replace(permissions: 0o600)).write(bytes)
        }
    }

    @Test func `a snapshot replaced by another file is rebuilt`() throws {
        try restartAlone(try Site()) { path in
            try FileDescriptor.open(path, .replace(permissions: 0o600)).write([UInt8](repeating: 0x5a, count: 100_000))
        }
    }

    @Test func `a snapshot of another collection is not taken for its own`() throws {
        let site = try Site()
        site.daemon.kill()
        let paths = try site.daemon.snapshots()
        let first = try Files.readAll(try #require(paths.first), cap: 1 << 30)
        for path in paths { try FileDescriptor.open(path, .replace(permissions: 0o600)).write(first) }
        try site.daemon.start()
        #expect(try site.daemon.connect().request("search", #"{"collection":"units"}"#).ids.count == 7)
        #expect(try site.daemon.connect().request("search", #"{"collection":"packs"}"#).ids.count == 6)
    }

    @Test func `data that has been replaced goes, though it was there at the start and few have asked since`() throws {
        // A few changes would lie over the file that there is.
        let site = try Site(["packs": Site.packs], environment: ["CLAIMSD_TEST_RECENT": "0,0,0"])
        _ = try site.daemon.stop()
        try site.daemon.start()
        let first = Set(try site.daemon.snapshots())
        try site.serve("packs", Site.packs.replacing(#""sender":""#, with: #""sender":"from "#))
        let client = try site.daemon.connect()
        let deadline = SystemClock.monotonic &+ LineClient.timeout.wholeNanoseconds
        while true {
            let now = Set(try site.daemon.snapshots())
            if now != first, now.count == first.count { break }
            _ = try client.request("ping")
            try #require(SystemClock.monotonic < deadline, "\(now) after \(first)")
        }
    }

    @Test func `snapshots nobody names are cleared away`() throws {
        let site = try Site(["units": Site.units])
        site.daemon.kill()
        let before = Set(try Directory.list(site.daemon.folder("cache")))
        let orphan = Paths.join(site.daemon.folder("cache"), "units-orphan.snapshot")
        _ = try FileDescriptor.open(orphan, .create(permissions: 0o600))
        try site.daemon.start()
        let after = Set(try Directory.list(site.daemon.folder("cache")))
        #expect(!before.isEmpty && before == after)
    }

    @Test(arguments: ["version", "archive", "collection", "source", "generation", "meta"])
    func `a daemon whose state is damaged recovers it by itself, and goes on`(table: String) throws {
        let site = try Site(["packs": Site.packs])
        let before = try site.daemon.connect().request("archive", #"{"collection":"packs","ids":["7"]}"#)
        #expect(before.at("result", "changed", "0")?.string == "7")
        try site.daemon.stop()
        let path = site.daemon.folder("state/state.db")
        var bytes = try Files.readAll(path, cap: 1 << 30)
        let found = try SystemdMachine.command(
            "sqlite3", [path, "SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'"], timeout: .seconds(20))
        let page = try #require(found.output.split(separator: "\n").first.flatMap { Int($0) })
        for offset in (page - 1) * 4096..<page * 4096 { bytes[offset] = 0xa5 }
        try Files.writeAtomically(path, bytes)
        try site.daemon.start()
        let pid = try #require(site.daemon.pid)
        let deadline = SystemClock.monotonic &+ LineClient.timeout.wholeNanoseconds
        while !site.daemon.log.contains("state database was damaged"), SystemClock.monotonic < deadline {
            _ = try? site.daemon.connect().request("ping")
        }
        #expect(site.daemon.log.contains("CRITICAL: the state database was damaged"), "\(site.daemon.log)")
        try site.daemon.waitUntilAnswering()
        let client = try site.daemon.connect()
        let refreshed = try client.request("refresh", #"{"collection":"packs","wait":true,"force":true}"#)
        #expect(["updated", "unchanged"].contains(refreshed.at("result", "collections", "0", "outcome")?.string))
        let archived = try client.request("search", #"{"collection":"packs","archived":"only"}"#).ids
        #expect(archived == (table == "archive" ? [] : ["7"]))
        #expect(try client.request("search", #"{"collection":"packs","archived":"include"}"#).ids.count == 6)
        #expect(try client.request("archive", #"{"collection":"packs","ids":["8"]}"#)["result"] != nil)
        #expect(site.daemon.pid == pid)
    }

    @Test func `a daemon killed while it refreshes serves the old generation or the new one`() throws {
        let site = try Site(["units": Site.units])
        for round in 0..<5 {
            let body =
                "["
                + (0..<500).map { #"{"id":"\#($0)","name":"round \#(round)","status":"ok"}"# }.joined(separator: ",")
                + "]"
            try site.upstream.folder.write("units.json", body)
            let client = try site.daemon.connect()
            try client.send(#"{"id":1,"method":"refresh","params":{"collection":"units","wait":true}}"#)
            if round % 2 == 0 { _ = try client.receive() }
            site.daemon.kill()
            try site.daemon.start()
            let answer = try site.daemon.connect().request("facets", #"{"collection":"units","fields":["name"]}"#)
            let values = try #require(answer.at("result", "facets", "name")?.array)
            #expect(values.count == 1 && values[0]["count"]?.integer == 500, "a mixture of generations: \(values)")
            let expected = round % 2 == 0 ? ["round \(round)"] : ["round \(round - 1)", "round \(round)"]
            #expect(expected.contains(values.first?["value"]?.string ?? ""), "\(values)")
        }
    }

    @Test func `a definition that changes shape is applied to the records that are there`() throws {
        let site = try Site(["units": Site.units])
        site.upstream.stop()
        try site.daemon.configure(
            "collections.d/units.json5",
            #"{ source: { url: "\#(site.upstream.url("units.json"))" }, fields: { extra: { type: "json", from: ["/extra"] } } }"#
        )
        try site.daemon.stop()
        try site.daemon.start()
        let answer = try site.daemon.connect().request("search", #"{"collection":"units","filter":"extra.any"}"#)
        #expect(answer.ids == ["3"])
    }
}
