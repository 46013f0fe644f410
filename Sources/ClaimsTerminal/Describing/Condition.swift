// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The condition of a collection in one word, for all that reports it: triggers, `check` and `metrics`. The raw value is
/// its name in their output.
///
/// ```swift
/// let condition = CollectionMeta(entry[StatusResult.Collection.meta]).map { Condition($0) }
/// ```
public enum Condition: String, CaseIterable, Sendable, Hashable {
    /// The definition names no source, and there is no data.
    case unconfigured
    /// The definition names no source any more, and data of before is served.
    case abandoned
    /// There is data, but it is too old to be told.
    case withheld
    /// The first fetch is under way, and there is no data yet.
    case loading
    /// There is no data, and the last fetch failed.
    case failed
    /// The data is older than `source.expires`.
    case expired
    /// The guard holds back what the upstream answered, and data of before is served.
    case held
    /// The data is older than `source.ttl`, or it is built in and the upstream could not be read.
    case stale
    case ok

    /// The condition that a `meta` tells: the first that applies, in the order of the cases.
    ///
    /// A state that this version does not know counts as one with data, whose freshness decides.
    public init(_ meta: CollectionMeta) {
        self =
            switch meta.state {
            case "unconfigured": meta.isAbandoned ? .abandoned : .unconfigured
            case "withheld": .withheld
            case "loading": .loading
            case "failed": .failed
            default: Self.ofData(meta)
            }
    }

    private static func ofData(_ meta: CollectionMeta) -> Condition {
        if meta.freshness == "expired" { return .expired }
        if meta.failure?.kind == "held" { return .held }
        switch meta.freshness {
        case "stale": return .stale
        case "bundle": return meta.failure == nil ? .ok : .stale
        default: return .ok
        }
    }
}
