// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
@testable import ClaimsOutbox
import ClaimsTestSupport
import Testing

@Suite struct OriginStateTests {
    private let refused = Message(.httpStatus, "401 Unauthorized")

    private func troubled() -> OriginState {
        var origin = OriginState()
        for _ in 0..<5 {
            origin.begin()
            _ = origin.end(.failure, now: 1000, random: 5)
        }
        return origin
    }

    @Test func `Two requests are made at once`() {
        var origin = OriginState()
        #expect(origin.nextBegin() == .min)
        origin.begin()
        #expect(origin.nextBegin() == .min)
        origin.begin()
        #expect(origin.nextBegin() == nil)
        _ = origin.end(.success, now: 0, random: 0)
        #expect(origin.nextBegin() == .min)
    }

    @Test func `After five failures running one request probes the origin`() {
        var event: OriginState.Event?
        var origin = troubled()
        #expect(origin.isTroubled)
        #expect(origin.nextBegin() == 1005)
        origin.begin()
        #expect(origin.nextBegin() == nil)
        #expect(origin.trouble?.since == 1000)
        event = origin.end(.success, now: 2000, random: 0)
        #expect(event == .recovered)
        #expect(origin.nextBegin() == .min && origin.trouble == nil)
    }

    @Test func `A success between them breaks the row`() {
        var event: OriginState.Event?
        var origin = OriginState()
        for _ in 0..<20 {
            for _ in 0..<4 { _ = origin.end(.failure, now: 0, random: 0) }
            #expect(!origin.isTroubled)
            event = origin.end(.success, now: 0, random: 0)
            #expect(event == nil)
        }
    }

    @Test func `The success of a refresh makes all due, but for what the upstream asked for`() {
        var event: OriginState.Event?
        var origin = troubled()
        let waiting = operation(1) {
            $0.delivery.record(OperationAttempt(number: 1, at: 900, method: "PUT", url: "u"))
            $0.delivery.nextTry = 500_000
        }
        var told = waiting
        told.delivery.floor = 400_000
        event = origin.succeed(now: 2000)
        #expect(event == .recovered)
        #expect(origin.due(waiting) == .min && origin.due(told) == 400_000)
        let later = operation(1) {
            $0.delivery.record(OperationAttempt(number: 1, at: 3000, method: "PUT", url: "u"))
            $0.delivery.nextTry = 500_000
        }
        #expect(origin.due(later) == 500_000)
    }

    @Test func `While there is trouble no operation is sent before the next probe, nor before its own time`() {
        var origin = troubled()
        let waiting = operation(1) {
            $0.delivery.record(OperationAttempt(number: 1, at: 900, method: "PUT", url: "u"))
            $0.delivery.nextTry = 950
        }
        var told = waiting
        told.delivery.floor = 400_000
        #expect(origin.earliest(waiting) == 1005 && origin.earliest(told) == 400_000)
        _ = origin.succeed(now: 2000)
        #expect(origin.earliest(waiting) == .min)
        let later = operation(1) { $0.delivery.nextTry = 500_000 }
        #expect(OriginState().earliest(later) == 500_000)
    }

    @Test func `An origin that does not know us is probed every quarter of an hour, and at a reload`() {
        var event: OriginState.Event?
        var origin = OriginState()
        origin.begin()
        event = origin.end(.refusal(refused), now: 1000, random: 0)
        #expect(event == .paused(refused))
        #expect(origin.nextBegin() == 901_000)
        event = origin.succeed(now: 2000)
        #expect(event == nil)
        #expect(origin.pause?.since == 1000)
        origin.begin()
        #expect(origin.nextBegin() == nil)
        event = origin.end(.refusal(refused), now: 901_000, random: 0)
        #expect(event == nil)
        #expect(origin.pause?.since == 1000 && origin.nextBegin() == 1_801_000)
        origin.probe(now: 950_000)
        #expect(origin.nextBegin() == 950_000)
        origin.begin()
        event = origin.end(.success, now: 960_000, random: 0)
        #expect(event == .recovered)
        #expect(origin.pause == nil)
    }

    @Test func `A probe that is asked for while one is under way follows it`() {
        var origin = OriginState()
        origin.begin()
        origin.probe(now: 1000)
        _ = origin.end(.refusal(refused), now: 2000, random: 0)
        #expect(origin.nextBegin() == 2000)
        origin.begin()
        _ = origin.end(.refusal(refused), now: 3000, random: 0)
        #expect(origin.nextBegin() == 903_000)
    }

    @Test func `Delays double from two seconds to a quarter of an hour, with full jitter`() {
        #expect(
            (1...12).map { Backoff.span(failures: $0) / 1000 }
                == [2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900])
        #expect(Backoff.span(failures: .max) == 900_000)
        var random = SeededGenerator(seed: 1)
        for failures in 1...20 {
            let delays = (0..<200).map { _ in Backoff.delay(failures: failures, random: random.next()) }
            let span = Backoff.span(failures: failures)
            #expect(delays.allSatisfy { (0...span).contains($0) })
            #expect((delays.min() ?? span) < span / 4 && (delays.max() ?? 0) > span / 4 * 3)
        }
    }

    @Test func `A clock that goes back is noticed, one that is slewed is not`() {
        var steps = ClockSteps()
        let times: [(Int64, Int64)] = [
            (100_000, 0), (109_500, 10_000), (900_000, 11_000), (899_000, 20_000), (900_000, 21_000),
        ]
        let found = times.map { steps.observe(wall: $0.0, sinceBoot: $0.1) }
        #expect(found == [false, false, false, true, false])
    }

    @Test func `After twenty deletes within ten minutes more are held`() {
        let deletes = DeleteGuard(maxDeletes: 20, span: 600_000)
        #expect(deletes.start(now: 1_000_000) == 400_000)
        #expect(deletes.admit(operation(1, .delete), recent: 19).state == .queued)
        let held = deletes.admit(operation(1, .delete), recent: 20)
        #expect(held.state == .held && held.reason == .guard)
        #expect(deletes.admit(operation(1, .update), recent: 99).state == .queued)
    }
}
