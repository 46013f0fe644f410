// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsStore

/// The point from which a feed is to be told, and the first reason why it cannot be.
struct FeedStart: Sendable {
    /// The beginning as the reader names it.
    enum Since: Sendable, Equatable {
        /// There is none: the set is told.
        case nothing
        /// Only what comes from now on is told.
        case now
        case clock(FeedClock)
    }

    var since: Since
    /// The names hash of the collections that the feed covers; nil where the feed names its collection.
    var names: UInt64?

    /// The reason for a fresh set of one collection; nil where it goes on exactly.
    ///
    /// - Parameters:
    ///   - hash: the hash that a clock of this feed has. Over several collections its upper half is that of the
    ///     request alone.
    ///   - dependsOnTime: whether the filter of this collection depends on time.
    ///   - revision: that of the catalog.
    func reason(
        hash: UInt64, dependsOnTime: Bool, in view: CollectionView, revision: Revision
    ) -> FreshReason? {
        let clock: FeedClock
        switch since {
        case .now: return nil
        case .nothing: return .start
        case .clock(let given): clock = given
        }
        if clock.revision.epoch != revision.epoch { return .epoch }
        let seq = clock.revision.seq
        if seq > revision.seq { return .ahead }
        let reason = FreshReason.ofCollection(view, since: seq)
        if reason == .start { return reason }
        guard let bound = clock.bound else { return dependsOnTime ? .filter : reason }
        if bound.names == names {
            if bound.feed != hash || dependsOnTime && bound.time == nil { return .filter }
            return reason
        }
        // Collections that came or went also change the half of the hash that rests on definitions.
        let isSameRequest = bound.names != nil && names != nil && (bound.feed ^ hash) >> 32 == 0
        return isSameRequest ? .definition : .filter
    }
}
