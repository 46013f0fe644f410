// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

/// The reason why a transfer brought no body.
///
/// The error holds nothing from a body, a credential or the query of a URL, so it may be logged.
public struct HTTPError: Error, Equatable, Sendable {
    /// The cause, on which a caller branches and from which it makes messages.
    public let reason: Reason
    /// The status of the HTTP answer, from 100 to 599; nil if there was no answer.
    public let status: Int?
    /// The delay in seconds that the server demands before the next request, at most ``HTTPDelay/retryAfterCap``; nil
    /// if it demands none.
    public let retryAfter: Int?
    /// The message of the layer below, in English and for the journal; possibly empty.
    public let detail: String
    /// The finer cause; nil if there is none.
    public let cause: FailureReason?
    /// The headers in which the refusing server gives the number of further requests that it accepts.
    public let pace: HTTPPaceHeaders

    /// Whether the answer came from another origin than the request's home, which got no secret.
    public var isElsewhere = false

    public init(
        _ reason: Reason, status: Int? = nil, retryAfter: Int? = nil, detail: String = "",
        cause: FailureReason? = nil, pace: HTTPPaceHeaders = HTTPPaceHeaders()
    ) {
        self.reason = reason
        self.cause = cause ?? reason.cause
        self.pace = pace
        self.status = status
        self.retryAfter = retryAfter
        self.detail = detail
    }

    /// The failure kind of the protocol that the reason belongs to; a cancelled transfer has none of its own.
    public var kind: FailureKind { reason.kind }

    /// Whether the caller cancelled the transfer.
    public var isCancelled: Bool { reason == .cancelled }

    /// The causes of failure, finer than the kinds.
    public enum Reason: Equatable, Sendable {
        /// The URL is malformed, or may not be fetched.
        case invalidURL
        /// The name of the host cannot be resolved.
        case unknownHost
        /// The server does not listen, cannot be reached, or closed the connection before it answered.
        case unreachable
        /// The connection cannot be secured, or the server's certificate is not trusted.
        case insecure
        /// One of the deadlines passed: no connection, no first byte, or no end in time.
        case timeout(Deadline)
        /// The server answered with a status that carries no usable content; see ``HTTPError/status``.
        case status
        /// The server sent more redirects than this limit.
        case tooManyRedirects(Int)
        /// The server redirects from https to http.
        case redirectToPlain
        /// The server redirects to a URL that is neither https nor http, or to no URL at all.
        case redirectElsewhere
        /// The server redirects a POST in a way that would lose its body, or carry it to another host.
        case redirectOfPost
        /// The server redirects without a `Location`.
        case redirectNowhere
        /// The body is, or is announced as, larger than this limit in bytes.
        case bodyTooLarge(Int)
        /// The decoded body is more than this many times as large as the bytes received.
        case expandsTooMuch(Int)
        /// The answer has more header lines, or more bytes of them, than the limits allow.
        case headersTooLarge
        /// The connection ended before the answer did.
        case truncated
        /// The server sent a 304 in answer to a request that was not conditional.
        case unsolicitedNotModified
        /// The answer breaks the rules of HTTP.
        case malformed
        /// The encoding of the body is unknown, or the body is not in that encoding.
        case encoding
        /// The credential cannot be sent in a header, or a client's certificate and its key cannot be used.
        case credential
        /// The file of a `file:` URL, or a file to send, cannot be read.
        case file
        /// The body cannot be kept: the disk is full or the folder unusable. The value is the `errno` of the failed
        /// call.
        case spool(Int32)
        /// The caller cancelled the transfer.
        case cancelled
        /// The transfer failed for another reason, which ``HTTPError/detail`` gives.
        case other

        /// The failure kind of the protocol that this reason belongs to.
        public var kind: FailureKind {
            switch self {
            case .invalidURL: .invalidURL
            case .unknownHost, .unreachable: .unreachable
            case .insecure: .tls
            case .timeout: .timeout
            case .status: .httpStatus
            case .tooManyRedirects, .redirectToPlain, .redirectElsewhere, .redirectOfPost, .redirectNowhere: .redirect
            case .bodyTooLarge, .expandsTooMuch, .headersTooLarge: .tooLarge
            case .truncated: .truncated
            case .unsolicitedNotModified, .malformed: .protocol
            case .encoding: .encoding
            case .credential: .credential
            case .file: .file
            case .spool, .cancelled, .other: .other
            }
        }

        /// The finer cause that follows from the reason.
        var cause: FailureReason? {
            switch self {
            case .unknownHost: .dns
            case .timeout(.connect): .connect
            case .timeout(.firstByte): .firstByte
            case .timeout(.transfer): .transfer
            case .credential: .unusable
            default: nil
            }
        }
    }

    /// The host, with its port if one is given, that could not be reached or found according to ``detail``; nil if it
    /// names none.
    public var peer: String? {
        let words = detail.split(separator: " ")
        if detail.hasPrefix("Failed to connect to ") {
            guard let index = words.firstIndex(of: "port"), index > 0, index + 1 < words.count else { return nil }
            let host = words[index - 1]
            return "\(host.contains(":") ? "[\(host)]" : String(host)):\(words[index + 1])"
        }
        if detail.hasPrefix("Could not resolve host: "), words.count > 4 { return String(words[4]) }
        return nil
    }

    /// The deadlines of a transfer, as in ``TransferLimits``.
    public enum Deadline: Sendable {
        case connect, firstByte, transfer
    }
}

/// The statuses of HTTP as texts.
public enum HTTPStatus {
    /// The status with its phrase, as in "404 Not Found"; the number alone if it has none.
    public static func text(_ status: Int) -> String {
        guard let phrase = phrases[status] else { return "\(status)" }
        return "\(status) \(phrase)"
    }

    /// The names of status codes (RFC 9110, section 15; RFC 6585).
    private static let phrases: [Int: String] = [
        200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 300: "Multiple Choices", 304: "Not Modified",
        400: "Bad Request", 401: "Unauthorized",
        402: "Payment Required", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable",
        407: "Proxy Authentication Required", 408: "Request Timeout", 409: "Conflict", 410: "Gone",
        413: "Content Too Large", 414: "URI Too Long", 415: "Unsupported Media Type", 418: "I'm a teapot",
        421: "Misdirected Request", 422: "Unprocessable Content", 425: "Too Early", 426: "Upgrade Required",
        428: "Precondition Required", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
        451: "Unavailable For Legal Reasons", 500: "Internal Server Error", 501: "Not Implemented",
        502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout", 505: "HTTP Version Not Supported",
        507: "Insufficient Storage", 511: "Network Authentication Required",
    ]
}
