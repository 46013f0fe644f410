// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Glibc
import Testing

/// A daemon whose disk has no room to merge the files of a collection.
@Suite(.enabled(if: SmallFileSystem.isPossible)) struct MergeRoomTests {
    private static let count = 6000

    private func status(_ site: SourceSite) throws -> JSONValue {
        let status = try site.daemon.connect().request("status")
        return try #require(status.at("result", "collections")?.array?.first { $0["name"]?.string == "things" })
    }

    /// The status once it is what a test waits for.
    private func status(_ site: SourceSite, _ isWanted: (JSONValue) -> Bool) throws -> JSONValue {
        let deadline = SystemClock.monotonic &+ LineClient.timeout.wholeNanoseconds
        while true {
            let status = try status(site)
            if isWanted(status) { return status }
            try #require(SystemClock.monotonic < deadline, "\(status) \(site.daemon.log)")
        }
    }

    @Test func `status and the journal tell that a merge waits for room, all goes on, and a start with room merges`()
        throws
    {
        let upstream = try UpstreamProcess()
        try upstream.keep("things", SourceSite.records(Self.count))
        try upstream.misbehave("things", #"{"since":{"parameter":"since","field":"rev"}}"#)
        // A young file of up to 2 entries, a middle one of up to 8.
        let site = try SourceSite(
            ["things": #"url: "UPSTREAM/things", since: { to: "since", field: "rev" }"#],
            environment: ["CLAIMSD_TEST_RECENT": "1,2,4194304,2,8"], upstream: upstream)
        let disk = try SmallFileSystem(megabytes: 16)
        guard unsafe symlink(disk.folder.path, site.daemon.folder("cache")) == 0 else { throw TestFailure("no link") }
        try site.daemon.start()
        try site.refresh("things")
        let base = try #require(try status(site).at("layers", "0", "bytes")?.integer)
        try disk.fill(leaving: Int(base) / 4096 / 4)

        var revision = Self.count
        func change(_ ids: ClosedRange<Int>) throws {
            for id in ids {
                revision += 1
                try upstream.put("things/\(id)", #"{"id":"\#(id)","name":"changed","rev":\#(revision)}"#)
            }
            let result = try site.refresh("things")
            #expect(result.first?["outcome"]?.string == "updated", "\(result)")
        }
        try change(1...7)
        let waiting = try status(site) { $0["merge_waiting"]?.boolean == true }
        let hint = "make room in \(site.daemon.folder("cache")): its changed records wait to be merged"
        #expect(waiting["hint"]?.string == hint)
        for round in 1...3 { try change(1...(10 * round)) }
        let grown = try status(site)
        #expect(grown.at("layers", "1", "records")?.integer == 30 && grown["merge_waiting"]?.boolean == true)
        let line = "the changed records of things are not merged: there is no room for another file of them"
        #expect(site.daemon.log.count(of: line) == 1, "\(site.daemon.log)")
        #expect(!site.daemon.log.contains("cannot be served"), "\(site.daemon.log)")
        let changed = #"{"collection":"things","filter":"changed","limit":1}"#
        let total = { try site.daemon.connect().request("search", changed).at("result", "total")?.integer }
        #expect(try total() == 30)

        try site.daemon.stop()
        disk.clear()
        try site.daemon.start()
        let merged = try status(site) { $0["layers"]?.array?.count == 1 }
        #expect(merged["merge_waiting"] == nil && merged["hint"] == nil)
        #expect(try total() == 30 && merged["total"]?.integer == Int64(Self.count))
        #expect(!site.daemon.log.contains("built again"), "\(site.daemon.log)")
    }
}

extension String {
    /// How often a text is in it.
    fileprivate func count(of text: String) -> Int { ranges(of: text).count }
}
