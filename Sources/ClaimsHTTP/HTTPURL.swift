// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CCurl

/// A URL that may be fetched: https or http, with a host, without a user and without a fragment.
public struct HTTPURL: Equatable, Sendable {
    /// As it is sent to libcurl.
    public let text: String
    /// "https" or "http".
    public let scheme: String
    /// In lower case.
    public let host: String
    /// With the scheme's own filled in.
    public let port: String

    /// - Throws: kind `invalid_url`, or `other` where libcurl cannot be loaded.
    public init(_ text: String) throws(HTTPError) {
        try self.init(text, relativeTo: nil)
    }

    /// Where `reference`, absolute or relative, leads from here.
    /// - Throws: kind `redirect` where that is no URL that may be fetched, or leads from https to http.
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

    /// Whether scheme, host and port are the same: what headers and credentials are bound to.
    public func hasSameOrigin(as other: HTTPURL) -> Bool {
        scheme == other.scheme && host == other.host && port == other.port
    }

    /// The longest URL that is fetched, in bytes.
    private static let longest = 16 << 10

    private init(_ text: String, relativeTo base: String?) throws(HTTPError) {
        let parts = try URLParts()
        if let base { _ = parts.set(base) }
        guard text.utf8.count <= Self.longest, !text.utf8.contains(0), parts.set(text, encodes: base != nil) else {
            throw HTTPError(.invalidURL, detail: "not a URL")
        }
        // libcurl would take the first name after any number of slashes for the host.
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
