// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

/// The health of an origin (scheme, host and port) as writes see it, and the requests to it under way. Pure.
public struct OriginState: Sendable, Equatable {
    /// The number of requests that are made at once.
    static let maxRequests = 2
    /// The failures running after which single requests probe the origin.
    static let maxFailures = 5
    /// The time between two probes of an origin that does not know us, in milliseconds.
    static let probeInterval: Int64 = 15 * 60_000

    /// An origin that does not know us: a credential is refused, or missing.
    public struct Pause: Sendable, Equatable {
        /// Milliseconds since 1970.
        public var since: Int64
        public var reason: Message
        /// The time of the next probe, in milliseconds since 1970.
        public var nextProbe: Int64
    }

    /// A change of an origin's health, for the journal.
    public enum Event: Sendable, Equatable {
        case paused(Message)
        case recovered
    }

    public private(set) var pause: Pause?
    /// The failures running.
    private(set) var failures = 0
    /// The time of the last failure, and of the next probe after it.
    private var troubledSince: Int64?
    private var nextProbe: Int64 = 0
    private(set) var requests = 0
    /// Whether a probe was asked for while one was under way, which may have begun too early.
    private var isProbeWanted = false
    /// The time of the last recovery: attempts before it set no time for the next one.
    private(set) var recoveredAt: Int64 = .min

    public init() {}

    /// Whether so many requests in a row have failed that single ones probe the origin.
    public var isTroubled: Bool { failures >= Self.maxFailures }

    /// The time since when the origin is paused or troubled, and of the next probe; nil for an origin that is well.
    public var trouble: (since: Int64, nextProbe: Int64)? {
        if let pause { return (pause.since, pause.nextProbe) }
        guard isTroubled, let troubledSince else { return nil }
        return (troubledSince, nextProbe)
    }

    /// The time from which one more request may begin; nil while as many as may be are under way.
    func nextBegin() -> Int64? {
        if let pause { return requests == 0 ? pause.nextProbe : nil }
        if isTroubled { return requests == 0 ? nextProbe : nil }
        return requests < Self.maxRequests ? .min : nil
    }

    /// The time from which an operation may be sent, seen by itself.
    func due(_ operation: Operation) -> Int64 {
        let delivery = operation.delivery
        let lastAttempt = delivery.log.last?.at ?? .min
        let floor = delivery.floor ?? .min
        // A recovery makes everything due, except what the upstream itself has delayed.
        if pause != nil || isTroubled || lastAttempt < recoveredAt { return floor }
        return max(delivery.nextTry ?? .min, floor)
    }

    /// The time before which an operation is not sent: the time of the next probe while there is trouble.
    func earliest(_ operation: Operation) -> Int64 { max(trouble?.nextProbe ?? .min, due(operation)) }

    mutating func begin() { requests += 1 }

    /// Records the end of a request.
    ///
    /// - Parameters:
    ///   - signal: nil for a request that shows nothing about the origin.
    ///   - random: any number; the time of the next probe follows from it.
    mutating func end(_ signal: OriginSignal?, now: Int64, random: UInt64) -> Event? {
        requests = max(0, requests - 1)
        defer {
            if isProbeWanted {
                isProbeWanted = false
                probe(now: now)
            }
        }
        switch signal {
        case nil: return nil
        case .success:
            let wasPaused = pause != nil
            pause = nil
            let event = succeed(now: now)
            return wasPaused ? recover(now: now) : event
        case .failure:
            // An answer other than 401 and 407 shows that the credentials are accepted, or shows nothing about them.
            fail(now: now, random: random)
            pause?.nextProbe = now + Self.probeInterval
            return nil
        case .refusal(let reason):
            fail(now: now, random: random)
            let isNew = pause == nil
            pause = Pause(since: pause?.since ?? now, reason: reason, nextProbe: now + Self.probeInterval)
            return isNew ? .paused(reason) : nil
        }
    }

    /// Records a success, also of a refresh. A pause stays: refreshes have a credential of their own.
    mutating func succeed(now: Int64) -> Event? {
        let wasTroubled = isTroubled
        failures = 0
        troubledSince = nil
        return wasTroubled && pause == nil ? recover(now: now) : nil
    }

    /// Lets one request probe the origin at once: after a reload, and when a person asks for it.
    mutating func probe(now: Int64) {
        if requests > 0 { isProbeWanted = true }
        pause?.nextProbe = now
        nextProbe = now
    }

    private mutating func recover(now: Int64) -> Event {
        recoveredAt = now
        return .recovered
    }

    private mutating func fail(now: Int64, random: UInt64) {
        failures += 1
        if failures == Self.maxFailures { troubledSince = now }
        nextProbe = now + Backoff.delay(failures: failures, random: random)
    }
}

/// The time between attempts that fail: a random part of a span that doubles ("full jitter").
public enum Backoff {
    /// The span after the first failure, in milliseconds.
    static let minSpan: Int64 = 2000
    /// The longest span, in milliseconds.
    static let maxSpan: Int64 = 15 * 60_000
    /// The longest time for which an upstream is obeyed (Retry-After), in milliseconds.
    static let maxFloor: Int64 = 6 * 3_600_000

    /// The span after a number of failures in a row, at least one, in milliseconds.
    static func span(failures: Int) -> Int64 {
        let doublings = min(max(failures, 1) - 1, 20)
        return min(minSpan << Int64(doublings), maxSpan)
    }

    /// The delay after a number of failures in a row, in milliseconds.
    ///
    /// - Parameter random: any number; equal ones give equal delays.
    static func delay(failures: Int, random: UInt64) -> Int64 {
        Int64(random % UInt64(span(failures: failures) + 1))
    }

    /// The time before which an upstream wants no request, as it is obeyed.
    ///
    /// - Parameter seconds: the value of Retry-After.
    static func floor(after seconds: Int, now: Int64) -> Int64 {
        now + Int64(min(max(0, seconds), Int(maxFloor / 1000))) * 1000
    }
}
