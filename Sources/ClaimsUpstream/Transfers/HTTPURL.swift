// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CCurl

/// A URL that may be fetched: https or http, with a host, without a user and without a fragment.
public struct HTTPURL: Equatable, Sendable {
    /// The whole URL, in the form in which libcurl gets it.
    public let text: String
    /// The scheme: "https" or "http".
    public let scheme: String
    /// The name or address of the host, in lower case.
    public let host: String
    /// The port in decimal, with the scheme's default filled in.
    public let port: String

    /// Reads an absolute URL.
    ///
    /// - Throws: The kind `invalid_url`, or `other` if libcurl cannot be loaded.
    public init(_ text: String) throws(HTTPError) {
        try self.init(text, relativeTo: nil)
    }

    /// The URL that `reference`, absolute or relative, leads to from this one (RFC 3986, section 5).
    ///
    /// - Throws: The kind `redirect` if that is no URL that may be fetched, or if it leads from https to http.
    public func resolve(_ reference: String) throws(HTTPError) -> HTTPURL {
        let target: HTTPURL
        do {
            target = try HTTPURL(reference, relativeTo: text)
        } catch {
            throw HTTPError(.redirectElsewhere, detail: error.detail)
        }
        if scheme == "https", target.scheme == "http" {
            throw HTTPError(.redirectToPlain, detail: "from https to http://\(target.host)")
        }
        return target
    }

    /// Whether scheme, host and port are equal. Headers and credentials are bound to these three.
    public func hasSameOrigin(as other: HTTPURL) -> Bool {
        scheme == other.scheme && host == other.host && port == other.port
    }

    /// The host of an address, with its port if it has one and without a user; the whole text if it is no address.
    public static func authority(of url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else { return url }
        let whole = url[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        return String(whole.lastIndex(of: "@").map { whole[whole.index(after: $0)...] } ?? whole)
    }

    /// An address without its query, which may hold a secret, and without its user: for people and the database.
    public static func withoutSecrets(_ url: String) -> String {
        let visible = url.prefix { $0 != "?" && $0 != "#" }
        guard let slashes = visible.firstRange(of: "://") else { return String(visible) }
        let host = visible[slashes.upperBound...].prefix { $0 != "/" }
        guard let at = host.lastIndex(of: "@") else { return String(visible) }
        return String(visible[..<slashes.upperBound] + visible[visible.index(after: at)...])
    }

    /// The longest URL that is fetched, in bytes.
    private static let maxLength = 16 << 10

    private init(_ text: String, relativeTo base: String?) throws(HTTPError) {
        let parts = try URLParts()
        if let base { _ = parts.set(base) }
        guard text.utf8.count <= Self.maxLength, !text.utf8.contains(0), parts.set(text, encodes: base != nil) else {
            throw HTTPError(.invalidURL, detail: "not a URL")
        }
        // To libcurl the first name after any number of slashes would be the host.
        if base == nil, text.drop(while: { character in character != "/" }).hasPrefix("///") {
            throw HTTPError(.invalidURL, detail: "no host")
        }
        guard let scheme = parts[CURLUPART_SCHEME], scheme == "https" || scheme == "http" else {
            throw HTTPError(.invalidURL, detail: "neither https nor http: \(parts[CURLUPART_SCHEME] ?? "no scheme")")
        }
        guard parts[CURLUPART_USER] == nil, parts[CURLUPART_PASSWORD] == nil else {
            throw HTTPError(.invalidURL, detail: "the URL names a user")
        }
        parts.removeFragment()
        guard let host = parts[CURLUPART_HOST], !host.isEmpty, let port = parts[CURLUPART_PORT],
            let whole = parts[CURLUPART_URL, flags: 0]
        else { throw HTTPError(.invalidURL, detail: "no host") }
        self.text = whole
        self.scheme = scheme
        self.host = host.lowercased()
        self.port = port
    }
}

/// The sole owner of one of libcurl's URL handles.
@safe
struct URLParts: ~Copyable {
    private let handle: OpaquePointer

    init() throws(HTTPError) {
        try Curl.load()
        guard let handle = unsafe ccurl_url() else { throw Curl.outOfMemory() }
        unsafe self.handle = handle
    }

    deinit { unsafe ccurl_url_free(handle) }

    /// Sets a URL, or a reference relative to the one before; `encodes` its spaces.
    func set(_ text: String, encodes: Bool = false) -> Bool {
        unsafe ccurl_url_set(handle, CURLUPART_URL, text, encodes ? UInt32(CURLU_URLENCODE) : 0) == CURLUE_OK
    }

    func removeFragment() { _ = unsafe ccurl_url_set(handle, CURLUPART_FRAGMENT, nil, 0) }

    subscript(part: CURLUPart, flags flags: UInt32 = UInt32(CURLU_DEFAULT_PORT)) -> String? {
        guard let value = unsafe ccurl_url_get(handle, part, flags) else { return nil }
        defer { unsafe ccurl_free(value) }
        return unsafe String(cString: value)
    }
}

/// libcurl, once it is loaded.
enum Curl {
    /// Loads libcurl on the first call.
    static func load() throws(HTTPError) {
        if let failure = unsafe ccurl_load() {
            throw HTTPError(.other, detail: unsafe String(cString: failure))
        }
    }

    static func outOfMemory() -> HTTPError { HTTPError(.other, detail: "libcurl: out of memory") }
}
