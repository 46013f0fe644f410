// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

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
        case .slices(let slices):
            let column = snapshot.columns[slices.owner]
            return .slices(
                Slices(
                    slices.owner, OrdinalRanges.complement(slices.ranges, below: column.distinct + 1), column,
                    snapshot.bytes))
        default: return .not(self)
        }
    }

    private var isNone: Bool { if case .none = self { true } else { false } }
    private var isAll: Bool { if case .all = self { true } else { false } }

    /// The parts, with all that are slices of one column made one.
    private static func merged(
        _ parts: [QueryPlan], _ snapshot: Snapshot, _ merge: ([Range<Int>], [Range<Int>]) -> [Range<Int>]
    ) -> [QueryPlan] {
        var result: [QueryPlan] = []
        var places: [Int: Int] = [:]
        for part in parts {
            guard case .slices(let slices) = part else {
                result.append(part)
                continue
            }
            guard let place = places[slices.owner], case .slices(let other) = result[place] else {
                places[slices.owner] = result.count
                result.append(part)
                continue
            }
            let ranges = merge(other.ranges, slices.ranges)
            result[place] = .slices(
                Slices(slices.owner, ranges, snapshot.columns[slices.owner], snapshot.bytes))
        }
        return result.map { part in
            guard case .slices(let slices) = part else { return part }
            return slices.count == 0 ? .none : slices.count == snapshot.count ? .all : part
        }
    }
}
