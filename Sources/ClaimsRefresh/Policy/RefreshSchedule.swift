// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
import ClaimsPlatform

/// When a source is asked next. Pure: the caller owns the clock, the network and the dice.
///
/// Times are wall-clock times, in milliseconds since 1970, because they are kept over restarts and a machine that slept
/// is to catch up.
public struct RefreshSchedule: Sendable, Equatable {
    /// The first wait after a failure; it doubles with each further one.
    public static let firstBackoff: Int64 = 2_000
    public static let longestBackoff: Int64 = 15 * 60_000
    /// How long until an upstream that says the request is wrong is asked again.
    public static let configurationRetry: Int64 = 15 * 60_000
    /// The longest time for which an upstream can have itself left alone.
    public static let longestDemand: Int64 = 6 * 3_600_000
    /// After so many failures in a row the source counts as open.
    public static let failuresToOpen = 5

    /// Milliseconds by which a clock that is being disciplined may go back.
    static let smallestStep: Int64 = 2_000

    /// How a request ended.
    public enum Event: Sendable, Equatable {
        /// With data, new or not. `maxAge` is for how long the upstream calls it fresh, in milliseconds.
        case succeeded(maxAge: Int64?)
        /// `retryAfter` is the upstream's wish, in milliseconds.
        case failed(FailureKind, status: Int?, retryAfter: Int64?)
        /// The guard did not let the data in; it would after `confirm` milliseconds.
        case held(confirm: Int64)
    }

    /// What is kept between requests.
    public struct State: Sendable, Equatable {
        /// nil: now.
        public var due: Int64?
        /// Failures in a row.
        public var failures = 0
        /// Until when the upstream asked to be left alone.
        public var retryAfter: Int64?
        /// When the last request ended; nil: not known.
        public var triedAt: Int64?

        public init(due: Int64? = nil, failures: Int = 0, retryAfter: Int64? = nil, triedAt: Int64? = nil) {
            self.due = due
            self.failures = failures
            self.retryAfter = retryAfter
            self.triedAt = triedAt
        }

        /// The source fails so steadily that it is only probed.
        public var isOpen: Bool { failures >= RefreshSchedule.failuresToOpen }
    }

    /// Between two successful requests, in milliseconds: the interval, and this machine's share of it for this source.
    public let period: Int64

    /// - Parameter offset: this source's place among all machines, from 0 to below 1; see `offset(machine:source:)`.
    public init(interval: Duration, offset: Double) {
        let interval = max(1, interval.wholeMilliseconds)
        period = interval + Int64(Double(min(interval, 1 << 50)) * 0.1 * min(max(offset, 0), 1))
    }

    /// A number from 0 to below 1 that is the same at each start, but another on each machine and for each source, so
    /// that a fleet does not arrive at once.
    public static func offset(machine: String, source: String) -> Double {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in machine.utf8 + [0] + source.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        // The low bits of such a hash are good, its high ones less so.
        hash = (hash ^ hash >> 32) &* 0x9e37_79b9_7f4a_7c15
        return Double(hash >> 11) / Double(1 << 53)
    }

    /// What follows from the end of a request. `random` is from 0 to below 1.
    public func state(after event: Event, from state: State, now: Int64, random: Double) -> State {
        switch event {
        case .succeeded(let maxAge):
            let floor = min(max(maxAge ?? 0, 0), Self.longestDemand)
            return State(due: now + max(period, floor))
        case .held(let confirm):
            return State(due: now + max(confirm, 0))
        case .failed(let kind, let status, let wish):
            let failures = state.failures + 1
            var due = now + Self.backoff(failures: failures, random: random)
            var retryAfter: Int64?
            if status == 429 || status == 503 {
                if let wish {
                    let end = now + min(max(wish, 0), Self.longestDemand)
                    retryAfter = end
                    due = max(due, end)
                }
            } else if Self.isConfiguration(kind, status) {
                due = now + Self.configurationRetry
            }
            return State(due: due, failures: failures, retryAfter: retryAfter)
        }
    }

    /// When the next request is due, `now` or later. A time further away than any that is ever set comes from before
    /// the clock was put back, and so does what was tried in the future: its wait cannot be told, unless the upstream
    /// itself asked for it.
    public func due(_ state: State, now: Int64) -> Int64 {
        guard let due = state.due else { return now }
        if let tried = state.triedAt, tried - now > Self.smallestStep, state.retryAfter == nil { return now }
        let latest = max(period, Self.longestDemand, Self.longestBackoff)
        return due - now > latest ? now : max(due, now)
    }

    /// Until when the upstream is to be left alone; nil: it may be asked.
    public func retryAfter(_ state: State, now: Int64) -> Int64? {
        guard let end = state.retryAfter, end > now, end - now <= Self.longestDemand else { return nil }
        return end
    }

    /// Exponential with full jitter: anything up to the doubled wait, but never at once.
    private static func backoff(failures: Int, random: Double) -> Int64 {
        let longest = min(firstBackoff << Int64(min(max(failures, 1) - 1, 20)), longestBackoff)
        return max(100, Int64(Double(longest) * min(max(random, 0), 1)))
    }

    /// Nothing will change until somebody changes a file.
    private static func isConfiguration(_ kind: FailureKind, _ status: Int?) -> Bool {
        switch kind {
        case .httpStatus: (400..<500).contains(status ?? 0)
        case .invalidURL, .credential: true
        default: false
        }
    }
}
