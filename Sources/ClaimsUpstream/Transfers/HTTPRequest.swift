// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CCurl
import ClaimsBytes
import ClaimsPlatform

/// A request that reads, with its limits.
///
/// ```swift
/// let client = try HTTPClient(spoolDirectory: cache)
/// let response = try client.perform(HTTPRequest(url: "https://example.org/things"))
/// response.body.count         // bytes, decoded
/// ```
public struct HTTPRequest: Sendable {
    /// The methods that read.
    public enum Method: String, Sendable {
        case get = "GET"
        /// A query whose parameters are in its body. It is repeated like a GET, and no validators belong to it.
        case post = "POST"
    }

    public var method = Method.get
    /// The URL to fetch, with the scheme https or http; it is checked when the transfer begins.
    public var url: String
    /// The body of a POST; only the origin of ``home`` gets it. Without a `Content-Type` among the headers it is JSON.
    public var body: [UInt8] = []
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
    public var limits: HTTPLimits
    /// Takes the beginning of a body that refuses; nil where nobody wants it.
    public var refusal: RefusedBody?

    public init(
        url: String, headers: [(name: String, value: String)] = [], credential: HTTPCredential? = nil,
        validators: HTTPValidators? = nil, limits: HTTPLimits = HTTPLimits()
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
        if method == .post, try !target.hasSameOrigin(as: HTTPURL(home ?? url)) {
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
    /// The validators for the next request; of a 304, those that it carried.
    public let validators: HTTPValidators
    /// The time for which a cache has kept the answer, in seconds (`Age`, RFC 9111); 0 where none says so.
    public let age: Int
    /// The time for which the answer stays fresh, in seconds: `max-age` less `Age` (RFC 9111). Nil if the server does
    /// not say.
    public let maxAge: Int?
    /// The delay in seconds that the server demands before the next request, at most ``HTTPDelay/retryAfterCap``; nil
    /// if it demands none.
    public let retryAfter: Int?
    /// The headers in which the server tells how many more requests it takes, and its clock.
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

/// How far a transfer is.
public struct HTTPProgress: Sendable, Equatable {
    /// Whether the first byte of an answer has come.
    public var isReceiving: Bool
    /// The bytes of the body so far, as received.
    public var bytes: Int
    /// The size of the body as the server announces it, in bytes as received; nil where it does not.
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

/// A secret in the form in which a request carries it. Only the origin of the request's home gets it.
///
/// No error and no description of it has the secret.
public enum HTTPCredential: Sendable {
    /// The token of `Authorization: Bearer` (RFC 6750).
    case bearer(String)
    /// A user and a password for `Authorization: Basic` (RFC 7617).
    case basic(user: String, password: String)
    /// A header of this name, with the secret in its value.
    case header(name: String, value: String)
    /// A query parameter of this name, which follows those of the URL.
    case parameter(name: String, value: String)

    /// Looks whether a request can carry the secret.
    ///
    /// - Throws: The kind `credential` where it cannot; the detail says why, without the secret.
    public func check() throws(HTTPError) {
        _ = try header()
        _ = try parameter()
    }

    /// The header that carries the secret; nil where none does.
    ///
    /// - Throws: The kind `credential` where a header cannot hold it.
    func header() throws(HTTPError) -> (name: String, value: String)? {
        switch self {
        case .bearer(let token):
            guard !token.isEmpty, token.utf8.allSatisfy({ byte in (0x21...0x7e).contains(byte) }) else {
                throw Self.unusable
            }
            return ("Authorization", "Bearer \(token)")
        case .basic(let user, let password):
            return ("Authorization", "Basic \(Base64.encode(Array("\(user):\(password)".utf8)))")
        case .header(let name, let value):
            guard RequestHeaders.isName(name), !value.isEmpty, RequestHeaders.isValue(value) else {
                throw Self.unusable
            }
            return (name, value)
        case .parameter:
            return nil
        }
    }

    /// The query parameter that carries the secret, percent-encoded; nil where none does.
    func parameter() throws(HTTPError) -> SecretParameter? {
        guard case .parameter(let name, let value) = self else { return nil }
        guard !value.isEmpty else { throw Self.unusable }
        return SecretParameter(name: name, value: value)
    }

    private static var unusable: HTTPError {
        HTTPError(.credential, detail: "it is empty, or has characters that a header cannot hold")
    }
}

extension HTTPCredential: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String { "***" }
    public var debugDescription: String { "***" }
}

/// A secret in the query of a URL. It is added where the URL is sent, and taken out of URLs that are kept or told.
struct SecretParameter {
    let name: String
    let value: String

    /// A URL as it is sent to its home.
    func added(to url: String) -> String {
        let mark = url.utf8.contains(UInt8(ascii: "?")) ? (url.hasSuffix("?") || url.hasSuffix("&") ? "" : "&") : "?"
        return "\(url)\(mark)\(PercentEncoding.encode(name))=\(PercentEncoding.encode(value))"
    }

    /// A URL without the secret, which a server may have put into it.
    ///
    /// - Parameter isHome: whether the parameter is the caller's there; elsewhere one of the same name may be another.
    func removed(from url: String, isHome: Bool) -> String {
        guard let mark = url.firstIndex(of: "?") else { return url }
        let pairs = url[url.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        let kept = pairs.filter { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let first = parts.first, PercentEncoding.decode(first) == Array(name.utf8) else { return true }
            return !isHome && (parts.count < 2 || PercentEncoding.decode(parts[1]) != Array(value.utf8))
        }
        if kept.count == pairs.count { return url }
        return kept.isEmpty ? String(url[..<mark]) : "\(url[..<mark])?\(kept.joined(separator: "&"))"
    }
}

/// The header lines of a request.
enum RequestHeaders {
    /// - Parameters:
    ///   - isHome: whether the request goes where the site's headers and its credential belong.
    ///   - validators: of this very URL.
    static func list(
        _ request: HTTPRequest, isHome: Bool, validators: HTTPValidators?
    ) throws(HTTPError) -> HeaderList {
        var list = HeaderList()
        if isHome { try append(request.headers, credential: request.credential, to: &list) }
        if request.method == .post {
            let hasType = request.headers.contains { name, _ in name.lowercased() == "content-type" }
            if !hasType {
                // libcurl would call an empty body a form.
                if request.body.isEmpty {
                    try list.suppress("Content-Type")
                } else {
                    try list.append("Content-Type", "application/json")
                }
            }
            // Many servers never say that a large body may come.
            try list.suppress("Expect")
        }
        if let etag = validators?.etag, isValue(etag) { try list.append("If-None-Match", etag) }
        if let date = validators?.lastModified, isValue(date) { try list.append("If-Modified-Since", date) }
        return list
    }

    /// Appends the caller's headers, and the one that carries the credential.
    static func append(
        _ headers: [(name: String, value: String)], credential: HTTPCredential?, to list: inout HeaderList
    ) throws(HTTPError) {
        let secret = try credential?.header()
        for (name, value) in headers {
            guard isName(name), isValue(value) else {
                throw HTTPError(.other, detail: "the header \(name) cannot be sent")
            }
            if name.lowercased() == secret?.name.lowercased() { continue }
            try list.append(name, value)
        }
        if let secret { try list.append(secret.name, secret.value) }
    }

    /// A token (RFC 9110, section 5.6.2).
    static func isName(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
                    || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
    }

    /// Anything but control characters.
    static func isValue(_ value: String) -> Bool {
        value.utf8.allSatisfy { byte in byte >= 0x20 && byte != 0x7f }
    }
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
    /// - Parameter status: that of the redirect; nil for a page.
    static func postElsewhere(status: Int?) -> HTTPError {
        HTTPError(.redirectOfPost, status: status, detail: "a POST stays with its host")
    }
}

extension HTTPRequest {
    /// The URL that a redirect of this request leads to.
    ///
    /// A POST follows only the statuses that keep its method and body (RFC 9110, section 15.4), and only within its
    /// origin: what it sends belongs there.
    ///
    /// - Throws: The kind `redirect`.
    func redirect(_ status: Int, from url: HTTPURL, to location: String?) throws(HTTPError) -> HTTPURL {
        guard let location, !location.isEmpty else { throw HTTPError(.redirectNowhere, status: status) }
        let target = try url.resolve(location)
        guard method == .post else { return target }
        guard status == 307 || status == 308 else {
            throw HTTPError(.redirectOfPost, status: status, detail: "\(status) ends a POST")
        }
        guard target.hasSameOrigin(as: url) else {
            throw HTTPError.postElsewhere(status: status)
        }
        return target
    }
}

extension EasyHandle {
    /// Forgets the last transfer, and sets what is the same for every request.
    ///
    /// - Parameter authorities: A PEM file of certificate authorities to trust in place of the system's.
    func prepare(
        _ url: HTTPURL, userAgent: String, authorities: String?, connect: Duration
    ) throws(HTTPError) {
        reset()
        set(CURLOPT_NOSIGNAL, true)
        set(CURLOPT_NOPROGRESS, true)
        set(CURLOPT_FOLLOWLOCATION, false)
        set(CURLOPT_HTTP09_ALLOWED, false)
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
        set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
        set(CURLOPT_BUFFERSIZE, HTTPLimits.receiveBuffer)
        set(CURLOPT_CONNECTTIMEOUT_MS, Int(max(1, connect.wholeMilliseconds)))
        // A resolver that hangs must not hold up the end of a transfer that has run out of time.
        set(CURLOPT_QUICK_EXIT, true)
        try require(CURLOPT_URL, url.text)
        try require(CURLOPT_PROTOCOLS_STR, "http,https")
        try require(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
        try require(CURLOPT_USERAGENT, userAgent)
        if let authorities { try secure(HTTPSecurity(authorities: .file(authorities))) }
    }
}
