// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform
import ClaimsQuery
import ClaimsSnapshot

/// Finds when the set of a feed can change by time alone.
enum FeedBoundary {
    /// The first moment after `time` at which the filter may become true or false for some record; nil: there is none.
    ///
    /// Before it, an evaluation finds nothing. At it, it finds something most of the time. Times are in milliseconds
    /// since 1970. New data may bring an earlier moment, also one that is over.
    ///
    /// - Parameter snapshots: the records of the collection.
    static func next(after time: Int64, of feed: Feed, in snapshots: [Snapshot]) -> Int64? {
        feed.times.bounds.compactMap { bound in
            switch bound {
            case .midnight: feed.zone.startOfDay(feed.context(at: time).today + 1)
            case .moment(let field, let offset):
                snapshots.compactMap { moment(after: time, of: field, offset: offset, in: $0) }.min()
            }
        }.min()
    }

    /// The first moment after `time` that comes to a value of a field, or has just passed it, when `offset` is added.
    private static func moment(after time: Int64, of field: Int, offset: Int64, in snapshot: Snapshot) -> Int64? {
        let (bound, overflow) = time.addingReportingOverflow(offset)
        var key: [UInt8] = []
        KeyEncoding.instant(bound, into: &key)
        guard !overflow, let found = snapshot.firstKey(of: field, from: key) else { return nil }
        // `<` and `>=` change when the value is reached, `<=` and `>` a millisecond later.
        return max(KeyEncoding.instant(ofKey: found.rawSpan) - offset, time + 1)
    }
}
