// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsModel
import ClaimsPlatform

/// Decides the time of a source's next request. It is pure: the caller passes the time and the random numbers.
///
///     let schedule = RefreshSchedule(interval: .seconds(300), offset: 0)
///     let state = schedule.state(after: .succeeded(maxAge: nil), from: .init(), now: now, random: 0.5)
///     schedule.due(state, now: now)  // now + 300_000
///
/// A due time is computed from the end of the last request and the interval in force, so that another interval
/// works at once. Times are wall-clock times in milliseconds since 1970, because they are kept over restarts and a
/// machine that slept has to catch up.
public struct RefreshSchedule: Sendable, Equatable {
    /// The first wait after a failure, in milliseconds; it doubles with each further one.
    public static let firstBackoff: Int64 = 2_000
    /// The longest wait after a failure, in milliseconds.
    public static let maxBackoff: Int64 = 15 * 60_000
    /// The wait after an answer that calls the request wrong, in milliseconds.
    public static let configurationRetry: Int64 = 15 * 60_000
    /// The wait of a refused source before a start may have it asked again, in milliseconds.
    static let refusalPause: Int64 = 60_000
    /// The longest time that `Retry-After` and `max-age` can ask for, in milliseconds.
    public static let maxDemand: Int64 = 6 * 3_600_000
    /// The number of failures in a row that opens the source.
    public static let failuresToOpen = 5

    /// The number of milliseconds by which a clock that is being disciplined may go back.
    static let minStep: Int64 = 2_000

    /// The end of a request. Durations are in milliseconds.
    public enum Event: Sendable, Equatable {
        /// The request brought data, new or not; `maxAge` is the time for which the upstream calls it fresh.
        case succeeded(maxAge: Int64?)
        /// The request brought no data; `retryAfter` is the time for which the upstream wants no request.
        case failed(FailureKind, status: Int?, retryAfter: Int64?)
        /// The request brought data that the guard holds until `confirm` has passed.
        case held(confirm: Int64)
    }

    /// The state that is kept between requests. Times are in milliseconds since 1970.
    public struct State: Sendable, Equatable {
        /// The end of the last request; nil if none has ended, or its result no longer counts.
        public var endedAt: Int64?
        /// The time of the next attempt after a failure or a held body, whatever the interval; nil after a success.
        public var retryAt: Int64?
        /// The time until which the upstream calls its last answer fresh; nil if it does not say.
        public var freshUntil: Int64?
        /// Failures in a row.
        public var failures: Int
        /// The time before which the upstream wants no request (`Retry-After`); nil if it has named none.
        public var retryAfter: Int64?

        public init(
            endedAt: Int64? = nil, retryAt: Int64? = nil, freshUntil: Int64? = nil, failures: Int = 0,
            retryAfter: Int64? = nil
        ) {
            self.endedAt = endedAt
            self.retryAt = retryAt
            self.freshUntil = freshUntil
            self.failures = failures
            self.retryAfter = retryAfter
        }

        /// Whether the source has failed so often in a row that it is only probed.
        public var isOpen: Bool { failures >= RefreshSchedule.failuresToOpen }
    }

    /// The time between two successful requests, in milliseconds: the interval, and up to a tenth of it as offset.
    public let period: Int64

    /// - Parameter offset: from 0 to below 1, the same for one machine and source; see `offset(machine:source:)`.
    public init(interval: Duration, offset: Double) {
        let interval = max(1, interval.wholeMilliseconds)
        period = interval + Int64(Double(min(interval, 1 << 50)) * 0.1 * min(max(offset, 0), 1))
    }

    /// Returns a number from 0 to below 1, which spreads the requests of many machines over time.
    ///
    /// The number is the same at each start, and differs between machines and between sources.
    public static func offset(machine: String, source: String) -> Double {
        var fnv = FNVHash()
        for byte in machine.utf8 + [0] + source.utf8 { fnv.add(byte: byte) }
        var hash = fnv.value
        // The low bits of such a hash are well distributed, the high ones less so.
        hash = (hash ^ hash >> 32) &* 0x9e37_79b9_7f4a_7c15
        return Double(hash >> 11) / Double(1 << 53)
    }

    /// Returns the state after a request that ended at `now`, in milliseconds since 1970.
    ///
    /// - Parameter random: from 0 to below 1; it spreads the waits after failures.
    public func state(after event: Event, from state: State, now: Int64, random: Double) -> State {
        switch event {
        case .succeeded(let maxAge):
            let demand = min(max(maxAge ?? 0, 0), Self.maxDemand)
            return State(endedAt: now, freshUntil: demand == 0 ? nil : now + demand)
        case .held(let confirm):
            return State(endedAt: now, retryAt: now + max(confirm, 0))
        case .failed(let kind, let status, let wish):
            let failures = state.failures + 1
            var retryAt = now + Self.backoff(failures: failures, random: random)
            var retryAfter: Int64?
            if status == 429 || status == 503 {
                if let wish {
                    let end = now + min(max(wish, 0), Self.maxDemand)
                    retryAfter = end
                    retryAt = max(retryAt, end)
                }
            } else if Self.isConfiguration(kind, status) {
                retryAt = now + Self.configurationRetry
            }
            return State(endedAt: now, retryAt: retryAt, failures: failures, retryAfter: retryAfter)
        }
    }

    /// Returns the due time of the next request under the interval in force. It may be in the past.
    ///
    /// - Returns: milliseconds since 1970; nil if the request is due at once, because none has ended yet.
    public func due(after state: State) -> Int64? {
        if let retryAt = state.retryAt { return retryAt }
        guard let endedAt = state.endedAt else { return nil }
        return max(endedAt.addingReportingOverflow(period).partialValue, state.freshUntil ?? .min)
    }

    /// Returns the due time of the next request: `now` or later, in milliseconds since 1970.
    ///
    /// A due time that is too far away, or a last request in the future, shows that the wall clock was set back. The source
    /// is then due now, unless the upstream itself asked for the wait.
    public func due(_ state: State, now: Int64) -> Int64 {
        guard let due = due(after: state) else { return now }
        if let endedAt = state.endedAt, endedAt - now > Self.minStep, state.retryAfter == nil { return now }
        let latest = max(period, Self.maxDemand, Self.maxBackoff)
        return due - now > latest ? now : max(due, now)
    }

    /// Returns the time before which the upstream wants no request; nil if it may be asked now.
    public func retryAfter(_ state: State, now: Int64) -> Int64? {
        guard let end = state.retryAfter, end > now, end - now <= Self.maxDemand else { return nil }
        return end
    }

    /// Exponential with full jitter: anything up to the doubled wait, but never at once.
    private static func backoff(failures: Int, random: Double) -> Int64 {
        let bound = min(firstBackoff << Int64(min(max(failures, 1) - 1, 20)), maxBackoff)
        return max(100, Int64(Double(bound) * min(max(random, 0), 1)))
    }

    /// Nothing will change until a file is changed.
    private static func isConfiguration(_ kind: FailureKind, _ status: Int?) -> Bool {
        switch kind {
        case .httpStatus: (400..<500).contains(status ?? 0)
        case .invalidURL, .credential: true
        default: false
        }
    }
}
