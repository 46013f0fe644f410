// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Testing

/// Subscriptions while definitions change under them.
@Suite struct SubscriptionReloadTests {
    private static let body = #"[{"id":"1","size":5,"name":"a"},{"id":"2","size":50,"name":"b"}]"#

    private static func definition(_ url: String, _ fields: String, view: String = "size>9") -> String {
        """
        { title: "Boats", singular: "boat", source: { url: "\(url)", interval: "1h" },
          fields: { id: { type: "id", from: ["/id"] }, \(fields) }, views: { big: { filter: "\(view)" } } }
        """
    }

    private static let fields = #"size: { type: "integer", from: ["/size"] }, name: { type: "text", from: ["/name"] }"#

    private static func site() throws -> Site {
        let site = try Site([:], site: ["claimsd.json5": #"{ limits: { heartbeat: "200ms" } }"#])
        try site.upstream.folder.write("boats.json", body)
        try site.daemon.configure(
            "collections.d/boats.json5", definition(site.upstream.url("boats.json"), fields))
        try site.daemon.reload()
        _ = try site.daemon.connect().request("refresh", #"{"collection":"boats","wait":true}"#)
        return site
    }

    private static func subscribe(_ site: Site, _ feed: String) throws -> Subscriber {
        let subscriber = Subscriber(try site.daemon.connect(), #""collection":"boats""# + feed)
        try subscriber.subscribe(#""initial":true"#)
        try subscriber.next("synced")
        return subscriber
    }

    @Test func `a view with another filter begins a fresh set, and other feeds go on`() throws {
        let site = try Self.site()
        let viewer = try Self.subscribe(site, #","view":"big""#)
        let other = try Self.subscribe(site, #","filter":"size>9""#)
        #expect(viewer.held.keys.sorted() == ["2"])
        try site.daemon.configure(
            "collections.d/boats.json5",
            Self.definition(site.upstream.url("boats.json"), Self.fields, view: "size>1"))
        try site.daemon.reload()
        #expect(try viewer.next("fresh_instance")["reason"]?.string == "filter")
        #expect(try viewer.next("synced")["total"]?.integer == 2)
        #expect(try site.differences(viewer) == [])
        try site.serve("boats", #"[{"id":"1","size":6,"name":"a"},{"id":"2","size":5,"name":"b"}]"#)
        #expect(try site.differences(other) == [])
        #expect(other.reasons == ["start"])
        #expect(try site.differences(viewer) == [])
    }

    @Test func `what a reload takes away ends the subscriptions that name it`() throws {
        let site = try Self.site()
        let sized = try Self.subscribe(site, #","filter":"size>9""#)
        let told = try Self.subscribe(site, #","fields":["id","size"]"#)
        let named = try Self.subscribe(site, #","fields":["id","name"]"#)
        try site.daemon.configure(
            "collections.d/boats.json5",
            Self.definition(
                site.upstream.url("boats.json"), #"name: { type: "text", from: ["/name"] }"#, view: "name=a"))
        try site.daemon.reload()
        #expect(try sized.next("ended").at("error", "data", "kind")?.string == "bad_filter")
        #expect(try told.next("ended").at("error", "data", "kind")?.string == "bad_params")
        #expect(try site.differences(named) == [])
        Files.remove(site.daemon.folder("config/collections.d/boats.json5"))
        try site.daemon.reload()
        #expect(try named.next("ended").at("error", "data", "kind")?.string == "unknown_collection")
        // Its number is free of it.
        #expect(try named.client.request("unsubscribe", #"{"subscription":1}"#).errorKind == "not_found")
    }
}
