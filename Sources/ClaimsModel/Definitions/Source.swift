// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

/// The upstream of a collection, and the schedule of its refreshes.
public struct Source: Sendable, Hashable {
    /// The request for the records. With ``sites`` it is what their requests have in common, and is not made itself.
    public var request: ReadRequest
    /// The time between two refreshes.
    public var interval: Duration
    /// The time for which an answer of the upstream counts as fresh.
    public var ttl: Duration
    /// The age from which an answer counts as expired. Between ``ttl`` and this it is stale.
    public var expires: Duration
    /// The age from which the records are not told any more; nil for none.
    public var withhold: Duration?
    /// The request for what has changed only; nil if each answer has all records.
    public var since: IncrementalRules?
    /// How an answer names records that are gone; nil if it does not.
    public var deleted: DeletionRule?
    /// The equal upstreams whose records the collection joins; nil if there is one upstream.
    public var sites: SiteList?
    /// The second request that fills fields; nil if there is none.
    public var join: Join?
    /// The limits that differ from those of the settings.
    public var limits: LimitOverrides<TransferLimits>

    /// A source with the given values; the defaults are those of definition files.
    ///
    /// - Parameter ttl: The time for which an answer counts as fresh; nil for twice the interval.
    public init(
        _ request: ReadRequest = ReadRequest(), interval: Duration = .seconds(300), ttl: Duration? = nil,
        expires: Duration = .seconds(86_400), join: Join? = nil,
        limits: LimitOverrides<TransferLimits> = LimitOverrides<TransferLimits>()
    ) {
        self.request = request
        self.interval = interval
        self.ttl = ttl ?? interval * 2
        self.expires = expires
        self.join = join
        self.limits = limits
    }

    /// Whether there is an upstream to ask.
    public var isConfigured: Bool { request.url != nil || sites != nil }
}

/// A second request whose records fill fields of the first request's records.
public struct Join: Sendable, Hashable {
    /// A field of this collection, and the pointer to a value in the other records.
    public struct Link: Sendable, Hashable {
        /// The index of the field in the definition.
        public let field: Int
        /// The pointer into a record of the second answer.
        public let pointer: JSONPointer

        public init(field: Int, pointer: JSONPointer) {
            self.field = field
            self.pointer = pointer
        }
    }

    /// The second request. Without an address the join is declared but off.
    public var request: ReadRequest
    /// The field here and the value there that must be equal as texts, for a record of the second answer to be used.
    public var on: Link
    /// The fields that are filled if a record has no value of its own, each with the value that fills it.
    public var take: [Link]

    public init(_ request: ReadRequest, on: Link, take: [Link]) {
        self.request = request
        self.on = on
        self.take = take
    }
}
