// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The validators of a body that is already here (RFC 9110, section 8.8).
public struct HTTPValidators: Equatable, Sendable {
    /// As it came, quotes and `W/` included.
    public var etag: String?
    /// As it came.
    public var lastModified: String?
    /// The URL that gave them, and the only one they are sent to; nil for the request's own.
    public var url: String?

    public init(etag: String? = nil, lastModified: String? = nil, url: String? = nil) {
        self.etag = etag
        self.lastModified = lastModified
        self.url = url
    }

    public var isEmpty: Bool { etag == nil && lastModified == nil }
}
