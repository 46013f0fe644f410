// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
public import ClaimsPlatform

/// Makes requests wait until their hosts may be asked. Safe on any thread.
///
///     let gate = HostGate(settings.hosts, maxFetches: settings.fetching.fetches)
///     let pass = try gate.enter("api.example", as: .source(id), cancellation: cancellation, pause: &budget.pause)
///     // the request runs
///     pass.report(hostDelay: 30)        // the host wants no request for 30 seconds
///     // the pass is given back when it goes out of scope
public final class HostGate: Sendable {
    /// The maximal time that a request waits before it reads the clock again: the machine may have slept.
    private static let heartbeat = Duration.seconds(2)
    /// The longest time for which a host is left alone, in seconds.
    static let maxDelay = HTTPDelay.retryAfterCap

    private struct State: Sendable {
        var book: PaceBook
        /// Counts the changes that may let a request begin.
        var changes: UInt64 = 0

        mutating func begin(now: UInt64) {
            if book.begin(now: now) { changes += 1 }
        }
    }

    private enum Step {
        case begun
        case wait(Duration, seen: UInt64, opening: UInt64)
        /// The wait would take too long.
        case refused(until: UInt64)
    }

    private let state: Monitor<State>
    let clock: WallClock
    private let onFloor: @Sendable (HostFloor) -> Void

    /// - Parameters:
    ///   - floors: what hosts have demanded in an earlier run.
    ///   - clock: the clock of floors.
    ///   - onFloor: called with each floor that a host has raised, on the thread of its request.
    public init(
        _ table: HostLimitTable = HostLimitTable(), maxFetches: Int = FetchLimits().fetches,
        floors: [HostFloor] = [], clock: WallClock = .system,
        onFloor: @escaping @Sendable (HostFloor) -> Void = { _ in }
    ) {
        var state = State(book: PaceBook(table, maxFetches: maxFetches))
        let (now, wall) = (SystemClock.sinceBoot, clock.now())
        for floor in floors where floor.until > wall {
            let delay = min(floor.until - wall, Int64(Self.maxDelay) * 1000)
            state.book.raiseFloor(of: floor.host, to: now + UInt64(delay) * 1_000_000, now: now)
        }
        self.state = Monitor(state)
        self.clock = clock
        self.onFloor = onFloor
    }

    /// Takes other limits into use, also for requests that wait.
    public func configure(_ table: HostLimitTable, maxFetches: Int) {
        state.update { state in
            state.book.configure(table, maxFetches: maxFetches, now: SystemClock.sinceBoot)
            state.changes += 1
        }
    }

    /// Waits until a request to a host may begin.
    ///
    /// - Parameters:
    ///   - cancellation: ends the wait at once.
    ///   - pause: the longest wait; the time used is subtracted.
    ///   - onWait: called with each wait that has an end a while ahead, and with nil when it is over.
    /// - Throws: `tooLong` at once if the wait would take longer than `pause`.
    public func enter(
        _ host: String, as requester: HostRequester, _ urgency: HostUrgency = HostUrgency(),
        cancellation: HTTPCancellation?,
        pause: inout Duration, onWait: HostWait.Observer? = nil
    ) throws(HostRefusal) -> HostPass {
        let host = HostLimitTable.name(host)
        let start = SystemClock.sinceBoot
        let (end, isEndless) = start.addingReportingOverflow(max(pause, .zero).wholeNanoseconds)
        let deadline = isEndless ? .max : end
        defer { pause -= .nanoseconds(Int64(clamping: SystemClock.sinceBoot &- start)) }
        let ticket = state.update { $0.book.ask(host, for: requester, urgency, now: start) }
        cancellation?.whenCancelled { [state] in state.update { $0.changes += 1 } }
        defer { cancellation?.whenCancelled(nil) }
        var reported: UInt64?
        defer { if reported != nil { onWait?(nil) } }
        while true {
            let isCancelled = cancellation?.isCancelled == true
            switch state.update({ Self.step(ticket, urgency, isCancelled: isCancelled, deadline: deadline, &$0) }) {
            case .begun:
                let pass = HostPass(gate: self, ticket: ticket)
                guard isCancelled else { return pass }
                throw .cancelled
            case .refused(let time):
                if isCancelled { throw .cancelled }
                let now = SystemClock.sinceBoot
                throw .tooLong(until: clock.now() + Int64(clamping: (max(time, now) - now) / 1_000_000))
            case .wait(let time, let seen, let opening):
                if let onWait, opening != reported, let wait = wait(of: host, until: opening) {
                    reported = opening
                    onWait(wait)
                }
                _ = state.wait(upTo: time, waking: .none) { $0.changes != seen ? true : nil }
            }
        }
    }

