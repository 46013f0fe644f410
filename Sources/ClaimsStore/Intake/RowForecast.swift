// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// Which record of the snapshot being served a body probably has next: the one that follows the last one met, in the
/// order of the ids or in the order in which they arrived then. Only a guess, but a cheap one.
struct RowForecast {
    private let base: Snapshot
    private var last = -1
    private var isByArrival = false
    /// The place in the order of arrival whose record was expected last and has not come.
    private var awaited = 0
    /// Where the records begin, in the order in which they arrived, and their rows; and by row its place there. Empty
    /// before they are needed.
    private var arrivals: [SortPair] = []
    private var places: [UInt32] = []

    init(_ base: Snapshot) {
        self.base = base
    }

    /// Tells which record has come.
    mutating func meet(_ row: Int) { last = row }

    /// Moves past the next element if it is, byte for byte, a record that was expected here; its row, and where it is.
    mutating func skip(_ elements: inout JSONElements) -> (row: Int, range: Range<Int>)? {
        for _ in 0..<2 {
            if let result = isByArrival ? skipByArrival(&elements) : skip(last + 1, &elements) { return result }
            isByArrival.toggle()
        }
        return nil
    }

    private mutating func skip(_ row: Int, _ elements: inout JSONElements) -> (row: Int, range: Range<Int>)? {
        guard row < base.count, let range = elements.skip(base.upstream(row)) else { return nil }
        last = row
        return (row, range)
    }

    /// A record that has changed since it arrived lies with those of its later arrival: the records that follow it
    /// here are those that would have followed it before.
    private mutating func skipByArrival(_ elements: inout JSONElements) -> (row: Int, range: Range<Int>)? {
        if arrivals.isEmpty { sortByArrival() }
        let next = places.indices.contains(last) ? Int(places[last]) + 1 : 0
        return skip(place: next, &elements) ?? (awaited == next ? nil : skip(place: awaited, &elements))
    }

    private mutating func skip(place: Int, _ elements: inout JSONElements) -> (row: Int, range: Range<Int>)? {
        guard place < arrivals.count,
            let range = elements.skip(RecordBlock.upstream(base.bytes, at: Int(arrivals[place].word)))
        else { return nil }
        last = Int(arrivals[place].item)
        awaited = place + 1
        return (last, range)
    }

    private mutating func sortByArrival() {
        var pairs: [SortPair] = []
        pairs.reserveCapacity(base.count)
        for row in 0..<base.count {
            pairs.append(SortPair(word: UInt64(base.recordOffset(row) ?? 0), item: UInt32(truncatingIfNeeded: row)))
        }
        var spare = pairs
        pairs.sort(0..<pairs.count, spare: &spare)
        places = [UInt32](repeating: 0, count: pairs.count)
        for (place, pair) in pairs.enumerated() { places[Int(pair.item)] = UInt32(truncatingIfNeeded: place) }
        arrivals = pairs
    }
}
