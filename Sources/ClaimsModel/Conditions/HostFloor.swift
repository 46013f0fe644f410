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
    /// The end of the time, in milliseconds since 1970, for which the host wants no requests; nil if it takes some.
    public let until: Int64?

    public init(host: String, limits: HostLimits, inFlight: Int, waiting: Int, until: Int64?) {
        self.host = host
        self.limits = limits
        self.inFlight = inFlight
        self.waiting = waiting
        self.until = until
    }
}

/// A request that is put off, and the time.
public struct HostWait: Sendable, Hashable {
    /// The cause that puts the request off. The raw value is its name in the protocol.
    public enum Reason: String, Sendable, CaseIterable {
        /// The host wants no request before then.
        case floor
        /// The host has had as many requests as its limits allow.
        case rate
        /// The request has failed, and is made again.
        case retry
    }

    /// Called with each wait, and with nil when one is over. It may be called on any thread.
    public typealias Observer = @Sendable (HostWait?) -> Void

    /// The shortest wait that is reported, in nanoseconds.
    public static let minReported: UInt64 = 1_000_000_000

    public let host: String
    public let reason: Reason
    /// The end of the wait, in milliseconds since 1970.
    public let until: Int64

    public init(host: String, reason: Reason, until: Int64) {
        self.host = host
        self.reason = reason
        self.until = until
    }

    /// The text about a wait: its host, its end and its cause.
    ///
    /// - Parameter clock: the end of the wait by the reader's clock.
    public func text(until clock: String) -> TranslatedText {
        let reason =
            switch reason {
            case .floor: TranslatedText(en: "as it has asked for that", pl: "bo tego zażądał")
            case .rate: TranslatedText(en: "as its rate limit is used up", pl: "bo limit żądań jest wyczerpany")
            case .retry: TranslatedText(en: "to ask again after a failure", pl: "aby po błędzie zapytać ponownie")
            }
        return TranslatedText(en: "waiting for \(host) until \(clock)", pl: "czekanie na \(host) do \(clock)")
            .joined(", ", reason)
    }
}