    private static func step(
        _ ticket: PaceBook.Ticket, _ urgency: HostUrgency, isCancelled: Bool, deadline: UInt64, _ state: inout State
    ) -> Step {
        let now = SystemClock.sinceBoot
        state.begin(now: now)
        if state.book.consumeBegun(ticket) { return .begun }
        let opening = state.book.opening(ticket, isForced: urgency.isForced, now: now)
        if isCancelled || now >= deadline || opening > deadline {
            state.book.withdraw(ticket)
            state.changes += 1
            return .refused(until: opening)
        }
        let time = min(opening > now ? opening : .max, deadline) - now
        return .wait(min(.nanoseconds(Int64(clamping: time)), Self.heartbeat), seen: state.changes, opening: opening)
    }

    /// The wait of a request that may begin at a time of the boot clock; nil if that is so soon that it need not be
    /// reported.
    private func wait(of host: String, until opening: UInt64) -> HostWait? {
        let now = SystemClock.sinceBoot
        guard opening >= now + HostWait.minReported else { return nil }
        let floor = state.read { $0.book.hosts[host]?.floor } ?? 0
        return HostWait(
            host: host, reason: floor >= opening ? .floor : .rate,
            until: clock.now() + Int64((opening - now + 999_999) / 1_000_000))
    }

    /// The end of the time, in milliseconds since 1970, for which a host wants no requests; nil if it accepts some.
    public func floor(of host: String) -> Int64? {
        let host = HostLimitTable.name(host)
        return state.read { $0.book.hosts[host]?.floor }.flatMap { until($0) }
    }

    /// The end of that time of the host that a URL leads to.
    public func floor(ofURL url: String) -> Int64? {
        // Usually no host has a floor, and reading URLs takes longer.
        guard state.read({ $0.book.hasFloors }), let host = try? HTTPURL(url).host else { return nil }
        return floor(of: host)
    }

    /// The hosts that are in use or under a floor, by name.
    public var report: [HostReport] {
        state.read { Array($0.book.hosts) }.compactMap { name, pace in
            let until = until(pace.floor)
            return pace.isIdle && until == nil
                ? nil
                : HostReport(
                    host: name, limits: pace.limits, inFlight: pace.inFlight, waiting: pace.waiting, until: until)
        }.sorted { $0.host < $1.host }
    }

    private func until(_ floor: UInt64) -> Int64? {
        let now = SystemClock.sinceBoot
        return floor > now ? clock.now() + Int64((floor - now + 999_999) / 1_000_000) : nil
    }

    fileprivate func end(_ ticket: PaceBook.Ticket) {
        state.update { state in
            let now = SystemClock.sinceBoot
            state.book.end(ticket, now: now)
            state.begin(now: now)
            state.changes += 1
        }
    }

    fileprivate func raiseFloor(of host: String, seconds: Int) {
        let delay = min(seconds, Self.maxDelay)
        guard delay > 0 else { return }
        let isNews = state.update(waking: .none) { state in
            let now = SystemClock.sinceBoot
            let before = state.book.hosts[host]?.floor ?? 0
            let floor = now + UInt64(delay) * 1_000_000_000
            state.book.raiseFloor(of: host, to: floor, now: now)
            return floor > before
        }
        if isNews { onFloor(HostFloor(host: host, until: clock.now() + Int64(delay) * 1000)) }
    }
}

/// The right to make one request to a host. It is given back at its release.
public struct HostPass: ~Copyable, Sendable {
    private let gate: HostGate
    private let ticket: PaceBook.Ticket

    fileprivate init(gate: HostGate, ticket: PaceBook.Ticket) {
        self.gate = gate
        self.ticket = ticket
    }

    deinit { gate.end(ticket) }

    /// Reports the delay that the host demands in its answer.
    ///
    /// - Parameter hostDelay: the seconds for which it wants no further request; nil if it demands none.
    public func report(hostDelay: Int?) {
        if let hostDelay { gate.raiseFloor(of: ticket.host, seconds: hostDelay) }
    }
}

/// The reason why a request may not begin.
public enum HostRefusal: Error, Sendable, Equatable {
    case cancelled
    /// It would have to wait longer than it may: until that time at least, in milliseconds since 1970.
    case tooLong(until: Int64)
}
