// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsRefresh

/// A permit to ask an upstream, with the fleet as it was when it was given. Pure.
struct GivenPermit {
    let permit: AskPermit
    /// The time of the newest head entry, in milliseconds since 1970; nil: there was none.
    let newest: Int64?
    /// The wall clock less the clock since the boot, in milliseconds.
    let clock: Int64

    /// The number of milliseconds by which the clock may be slewed during a request.
    static let maxStep: Int64 = 2_000

    /// Whether the answer to the request counts. It does not count if another host has published since, or if the clock
    /// was set.
    ///
    /// - Parameters:
    ///   - current: the newest head entry now.
    ///   - own: this process, whose own entries do not matter.
    ///   - clock: the current value of ``clock``.
    func holds(with current: NewestEntry?, own: Issuer, clock: Int64) -> Bool {
        if abs(self.clock - clock) > Self.maxStep { return false }
        guard let current, current.issuer != own else { return true }
        return current.entry.issuedAt <= newest ?? .min
    }
}
