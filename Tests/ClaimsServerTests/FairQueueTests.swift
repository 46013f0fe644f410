// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ClaimsServer

@Suite struct FairQueueTests {
    private static let millisecond: UInt64 = 1_000_000

    /// Everything that waits, in the order in which it is served, each for a millisecond.
    private func served(_ queue: inout FairQueue<String>, from start: UInt64) -> [String] {
        var order: [String] = []
        var now = start
        while let (item, requester) = queue.next(at: now) {
            order.append(item)
            now += Self.millisecond
            queue.charge(Self.millisecond, to: requester, at: now)
        }
        return order
    }

    @Test func `who comes first is served first`() {
        var queue = FairQueue<String>()
        for number in 0..<5 { queue.add("\(number)", of: Requester(process: 1, connection: 1), at: UInt64(number)) }
        #expect(queue.count == 5)
        #expect(served(&queue, from: 10) == ["0", "1", "2", "3", "4"])
        #expect(queue.isEmpty && queue.next(at: 20) == nil)
    }

    @Test func `a process with many connections gets no more than one with one`() {
        var queue = FairQueue<String>()
        for number in 0..<100 { queue.add("a", of: Requester(process: 1, connection: UInt64(number)), at: 0) }
        for number in 0..<3 { queue.add("b\(number)", of: Requester(process: 2, connection: 1000), at: 0) }
        let order = served(&queue, from: 0)
        #expect(order.count == 103)
        #expect(order.prefix(7).filter { $0.hasPrefix("b") } == ["b0", "b1", "b2"])
    }

    @Test func `who has had much waits for who comes new`() {
        var queue = FairQueue<String>()
        let heavy = Requester(process: 1, connection: 1)
        queue.charge(40 * Self.millisecond, to: heavy, at: 0)
        queue.add("heavy", of: heavy, at: 0)
        queue.add("other connection", of: Requester(process: 1, connection: 2), at: Self.millisecond)
        queue.add("other process", of: Requester(process: 2, connection: 3), at: 2 * Self.millisecond)
        #expect(served(&queue, from: 2 * Self.millisecond) == ["other process", "other connection", "heavy"])
    }

    @Test func `nobody waits for ever`() {
        var queue = FairQueue<String>()
        let heavy = Requester(process: 1, connection: 1)
        queue.charge(100 * Self.millisecond, to: heavy, at: 0)
        queue.add("heavy", of: heavy, at: 0)
        var now: UInt64 = 0
        var rounds = 0
        while true {
            queue.add("new", of: Requester(process: Int32(rounds + 2), connection: UInt64(rounds + 2)), at: now)
            guard let (item, requester) = queue.next(at: now), item != "heavy" else { break }
            now += Self.millisecond
            queue.charge(Self.millisecond, to: requester, at: now)
            rounds += 1
        }
        #expect(rounds > 20 && rounds < 1000)
    }

    @Test func `who is gone is not served, and the others are`() {
        var queue = FairQueue<String>()
        for number in 0..<6 {
            queue.add("\(number)", of: Requester(process: 1, connection: UInt64(number % 3)), at: UInt64(number))
        }
        queue.forget(Requester(process: 1, connection: 1))
        queue.forget(Requester(process: 9, connection: 9))
        #expect(queue.count == 4)
        #expect(Set(served(&queue, from: 10)) == ["0", "2", "3", "5"] && queue.isEmpty)
    }

    @Test func `many who come and go cost little`() {
        var queue = FairQueue<String>()
        for number in 0..<100_000 {
            let requester = Requester(process: Int32(number % 7), connection: UInt64(number))
            queue.add("x", of: requester, at: UInt64(number))
            queue.charge(100, to: requester, at: UInt64(number))
            if number % 2 == 0 { _ = queue.next(at: UInt64(number)) } else { queue.forget(requester) }
        }
        #expect(queue.isEmpty)
    }

    @Test func `what may not be begun is left`() {
        var queue = FairQueue<String>()
        queue.add("a", of: Requester(process: 1, connection: 1), at: 0)
        queue.add("b", of: Requester(process: 2, connection: 2), at: 1)
        #expect(queue.next(at: 2, where: { $0 != 1 })?.item == "b")
        #expect(queue.next(at: 2, where: { $0 != 1 }) == nil && queue.count == 1)
        #expect(queue.next(at: 2)?.item == "a")
    }
}
