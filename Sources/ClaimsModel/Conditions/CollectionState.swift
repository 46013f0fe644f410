// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The state of a collection. The raw value is its name in the protocol.
public enum CollectionState: String, Sendable, Hashable, CaseIterable {
    /// The first fetch is under way, and there is no data yet.
    case loading
    case ready
    /// The upstream answered, and it has no records; or this host is the truth, and has none.
    case empty
    /// There is no data, and the last fetch failed.
    case failed
    /// The definition names neither an address nor a bundle, and this host is not the truth.
    case unconfigured
    /// There is data, but it is too old to be shown, or of a time to come.
    case withheld

    /// Whether a query on the collection gets an answer, if only an empty one.
    public var hasData: Bool { self == .ready || self == .empty }
}

/// The origin of the data that a collection serves. The raw value is its name in the protocol.
public enum DataSource: String, Sendable, Hashable, CaseIterable {
    /// The data was fetched by this process.
    case upstream
    /// Another host of the fleet has fetched the data and published it.
    case fleet
    /// The data was fetched by an earlier process and read from the cache.
    case cache
    /// The data was shipped with the program.
    case bundle
    /// The data was written on this host, which is the truth.
    case local
}

/// The age of a collection's data, measured by the collection's own spans. The raw value is its name in the protocol.
public enum Freshness: String, Sendable, Hashable, CaseIterable {
    case fresh, stale, expired
    /// The data was shipped with the program, and no upstream has answered yet.
    case bundle

    /// The freshness of data that an upstream confirmed `age` ago: fresh below `source.ttl`, stale below
    /// `source.expires`, and expired from then on.
    public init(age: Duration, source: Source) {
        self = age < source.ttl ? .fresh : age < source.expires ? .stale : .expired
    }
}
