// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension SetBuilder {
    /// The rows that all of the parts select, beginning with the one that selects fewest.
    mutating func intersection(_ parts: [QueryPlan]) throws(QueryInterruption) -> RowSet {
        let sorted = parts.sorted { $0.bound(rows) < $1.bound(rows) }
        guard let first = sorted.first else { return .all }
        let others = Array(sorted.dropFirst())
        if first.bound(rows) <= fewMax {
            var few = try listed(try set(first))
            for other in others { few = try filtered(few, by: other) }
            return .rows(few)
        }
        var result = try bits(first)
        for part in others {
            if case .not(let inner) = part {
                let other = try bits(inner)
                Bits.subtract(&result, other)
                scratch.give(other)
            } else {
                let other = try bits(part)
                Bits.intersect(&result, other)
                scratch.give(other)
            }
        }
        return counted(result)
    }

    /// Those of a few rows that the plan selects: looked for in a bitmap of it, or one by one in their values.
    private mutating func filtered(_ few: [UInt32], by plan: QueryPlan) throws(QueryInterruption) -> [UInt32] {
        if case .not(let inner) = plan, let bits = try soonMade(inner, for: few.count) {
            defer { scratch.give(bits) }
            return few.filter { !Bits.contains(bits, Int($0)) }
        }
        if let bits = try soonMade(plan, for: few.count) {
            defer { scratch.give(bits) }
            return few.filter { Bits.contains(bits, Int($0)) }
        }
        let snapshot = snapshot
        let bytes = snapshot.bytes
        var kept: [UInt32] = []
        for row in few {
            try steps.spend(Self.lookCost)
            if plan.contains(Int(row), snapshot.columns, bytes) { kept.append(row) }
        }
        return kept
    }

    /// What looking through a row's words costs, in steps.
    private static var lookCost: Int { 256 }

    /// The bitmap of lists, if it is made sooner than so many rows are looked through.
    private mutating func soonMade(_ plan: QueryPlan, for count: Int) throws(QueryInterruption) -> [UInt64]? {
        guard case .lists(let lists) = plan, lists.cost + rows / 64 < count * Self.lookCost else { return nil }
        return try bits(plan)
    }

    /// A set as a list of rows, in no order.
    mutating func listed(_ set: consuming RowSet) throws(QueryInterruption) -> [UInt32] {
        if case .rows(let rows) = set { return rows }
        var list: [UInt32] = []
        try forEach(in: set) { row in
            list.append(UInt32(truncatingIfNeeded: row))
            return true
        }
        if case .bits(let bits, _) = set { scratch.give(bits) }
        return list
    }

    /// Calls `body` with each row of a set, in no particular order, until it returns false.
    @inline(__always)
    mutating func forEach(
        in set: RowSet, _ body: (Int) throws(QueryInterruption) -> Bool
    ) throws(QueryInterruption) {
        let snapshot = snapshot
        let bytes = snapshot.bytes
        switch set {
        case .none: return
        case .all:
            for row in 0..<rows {
                try steps.spend()
                guard try body(row) else { return }
            }
        case .slices(let slices):
            let column = snapshot.columns[slices.owner]
            for range in slices.ranges {
                for place in column.slice(range, bytes) {
                    try steps.spend()
                    guard try body(column.row(at: place, bytes)) else { return }
                }
            }
        case .list(let place, let count):
            try steps.spend(count)
            var failure: QueryInterruption?
            place.lists(snapshot.columns).forEach(place.key, bytes) { row in
                guard row < rows else { return true }
                do throws(QueryInterruption) { return try body(row) } catch {
                    failure = error
                    return false
                }
            }
            if let failure { throw failure }
        case .rows(let rows):
            for row in rows {
                try steps.spend()
                guard try body(Int(row)) else { return }
            }
        case .bits(let bits, _):
            try Bits.forEach(bits) { row throws(QueryInterruption) in
                try steps.spend()
                return try body(row)
            }
        }
    }
}
