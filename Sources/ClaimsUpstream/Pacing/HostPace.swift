// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
import ClaimsPlatform

/// A requester at a host. The requests of several requesters alternate.
public enum HostRequester: Sendable, Hashable {
    case source(SourceID)
    /// All writes of all collections together.
    case writes

    /// The collection whose share of all transfers a request counts in; nil for writes, which do not count there.
    var collection: String? {
        if case .source(let id) = self { id.collection } else { nil }
    }
}

/// The urgency of a request beside others.
public struct HostUrgency: Sendable, Hashable {
    /// Whether a person wants it now, whatever time the host has named.
    public var isForced: Bool
    /// The time at which its source was due, in milliseconds since 1970. If there are too many transfers, the source
    /// that was due earlier comes first.
    public var due: Int64

    public init(isForced: Bool = false, due: Int64 = .max) {
        self.isForced = isForced
        self.due = due
    }
}

/// Decides which requests to one host begin. Pure; times are nanoseconds of a clock that never steps.
///
/// Requesters with waiting requests alternate, one request each. A request that runs counts until it ends.
struct HostPace: Sendable {
    /// A request that waits.
    struct Waiting: Sendable, Equatable {
        var number: UInt64
        var urgency: HostUrgency
    }

    private(set) var limits: HostLimits
    private(set) var inFlight = 0
    /// The time before which the host wants no requests.
    private(set) var floor: UInt64 = 0
    /// When a request last asked to begin, or ended.
    private(set) var lastUse: UInt64
    private var window = RateWindow()
    /// The takers with waiting requests; the first one is next.
    private var order: [HostRequester] = []
    private var queues: [HostRequester: [Waiting]] = [:]

    init(_ limits: HostLimits, now: UInt64) {
        self.limits = limits
        lastUse = now
        window.configure(limits.rate, now: now)
    }

    var waiting: Int { queues.values.reduce(0) { $0 + $1.count } }
    var hasWaiting: Bool { !order.isEmpty }
    var isIdle: Bool { inFlight == 0 && !hasWaiting }

    /// Whether nothing that is known of the host matters any more.
    mutating func isForgettable(now: UInt64) -> Bool { isIdle && floor <= now && window.isEmpty(now: now) }

    mutating func configure(_ limits: HostLimits, now: UInt64) {
        guard limits != self.limits else { return }
        self.limits = limits
        window.configure(limits.rate, now: now)
    }

    /// Records that the host wants no requests before that time. An earlier time than the one known changes nothing.
    mutating func raiseFloor(to time: UInt64) { floor = max(floor, time) }

    mutating func ask(_ request: Waiting, for requester: HostRequester, now: UInt64) {
        lastUse = now
        if queues[requester] == nil { order.append(requester) }
        queues[requester, default: []].append(request)
    }

    /// Takes back a request that waits.
    mutating func withdraw(_ number: UInt64, of requester: HostRequester) {
        queues[requester]?.removeAll { $0.number == number }
        if queues[requester]?.isEmpty == true {
            queues[requester] = nil
            order.removeAll { $0 == requester }
        }
    }

    /// The next request; nil if none may begin.
    ///
    /// - Parameter admits: whether a requester may have one more at all.
    mutating func next(
        now: UInt64, admits: (HostRequester) -> Bool
    ) -> (requester: HostRequester, request: Waiting)? {
        guard inFlight < limits.concurrency, !order.isEmpty, window.opening(now: now) <= now else { return nil }
        for requester in order where admits(requester) {
            if let request = queues[requester]?.first(where: { $0.urgency.isForced || floor <= now }) {
                return (requester, request)
            }
        }
        return nil
    }

    /// Begins a request that ``next(now:admits:)`` gave; its requester goes behind the others.
    mutating func begin(_ number: UInt64, of requester: HostRequester, now: UInt64) {
        withdraw(number, of: requester)
        if let index = order.firstIndex(of: requester) {
            order.remove(at: index)
            order.append(requester)
        }
        inFlight += 1
        window.begin(number, now: now)
    }

