// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsModel
import Synchronization

/// A request that reads, with its limits.
///
/// ```swift
/// let client = try HTTPClient(spoolDirectory: cache)
/// let response = try client.perform(HTTPRequest(url: "https://example.org/things"))
/// response.body.count         // bytes, decoded
/// ```
public struct HTTPRequest: Sendable {
    /// GET, or POST if there is a body: a query whose parameters are in the body. It is repeated like a GET, and no
    /// validators belong to it.
    public var method: HTTPMethod { body == nil ? .get : .post }
    /// The URL to fetch, with the scheme https or http; it is checked when the transfer begins.
    public var url: String
    /// The body of a POST, possibly empty; nil for a GET. Only the origin of ``home`` gets it. Without a `Content-Type`
    /// among the headers it is JSON.
    public var body: [UInt8]?
    /// The headers, in the order in which they are sent; only the origin of ``home`` gets them.
    public var headers: [(name: String, value: String)]
    /// The secret that only the origin of ``home`` gets, and that no error, log or other part of the answer names.
    public var credential: HTTPCredential?
    /// The authorities and the certificate of the connections.
    public var security = HTTPSecurity()
    /// The URL to whose scheme, host and port the headers and the credential belong; nil for ``url``.
    ///
    /// It differs from ``url`` in the request for a further page.
    public var home: String?
    /// The validators of an earlier answer, which make the request conditional; nil for an unconditional request.
    public var validators: HTTPValidators?
    /// The limits of the whole transfer, redirects included.
    public var limits: TransferLimits
    /// Receives the beginning of the body of a refusal; nil if it is not needed.
    public var refusal: RefusedBody?

    public init(
        url: String, headers: [(name: String, value: String)] = [], credential: HTTPCredential? = nil,
        validators: HTTPValidators? = nil, limits: TransferLimits = TransferLimits()
    ) {
        self.url = url
        self.headers = headers
        self.credential = credential
        self.validators = validators
        self.limits = limits
    }

    /// The request for the URL that `response` refers to by `reference`, absolute or relative, such as the next page.
    ///
    /// Headers and credential stay with their origin, and validators are dropped.
    ///
    /// - Throws: The kind `redirect` if the reference leads from https to http, or to a URL that is neither.
    public func following(_ reference: String, from response: HTTPResponse) throws(HTTPError) -> HTTPRequest {
        let base = try HTTPURL(response.effectiveURL)
        var next = self
        next.home = home ?? url
        let target = try base.resolve(reference)
        next.url = target.text
        if body != nil, try !target.hasSameOrigin(as: HTTPURL(home ?? url)) {
            throw HTTPError.postElsewhere(status: nil)
        }
        next.validators = nil
        return next
    }
}

/// A successful answer: a body, or the confirmation that a known body is still valid (304).
public struct HTTPResponse: Sendable {
    /// The HTTP status: one of success with content, or 304.
    public let status: Int
    /// The URL that answered, after redirects and without a fragment.
    public let effectiveURL: String
    /// The validators for the next request; for a 304, the validators in it.
    public let validators: HTTPValidators
    /// The time for which a cache has kept the answer, in seconds (`Age`, RFC 9111); 0 if it is not given.
    public let age: Int
    /// The time for which the answer stays fresh, in seconds: `max-age` minus `Age` (RFC 9111). Nil if the server does
    /// not give it.
    public let maxAge: Int?
    /// The delay in seconds that the server demands before the next request, at most ``HTTPDelay/retryAfterCap``; nil
    /// if it demands none.
    public let retryAfter: Int?
    /// The headers in which the server gives the number of further requests that it accepts, and its clock.
    public let pace: HTTPPaceHeaders
    /// The absolute URL of the next page, from `Link: <…>; rel="next"` (RFC 8288); nil if there is none.
    public let linkNext: String?
    /// The value of `Content-Type`, unchanged; nil if the server sent none.
    public let contentType: String?
    /// The decoded body; empty if ``isNotModified`` is true.
    public let body: FetchedBody
    /// The size of the body in bytes as it was received, before decoding.
    public let received: Int

    /// Whether the server confirmed by a 304 that the known body is still valid.
    public var isNotModified: Bool { status == 304 }
}

/// The progress of a transfer.
public struct HTTPProgress: Sendable, Equatable {
    /// Whether the first byte of an answer has come.
    public var isReceiving: Bool
    /// The bytes of the body so far, as received.
    public var bytes: Int
    /// The size of the body that the server announces, in bytes as received; nil if it announces none.
    public var expected: Int?

