// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The rows that a query selects, in the form that costs least.
enum RowSet {
    case none
    case all
    /// Ranges of a column's permutation.
    case ordinals(OrdinalRanges)
    /// One posting list.
    case list(PostingListID, count: Int)
    /// Few rows, in no order.
    case rows([UInt32])
    case bits([UInt64], count: Int)

    func count(_ rows: Int) -> Int {
        switch self {
        case .none: 0
        case .all: rows
        case .ordinals(let ordinals): ordinals.count
        case .list(_, let count): count
        case .rows(let rows): rows.count
        case .bits(_, let count): count
        }
    }
}

/// Whether rows are in a set and not among those left out.
struct RowTest: ~Escapable {
    private enum Form {
        case all
        case ordinals(OrdinalRanges, Column)
        case list(PostingLists, Int)
        case bits([UInt64])
    }

    private let form: Form
    /// Rows that are not wanted; empty for none.
    private let excluded: [UInt64]
    private let bytes: RawSpan
    /// The rank that rows must have by a key of an order.
    private var run: (key: OrderPlan.Key, rank: Int)?

    /// nil for a set that cannot be tested without making a bitmap of it.
    @_lifetime(borrow snapshot)
    init?(_ set: RowSet, excluding excluded: [UInt64], in snapshot: borrowing Snapshot) {
        let index = snapshot.columnIndex
        switch set {
        case .none, .rows: return nil
        case .all: form = .all
        case .ordinals(let ordinals): form = .ordinals(ordinals, index[ordinals.columnID])
        case .list(let list, _): form = .list(list.lists(index), list.key)
        case .bits(let bits, _): form = .bits(bits)
        }
        self.excluded = excluded
        bytes = snapshot.bytes
    }

    /// The same for the rows alone that have a rank by a key.
    @_lifetime(copy self)
    func within(_ key: OrderPlan.Key, at rank: Int) -> RowTest {
        var test = self
        test.run = (key, rank)
        return test
    }

    @inline(__always)
    func callAsFunction(_ row: Int) -> Bool {
        if !excluded.isEmpty, Bits.contains(excluded, row) { return false }
        if let run, run.key.rank(row, bytes) != run.rank { return false }
        switch form {
        case .all: return true
        case .ordinals(let ordinals, let column):
            return OrdinalRanges.contains(column.ordinal(row, bytes), ordinals.ranges)
        case .list(let postings, let key): return postings.view(bytes).contains(row, key)
        case .bits(let bits): return Bits.contains(bits, row)
        }
    }
}
