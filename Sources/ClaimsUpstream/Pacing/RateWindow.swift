// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform

/// Counts the requests that a host may have got within one window of its rate. Pure; times are nanoseconds of a clock that
/// never steps.
///
/// Nobody here knows when a request arrives: at its end at the latest. So a request counts from its end, or from
/// ``maxLag(of:)`` after its beginning, if that is earlier. Hence neither this side nor the host sees more of them in
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

    /// Notes that a request begins.
    mutating func begin(_ number: UInt64, now: UInt64) {
        guard let rate else { return }
        settle(now)
        underWay.append((number, now &+ Self.maxLag(of: rate)))
    }

    /// Notes that a request has ended.
    mutating func end(_ number: UInt64, now: UInt64) {
        settle(now)
        guard let index = underWay.firstIndex(where: { $0.number == number }) else { return }
        underWay.remove(at: index)
        append(now)
    }

    /// The time before which no request may begin; `now` or earlier where one may begin now.
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
