// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The failure of a refresh: its kind, its time and a message for people.
public struct Failure: Sendable, Hashable {
    /// The kind of failure, on which programs branch.
    public let kind: FailureKind
    /// The status of the HTTP answer, from 100 to 599; nil if there was no answer.
    public let status: Int?
    /// The reason for people, which is translated when it is shown.
    public let message: Message
    /// The time of the failure, in milliseconds since 1970 (UTC).
    public let at: Int64

    public init(kind: FailureKind, status: Int? = nil, message: Message, at: Int64) {
        self.kind = kind
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
    case other
}
