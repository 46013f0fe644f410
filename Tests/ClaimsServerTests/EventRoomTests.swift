// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsProtocol
import Synchronization
import Testing

@testable import ClaimsServer

@Suite struct EventRoomTests {
    @Test func `a line is made while little waits for the connection and for all`() {
        let full = EventRoom.maxWaiting
        let (shared, all) = (EventRoom.sharedThreshold, EventRoom.maxWaitingInAll)
        #expect(EventRoom.isLeft(waiting: 0, all: 0) && EventRoom.isLeft(waiting: full - 1, all: full))
        #expect(!EventRoom.isLeft(waiting: full, all: full))
        // Peers that have read everything go on where others use half of the memory.
        #expect(EventRoom.isLeft(waiting: 0, all: shared) && !EventRoom.isLeft(waiting: 1, all: shared))
        #expect(!EventRoom.isLeft(waiting: 0, all: all))
    }

    @Test func `a peer is given up after the stall time without a read`() {
        let second: UInt64 = 1_000_000_000
        func left(_ now: UInt64) -> Duration? {
            EventRoom.timeLeft(unreadSince: 10 * second, now: now, stall: .seconds(300))
        }
        #expect(left(10 * second) == .seconds(300))
        #expect(left(9 * second) == .seconds(300))
        #expect(left(309 * second) == .seconds(1))
        #expect(left(310 * second) == nil && left(400 * second) == nil)
    }

    /// A channel, with what it has sent and how often it has reported room.
    private final class Fixture: Sendable {
        let budget = EventBudget()
        let sent = Mutex<[EventLine]>([])
        let rooms = Atomic<Int>(0)
        let budgetRooms = Atomic<Int>(0)

        func channel() -> EventChannel {
            EventChannel(
                token: 1, budget: budget, send: { [self] _, lines in sent.withLock { $0 += lines } },
                onRoom: { [self] _ in rooms.add(1, ordering: .relaxed) })
        }
    }

    private static func line(_ size: Int) -> EventLine {
        EventLine(subscription: 1, rest: Array(repeating: 0x20, count: size), isLast: false)
    }

    @Test func `a channel reports room once, when its peer has read, and only where somebody waits`() {
        let fixture = Fixture()
        let channel = fixture.channel()
        let line = Self.line(EventRoom.maxWaiting)
        #expect(channel.hasRoom())
        channel.reserve(line.size)
        channel.deliver([line])
        #expect(fixture.sent.withLock { $0.count } == 1)
        channel.release(1)
        #expect(fixture.rooms.load(ordering: .relaxed) == 0 && !channel.isRoomLeft && !channel.hasRoom())
        channel.release(10)
        #expect(fixture.rooms.load(ordering: .relaxed) == 0)
        channel.release(line.size - 11)
        #expect(fixture.rooms.load(ordering: .relaxed) == 1 && channel.isRoomLeft && fixture.budget.used == 0)
        channel.reserve(100)
        channel.release(100)
        #expect(fixture.rooms.load(ordering: .relaxed) == 1)
    }

    @Test func `memory that all have used up is reported when it is free again`() {
        let fixture = Fixture()
        // Weak, because the fixture owns the budget.
        fixture.budget.observe { [weak fixture] in _ = fixture?.budgetRooms.add(1, ordering: .relaxed) }
        let (greedy, other) = (fixture.channel(), fixture.channel())
        greedy.reserve(EventRoom.maxWaitingInAll)
        #expect(!other.hasRoom())
        greedy.release(EventRoom.sharedThreshold)
        #expect(fixture.budgetRooms.load(ordering: .relaxed) == 0 && other.hasRoom())
        greedy.release(1)
        #expect(fixture.budgetRooms.load(ordering: .relaxed) == 1)
        greedy.release(EventRoom.sharedThreshold - 1)
        #expect(fixture.budget.used == 0 && fixture.budgetRooms.load(ordering: .relaxed) == 1)
    }

    @Test func `the time without a read counts from the last read, or from the first line that waits`() {
        let channel = Fixture().channel()
        #expect(channel.unreadSince == nil)
        channel.recordSend(isAnythingLeft: true, hasProgressed: false, at: 5)
        channel.recordSend(isAnythingLeft: true, hasProgressed: false, at: 9)
        #expect(channel.unreadSince == 5)
        channel.recordSend(isAnythingLeft: true, hasProgressed: true, at: 12)
        #expect(channel.unreadSince == 12)
        channel.recordSend(isAnythingLeft: false, hasProgressed: true, at: 13)
        #expect(channel.unreadSince == nil)
    }
}

@Suite struct SubscriptionCountsTests {
    private static func counts(perUser: Int, all: Int) -> SubscriptionCounts {
        var limits = ServingLimits()
        limits.subscriptionsPerUser = perUser
        limits.subscriptionsAll = all
        return SubscriptionCounts(limits)
    }

    @Test func `a user and all users have their bounds, and an end makes room`() throws {
        let counts = Self.counts(perUser: 2, all: 3)
        for uid: UInt32 in [1, 1, 2] { try counts.add(for: uid) }
        #expect(counts.total == 3)
        #expect(throws: RequestError.self) { try counts.add(for: 1) }
        #expect(throws: RequestError.self) { try counts.add(for: 3) }
        counts.remove(2, of: 1)
        try counts.add(for: 3)
        try counts.add(for: 3)
        #expect(counts.total == 3)
        counts.remove(1, of: 2)
        #expect(throws: RequestError.self) { try counts.add(for: 3) }
    }

    @Test func `subscriptions beyond a lowered bound stay`() throws {
        let counts = Self.counts(perUser: 4, all: 4)
        for _ in 0..<4 { try counts.add(for: 1) }
        var limits = ServingLimits()
        limits.subscriptionsAll = 1
        counts.setBounds(limits)
        #expect(counts.total == 4)
        counts.remove(4, of: 1)
        try counts.add(for: 1)
        #expect(throws: RequestError.self) { try counts.add(for: 1) }
    }
}

@Suite struct ConnectionSubscriptionsTests {
    @Test func `numbers are not used again`() {
        var subscriptions = ConnectionSubscriptions()
        let first = subscriptions.begin()
        #expect(subscriptions.end(first) && !subscriptions.end(first))
        let second = subscriptions.begin()
        #expect(first == 1 && second == 2 && subscriptions.isLive(2) && !subscriptions.isLive(1))
        #expect(subscriptions.endAll() == 1 && subscriptions.count == 0)
    }

    @Test func `lines have left when less than their size waits`() {
        var subscriptions = ConnectionSubscriptions()
        subscriptions.recordWritten(100)
        #expect(subscriptions.recordSent(left: 500) == 0)
        #expect(subscriptions.recordSent(left: 60) == 40 && subscriptions.waiting == 60)
        #expect(subscriptions.recordSent(left: 0) == 60 && subscriptions.waiting == 0)
    }
}
