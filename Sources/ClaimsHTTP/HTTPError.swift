// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Why a transfer gave no body.
///
/// Nothing in it comes from the body, from a credential, or from the query of a URL.
public struct HTTPError: Error, Equatable, Sendable {
    /// What went wrong, to branch on and to make sentences of.
    public let reason: Reason
    /// The HTTP status, where an answer had one.
    public let status: Int?
    /// How many seconds the server asked to be left alone, at most `HTTPDelay.retryAfterCap`.
    public let retryAfter: Int?
    /// In English, for the journal: what the layer below said. May be empty.
    public let detail: String

    public init(_ reason: Reason, status: Int? = nil, retryAfter: Int? = nil, detail: String = "") {
        self.reason = reason
        self.status = status
        self.retryAfter = retryAfter
        self.detail = detail
    }

    public var kind: Kind { reason.kind }

    /// The failure kinds of the protocol, by the names they have there. `cancelled` is the caller's own doing.
    public enum Kind: String, Sendable {
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
        case credential
        case file
        case other
        case cancelled
    }

    /// The cause, finer than the kind.
    public enum Reason: Equatable, Sendable {
        /// Not a URL, or not one that may be fetched.
        case invalidURL
        /// The name of the host could not be resolved.
        case unknownHost
        /// Nobody listens there, no way leads there, or the connection broke before anything was answered.
        case unreachable
        /// The connection could not be secured, or the server's certificate is not to be trusted.
        case insecure
        /// No connection, no first byte, or no end within its time.
        case timeout(Deadline)
        /// An answer without usable content, by its status.
        case status
        /// More redirects than are followed.
        case tooManyRedirects(Int)
        /// A redirect from https to http.
        case redirectToPlain
        /// A redirect to something that is neither https nor http, or to no URL at all.
        case redirectElsewhere
        /// A redirect that does not say where to.
        case redirectNowhere
        /// The body is, or says it is, larger than its cap in bytes.
        case bodyTooLarge(Int)
        /// The body grew to more than so many times what was received.
        case expandsTooMuch(Int)
        /// More or longer headers than are read.
        case headersTooLarge
        /// The connection ended before the answer did.
        case truncated
        /// A 304 to a request that was not conditional.
        case unsolicitedNotModified
        /// The answer is not HTTP.
        case malformed
        /// The body's encoding is unknown, or the body is not in it.
        case encoding
        /// The credential cannot be sent.
        case credential
        /// A file that cannot be read.
        case file
        /// There is no room, or no folder, for the body; `errno` of the failed call.
        case spool(Int32)
        /// The caller cancelled it.
        case cancelled
        /// Anything else.
        case other

        /// The failure kind.
        public var kind: Kind {
            switch self {
            case .invalidURL: .invalidURL
            case .unknownHost, .unreachable: .unreachable
            case .insecure: .tls
            case .timeout: .timeout
            case .status: .httpStatus
            case .tooManyRedirects, .redirectToPlain, .redirectElsewhere, .redirectNowhere: .redirect
            case .bodyTooLarge, .expandsTooMuch, .headersTooLarge: .tooLarge
            case .truncated: .truncated
            case .unsolicitedNotModified, .malformed: .protocol
            case .encoding: .encoding
            case .credential: .credential
            case .file: .file
            case .spool, .other: .other
            case .cancelled: .cancelled
            }
        }
    }

    /// The deadlines of a transfer.
    public enum Deadline: Sendable {
        case connect, firstByte, total
    }
}
