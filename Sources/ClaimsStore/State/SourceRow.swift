// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

/// What state.db knows of a collection's source: one row of `source`. Times are milliseconds since 1970.
public struct SourceRow: Sendable, Equatable {
    /// The validators of one URL and set of headers. They die with the data they describe.
    public struct Validators: Sendable, Equatable {
        /// A hash of the URL, the headers and whatever else decides what the bytes mean.
        public var key: UInt64
        public var etag: String?
        public var lastModified: String?
        /// The URL that gave them, where that is not the one that was asked.
        public var url: String?

        public init(key: UInt64 = 0, etag: String? = nil, lastModified: String? = nil, url: String? = nil) {
            self.key = key
            self.url = url
            self.etag = etag
            self.lastModified = lastModified
        }
    }

    /// A body that the guard did not let in.
    public struct Held: Sendable, Equatable {
        public var bodyHash: String
        /// When it was first seen.
        public var since: Int64
        /// What would change.
        public var summary: HeldSummary

        public init(bodyHash: String, since: Int64, summary: HeldSummary) {
            self.bodyHash = bodyHash
            self.since = since
            self.summary = summary
        }
    }

    /// Where the data came from, without credentials.
    public var origin: String?
    /// When the upstream last confirmed the data.
    public var asOf: Int64?
    /// When the data's bytes arrived.
    public var fetchedAt: Int64?
    /// When the next request is due.
    public var due: Int64?
    /// Failed requests in a row.
    public var failures = 0
    /// Until when the upstream asked to be left alone.
    public var retryAfter: Int64?
    public var lastError: Failure?
    public var held: Held?
    /// Which address and meaning was last tried; see `FetchTarget.key`.
    public var triedKey: UInt64 = 0
    public var bodyHash: String?
    public var validators = Validators()
    public var joinHash: String?
    public var joinValidators = Validators()
    /// What was seen upstream that the definition does not know.
    public var drift = DriftReport()

    public init() {}
}
