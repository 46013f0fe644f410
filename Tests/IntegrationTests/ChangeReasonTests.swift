// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsStore

/// The reasons and causes of rare changes, as a subscriber of a real daemon is told them.
@Suite struct ChangeReasonTests {
    private let site: Site
    private static let feed = #""collection":"boats","fields":["id","name"]"#

    init() throws {
        site = try Site([:], site: ["claimsd.json5": #"{ limits: { heartbeat: "200ms" } }"#])
        try site.upstream.folder.write("boats.json", #"[{"id":1,"name":"Ada"},{"id":2,"name":"Bea"}]"#)
        let text = """
            { title: "Boats", singular: "boat", archive: true,
              source: { url: "\(site.upstream.url("boats.json"))", interval: "1h" },
              fields: { id: { type: "id", from: ["/id"] },
                        name: { type: "text", from: ["/name"], search: true, required: true } } }
            """
        try site.daemon.configure("collections.d/boats.json5", text)
        try site.daemon.reload()
        let answer = try site.daemon.connect().request("refresh", #"{"collection":"boats","wait":true}"#)
        guard answer["result"] != nil else { throw TestFailure("no refresh: \(answer)") }
    }

    /// A subscriber that holds the set.
    private func subscriber(_ more: String = "") throws -> Subscriber {
        let subscriber = Subscriber(try site.daemon.connect(), Self.feed + more)
        try subscriber.subscribe(#""initial":true"#)
        try subscriber.next("synced")
        return subscriber
    }

    /// The entries of the next commit, as `OP ID CAUSE REASON`.
    private func told(_ subscriber: Subscriber) throws -> [String] {
        let entries = try subscriber.next("changes")["changes"]?.array ?? []
        return entries.map { entry in
            ["op", "id", "cause", "reason"].compactMap { entry[$0]?.string }.joined(separator: " ")
        }
    }

    @Test func `a record that is bad now goes for that reason, and a good one brings it back`() throws {
        let reader = try subscriber()
        try site.serve("boats", #"[{"id":1,"name":"Ada"},{"id":2}]"#, #","accept":true"#)
        #expect(try told(reader) == ["removed 2 refresh quarantined"])
        try site.serve("boats", #"[{"id":1,"name":"Ada"},{"id":2,"name":"Bea"}]"#)
        #expect(try told(reader) == ["added 2 refresh"])
        #expect(try site.differences(reader) == [])
    }

    @Test func `of archived records, one whose mark is taken away goes for that reason`() throws {
        let reader = try subscriber(#","archived":"only""#)
        let client = try site.daemon.connect()
        _ = try client.request("archive", #"{"collection":"boats","ids":["1"]}"#)
        #expect(try told(reader) == ["added 1 archive"])
        _ = try client.request("unarchive", #"{"collection":"boats","ids":["1"]}"#)
        #expect(try told(reader) == ["removed 1 archive unarchived"])
    }

    @Test func `where a rebuild loses a record and its values, the set is told anew`() throws {
        let reader = try subscriber()
        _ = try site.daemon.stop()
        try site.daemon.loseCache()
        do {
            let database = try Database(path: site.daemon.folder("state/state.db"), access: .update)
            try database.execute("UPDATE version SET upstream = '{' WHERE id = '2'", "damage")
        }
        site.upstream.stop()
        try site.daemon.start()
        let again = try Subscriber(resuming: reader, site.daemon.connect())
        #expect(try site.differences(again) == [])
        #expect(again.reasons == ["compacted"] && again.held.keys.sorted() == ["1"])
    }
}
