// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The failure of a refresh: its kind, its time and a message for people.
public struct Failure: Sendable, Hashable {
    /// The kind of failure, on which programs branch.
    public let kind: FailureKind
    /// The finer cause, on which programs may branch; nil if there is none.
    public let reason: FailureReason?
    /// The site whose refresh failed; nil in collections without sites.
    public var site: String?
    /// The host of a fleet whose refresh failed; nil if it is this one.
    public var host: String?
    /// The status of the HTTP answer, from 100 to 599; nil if there was no answer.
    public let status: Int?
    /// The reason for people, which is translated when it is shown.
    public let message: Message
    /// The time of the failure, in milliseconds since 1970 (UTC).
    public let at: Int64

    public init(
        kind: FailureKind, reason: FailureReason? = nil, site: String? = nil, status: Int? = nil, message: Message,
        at: Int64
    ) {
        self.kind = kind
        self.reason = reason
        self.site = site
        self.status = status
        self.message = message
        self.at = at
    }
}

/// The kinds of failed refreshes. The raw value is the name in the protocol.
public enum FailureKind: String, Error, Sendable, Hashable, CaseIterable {
    case invalidURL = "invalid_url"
    case unreachable
    case tls
    case timeout
    case httpStatus = "http_status"
    case redirect
    case tooLarge = "too_large"
    case truncated
    case `protocol`
    case encoding
    case notJSON = "not_json"
    case wrongShape = "wrong_shape"
    case credential
    case file
    case join
    case held
    /// The upstream reports a failed request in an answer with a good status.
    case reported
    /// The answer is older than the data here.
    case late
    /// A head or file of another host of the fleet is damaged, or is not the signed one.
    case integrity
    /// The clocks of this host and of another one of the fleet differ too much.
    case clock
    case other
}

/// The causes of failures within their kinds, by their names in the protocol. A token server adds its own.
public struct FailureReason: RawRepresentable, Sendable, Hashable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    // Causes of `unreachable`.
    public static let dns = Self(rawValue: "dns")
    public static let refused = Self(rawValue: "refused")
    public static let noRoute = Self(rawValue: "no_route")
    public static let reset = Self(rawValue: "reset")
    public static let proxy = Self(rawValue: "proxy")
    // Causes of `tls`.
    public static let untrusted = Self(rawValue: "untrusted")
    public static let expired = Self(rawValue: "expired")
    public static let name = Self(rawValue: "name")
    public static let handshake = Self(rawValue: "handshake")
    public static let clientCertificate = Self(rawValue: "client_certificate")
    // Causes of `timeout`.
    public static let connect = Self(rawValue: "connect")
    public static let firstByte = Self(rawValue: "first_byte")
    public static let transfer = Self(rawValue: "transfer")
    public static let pause = Self(rawValue: "pause")
    // Causes of `credential`.
    public static let missing = Self(rawValue: "missing")
    public static let mode = Self(rawValue: "mode")
    public static let unusable = Self(rawValue: "unusable")
    public static let rejected = Self(rawValue: "rejected")
    public static let token = Self(rawValue: "token")
    // Causes of `other`: the resource that this host lacks.
    public static let storageFull = Self(rawValue: "storage_full")
    public static let storageLocked = Self(rawValue: "storage_locked")
    // Causes of `late`.
    public static let older = Self(rawValue: "older")
}
