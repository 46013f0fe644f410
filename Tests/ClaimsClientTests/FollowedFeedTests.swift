// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsPlatform
import ClaimsProtocol
import Testing

/// Where a feed goes on after a loss.
struct FollowedFeedTests {
    private static let badCursor = Refusal(kind: ErrorKind.badCursor.rawValue, message: "unknown clock")

    private static func value(_ json: String) throws -> AnswerValue { try AnswerDocument(Array(json.utf8)).root }

    private static func event(_ members: String, subscription: Int = 7) throws -> FeedEvent {
        FeedEvent(try value(#"{"subscription":\#(subscription),\#(members)}"#))
    }

    private static func changes(clock: String? = nil) throws -> FeedEvent {
        let end = clock.map { #","complete":true,"clock":"\#($0)""# } ?? ""
        return try event(#""type":"changes","changes":[{"op":"removed","id":"1"}]\#(end)"#)
    }

    private static func synced(_ clock: String) throws -> FeedEvent {
        try event(#""type":"synced","total":1,"clock":"\#(clock)""#)
    }

    private static func heartbeat(_ clock: String) throws -> FeedEvent {
        try event(#""type":"heartbeat","clock":"\#(clock)""#)
    }

    /// A feed from now on whose subscription has begun.
    private static func begun(_ start: FollowedFeed.Start = .now, restart: FollowedFeed.Start = .now) throws
        -> FollowedFeed
    {
        var feed = FollowedFeed(start, restart: restart)
        let clock = start == .now ? #","clock":"e.1-a""# : ""
        let goesOn = feed.subscribed(try value(#"{"subscription":7\#(clock)}"#))
        #expect(goesOn == (start != .now))
        return feed
    }

    @Test func `a feed from now on goes on from the clock of its answer, and from those of its events`() throws {
        var feed = try Self.begun()
        #expect(feed.start == .since("e.1-a") && feed.subscription == 7)
        for (event, clock) in [
            (try Self.changes(clock: "e.2-a"), "e.2-a"), (try Self.heartbeat("e.3-a"), "e.3-a"),
            (try Self.event(#""type":"state","change":"started""#), "e.3-a"),
            (try Self.event(#""type":"something","clock":"e.9-a""#), "e.3-a"),
            (try Self.synced("e.4-a"), "e.4-a"),
        ] {
            let isMine = feed.accept(event)
            #expect(isMine)
            #expect(feed.start == .since(clock))
        }
        feed.lost()
        #expect(feed.subscription == nil)
        var parameters = SubscribeParameters()
        parameters.collection = "books"
        parameters = feed.parameters(parameters)
        #expect(parameters.since == "e.4-a" && !parameters.isInitial && parameters.collection == "books")
    }

    @Test func `a commit that is cut off comes again from the clock before it, and a heartbeat amid it is no clock`()
        throws
    {
        var feed = try Self.begun()
        let events = [try Self.changes(), try Self.heartbeat("e.5-a")]
        let areMine = events.map { feed.accept($0) }
        #expect(areMine == [true, true])
        var other = feed
        feed.lost()
        #expect(feed.start == .since("e.1-a"))
        // Where a part of it was shown, the set has to come.
        other.lost(isPartShown: true)
        #expect(other.start == .initial && other.parameters(SubscribeParameters()).isInitial)
    }

    @Test func `a set that is cut off begins again, and a set that has come is its clock`() throws {
        var feed = try Self.begun(.since("d.1"))
        #expect(feed.start == .since("d.1"))
        let begin = try Self.event(#""type":"fresh_instance","reason":"epoch""#)
        let lines = [begin, try Self.changes(clock: "e.1-a"), try Self.heartbeat("e.1-a")]
        let areMine = lines.map { feed.accept($0) }
        #expect(areMine == [true, true, true])
        #expect(feed.start == .since("d.1"))
        var cut = feed
        cut.lost()
        #expect(cut.start == .initial)
        let end = try Self.synced("e.2-a")
        let isMine = feed.accept(end)
        #expect(isMine)
        feed.lost()
        #expect(feed.start == .since("e.2-a"))
    }

    @Test func `events of another subscription, and those after the last one, are not the feed's`() throws {
        var feed = try Self.begun()
        let foreign = try Self.event(#""type":"heartbeat","clock":"e.9-a""#, subscription: 8)
        let isForeignMine = feed.accept(foreign)
        #expect(!isForeignMine)
        #expect(feed.start == .since("e.1-a"))
        let last = try Self.event(#""type":"lagged","clock":"e.2-a""#)
        let isLastMine = feed.accept(last)
        #expect(isLastMine)
        #expect(feed.subscription == nil && feed.start == .since("e.1-a"))
        let late = try Self.heartbeat("e.9-a")
        let isLateMine = feed.accept(late)
        #expect(!isLateMine)
    }

    @Test func `a clock of a daemon that is not known any more is dropped, and one of a person is refused`() throws {
        var feed = try Self.begun(restart: .initial)
        let otherwise = feed.isMended(after: Refusal(kind: ErrorKind.busy.rawValue, message: ""))
        #expect(!otherwise && feed.start == .since("e.1-a"))
        let isMended = feed.isMended(after: Self.badCursor)
        #expect(isMended && feed.start == .initial)
        let isMendedTwice = feed.isMended(after: Self.badCursor)
        #expect(!isMendedTwice)
        var typed = FollowedFeed(.since("x.1"), restart: .initial)
        let isTypedMended = typed.isMended(after: Self.badCursor)
        #expect(!isTypedMended)
        typed.subscribed(try Self.value(#"{"subscription":7}"#))
        let isFollowedMended = typed.isMended(after: Self.badCursor)
        #expect(isFollowedMended && typed.start == .initial)
        var kept = FollowedFeed(.since("x.1"), isKnown: true)
        let isKeptMended = kept.isMended(after: Self.badCursor)
        #expect(isKeptMended && kept.start == .now)
    }
}

/// When a daemon is looked for again.
struct ReconnectionTests {
    @Test func `the pauses between attempts grow up to a bound, and begin anew after an answer`() {
        let (shortest, longest) = (Reconnection.Bounds.daemon.min, Reconnection.Bounds.daemon.max)
        var reconnection = Reconnection(.daemon)
        var now: UInt64 = 1_000
        var last: UInt64 = 0
        for number in 0..<12 {
            let isNew = reconnection.lost(at: now)
            #expect(isNew == (number == 0))
            let pause = reconnection.retryAt - now
            #expect(number == 0 ? pause == shortest.wholeNanoseconds : pause >= last)
            #expect(pause <= longest.wholeNanoseconds)
            (now, last) = (reconnection.retryAt, pause)
            reconnection.attempted(at: now)
        }
        #expect(last == longest.wholeNanoseconds)
        let wasAway = reconnection.answered()
        #expect(wasAway)
        let isAwayStill = reconnection.answered()
        #expect(!isAwayStill)
        let isNew = reconnection.lost(at: now)
        #expect(isNew && reconnection.pause == shortest)
    }

    @Test func `an attempt to reach a daemon that is there makes no pause longer`() {
        var reconnection = Reconnection(.host)
        for _ in 0..<3 { reconnection.attempted(at: 5) }
        #expect(reconnection.pause == Reconnection.Bounds.host.min && !reconnection.isAway)
    }
}
