// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A good answer: a body, or word that the one at hand is still right.
public struct HTTPResponse: Sendable {
    /// A status of success with content, or 304.
    public let status: Int
    /// The URL that answered, after redirects, without a fragment.
    public let effectiveURL: String
    /// What to send the next time; of a 304, what that said, if anything.
    public let validators: HTTPValidators
    /// For how many seconds the answer stays fresh: `max-age` less `Age`. Nil where the server does not say.
    public let maxAge: Int?
    /// How many seconds the server asked to be left alone, at most `HTTPDelay.retryAfterCap`.
    public let retryAfter: Int?
    /// The absolute URL of the next page by `Link: <…>; rel="next"`.
    public let linkNext: String?
    /// As it came.
    public let contentType: String?
    /// Decoded. Empty if not modified.
    public let body: FetchedBody
    /// The bytes of the body as they were received, before decoding.
    public let received: Int

    /// The conditional request was answered with 304: nothing changed.
    public var isNotModified: Bool { status == 304 }
}
