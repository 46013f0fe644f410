// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

package import ClaimsModel

/// What state.db knows of a collection's source: one row of `source`. Times are milliseconds since 1970.
package struct SourceRow: Sendable, Equatable {
    /// The validators of one URL and set of headers. They die with the data they describe.
    package struct Validators: Sendable, Equatable {
        /// A hash of the URL, the headers and whatever else decides what the bytes mean.
        package var key: UInt64
        package var etag: String?
        package var lastModified: String?
        /// The URL that gave them, where that is not the one that was asked.
        package var url: String?

        package init(key: UInt64 = 0, etag: String? = nil, lastModified: String? = nil, url: String? = nil) {
            self.key = key
            self.url = url
            self.etag = etag
            self.lastModified = lastModified
        }
    }

    /// A body that the guard did not let in.
    package struct Held: Sendable, Equatable {
        package var bodyHash: String
        /// When it was first seen.
        package var since: Int64
        /// What would change.
        package var summary: HeldSummary

        package init(bodyHash: String, since: Int64, summary: HeldSummary) {
            self.bodyHash = bodyHash
            self.since = since
            self.summary = summary
        }
    }

    /// Where the data came from, without credentials.
    package var origin: String?
    /// When the upstream last confirmed the data.
    package var asOf: Int64?
    /// When the data's bytes arrived.
    package var fetchedAt: Int64?
    /// When the next request is due.
    package var due: Int64?
    /// Failed requests in a row.
    package var failures = 0
    /// Until when the upstream asked to be left alone.
    package var retryAfter: Int64?
    package var lastError: Failure?
    package var held: Held?
    /// Which address and meaning was last tried; see `FetchTarget.key`.
    package var triedKey: UInt64 = 0
    package var bodyHash: String?
    package var validators = Validators()
    package var joinHash: String?
    package var joinValidators = Validators()
    /// What was seen upstream that the definition does not know.
    package var drift = DriftReport()

    package init() {}
}