    mutating func end(_ number: UInt64, now: UInt64) {
        lastUse = now
        inFlight -= 1
        window.end(number, now: now)
    }

    /// The earliest time at which a request could begin if no other one did.
    mutating func opening(now: UInt64, isForced: Bool) -> UInt64 {
        max(window.opening(now: now), isForced ? now : max(floor, now))
    }
}

/// Counts the requests that a host may have got within one window of its rate. Pure; times are nanoseconds of a clock that
/// never steps.
///
/// The time at which a request arrives at the host is unknown, but it is not after its end. So a request counts from its
/// end, or from ``maxLag(of:)`` after its beginning, if that is earlier. Hence neither this side nor the host sees more of them in
/// any window than the rate allows.
struct RateWindow: Sendable, Equatable {
    /// Added to each window, because a host may measure it in milliseconds.
    private static let margin: UInt64 = 1_000_000

    private(set) var rate: RequestRate?
    /// When requests arrived at the latest, in ascending order; those before ``head`` are not needed any more.
    private var arrivals: [UInt64] = []
    private var head = 0
    /// Requests that may not have arrived yet, in the order of their beginnings.
    private var underWay: [(number: UInt64, latest: UInt64)] = []

    static func == (one: Self, other: Self) -> Bool {
        one.rate == other.rate && one.arrivals[one.head...] == other.arrivals[other.head...]
            && one.underWay.map(\.number) == other.underWay.map(\.number)
    }

    /// The longest time from the beginning of a request to its arrival that is waited for: a quarter of the window, one
    /// second at most.
    static func maxLag(of rate: RequestRate) -> UInt64 { min(1_000_000_000, rate.window.length.wholeNanoseconds / 4) }

    /// Takes another rate into use. What was counted stays counted.
    mutating func configure(_ rate: RequestRate?, now: UInt64) {
        settle(now)
        self.rate = rate
        if rate == nil {
            arrivals = []
            head = 0
            underWay = []
        } else {
            trim()
        }
    }

    /// Records that a request begins.
    mutating func begin(_ number: UInt64, now: UInt64) {
        guard let rate else { return }
        settle(now)
        underWay.append((number, now &+ Self.maxLag(of: rate)))
    }

    /// Records that a request has ended.
    mutating func end(_ number: UInt64, now: UInt64) {
        settle(now)
        guard let index = underWay.firstIndex(where: { $0.number == number }) else { return }
        underWay.remove(at: index)
        append(now)
    }

    /// The time before which no request may begin; `now` or earlier if one may begin now.
    mutating func opening(now: UInt64) -> UInt64 {
        guard let rate else { return now }
        settle(now)
        let length = rate.window.length.wholeNanoseconds + Self.margin
        while head < arrivals.count, arrivals[head] &+ length <= now { head += 1 }
        let excess = arrivals.count - head + underWay.count - rate.count
        guard excess >= 0 else { return now }
        let index = head + excess
        return index < arrivals.count ? arrivals[index] &+ length : now &+ length
    }

    /// Whether nothing counts any more.
    mutating func isEmpty(now: UInt64) -> Bool {
        _ = opening(now: now)
        return underWay.isEmpty && head == arrivals.count
    }

    /// Moves requests that have arrived by now.
    private mutating func settle(_ now: UInt64) {
        let count = underWay.prefix { $0.latest <= now }.count
        for request in underWay.prefix(count) { append(request.latest) }
        underWay.removeFirst(count)
    }

    private mutating func append(_ time: UInt64) {
        arrivals.append(time)
        trim()
    }

    /// Drops what cannot count any more: only the newest arrivals decide, as many as the rate has requests.
    private mutating func trim() {
        head = max(head, arrivals.count - (rate?.count ?? 0))
        if head > 64, head * 2 > arrivals.count {
            arrivals.removeFirst(head)
            head = 0
        }
    }
}
