// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsSnapshot

/// Predicts the record of the served snapshot that a body probably has next: the record after the last one observed, in
/// the order of the ids or in the order of the earlier arrival. It is only a guess, but a cheap one.
struct RowPredictor {
    private let base: Snapshot
    /// The beginning of the ids of the records that can come. Records of other sites may have the same bytes.
    private let prefix: [UInt8]
    /// The rows that are not current: their records have changed since, or are gone.
    private let covered: RowBitmap
    private var last = -1
    private var isByArrival = false
    /// The rank, in the order of arrival, of the record that was expected last and has not come.
    private var awaited = 0
    /// The beginnings and rows of the records in the order in which they arrived, and the rank of each row in that
    /// order. Empty before they are needed.
    private var arrivals: [SortPair] = []
    private var ranks: [UInt32] = []

    init(_ base: Snapshot, prefix: [UInt8] = [], without covered: RowBitmap? = nil) {
        self.base = base
        self.prefix = prefix
        self.covered = covered ?? RowBitmap()
    }

    /// Moves to a record that has come.
    mutating func observe(_ row: Int) { last = row }

    /// Moves to a record that has come; it may be newer than the snapshot.
    mutating func observe(_ served: ServedRecord) {
        if served.snapshot === base { return observe(served.row) }
        if let row = base.row(forID: served.snapshot.id(served.row)) { observe(row) }
    }

    /// Skips the next element if its bytes are those of an expected record; returns the record's row and the element's
    /// range.
    mutating func skip(_ elements: inout JSONElements) -> (row: Int, range: Range<Int>)? {
        // The next record is newer than the snapshot, so a search for another one would be in vain.
        if !isByArrival, covered.contains(last + 1) { return nil }
        for _ in 0..<2 {
            if let result = isByArrival ? skipByArrival(&elements) : skip(last + 1, &elements) { return result }
            isByArrival.toggle()
        }
        return nil
    }

    private mutating func skip(_ row: Int, _ elements: inout JSONElements) -> (row: Int, range: Range<Int>)? {
        guard row < base.count, isPossible(row), let range = elements.skip(base.upstream(row)) else { return nil }
        last = row
        return (row, range)
    }

    /// Skips the next element in the order of arrival. A record that has changed since it arrived lies among those of
    /// its later arrival: the records that follow it here are those that would have followed it before.
    private mutating func skipByArrival(_ elements: inout JSONElements) -> (row: Int, range: Range<Int>)? {
        if arrivals.isEmpty { sortByArrival() }
        let next = ranks.indices.contains(last) ? Int(ranks[last]) + 1 : 0
        return skip(rank: next, &elements) ?? (awaited == next ? nil : skip(rank: awaited, &elements))
    }

    private mutating func skip(rank: Int, _ elements: inout JSONElements) -> (row: Int, range: Range<Int>)? {
        guard rank < arrivals.count, isPossible(Int(arrivals[rank].item)),
            let range = elements.skip(base.upstream(atOffset: Int(arrivals[rank].word)))
        else { return nil }
        last = Int(arrivals[rank].item)
        awaited = rank + 1
        return (last, range)
    }

    private func isPossible(_ row: Int) -> Bool {
        !covered.contains(row) && (prefix.isEmpty || base.id(row).starts(with: prefix))
    }

    private mutating func sortByArrival() {
        var pairs: [SortPair] = []
        pairs.reserveCapacity(base.count)
        for row in 0..<base.count {
            pairs.append(SortPair(word: UInt64(base.recordOffset(row) ?? 0), item: UInt32(truncatingIfNeeded: row)))
        }
        var spare = pairs
        pairs.sort(0..<pairs.count, spare: &spare)
        ranks = [UInt32](repeating: 0, count: pairs.count)
        for (rank, pair) in pairs.enumerated() { ranks[Int(pair.item)] = UInt32(truncatingIfNeeded: rank) }
        arrivals = pairs
    }
}
