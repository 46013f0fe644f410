// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

/// A request that may change something at the other end, for one attempt of ``HTTPWriter``.
///
/// ```swift
/// let request = HTTPWriteRequest(.post, url: "https://example.org/things", body: .content(.bytes(json)))
/// switch HTTPWriter().send(request) {
/// case .unsent(let error): …            // nothing left: it may be sent again
/// case .unanswered(let error): …        // it may have been done
/// case .answered(let answer): answer.status
/// }
/// ```
public struct HTTPWriteRequest: Sendable {
    /// The body of a request.
    public enum Body: Sendable {
        /// No body. A POST, PUT or PATCH then has a `Content-Length` of 0, and the others have none.
        case none
        case content(HTTPContent)
        /// A multipart/form-data body (RFC 7578), whose `Content-Type` replaces the caller's.
        case multipart([HTTPPart])
    }

    public var method: HTTPMethod
    /// The URL, with the scheme https or http; it is checked when the attempt begins.
    public var url: String
    /// The headers, in the order in which they are sent. Headers that frame the request (`Content-Length`,
    /// `Transfer-Encoding`, `Expect` and `Connection` among them) are an error.
    public var headers: [(name: String, value: String)]
    /// The secret, which no error or log names.
    public var credential: HTTPCredential?
    /// The authorities and the certificate of the connection.
    public var security = HTTPSecurity()
    public var body: Body
    /// The limits, of which `connect` and `transfer` apply. `transfer` is extended by a second for each 64 KiB of the body.
    public var limits: TransferLimits
    /// Whether `firstByte` applies, too: to requests that change nothing, which may be given up early.
    public var isGivenUpEarly = false

    public init(
        _ method: HTTPMethod, url: String, headers: [(name: String, value: String)] = [],
        credential: HTTPCredential? = nil,
        body: Body = .none, limits: TransferLimits = TransferLimits()
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.credential = credential
        self.body = body
        self.limits = limits
    }

    /// The bytes of a body for which the last deadline is one second later.
    public static let bytesPerSecond = 64 << 10
}

/// The bytes of a body, or of a part of one.
public enum HTTPContent: Sendable {
    case bytes([UInt8])
    /// A regular file of exactly this size, which is read while it is sent. With a SHA-256, in lower-case hexadecimal,
    /// it is also read once before, and nothing is sent if its bytes differ.
    case file(path: String, size: Int, sha256: String? = nil)

    /// In bytes.
    public var size: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .file(_, let size, _): size
        }
    }
}

/// A part of a multipart/form-data body.
public struct HTTPPart: Sendable {
    /// The name of the form's field; several parts may have the same.
    public var name: String
    /// The name of the file in the part; nil for a part that is no file.
    public var fileName: String?
    /// The value of the part's `Content-Type`; nil for none.
    public var type: String?
    public var content: HTTPContent

    public init(name: String, fileName: String? = nil, type: String? = nil, content: HTTPContent) {
        self.name = name
        self.fileName = fileName
        self.type = type
        self.content = content
    }
}

/// The end of one attempt to write.
public enum HTTPWriteOutcome: Sendable {
    /// No byte of the request left: no address, no connection, no TLS, a proxy without a tunnel, a request that cannot
    /// be made. The error's status is the status of the proxy.
    case unsent(HTTPError)
    /// At least one byte may have left, and no whole answer came. The error has a status if all headers came.
    case unanswered(HTTPError)
    /// An answer came, whatever its status.
    case answered(HTTPWriteAnswer)
}

/// The answer to a write.
public struct HTTPWriteAnswer: Equatable, Sendable {
    /// The status, from 200 to 599. A redirect is an answer like others, because none is followed.
    public let status: Int
    /// The value of `Location`, absolute or relative, unchanged; nil if the server sent none.
    public let location: String?
    /// The value of `ETag`, unchanged, with its quotes and `W/`; nil if the server sent none, or a value that cannot be
    /// sent back.
    public let etag: String?
    /// The delay in seconds that the server demands before the next request, at most ``HTTPDelay/retryAfterCap``; nil
    /// if it demands none.
    public let retryAfter: Int?
    /// The value of `Content-Type`, unchanged; nil if the server sent none.
    public let contentType: String?
    /// The body, decoded: all of it, or its beginning.
    public let body: [UInt8]
    /// Whether ``body`` is complete. It is not if it is longer than ``maxBody`` or if its encoding is broken; the
    /// status is valid nevertheless.
    public let isWhole: Bool
    /// The headers in which the server gives the number of further requests that it accepts.
    public var pace = HTTPPaceHeaders()

    /// The maximal size of ``body`` in bytes.
    public static let maxBody = 1 << 20
}
