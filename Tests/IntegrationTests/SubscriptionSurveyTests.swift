// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsPlatform
import ClaimsSnapshot
import ClaimsTestSupport
import Testing

/// Commits that change so many records that feeds go through them by queries.
@Suite struct SubscriptionSurveyTests {
    private static let count = 1_500
    /// Heartbeats move the clock of a feed that a commit does not concern.
    private static let settings = #"{ limits: { heartbeat: "200ms" } }"#

    private static let feeds = [
        #""collection":"packs","filter":"status=created,delivered","fields":["id","status"]"#,
        #""collection":"packs","archived":"include","filter":"sender~a","fields":["id","sender"]"#,
        #""collection":"packs","archived":"only","filter":"status!=created","fields":["id"]"#,
        #""collection":"packs","filter":"expiry_date>=now sender=bo","fields":["id","sender"]"#,
        #""collection":"packs","filter":"sender=nobody""#,
        #""collection":"packs","filter":"id=7,8,1499","fields":["id","status","sender"]"#,
        #""collection":"packs","fields":["id","status"]"#,
    ]

    private static func body(_ generator: inout SeededGenerator) -> String {
        var records: [String] = []
        for id in 0..<count where !generator.oneIn(9) {
            let status = generator.pick(["CREATED", "DELIVERED", "AVIZO", "strange"])
            let sender = generator.pick(["Anna", "Bo", "Carla", "D"])
            let expiry = generator.pick(["2020-01-01T00:00:00Z", "2099-01-01T00:00:00Z"])
            records.append(#"{"id":"\#(id)","status":"\#(status)","sender":"\#(sender)","expiryDate":"\#(expiry)"}"#)
        }
        return "[\(records.joined(separator: ","))]"
    }

    @Test(arguments: [1, 2] as [UInt64])
    func `clients of commits that change nearly everything hold what search answers`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let site = try Site(["packs": Self.body(&generator)], site: ["claimsd.json5": Self.settings])
        var subscribers = try Self.feeds.map { Subscriber(try site.daemon.connect(), $0) }
        for subscriber in subscribers { try subscriber.subscribe(#""initial":true"#) }
        for round in 0..<8 {
            try site.serve("packs", Self.body(&generator), #","force":true,"accept":true"#)
            if round % 3 == 1 {
                let ids = (0..<40).map { _ in #""\#(Int.random(in: 0..<Self.count, using: &generator))""# }
                let method = generator.pick(["archive", "unarchive"])
                _ = try site.daemon.connect().request(
                    method, #"{"collection":"packs","ids":[\#(ids.joined(separator: ","))]}"#)
            }
            if round % 4 == 2 {
                let index = Int.random(in: subscribers.indices, using: &generator)
                subscribers[index] = try Subscriber(resuming: subscribers[index], site.daemon.connect())
            }
            // The others read later, and are told the net effect.
            for subscriber in subscribers where generator.oneIn(2) { #expect(try site.differences(subscriber) == []) }
        }
        for subscriber in subscribers {
            #expect(try site.differences(subscriber) == [])
            #expect(subscriber.reasons.allSatisfy { $0 == "start" })
        }
    }

    @Test func `of a collection whose subscribers do not read, one replaced snapshot is kept at most`() throws {
        func units(_ status: String) -> String {
            let name = String(repeating: "wide ", count: 100)
            let records = (0..<Self.count).map { #"{"id":"\#($0)","name":"\#(name)","status":"\#(status)"}"# }
            return "[\(records.joined(separator: ","))]"
        }
        let site = try Site(["units": units("OK")], site: ["claimsd.json5": Self.settings])
        let client = try site.daemon.connect()
        func snapshots() throws -> Int {
            try Directory.list(site.daemon.folder("cache")).count { $0.hasSuffix(SnapshotIdentity.fileExtension) }
        }
        func awaitSnapshots(atMost count: Int) throws {
            let deadline = SystemClock.monotonic &+ LineClient.timeout.wholeNanoseconds
            while try snapshots() > count {
                guard SystemClock.monotonic < deadline else { throw TestFailure("too many snapshots are kept") }
                _ = try client.request("ping")
            }
        }
        let current = try snapshots()
        let sleepers = try ["", #","filter":"name~wide""#].map { filter in
            let sleeper = Subscriber(try site.daemon.connect(), #""collection":"units""# + filter)
            try sleeper.subscribe("")
            return sleeper
        }
        for round in 0..<4 {
            try site.serve("units", units(round.isMultiple(of: 2) ? "FAULTY" : "OK"))
            try awaitSnapshots(atMost: current + 1)
        }
        for sleeper in sleepers { #expect(try site.differences(sleeper) == []) }
        try awaitSnapshots(atMost: current)
    }
}
