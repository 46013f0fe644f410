// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// One GET.
public struct HTTPRequest: Sendable {
    /// https or http.
    public var url: String
    /// Sent in this order, only to the origin of `home`.
    public var headers: [(name: String, value: String)]
    /// Sent as a bearer token, only to the origin of `home`; in no error and no log.
    public var credential: String?
    /// The URL whose scheme, host and port the headers and the credential belong to; `url` itself unless this is a
    /// further page of something.
    public var home: String?
    /// What an earlier answer said of itself; makes the request conditional.
    public var validators: HTTPValidators?
    public var limits: HTTPLimits

    public init(
        url: String, headers: [(name: String, value: String)] = [], credential: String? = nil,
        validators: HTTPValidators? = nil, limits: HTTPLimits = HTTPLimits()
    ) {
        self.url = url
        self.headers = headers
        self.credential = credential
        self.validators = validators
        self.limits = limits
    }

    /// The request for what `response` refers to by `reference`, absolute or relative: the next page.
    ///
    /// Headers and credential stay with the origin they were meant for, validators are dropped.
    /// - Throws: kind `redirect` where the reference leads from https to http, or to neither.
    public func following(_ reference: String, from response: HTTPResponse) throws(HTTPError) -> HTTPRequest {
        let base = try HTTPURL(response.effectiveURL)
        var next = self
        next.home = home ?? url
        next.url = try base.resolve(reference).text
        next.validators = nil
        return next
    }
}
