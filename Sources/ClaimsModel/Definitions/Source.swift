// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

/// Where a collection comes from, and how often.
public struct Source: Sendable, Hashable {
    /// https, http or file; nil: the collection is not configured. Whether it is a valid address shows when it is used.
    public var url: String?
    public var interval: Duration
    /// How long an answer of the upstream counts as fresh.
    public var ttl: Duration
    /// How long it counts as stale; expired after that.
    public var expires: Duration
    /// Where the array of records is.
    public var root: JSONPointer
    public var headers: [Header]
    /// The name of a systemd credential, sent as a bearer token.
    public var credential: String?
    /// nil: one answer holds all.
    public var next: Paging?
    public var join: Join?
    public var limits: TransferLimits.Overrides

    /// - Parameter ttl: nil: twice the interval.
    public init(
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
