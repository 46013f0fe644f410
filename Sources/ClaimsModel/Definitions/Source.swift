// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

package import ClaimsJSON

/// Where a collection comes from, and how often.
package struct Source: Sendable, Hashable {
    /// https, http or file; nil: the collection is not configured. Whether it is a valid address shows when it is used.
    package var url: String?
    package var interval: Duration
    /// How long an answer of the upstream counts as fresh.
    package var ttl: Duration
    /// How long it counts as stale; expired after that.
    package var expires: Duration
    /// Where the array of records is.
    package var root: JSONPointer
    package var headers: [Header]
    /// The name of a systemd credential, sent as a bearer token.
    package var credential: String?
    /// nil: one answer holds all.
    package var next: Paging?
    package var join: Join?
    package var limits: TransferLimits.Overrides

    /// - Parameter ttl: nil: twice the interval.
    package init(
        url: String? = nil, interval: Duration = .seconds(300), ttl: Duration? = nil,
        expires: Duration = .seconds(86_400), root: JSONPointer, headers: [Header] = [],
        credential: String? = nil, next: Paging? = nil, join: Join? = nil,
        limits: TransferLimits.Overrides = TransferLimits.Overrides()
    ) {
        self.url = url
        self.interval = interval
        self.ttl = ttl ?? interval * 2
        self.expires = expires
        self.root = root
        self.headers = headers
        self.credential = credential
        self.next = next
        self.join = join
        self.limits = limits
    }
}
