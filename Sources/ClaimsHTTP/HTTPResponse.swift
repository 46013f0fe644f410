// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A good answer: a body, or word that the one at hand is still right.
package struct HTTPResponse: Sendable {
    /// A status of success with content, or 304.
    package let status: Int
    /// The URL that answered, after redirects, without a fragment.
    package let effectiveURL: String
    /// What to send the next time; of a 304, what that said, if anything.
    package let validators: HTTPValidators
    /// For how many seconds the answer stays fresh: `max-age` less `Age`. Nil where the server does not say.
    package let maxAge: Int?
    /// How many seconds the server asked to be left alone, at most `HTTPDelay.retryAfterCap`.
    package let retryAfter: Int?
    /// The absolute URL of the next page by `Link: <…>; rel="next"`.
    package let linkNext: String?
    /// As it came.
    package let contentType: String?
    /// Decoded. Empty if not modified.
    package let body: FetchedBody
    /// The bytes of the body as they were received, before decoding.
    package let received: Int

    /// The conditional request was answered with 304: nothing changed.
    package var isNotModified: Bool { status == 304 }
}
