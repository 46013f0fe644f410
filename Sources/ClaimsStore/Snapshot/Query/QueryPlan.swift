// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A predicate as row sets of one snapshot, with what is known of their sizes.
indirect enum QueryPlan {
    case none
    case all
    case slices(Slices)
    case lists(ListMatches)
    case phrase(PhraseMatches)
    case and([QueryPlan])
    case or([QueryPlan])
    case not(QueryPlan)

    /// At least as many rows as it selects.
    func bound(_ rows: Int) -> Int {
        switch self {
        case .none: 0
        case .all, .not: rows
        case .slices(let slices): slices.count
        case .lists(let lists): min(lists.bound, rows)
        case .phrase(let phrase): min(phrase.bound, rows)
        case .and(let parts): parts.map { $0.bound(rows) }.min() ?? rows
        case .or(let parts): min(parts.reduce(0) { $0 + $1.bound(rows) }, rows)
        }
    }

    /// Whether one row is selected, found out without any set.
    func contains(_ row: Int, _ index: ColumnIndex, _ bytes: RawSpan) -> Bool {
        switch self {
        case .none: false
        case .all: true
        case .slices(let slices): slices.contains(row, index[slices.owner], bytes)
        case .lists(let lists): lists.contains(row, index, bytes)
        case .phrase(let phrase): phrase.contains(row, index, bytes)
        case .and(let parts): parts.allSatisfy { $0.contains(row, index, bytes) }
        case .or(let parts): parts.contains { $0.contains(row, index, bytes) }
        case .not(let part): !part.contains(row, index, bytes)
        }
    }
}
