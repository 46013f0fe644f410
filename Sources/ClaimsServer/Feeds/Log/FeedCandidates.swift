// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// The changes of a survey that may concern one feed: a part of them, from one index of the survey up to another.
struct FeedCandidates: Sendable {
    /// One change that may concern the feed.
    struct Candidate: Sendable, Equatable {
        /// The index of the change in the survey.
        let index: Int
        /// Whether the filter was true for the record at the beginning.
        let wasMatch: Bool
        /// Whether the filter is true for the record now.
        let isMatch: Bool
    }

    /// The candidates, ascending: the index, and two bits for what the filter says.
    private var items: [UInt32] = []
    /// The index from which on the changes are looked at.
    private let start: Int
    /// The index of the first change that is left to the next part.
    let end: Int

    /// The number of changes that a survey may have.
    static let maxChanges = 1 << 30

    /// Collects the changes that are in one of two sets.
    ///
    /// - Parameters:
    ///   - was: one bit a change: the record matched at the beginning.
    ///   - now: the same for the record as it is now.
    ///   - start: the index of the first change that is wanted.
    ///   - count: the number of changes of the survey.
    ///   - limit: the number of candidates that are kept at most, at least 1.
    init(was: [UInt64], now: [UInt64], from start: Int, count: Int, limit: Int) {
        self.start = start
        var number = start >> 6
        var mask = UInt64.max << UInt64(start & 63)
        while number < was.count {
            var word = (was[number] | now[number]) & mask
            mask = .max
            while word != 0 {
                let bit = word.trailingZeroBitCount
                let index = number << 6 | bit
                guard items.count < limit else {
                    end = index
                    return
                }
                let known = (was[number] >> UInt64(bit) & 1) << 1 | now[number] >> UInt64(bit) & 1
                items.append(UInt32(truncatingIfNeeded: index << 2) | UInt32(truncatingIfNeeded: known))
                word &= word &- 1
            }
            number += 1
        }
        end = count
    }

    /// The number of candidates.
    var count: Int { items.count }

    /// Whether the part tells all candidates that come next at an index.
    func covers(_ index: Int) -> Bool { start <= index && index < end }

    /// The number of candidates with these indexes.
    func count(_ indexes: Range<Int>) -> Int { offset(indexes.upperBound) - offset(indexes.lowerBound) }

    /// The first candidate from an index on; nil where there is none in this part.
    func next(from index: Int) -> Candidate? {
        let offset = offset(index)
        guard offset < items.count else { return nil }
        let item = items[offset]
        return Candidate(index: Int(item >> 2), wasMatch: item & 2 != 0, isMatch: item & 1 != 0)
    }

    /// The number of candidates before an index.
    private func offset(_ index: Int) -> Int {
        items.indices.partitionPoint { Int(items[$0] >> 2) < index }
    }
}
