// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

/// The state of a source in state.db: one row of `source`. Times are in milliseconds since 1970.
public struct SourceRow: Sendable, Equatable {
    /// The HTTP validators (RFC 9110, section 8.8) of one URL and set of headers. They are deleted with the data they describe.
    public struct Validators: Sendable, Equatable {
        /// A hash of the URL, the headers and whatever else decides what the bytes mean.
        public var key: UInt64
        public var etag: String?
        public var lastModified: String?
        /// The URL after redirections that sent the validators; nil where it is the configured one.
        public var url: String?

        public init(key: UInt64 = 0, etag: String? = nil, lastModified: String? = nil, url: String? = nil) {
            self.key = key
            self.url = url
            self.etag = etag
            self.lastModified = lastModified
        }
    }

    /// A body that the guard held back.
    public struct Held: Sendable, Equatable {
        public var bodyHash: String
        /// The time at which the body was first seen.
        public var since: Int64
        /// The changes that it would bring.
        public var summary: HeldSummary

        public init(bodyHash: String, since: Int64, summary: HeldSummary) {
            self.bodyHash = bodyHash
            self.since = since
            self.summary = summary
        }
    }

    /// The state that the upstream's data is known to be in, from which a request asks for what has changed.
    public struct Position: Sendable, Equatable {
        /// The size of the longest value, in bytes.
        public static let maxSize = 4 << 10

        /// A hash of everything that decides what the value means.
        public var key: UInt64
        /// The value as JSON.
        public var value: String

        public init(key: UInt64, value: String) {
            self.key = key
            self.value = value
        }
    }

    /// The requests for all records, of a source that is also asked for what has changed only.
    public struct FullRequests: Sendable, Equatable {
        /// The time of the last good answer: what is gone by then is known.
        public var asOf: Int64?
        /// The number of requests in a row that have failed.
        public var failures = 0
        /// The time before which no other one is made out of turn: after a failure, or because a position is ahead.
        public var retryAt: Int64?
        /// The last failure; nil after a success.
        public var error: Failure?
        /// Whether one is still to be made at ``retryAt``, because a position was ahead before that time had come.
        public var isOwed = false

        public init() {}
    }

    /// The site; nil for the only source of a collection.
    public var site: String?
    /// The address that the data came from, without credentials.
    public var origin: String?
    /// The time at which the upstream last confirmed the data: when it was asked for, by the clock after that request,
    /// less the time for which a cache had kept the answer.
    public var asOf: Int64?
    /// The time at which the data's bytes arrived.
    public var fetchedAt: Int64?
    /// The time at which the last request ended; nil where none has, or an older version has not noted it.
    public var endedAt: Int64?
    /// The time at which the next request is due.
    public var due: Int64?
    /// The number of requests in a row that have failed.
    public var failures = 0
    /// The time before which the upstream wants no request (RFC 9110, section 10.2.3).
    public var retryAfter: Int64?
    /// The time until which the upstream calls its last answer fresh; nil where it does not say, or the last request failed.
    public var freshUntil: Int64?
    public var lastError: Failure?
    public var held: Held?
    /// A hash of the requests that were last made. The schedule and the failures belong to them.
    public var triedKey: UInt64 = 0
    public var bodyHash: String?
    public var validators = Validators()
    public var joinHash: String?
    public var joinValidators = Validators()
    /// The fields and values seen upstream that the definition does not know.
    public var drift = DriftReport()
    /// nil: the next request is for all records.
    public var position: Position?
    public var full = FullRequests()

    /// - Parameter site: nil for the only source of a collection.
    public init(site: String? = nil) {
        self.site = site
    }
}

/// The changes that a held body would bring, as numbers of records. Those that this host has deleted count nowhere.
public struct HeldSummary: Sendable, Equatable {
    public var before: Int
    public var after: Int
    public var added: Int
    public var updated: Int
    public var removed: Int
    public var quarantined: Int

    public init(before: Int, after: Int, added: Int, updated: Int, removed: Int, quarantined: Int) {
        self.before = before
        self.after = after
        self.added = added
        self.updated = updated
        self.removed = removed
        self.quarantined = quarantined
    }
}
