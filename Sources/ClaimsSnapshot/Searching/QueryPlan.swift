// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A predicate as row sets of one snapshot, with what is known of their sizes.
indirect enum QueryPlan: Sendable {
    case none
    case all
    case ordinals(OrdinalRanges)
    case lists(ListMatches)
    case phrase(PhraseMatches)
    /// Rows that were found without the snapshot's columns; at least one.
    case marked(RowBitmap)
    case and([QueryPlan])
    case or([QueryPlan])
    case not(QueryPlan)

    /// At least as many rows as it selects.
    func bound(_ rows: Int) -> Int {
        switch self {
        case .none: 0
        case .all, .not: rows
        case .ordinals(let ordinals): ordinals.count
        case .lists(let lists): min(lists.bound, rows)
        case .phrase(let phrase): min(phrase.bound, rows)
        case .marked(let marked): marked.count
        case .and(let parts): parts.map { $0.bound(rows) }.min() ?? rows
        case .or(let parts): min(parts.reduce(0) { $0 + $1.bound(rows) }, rows)
        }
    }

    /// Whether one row is selected, found out without any set.
    func contains(_ row: Int, _ columns: ColumnsView) -> Bool {
        switch self {
        case .none: false
        case .all: true
        case .ordinals(let ordinals): ordinals.contains(row, columns[ordinals.columnID])
        case .lists(let lists): lists.contains(row, columns)
        case .phrase(let phrase): phrase.contains(row, columns)
        case .marked(let marked): marked.contains(row)
        case .and(let parts): parts.allSatisfy { $0.contains(row, columns) }
        case .or(let parts): parts.contains { $0.contains(row, columns) }
        case .not(let part): !part.contains(row, columns)
        }
    }
}

extension QueryPlan {
    /// The rows that all parts select; parts on one column are joined there.
    static func joined(_ parts: [QueryPlan], _ snapshot: Snapshot) -> QueryPlan {
        var kept: [QueryPlan] = []
        for part in parts {
            switch part {
            case .none: return .none
            case .all: continue
            case .and(let inner): kept.append(contentsOf: inner)
            default: kept.append(part)
            }
        }
        kept = merged(kept, snapshot) { OrdinalRanges.intersection($0, $1) }
        if kept.contains(where: \.isNone) { return .none }
        return kept.isEmpty ? .all : kept.count == 1 ? kept[0] : .and(kept)
    }

    /// The rows that any part selects.
    static func united(_ parts: [QueryPlan], _ snapshot: Snapshot) -> QueryPlan {
        var kept: [QueryPlan] = []
        for part in parts {
            switch part {
            case .none: continue
            case .all: return .all
            case .or(let inner): kept.append(contentsOf: inner)
            default: kept.append(part)
            }
        }
        kept = merged(kept, snapshot) { OrdinalRanges.united($0 + $1) }
        if kept.contains(where: \.isAll) { return .all }
        return kept.isEmpty ? .none : kept.count == 1 ? kept[0] : .or(kept)
    }

    /// The rows that it does not select.
    func negated(_ snapshot: Snapshot) -> QueryPlan {
        switch self {
        case .none: return .all
        case .all: return .none
        case .not(let part): return part
        case .ordinals(let ordinals):
            let column = snapshot.columns[ordinals.columnID]
            return .ordinals(
                OrdinalRanges(
                    OrdinalRanges.complement(ordinals.ranges, below: column.distinct + 1), of: column))
        default: return .not(self)
        }
    }

    private var isNone: Bool { if case .none = self { true } else { false } }
    private var isAll: Bool { if case .all = self { true } else { false } }

    /// The parts, with all that are ordinals of one column made one.
    private static func merged(
        _ parts: [QueryPlan], _ snapshot: Snapshot, _ merge: ([Range<Int>], [Range<Int>]) -> [Range<Int>]
    ) -> [QueryPlan] {
        var result: [QueryPlan] = []
        var indices: [Int: Int] = [:]
        for part in parts {
            guard case .ordinals(let ordinals) = part else {
                result.append(part)
                continue
            }
            guard let index = indices[ordinals.columnID], case .ordinals(let other) = result[index] else {
                indices[ordinals.columnID] = result.count
                result.append(part)
                continue
            }
            let ranges = merge(other.ranges, ordinals.ranges)
            result[index] = .ordinals(
                OrdinalRanges(ranges, of: snapshot.columns[ordinals.columnID]))
        }
        return result.map { part in
            guard case .ordinals(let ordinals) = part else { return part }
            return ordinals.count == 0 ? .none : ordinals.count == snapshot.count ? .all : part
        }
    }
}
