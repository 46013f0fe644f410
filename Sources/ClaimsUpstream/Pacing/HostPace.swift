// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

/// One of those that take turns at a host.
public enum HostTaker: Sendable, Hashable {
    case source(SourceID)
    /// All writes of all collections together.
    case writes

    /// The collection whose share of all transfers a request counts in; nil for writes, which do not count there.
    var collection: String? {
        if case .source(let id) = self { id.collection } else { nil }
    }
}

/// How pressing a request is beside others.
public struct HostUrgency: Sendable, Hashable {
    /// Whether a person wants it now, whatever time the host has named.
    public var isForced: Bool
    /// When its source was due, in milliseconds since 1970: of two sources the one that was due earlier comes first where
    /// all transfers together are too many.
    public var due: Int64

    public init(isForced: Bool = false, due: Int64 = .max) {
        self.isForced = isForced
        self.due = due
    }
}

/// Decides which requests to one host begin. Pure; times are nanoseconds of a clock that never steps.
///
/// Takers with waiting requests take turns, one request each. A request that runs counts until it ends.
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
    private var order: [HostTaker] = []
    private var queues: [HostTaker: [Waiting]] = [:]

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

    /// Takes in that the host wants no requests before that time. An earlier time than the one known changes nothing.
    mutating func raiseFloor(to time: UInt64) { floor = max(floor, time) }

    mutating func ask(_ request: Waiting, for taker: HostTaker, now: UInt64) {
        lastUse = now
        if queues[taker] == nil { order.append(taker) }
        queues[taker, default: []].append(request)
    }

    /// Takes back a request that waits.
    mutating func withdraw(_ number: UInt64, of taker: HostTaker) {
        queues[taker]?.removeAll { $0.number == number }
        if queues[taker]?.isEmpty == true {
            queues[taker] = nil
            order.removeAll { $0 == taker }
        }
    }

    /// The request whose turn it is now; nil where none may begin.
    ///
    /// - Parameter admits: whether a taker may have one more at all.
    mutating func next(
        now: UInt64, admits: (HostTaker) -> Bool
    ) -> (taker: HostTaker, request: Waiting)? {
        guard inFlight < limits.concurrency, !order.isEmpty, window.opening(now: now) <= now else { return nil }
        for taker in order where admits(taker) {
            if let request = queues[taker]?.first(where: { $0.urgency.isForced || floor <= now }) {
                return (taker, request)
            }
        }
        return nil
    }

    /// Begins a request that ``next(now:admits:)`` gave; its taker goes behind the others.
    mutating func begin(_ number: UInt64, of taker: HostTaker, now: UInt64) {
        withdraw(number, of: taker)
        if let index = order.firstIndex(of: taker) {
            order.remove(at: index)
            order.append(taker)
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
