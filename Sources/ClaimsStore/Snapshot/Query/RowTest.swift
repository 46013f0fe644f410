// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Whether rows are in a set and not among those left out.
struct RowTest {
    private enum Form {
        case all
        case slices(Slices, Column)
        case list(PostingLists, Int)
        case bits([UInt64])
    }

    private let form: Form
    /// Rows that are not wanted; empty for none.
    private let excluded: [UInt64]
    /// Where rows must come by a key of an order.
    private var run: (key: OrderPlan.Key, place: Int)?

    /// nil for a set that cannot be tested without making a bitmap of it.
    init?(_ set: RowSet, excluding excluded: [UInt64], _ index: ColumnIndex) {
        switch set {
        case .none, .rows: return nil
        case .all: form = .all
        case .slices(let slices): form = .slices(slices, index[slices.owner])
        case .list(let place, _): form = .list(place.lists(index), place.key)
        case .bits(let bits, _): form = .bits(bits)
        }
        self.excluded = excluded
    }

    /// The same for the rows alone that come at a place by a key.
    func within(_ key: OrderPlan.Key, at place: Int) -> RowTest {
        var test = self
        test.run = (key, place)
        return test
    }

    @inline(__always)
    func callAsFunction(_ row: Int, _ bytes: RawSpan) -> Bool {
        if !excluded.isEmpty, Bits.contains(excluded, row) { return false }
        if let run, run.key.place(row, bytes) != run.place { return false }
        switch form {
        case .all: return true
        case .slices(let slices, let column): return slices.contains(row, column, bytes)
        case .list(let postings, let word): return postings.contains(row, word, bytes)
        case .bits(let bits): return Bits.contains(bits, row)
        }
    }
}
