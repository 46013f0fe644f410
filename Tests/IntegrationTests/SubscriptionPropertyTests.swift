// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsTestSupport
import Testing

/// Clients that are cut off, slow and resumed at random hold what `search` answers, at every clock.
@Suite struct SubscriptionPropertyTests {
    private static let feeds = [
        #""collection":"packs""#,
        #""collection":"packs","filter":"status=created,delivered""#,
        #""collection":"packs","archived":"include","fields":["id","status"]"#,
        #""collection":"packs","archived":"only","filter":"sender~a""#,
        #""collection":"packs","filter":"expiry_date>=now or sender=anna","fields":["id","sender"]"#,
        #""collection":"packs","filter":"status!=created","fields":["id","sender","expiry_date"]"#,
    ]

    private static func body(_ generator: inout SeededGenerator) -> String {
        var records: [String] = []
        for id in 0..<60 where !generator.oneIn(4) {
            let status = generator.pick(["CREATED", "DELIVERED", "AVIZO", "strange"])
            let sender = generator.pick(["Anna", "Bo", "Carla", "D"])
            let expiry = generator.pick(["2020-01-01T00:00:00Z", "2099-01-01T00:00:00Z"])
            records.append(#"{"id":"\#(id)","status":"\#(status)","sender":"\#(sender)","expiryDate":"\#(expiry)"}"#)
        }
        return "[\(records.joined(separator: ","))]"
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `a client that is cut off and resumed at random holds what search answers`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let settings = #"{ limits: { heartbeat: "200ms" }, history: { changes: 60 } }"#
        let site = try Site(["packs": Self.body(&generator)], site: ["claimsd.json5": settings])
        var subscribers = try Self.feeds.map { Subscriber(try site.daemon.connect(), $0) }
        for subscriber in subscribers { try subscriber.subscribe(#""initial":true"#) }
        for _ in 0..<25 {
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<5:
                try site.serve("packs", Self.body(&generator), #","force":true,"accept":true"#)
            case 5, 6:
                let ids = (0..<5).map { _ in #""\#(Int.random(in: 0..<60, using: &generator))""# }
                let method = generator.pick(["archive", "unarchive"])
                _ = try site.daemon.connect().request(
                    method, #"{"collection":"packs","ids":[\#(ids.joined(separator: ","))]}"#)
            case 7:
                site.daemon.kill()
                try site.daemon.start()
                subscribers = try subscribers.map { try Subscriber(resuming: $0, site.daemon.connect()) }
            default:
                let index = Int.random(in: subscribers.indices, using: &generator)
                subscribers[index] = try Subscriber(resuming: subscribers[index], site.daemon.connect())
            }
            // The others read later, and are told the net effect.
            for subscriber in subscribers where generator.oneIn(2) { #expect(try site.differences(subscriber) == []) }
        }
        for subscriber in subscribers { #expect(try site.differences(subscriber) == []) }
    }
}
