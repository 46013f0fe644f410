// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The validators of a body that is already here (RFC 9110, section 8.8).
package struct HTTPValidators: Equatable, Sendable {
    /// As it came, quotes and `W/` included.
    package var etag: String?
    /// As it came.
    package var lastModified: String?
    /// The URL that gave them, and the only one they are sent to; nil for the request's own.
    package var url: String?

    package init(etag: String? = nil, lastModified: String? = nil, url: String? = nil) {
        self.etag = etag
        self.lastModified = lastModified
        self.url = url
    }

    package var isEmpty: Bool { etag == nil && lastModified == nil }
}
