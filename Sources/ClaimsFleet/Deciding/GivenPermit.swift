// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsRefresh

/// A permit to ask an upstream, with the fleet as it was when it was given. Pure.
struct GivenPermit {
    let permit: AskPermit
    /// The newest head entry; nil: there was none.
    let newest: HeadOrder?
    /// The wall clock less the clock since the boot, in milliseconds.
    let clock: Int64

    /// The number of milliseconds by which the clock may be slewed during a request.
    static let maxStep: Int64 = 2_000

    /// The time after which a request counts as begun: that of the newest data of all hosts, and of the data here, which a host
    /// that has just started may know alone. What is dated far ahead was asked for under a wrong clock, and does not bind.
    ///
    /// - Parameter known: the time of the data here; nil: there is none.
    static func floor(newest: NewestEntry?, known: Int64?, now: Int64) -> Int64 {
        let all = newest.flatMap { newest in
            newest.isClockTrusted && HeadJudgement.isAhead(newest.entry.asOf, now: now) ? nil : newest.entry.asOf
        }
        let own = known.flatMap { HeadJudgement.isAhead($0, now: now) ? nil : $0 }
        return max(all ?? 0, own ?? 0)
    }

    /// Whether the answer to the request counts. It does not count if another host has published since, or if the clock
    /// was set.
    ///
    /// - Parameters:
    ///   - current: the newest head entry now.
    ///   - own: this process, whose own entries do not matter.
    ///   - clock: the current value of ``clock``.
    func holds(with current: NewestEntry?, own: Issuer, clock: Int64) -> Bool {
        if abs(self.clock - clock) > Self.maxStep { return false }
        return current?.issuer == own || isFree(with: current)
    }

    /// Whether no head has come since. A head that replaces one of a wrong clock may be dated
    /// earlier than that, so the orders are compared for equality.
    ///
    /// - Parameter current: the newest head entry now.
    func isFree(with current: NewestEntry?) -> Bool { current == nil || current?.order == newest }
}
