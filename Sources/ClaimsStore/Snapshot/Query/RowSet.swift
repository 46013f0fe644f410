// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The rows that a query selects, in the form that costs least.
enum RowSet {
    case none
    case all
    /// Slices of a column's permutation.
    case slices(Slices)
    /// One posting list.
    case list(ListPlace, count: Int)
    /// Few rows, in no order.
    case rows([UInt32])
    case bits([UInt64], count: Int)

    func count(_ rows: Int) -> Int {
        switch self {
        case .none: 0
        case .all: rows
        case .slices(let slices): slices.count
        case .list(_, let count): count
        case .rows(let rows): rows.count
        case .bits(_, let count): count
        }
    }
}
