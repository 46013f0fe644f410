// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import Testing

@testable import ClaimsRefresh

@Suite struct RefreshScheduleTests {
    private let schedule = RefreshSchedule(interval: .seconds(300), offset: 0)
    private let now: Int64 = 1_800_000_000_000
    private let timeout = RefreshSchedule.Event.failed(.timeout, status: nil, retryAfter: nil)

    /// When the next request is due after one that ended at `now`.
    private func due(
        after event: RefreshSchedule.Event, from state: RefreshSchedule.State = .init(), random: Double = 0
    ) -> Int64? {
        schedule.due(after: schedule.state(after: event, from: state, now: now, random: random))
    }

    private func failed(_ status: Int, retryAfter: Int64? = nil) -> RefreshSchedule.Event {
        .failed(.httpStatus, status: status, retryAfter: retryAfter)
    }

    @Test func `a source that was never asked is due at once`() {
        #expect(schedule.due(.init(), now: now) == now)
    }

    @Test func `a success is followed by the next one an interval later`() {
        let state = schedule.state(after: .succeeded(maxAge: nil), from: .init(failures: 7), now: now, random: 0.5)
        #expect(state == .init(endedAt: now))
        #expect(schedule.due(state, now: now) == now + 300_000)
    }

    @Test func `another interval counts from the end of the last request`() {
        let state = schedule.state(after: .succeeded(maxAge: 20_000), from: .init(), now: now, random: 0)
        let shorter = RefreshSchedule(interval: .seconds(10), offset: 0)
        let longer = RefreshSchedule(interval: .seconds(3600), offset: 0)
        // The upstream's own delay stays a floor.
        #expect(shorter.due(state, now: now) == now + 20_000)
        #expect(longer.due(state, now: now) == now + 3_600_000)
        let failure = schedule.state(after: timeout, from: .init(), now: now, random: 0.5)
        #expect(shorter.due(after: failure) == longer.due(after: failure))
    }

    @Test func `the offset adds up to a tenth of the interval, and is the same at each start`() {
        let period = RefreshSchedule(interval: .seconds(300), offset: 0.999).period
        #expect(period > 329_000 && period < 330_000)
        let offset = RefreshSchedule.offset(machine: "a", source: "b")
        #expect(offset == RefreshSchedule.offset(machine: "a", source: "b"))
        #expect(offset >= 0 && offset < 1)
    }

    @Test func `machines and sources are spread evenly`() {
        var tenths = [Int](repeating: 0, count: 10)
        for machine in 0..<100 {
            for source in 0..<10 {
                tenths[Int(RefreshSchedule.offset(machine: "m\(machine)", source: "s\(source)") * 10)] += 1
            }
        }
        #expect(tenths.allSatisfy { $0 > 50 && $0 < 150 })
    }

    @Test func `max-age is a floor, not a ceiling, and has a limit`() {
        #expect(due(after: .succeeded(maxAge: 10_000)) == now + 300_000)
        #expect(due(after: .succeeded(maxAge: 900_000)) == now + 900_000)
        #expect(due(after: .succeeded(maxAge: .max)) == now + RefreshSchedule.maxDemand)
        #expect(due(after: .succeeded(maxAge: -5)) == now + 300_000)
    }

    @Test func `waits double from two seconds to fifteen minutes`() {
        var state = RefreshSchedule.State()
        var waits: [Int64] = []
        for _ in 0..<12 {
            state = schedule.state(after: timeout, from: state, now: now, random: 0.999_999_999)
            waits.append(((state.retryAt ?? 0) - now + 1) / 1000)
        }
        #expect(waits == [2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900])
    }

    @Test func `jitter may take nearly all of a wait, but the next request is never at once`() {
        let state = schedule.state(after: timeout, from: .init(failures: 8), now: now, random: 0)
        #expect(state.retryAt == now + 100)
    }

    @Test func `failures without number do not overflow`() {
        let state = schedule.state(after: timeout, from: .init(failures: 1 << 40), now: now, random: 0.5)
        #expect(state.retryAt == now + RefreshSchedule.maxBackoff / 2)
    }

    @Test(arguments: [429, 503]) func `Retry-After is a floor of at most six hours`(status: Int) {
        let state = schedule.state(after: failed(status, retryAfter: 60_000), from: .init(), now: now, random: 1)
        #expect(state.retryAt == now + 60_000)
        #expect(schedule.retryAfter(state, now: now + 59_999) == now + 60_000)
        #expect(schedule.retryAfter(state, now: now + 60_000) == nil)
        let greedy = schedule.state(after: failed(status, retryAfter: 1 << 60), from: .init(), now: now, random: 1)
        #expect(greedy.retryAt == now + 6 * 3_600_000)
        let late = schedule.state(
            after: failed(status, retryAfter: 1000), from: .init(failures: 9), now: now, random: 0.5)
        #expect(late.retryAt == now + 450_000)
    }

    @Test func `a busy answer without Retry-After backs off as any failure`() {
        let state = schedule.state(after: failed(429), from: .init(), now: now, random: 0.5)
        #expect(state.retryAt == now + 1000 && state.retryAfter == nil)
    }

    @Test(arguments: [400, 401, 403, 404, 410, 422])
    func `a request that the upstream calls wrong is repeated every fifteen minutes`(status: Int) {
        let state = schedule.state(
            after: failed(status, retryAfter: 5000), from: .init(), now: now, random: 0)
        #expect(state.retryAt == now + 900_000 && state.retryAfter == nil)
    }

    @Test func `five failures open the source, and one success closes it`() {
        var state = RefreshSchedule.State()
        for _ in 0..<4 { state = schedule.state(after: timeout, from: state, now: now, random: 0.5) }
        #expect(!state.isOpen)
        state = schedule.state(after: timeout, from: state, now: now, random: 0.5)
        #expect(state.isOpen)
        state = schedule.state(after: .succeeded(maxAge: nil), from: state, now: now, random: 0.5)
        #expect(!state.isOpen && state.failures == 0)
    }

    @Test func `a held body is looked at again when it can be confirmed, whatever the interval`() {
        let daily = RefreshSchedule(interval: .seconds(86_400), offset: 0.5)
        let state = daily.state(after: .held(confirm: 600_000), from: .init(failures: 3), now: now, random: 0)
        #expect(state == .init(endedAt: now, retryAt: now + 600_000))
    }

    @Test func `an overdue source is due now, one that is not keeps its time`() {
        #expect(schedule.due(.init(endedAt: now - 300_001), now: now) == now)
        #expect(schedule.due(.init(endedAt: now - 299_995), now: now) == now + 5)
    }

    @Test func `a clock put back does not leave a source waiting for the old time`() {
        let state = schedule.state(
            after: failed(503, retryAfter: 3_600_000), from: .init(), now: now, random: 0)
        let lastYear = now - 365 * 86_400_000
        #expect(schedule.due(state, now: lastYear) == lastYear)
        #expect(schedule.retryAfter(state, now: lastYear) == nil)
    }
}
