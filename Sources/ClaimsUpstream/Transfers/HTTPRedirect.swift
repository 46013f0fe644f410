// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

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
