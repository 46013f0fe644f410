// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

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
    /// The methods, by their names in HTTP.
    public enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    /// The body of a request.
    public enum Body: Sendable {
        /// No body. A POST, PUT or PATCH says so by a `Content-Length` of 0, the others by having none.
        case none
        case content(HTTPContent)
        /// A multipart/form-data body (RFC 7578), whose `Content-Type` takes the place of the caller's.
        case multipart([HTTPPart])
    }

    public var method: Method
    /// The URL, with the scheme https or http; it is checked when the attempt begins.
    public var url: String
    /// The headers, in the order in which they are sent. Those that frame the request (`Content-Length`,
    /// `Transfer-Encoding`, `Expect` and `Connection` among them) are an error.
    public var headers: [(name: String, value: String)]
    /// The secret, which no error or log names.
    public var credential: HTTPCredential?
    /// The authorities and the certificate of the connection.
    public var security = HTTPSecurity()
    public var body: Body
    /// The limits, of which `connect` and `total` apply. `total` is extended by a second for each 64 KiB of the body.
    public var limits: HTTPLimits
    /// Whether `firstByte` applies, too: to requests that change nothing, which may be given up early.
    public var isGivenUpEarly = false

    public init(
        _ method: Method, url: String, headers: [(name: String, value: String)] = [], credential: HTTPCredential? = nil,
        body: Body = .none, limits: HTTPLimits = HTTPLimits()
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
    /// A regular file of exactly so many bytes, which is read while it is sent. With a SHA-256, in lower-case hexadecimal, it
    /// is read once before too, and nothing is sent where its bytes are others.
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
    /// The name of the file that the part is; nil for a part that is none.
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