    public init(isReceiving: Bool, bytes: Int = 0, expected: Int? = nil) {
        self.isReceiving = isReceiving
        self.bytes = bytes
        self.expected = expected
    }
}

/// The validators of a body that the caller holds (RFC 9110, section 8.8).
public struct HTTPValidators: Equatable, Sendable {
    /// The value of `ETag`, unchanged, with its quotes and `W/`; nil if the server sent none.
    public var etag: String?
    /// The value of `Last-Modified`, unchanged; nil if the server sent none.
    public var lastModified: String?
    /// The URL that gave the validators, to which alone they are sent; nil for the URL of the request.
    public var url: String?

    public init(etag: String? = nil, lastModified: String? = nil, url: String? = nil) {
        self.etag = etag
        self.lastModified = lastModified
        self.url = url
    }

    /// Whether there is no validator, so that a request with this is not conditional.
    public var isEmpty: Bool { etag == nil && lastModified == nil }
}

/// The authorities and the certificate of a request's connections, as far as they are not the system's.
///
/// The certificate and its key are shown to the origin of the request's home only; the authorities count everywhere.
public struct HTTPSecurity: Sendable, Equatable {
    /// The certificate authorities that are trusted in place of the system's, as PEM.
    public enum Authorities: Sendable, Equatable {
        case bytes([UInt8])
        case file(String)
    }

    public var authorities: Authorities?
    /// The client's certificate and the certificates that vouch for it, as PEM.
    public var certificate: [UInt8]?
    /// The key of the certificate, as PEM; nil if it is beside the certificate.
    public var key: [UInt8]?

    public init(authorities: Authorities? = nil, certificate: [UInt8]? = nil, key: [UInt8]? = nil) {
        self.authorities = authorities
        self.certificate = certificate
        self.key = key
    }

    /// As much of it as an origin gets that is not the home of the request.
    var withoutCertificate: HTTPSecurity { HTTPSecurity(authorities: authorities) }
}

/// A redirect that is about to be followed.
public struct HTTPRedirect: Sendable, Equatable {
    /// 301, 302, 303, 307 or 308.
    public let status: Int
    /// The URL that redirects.
    public let source: HTTPURL
    /// The URL that is asked next.
    public let target: HTTPURL
    public let pace: HTTPPaceHeaders
}

extension HTTPError {
    /// A POST would have to go to another origin than its own.
    ///
    /// - Parameter status: the status of the redirect; nil for a page.
    static func postElsewhere(status: Int?) -> HTTPError {
        HTTPError(.redirectOfPost, status: status, detail: "a POST stays with its host")
    }
}

extension HTTPRequest {
    /// The URL that a redirect of this request leads to.
    ///
    /// A POST follows only the statuses that keep its method and body (RFC 9110, section 15.4), and only within its
    /// origin, because its body belongs there.
    ///
    /// - Throws: The kind `redirect`.
    func redirect(_ status: Int, from url: HTTPURL, to location: String?) throws(HTTPError) -> HTTPURL {
        guard let location, !location.isEmpty else { throw HTTPError(.redirectNowhere, status: status) }
        let target = try url.resolve(location)
        guard body != nil else { return target }
        guard status == 307 || status == 308 else {
            throw HTTPError(.redirectOfPost, status: status, detail: "\(status) ends a POST")
        }
        guard target.hasSameOrigin(as: url) else {
            throw HTTPError.postElsewhere(status: status)
        }
        return target
    }
}

/// The beginning of the body with which a server refuses a request, for callers that show it. Safe on any thread.
///
/// An error holds nothing from a body, so the body is passed separately.
public final class RefusedBody: Sendable {
    /// The number of bytes that are kept.
    public static let maxSize = 2048

    private let body = Mutex<[UInt8]>([])

    public init() {}

    /// The bytes of the last refusal.
    public var bytes: [UInt8] { body.withLock { $0 } }

    /// Keeps the beginning of the part of a good answer that reports a failed request.
    public func keep(_ part: RawSpan) {
        begin()
        _ = accept(part)
    }

    /// Forgets an earlier body.
    func begin() { body.withLock { $0 = [] } }

    /// Accepts a part of the body; false once there is no room.
    func accept(_ part: RawSpan) -> Bool {
        body.withLock { body in
            body.append(bytes: part.extracting(0..<min(part.byteCount, Self.maxSize - body.count)))
            return body.count < Self.maxSize
        }
    }
}
