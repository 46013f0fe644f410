// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// Decides when the writes to collections are folded into their snapshots. Pure.
///
/// Times are nanoseconds of the monotonic clock.
struct FoldingPlan {
    /// The number of entries at which a fold is due at once, without a pause of the writes.
    static let manyEntries = 256

    private struct Collection {
        var entries: Int
        var seq: UInt64
        /// The time of the last write that was seen.
        var writtenAt: UInt64
        /// The time before which nothing is tried, after a failure.
        var notBefore: UInt64 = 0
        /// The number of failures in a row after which the wait doubles.
        var failures = 0
    }

    /// The time without writes after which few entries are folded, and the time from a failure to the next attempt.
    private let rest: UInt64
    private var collections: [String: Collection] = [:]

    init(rest: Duration) {
        self.rest = rest.wholeNanoseconds
    }

    /// Records the number of entries over the snapshot of a collection, after a commit that ended at `seq`.
    mutating func record(_ name: String, entries: Int, seq: UInt64, now: UInt64) {
        guard entries > 0 else { return collections[name] = nil }
        var collection = collections[name] ?? Collection(entries: entries, seq: seq, writtenAt: now)
        if collection.seq != seq { collection.writtenAt = now }
        (collection.entries, collection.seq) = (entries, seq)
        collections[name] = collection
    }

    /// Forgets the collections that are not served any more.
    mutating func forget(allBut names: Set<String>) {
        collections = collections.filter { names.contains($0.key) }
    }

    /// Records a fold that failed.
    ///
    /// - Parameter isCostly: whether an attempt may take the last room on the disk for a while: then each wait is twice
    ///   the wait before.
    mutating func fail(_ name: String, now: UInt64, isCostly: Bool = false) {
        let failures = isCostly ? min(collections[name]?.failures ?? 0, Self.maxDoublings) : 0
        collections[name]?.failures = isCostly ? failures + 1 : 0
        collections[name]?.notBefore = now &+ rest << UInt64(failures)
    }

    /// The number of times that the wait is doubled at most.
    private static let maxDoublings = 5

    /// The collection to be folded next, and the time; nil if nothing is to be folded.
    var next: (name: String, due: UInt64)? {
        let due = collections.map { name, collection in
            let wanted = collection.entries >= Self.manyEntries ? 0 : collection.writtenAt &+ rest
            return (name: name, due: max(wanted, collection.notBefore))
        }
        return due.min { ($0.due, $0.name) < ($1.due, $1.name) }
    }
}
