// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The time until which a host wants no requests.
public struct HostFloor: Sendable, Hashable {
    public let host: String
    /// In milliseconds since 1970.
    public let until: Int64

    public init(host: String, until: Int64) {
        self.host = host
        self.until = until
    }
}

/// The requests at one host.
public struct HostReport: Sendable, Hashable {
    public let host: String
    public let limits: HostLimits
    /// The requests that run.
    public let inFlight: Int
    /// The requests that wait.
    public let waiting: Int
    /// The end of the time, in milliseconds since 1970, for which the host wants no requests; nil where it takes some.
    public let until: Int64?

    public init(host: String, limits: HostLimits, inFlight: Int, waiting: Int, until: Int64?) {
        self.host = host
        self.limits = limits
        self.inFlight = inFlight
        self.waiting = waiting
        self.until = until
    }
}
