// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

/// The upstream of a collection, and the schedule of its refreshes.
public struct Source: Sendable, Hashable {
    /// The address, with the scheme https, http or file; nil if the collection is not configured. It is checked when it
    /// is used.
    public var url: String?
    /// The time between two refreshes.
    public var interval: Duration
    /// The time for which an answer of the upstream counts as fresh.
    public var ttl: Duration
    /// The age from which an answer counts as expired. Between ``ttl`` and this it is stale.
    public var expires: Duration
    /// The pointer to the array of records in an answer.
    public var root: JSONPointer
    /// The headers of every request to the upstream.
    public var headers: [Header]
    /// The name of a systemd credential that is sent as a bearer token (RFC 6750); nil for none.
    public var credential: String?
    /// The way to the next page; nil if one answer holds all records.
    public var next: Paging?
    /// The second request that fills fields; nil if there is none.
    public var join: Join?
    /// The limits that differ from those of the settings.
    public var limits: LimitOverrides<TransferLimits>

    /// A source with the given values; the defaults are those of definition files.
    ///
    /// - Parameter ttl: The time for which an answer counts as fresh; nil for twice the interval.
    public init(
        url: String? = nil, interval: Duration = .seconds(300), ttl: Duration? = nil,
        expires: Duration = .seconds(86_400), root: JSONPointer, headers: [Header] = [],
        credential: String? = nil, next: Paging? = nil, join: Join? = nil,
        limits: LimitOverrides<TransferLimits> = LimitOverrides<TransferLimits>()
    ) {
        self.url = url
        self.interval = interval
        self.ttl = ttl ?? interval * 2
        self.expires = expires
        self.root = root
        self.headers = headers
        self.credential = credential
        self.next = next
        self.join = join
        self.limits = limits
    }
}

/// The way from one page of an upstream to the next.
public enum Paging: Sendable, Hashable {
    /// The answer holds the address of the next page at this pointer; null or a missing value ends the pages.
    case pointer(JSONPointer)
    /// The `Link` header of the answer with `rel="next"` holds the address of the next page (RFC 8288).
    case link
    /// A query parameter of this name counts pages from 1. A page of fewer than `size` records is the last.
    case parameter(name: String, size: Int)
}

/// A header of an HTTP request. It is sent to the configured origin only.
public struct Header: Sendable, Hashable {
    /// The name of the header.
    public let name: String
    /// The value of the header, which may be a secret.
    public let value: String

    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
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

    /// The address of the second request; nil if the join is declared but off.
    public var url: String?
    /// The pointer to the array of records in the second answer.
    public var root: JSONPointer
    /// The headers of the second request.
    public var headers: [Header]
    /// The name of a systemd credential that is sent as a bearer token (RFC 6750); nil for none.
    public var credential: String?
    /// The field here and the value there that must be equal as texts, for a record of the second answer to be used.
    public var on: Link
    /// The fields that are filled if a record has no value of its own, each with the value that fills it.
    public var take: [Link]

    public init(
        url: String? = nil, root: JSONPointer, headers: [Header] = [], credential: String? = nil, on: Link,
        take: [Link]
    ) {
        self.url = url
        self.root = root
        self.headers = headers
        self.credential = credential
        self.on = on
        self.take = take
    }
}
