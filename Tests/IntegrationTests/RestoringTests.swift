// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsStore

/// Others meddle with state.db: a copy is put back, or another program locks it.
@Suite struct RestoringTests {
    private func clock(_ site: Site) throws -> String {
        try #require(try site.daemon.connect().request("status").at("result", "clock")?.string)
    }

    private func epoch(_ clock: String) -> Substring { clock.prefix { $0 != "." } }

    @Test func `a state database that is put back from a copy begins a new epoch, and old cursors are void`() throws {
        let site = try Site(["packs": Site.packs])
        let state = site.daemon.folder("state")
        let path = Paths.join(state, "state.db")
        let first = try site.daemon.connect().request("search", #"{"collection":"packs","limit":2}"#)
        let cursor = try #require(first.at("result", "next")?.string)
        _ = try site.daemon.stop()
        let copy = try Files.readAll(path, cap: 1 << 30)
        try site.daemon.start()
        _ = try site.daemon.connect().request("archive", #"{"collection":"packs","ids":["7"]}"#)
        let before = try clock(site)
        _ = try site.daemon.stop()
        for suffix in ["-wal", "-shm"] { Files.remove(path + suffix) }
        try Files.writeAtomically(path, copy)
        try site.daemon.start()
        let after = try clock(site)
        #expect(epoch(after) != epoch(before))
        #expect(site.daemon.log.contains("a copy of the state database was recognised"))
        let client = try site.daemon.connect()
        let page = try client.request("search", #"{"collection":"packs","limit":2,"cursor":"\#(cursor)"}"#)
        #expect(page.at("error", "data", "kind")?.string == "bad_cursor")
        let all = try client.request("search", #"{"collection":"packs"}"#)
        #expect(all.ids.count == 6 && all.at("result", "meta", "clock")?.string == after)
        for _ in 0..<3 {
            site.daemon.kill()
            try site.daemon.start()
            #expect(try epoch(clock(site)) == epoch(after))
        }
    }

    @Test func `a cache folder that was deleted is no sign of a copy`() throws {
        let site = try Site(["packs": Site.packs])
        _ = try site.daemon.connect().request("archive", #"{"collection":"packs","ids":["7"]}"#)
        let before = try clock(site)
        site.daemon.kill()
        try site.daemon.loseCache()
        try site.daemon.start()
        // A bundle is read again then, which moves the clock on.
        #expect(try epoch(clock(site)) == epoch(before))
        #expect(!site.daemon.log.contains("a copy of the state database"))
    }

    @Test func `while another program has the state database locked, changes are refused and reads go on`() throws {
        let site = try Site(["packs": Site.packs])
        let client = try site.daemon.connect()
        do {
            let other = try Database(path: site.daemon.folder("state/state.db"), access: .update)
            try other.execute("BEGIN EXCLUSIVE", "lock")
            for _ in 0..<3 {
                let answer = try client.request("archive", #"{"collection":"packs","ids":["7"]}"#)
                #expect(answer.at("error", "data", "kind")?.string == "busy")
                #expect(answer.at("error", "data", "retry_after_ms")?.integer == 1_000)
                #expect(try client.request("search", #"{"collection":"packs"}"#).ids.count == 6)
            }
            try other.execute("ROLLBACK", "unlock")
        }
        let answer = try client.request("archive", #"{"collection":"packs","ids":["7"]}"#)
        #expect(answer.at("result", "changed")?.array?.count == 1)
        let log = site.daemon.log
        #expect(log.contains("another program has locked the state database"))
        #expect(log.contains("the state database is free again"))
    }
}
