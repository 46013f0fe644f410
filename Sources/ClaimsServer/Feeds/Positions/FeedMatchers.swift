// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsProtocol
import ClaimsQuery

/// The matchers of the feeds that have work now, made once for all their steps.
///
/// A feed that waits for changes keeps none: that of a long filter takes more memory than the rest of its subscription.
struct FeedMatchers {
    /// A feed, with the meaning that a definition gives it.
    private struct Key: Hashable {
        let feed: UInt64
        let definition: UInt64
    }

    private var matchers: [Key: PredicateMatcher] = [:]

    /// The number of matchers that are kept.
    static let maxCount = 1_024

    /// The matcher of a feed at a time, in milliseconds since 1970; nil where every record matches.
    ///
    /// - Throws: the error of a filter that the definition does not take any more.
    mutating func matcher(of feed: Feed, at time: Int64) throws(RequestError) -> PredicateMatcher? {
        guard feed.isFiltered else { return nil }
        // Filters that depend on time have another one at each evaluation.
        if feed.dependsOnTime { return PredicateMatcher(try feed.predicate(at: time), definition: feed.definition) }
        let key = Key(feed: feed.hash, definition: feed.definition.queryShape.whole)
        if let known = matchers[key] { return known }
        let matcher = PredicateMatcher(try feed.predicate(at: time), definition: feed.definition)
        if matchers.count >= Self.maxCount { matchers.removeAll(keepingCapacity: true) }
        matchers[key] = matcher
        return matcher
    }
}
