// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import ClaimsUpstream
import Testing

struct HostGateTests {
    private static let source = HostRequester.source(SourceID("books"))

    private func table(_ limits: HostLimits, of host: String = "api.example") -> HostLimitTable {
        var table = HostLimitTable()
        table.named[host] = limits
        return table
    }

    /// Enters and leaves at once; the refusal where there is one.
    private func refusal(
        _ gate: HostGate, _ host: String = "api.example", isForced: Bool = false, pause: Duration = .seconds(60),
        cancellation: HTTPCancellation? = nil
    ) -> HostRefusal? {
        var pause = pause
        do throws(HostRefusal) {
            _ = try gate.enter(
                host, as: Self.source, HostUrgency(isForced: isForced), cancellation: cancellation, pause: &pause)
            return nil
        } catch { return error }
    }

    @Test func `as many requests as a host may have run at once, and the next one begins when one ends`() throws {
        let gate = HostGate(table(HostLimits(concurrency: 2)))
        let running = Monitor((now: 0, most: 0, all: 0))
        let calls = try (0..<6).map { number in
            try BackgroundCall { () -> Bool in
                for _ in 0..<5 {
                    var pause = Duration.seconds(60)
                    let requester = HostRequester.source(SourceID("c\(number)"))
                    let pass = try gate.enter("API.example.", as: requester, cancellation: nil, pause: &pause)
                    running.update { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.all + 1) }
                    running.update { $0.now -= 1 }
                    pass.report(hostDelay: nil)
                }
                return true
            }
        }
        for call in calls { #expect(try call.result()) }
        #expect(running.read { $0.all } == 30)
        #expect(running.read { $0.most } <= 2)
        #expect(gate.report == [])
    }

    @Test func `a wait ends at once when it is cancelled`() throws {
        let gate = HostGate(table(HostLimits(concurrency: 1)))
        var pause = Duration.seconds(60)
        let pass = try gate.enter("api.example", as: .writes, cancellation: nil, pause: &pause)
        let cancellation = HTTPCancellation()
        let waiting = try BackgroundCall { refusal(gate, pause: .seconds(3600), cancellation: cancellation) }
        awaitWaiting(gate)
        cancellation.cancel()
        #expect(try waiting.result() == .cancelled)
        #expect(gate.report.map(\.waiting) == [0])
        pass.report(hostDelay: nil)
    }

    @Test func `a wait that would be longer than it may is refused at once, with the time`() throws {
        let clock = WallClock { 5_000_000 }
        let gate = HostGate(clock: clock)
        raise(gate, seconds: 7200)
        guard case .tooLong(let until) = refusal(gate, pause: .seconds(1800)) else {
            Issue.record("not refused")
            return
        }
        #expect((12_100_000...12_200_000).contains(until))
        #expect(refusal(gate, isForced: true) == nil)
        #expect(refusal(gate, "other.example") == nil)
        #expect(gate.floor(of: "api.example") ?? 0 > 12_100_000)
        #expect(gate.report.map(\.host) == ["api.example"])
    }

    @Test func `a wait is told with its reason and its end, and told again when it is over`() throws {
        let clock = WallClock { 5_000_000 }
        func waits(_ gate: HostGate, pause: Duration) throws -> [HostWait?] {
            let told = Monitor<[HostWait?]>([])
            let cancellation = HTTPCancellation()
            let waiting = try BackgroundCall { () -> HostRefusal? in
                var pause = pause
                do throws(HostRefusal) {
                    _ = try gate.enter(
                        "API.example.", as: Self.source, cancellation: cancellation, pause: &pause,
                        onWait: { wait in told.update { $0.append(wait) } })
                    return nil
                } catch { return error }
            }
            _ = told.wait(upTo: LineClient.timeout) { $0.isEmpty ? nil : true }
            cancellation.cancel()
            #expect(try waiting.result() == .cancelled)
            return told.read { $0 }
        }
        let asked = HostGate(clock: clock)
        raise(asked, seconds: 100)
        let floor = try waits(asked, pause: .seconds(3600))
        #expect(floor.map { $0?.reason } == [.floor, nil] && floor.first??.host == "api.example")
        #expect((5_090_000...5_101_000).contains(floor.first??.until ?? 0))
        let limited = HostGate(table(HostLimits(rate: RequestRate(1, each: .hour))), clock: clock)
        #expect(refusal(limited) == nil)
        #expect(try waits(limited, pause: .seconds(7200)).map { $0?.reason } == [.rate, nil])
    }

    @Test func `a wait without end in sight is given up when its time is over`() throws {
        let gate = HostGate(table(HostLimits(concurrency: 1)))
        var pause = Duration.seconds(60)
        let pass = try gate.enter("api.example", as: .writes, cancellation: nil, pause: &pause)
        guard case .tooLong = refusal(gate, pause: .milliseconds(20)) else {
            Issue.record("not refused")
            return
        }
        pass.report(hostDelay: nil)
    }

    @Test func `floors are told, bounded, and taken over by the next run`() throws {
        let told = Monitor<[HostFloor]>([])
        let clock = WallClock { 1_000_000 }
        let gate = HostGate(clock: clock) { floor in told.update { $0.append(floor) } }
        raise(gate, seconds: 100_000)
        raise(gate, seconds: 5)
        #expect(told.read { $0 } == [HostFloor(host: "api.example", until: 1_000_000 + 21_600_000)])

        let floors = [HostFloor(host: "old.example", until: 900_000), HostFloor(host: "far.example", until: .max)]
        let next = HostGate(floors: told.read { $0 } + floors, clock: clock)
        #expect(next.report.map(\.host) == ["api.example", "far.example"])
        // Nobody waits longer than six hours, whatever the clock was.
        #expect(next.report.allSatisfy { $0.until ?? .max <= 1_000_000 + 21_600_000 })
    }

    @Test func `other limits let those begin who wait`() throws {
        let gate = HostGate(table(HostLimits(rate: RequestRate(1, each: .hour))))
        #expect(refusal(gate) == nil)
        let waiting = try BackgroundCall { refusal(gate, pause: .seconds(7200)) }
        awaitWaiting(gate)
        gate.configure(HostLimitTable(), maxFetches: 64)
        #expect(try waiting.result() == nil)
    }

    /// Waits until a request waits. Nothing tells of that, so this looks again and again.
    private func awaitWaiting(_ gate: HostGate) {
        let never = Monitor(())
        while gate.report.first?.waiting != 1 { _ = never.wait(upTo: .milliseconds(1)) { _ -> Bool? in nil } }
    }

    private func raise(_ gate: HostGate, seconds: Int) {
        var pause = Duration.seconds(60)
        do throws(HostRefusal) {
            let pass = try gate.enter(
                "api.example", as: .writes, HostUrgency(isForced: true), cancellation: nil, pause: &pause)
            pass.report(hostDelay: seconds)
        } catch { Issue.record("refused: \(error)") }
    }
}
