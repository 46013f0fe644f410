// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Runs plans: makes the sets of rows that they select.
struct SetBuilder {
    let snapshot: Snapshot
    let scratch: QueryScratch
    var steps: QuerySteps

    init(_ snapshot: Snapshot, _ scratch: QueryScratch, _ steps: QuerySteps) {
        self.snapshot = snapshot
        self.scratch = scratch
        self.steps = steps
    }

    var rows: Int { snapshot.count }

    /// At most so many rows are listed one by one.
    var fewMax: Int { 256 + rows / 256 }

    mutating func set(_ plan: QueryPlan) throws(QueryInterruption) -> RowSet {
        switch plan {
        case .none: return .none
        case .all: return .all
        case .slices(let slices): return .slices(slices)
        case .lists(let lists):
            if let only = lists.only { return .list(only, count: lists.bound) }
            if lists.bound <= min(Self.few, rows / 64) { return .rows(try few(lists)) }
            return counted(try bits(plan))
        case .and(let parts): return try intersection(parts)
        case .phrase(let phrase): return try matches(phrase)
        case .or, .not: return counted(try bits(plan))
        }
    }

    /// How many items lists may have together to be gathered one by one; fewer where there are not many rows. A bitmap has
    /// to be cleared and counted.
    private static let few = 256

    /// The rows of short lists, each once.
    private mutating func few(_ matches: ListMatches) throws(QueryInterruption) -> [UInt32] {
        let snapshot = snapshot
        let bytes = snapshot.bytes
        var found: [UInt32] = []
        found.reserveCapacity(matches.bound)
        try steps.spend(matches.bound)
        try matches.forEachList(snapshot.columns) { lists, key in
            lists.forEach(key, bytes) { row in
                if row < rows { found.append(UInt32(truncatingIfNeeded: row)) }
                return true
            }
        }
        found.sort()
        var count = 0
        for row in found where count == 0 || row != found[count - 1] {
            found[count] = row
            count += 1
        }
        found.removeLast(found.count - count)
        return found
    }

    func counted(_ bits: [UInt64]) -> RowSet {
        .bits(bits, count: Bits.count(bits))
    }

    // MARK: - Bitmaps

    /// The rows as a bitmap, which the caller gives back.
    mutating func bits(_ plan: QueryPlan) throws(QueryInterruption) -> [UInt64] {
        var bits = scratch.take(Bits.words(rows))
        switch plan {
        case .none: break
        case .all: Bits.invert(&bits, rows: rows)
        case .slices, .lists: try add(plan, to: &bits)
        case .or(let parts):
            for part in parts { try add(part, to: &bits) }
        case .not(let part):
            try add(part, to: &bits)
            Bits.invert(&bits, rows: rows)
        case .and, .phrase:
            scratch.give(bits)
            return try materialized(try set(plan))
        }
        return bits
    }

    /// Adds the rows of a plan to a bitmap.
    private mutating func add(_ plan: QueryPlan, to bits: inout [UInt64]) throws(QueryInterruption) {
        switch plan {
        case .none: break
        case .slices(let slices): try add(slices, to: &bits)
        case .lists(let matches):
            try matches.forEachList(snapshot.columns) { lists, key throws(QueryInterruption) in
                try add(key, of: lists, to: &bits)
            }
        case .or(let parts):
            for part in parts { try add(part, to: &bits) }
        case .all, .and, .not, .phrase:
            let other = try self.bits(plan)
            Bits.unite(&bits, other)
            scratch.give(other)
        }
    }

    private mutating func add(_ slices: Slices, to bits: inout [UInt64]) throws(QueryInterruption) {
        let snapshot = snapshot
        let bytes = snapshot.bytes
        let column = snapshot.columns[slices.owner]
        for range in slices.ranges {
            if column.bitmap(range.lowerBound) != nil {
                for ordinal in range {
                    try steps.spend(bits.count / 8)
                    if let offset = column.bitmap(ordinal) { Bits.unite(&bits, bytes, at: offset) }
                }
                continue
            }
            for place in column.slice(range, bytes) {
                try steps.spend()
                Bits.insert(column.row(at: place, bytes), into: &bits)
            }
        }
        Bits.clearTail(&bits, rows: rows)
    }

    mutating func add(_ key: Int, of lists: PostingLists, to bits: inout [UInt64]) throws(QueryInterruption) {
        let snapshot = snapshot
        let bytes = snapshot.bytes
        let count = lists.count(key, bytes)
        if count == 0 { return }
        try steps.spend(min(count, bits.count) / 4 + 1)
        PostingUnion.add(key, of: lists, bytes, to: &bits)
        Bits.clearTail(&bits, rows: rows)
    }

    /// A set as a bitmap, which the caller gives back.
    mutating func materialized(_ set: consuming RowSet) throws(QueryInterruption) -> [UInt64] {
        if case .bits(let bits, _) = set { return bits }
        var bits = scratch.take(Bits.words(rows))
        switch set {
        case .none, .bits: break
        case .all: Bits.invert(&bits, rows: rows)
        case .slices(let slices): try add(slices, to: &bits)
        case .list(let place, _): try add(place.key, of: place.lists(snapshot.columns), to: &bits)
        case .rows(let rows):
            for row in rows { Bits.insert(Int(row), into: &bits) }
        }
        return bits
    }
}
