// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Runs plans: makes the sets of rows that they select.
struct SetBuilder {
    let snapshot: Snapshot
    let scratch: QueryScratch
    var steps: QuerySteps

    init(_ snapshot: Snapshot, scratch: QueryScratch, steps: QuerySteps) {
        self.snapshot = snapshot
        self.scratch = scratch
        self.steps = steps
    }

    var rows: Int { snapshot.count }

    /// The maximal number of rows that are listed one by one.
    var maxSparse: Int { 256 + rows / 256 }

    mutating func set(_ plan: QueryPlan) throws(QueryInterruption) -> RowSet {
        switch plan {
        case .none: return .none
        case .all: return .all
        case .ordinals(let ordinals): return .ordinals(ordinals)
        case .lists(let lists):
            if let only = lists.only { return .list(only, count: lists.bound) }
            if lists.bound <= maxGathered { return .rows(try gathered(lists)) }
            return counted(try bits(plan))
        case .and(let parts): return try intersection(parts)
        case .phrase(let phrase): return try matches(phrase)
        case .marked(let marked): return .bits(marked.bits, count: marked.count)
        case .or, .not: return counted(try bits(plan))
        }
    }

    /// The number of items of lists up to which they are gathered one by one: rows / 2,048, at least 256, at most
    /// rows / 64. The alternative is a bitmap of all rows, which has to be cleared and counted.
    private var maxGathered: Int { min(max(256, rows / 2048), rows / 64) }

    /// The rows of short lists, each once.
    private mutating func gathered(_ matches: ListMatches) throws(QueryInterruption) -> [UInt32] {
        let snapshot = snapshot
        var found: [UInt32] = []
        found.reserveCapacity(matches.bound)
        try steps.spend(matches.bound)
        try matches.forEachList(snapshot.columns) { lists, key in
            lists.forEach(key) { row in
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

    /// The rows as a bitmap, which the caller must return.
    mutating func bits(_ plan: QueryPlan) throws(QueryInterruption) -> [UInt64] {
        var bits = scratch.bitmap(Bits.wordCount(rows))
        switch plan {
        case .none: break
        case .all: Bits.invert(&bits, rows: rows)
        case .ordinals, .lists, .marked: try add(plan, to: &bits)
        case .or(let parts):
            for part in parts { try add(part, to: &bits) }
        case .not(let part):
            try add(part, to: &bits)
            Bits.invert(&bits, rows: rows)
        case .and, .phrase:
            scratch.keep(bits)
            return try materialized(try set(plan))
        }
        return bits
    }

    /// Adds the rows of a plan to a bitmap.
    private mutating func add(_ plan: QueryPlan, to bits: inout [UInt64]) throws(QueryInterruption) {
        switch plan {
        case .none: break
        case .ordinals(let ordinals): try add(ordinals, to: &bits)
        case .marked(let marked): Bits.unite(&bits, marked.bits)
        case .lists(let matches):
            let snapshot = snapshot
            try matches.forEachList(snapshot.columns) { lists, key throws(QueryInterruption) in
                try add(key, of: lists, to: &bits)
            }
        case .or(let parts):
            for part in parts { try add(part, to: &bits) }
        case .all, .and, .not, .phrase:
            let other = try self.bits(plan)
            Bits.unite(&bits, other)
            scratch.keep(other)
        }
    }

    private mutating func add(_ ordinals: OrdinalRanges, to bits: inout [UInt64]) throws(QueryInterruption) {
        let snapshot = snapshot
        let bytes = snapshot.bytes
        let column = snapshot.column(ordinals.columnID)
        for range in ordinals.ranges {
            if column.bitmap(range.lowerBound) != nil {
                for ordinal in range {
                    try steps.spend(bits.count / 8)
                    if let offset = column.bitmap(ordinal) { Bits.unite(&bits, bytes, at: offset) }
                }
                continue
            }
            for index in column.slice(range) {
                try steps.spend()
                Bits.insert(column.row(at: index), into: &bits)
            }
        }
        Bits.clearTail(&bits, rows: rows)
    }

    mutating func add(_ key: Int, of lists: PostingListsView, to bits: inout [UInt64]) throws(QueryInterruption) {
        let count = lists.count(key)
        if count == 0 { return }
        try steps.spend(min(count, bits.count) / 4 + 1)
        PostingUnion.add(key, of: lists, to: &bits)
        Bits.clearTail(&bits, rows: rows)
    }

    /// A set as a bitmap, which the caller must return.
    mutating func materialized(_ set: consuming RowSet) throws(QueryInterruption) -> [UInt64] {
        if case .bits(let bits, _) = set { return bits }
        let snapshot = snapshot
        var bits = scratch.bitmap(Bits.wordCount(rows))
        switch set {
        case .none, .bits: break
        case .all: Bits.invert(&bits, rows: rows)
        case .ordinals(let ordinals): try add(ordinals, to: &bits)
        case .list(let list, _): try add(list.key, of: list.lists(snapshot.columns), to: &bits)
        case .rows(let rows):
            for row in rows { Bits.insert(Int(row), into: &bits) }
        }
        return bits
    }
}

extension SetBuilder {
    /// The rows that all of the parts select, beginning with the part that selects fewest.
    mutating func intersection(_ parts: [QueryPlan]) throws(QueryInterruption) -> RowSet {
        let sorted = parts.sorted { $0.bound(rows) < $1.bound(rows) }
        guard let first = sorted.first else { return .all }
        let others = Array(sorted.dropFirst())
        if first.bound(rows) <= maxSparse {
            var sparse = try listed(try set(first))
            for other in others { sparse = try filtered(sparse, by: other) }
            return .rows(sparse)
        }
        var result = try bits(first)
        for part in others {
            if case .not(let inner) = part {
                let other = try bits(inner)
                Bits.subtract(&result, other)
                scratch.keep(other)
            } else {
                let other = try bits(part)
                Bits.intersect(&result, other)
                scratch.keep(other)
            }
        }
        return counted(result)
    }

    /// The rows among a few that the plan selects: they are tested in a bitmap of it, or one by one in their values.
    private mutating func filtered(_ rows: [UInt32], by plan: QueryPlan) throws(QueryInterruption) -> [UInt32] {
        if case .not(let inner) = plan, let bits = try cheapBitmap(inner, for: rows.count) {
            defer { scratch.keep(bits) }
            return rows.filter { !Bits.contains(bits, Int($0)) }
        }
        if let bits = try cheapBitmap(plan, for: rows.count) {
            defer { scratch.keep(bits) }
            return rows.filter { Bits.contains(bits, Int($0)) }
        }
        let snapshot = snapshot
        let columns = snapshot.columns
        var kept: [UInt32] = []
        for row in rows {
            try steps.spend(Self.lookCost)
            if plan.contains(Int(row), columns) { kept.append(row) }
        }
        return kept
    }

    /// The cost of looking through a row's terms, in steps.
    private static var lookCost: Int { 256 }

    /// The bitmap of lists, if making it takes less time than testing the number of rows.
    private mutating func cheapBitmap(_ plan: QueryPlan, for count: Int) throws(QueryInterruption) -> [UInt64]? {
        guard case .lists(let lists) = plan, lists.cost + self.rows / 64 < count * Self.lookCost else { return nil }
        return try bits(plan)
    }

    /// The number of rows that ordinals or a list share with a bitmap; 0 for other sets.
    ///
    /// Bitmaps and lists are intersected whole: that takes less time than a test of each row of the bitmap.
    mutating func countCommon(_ set: RowSet, with other: RowBitmap) throws(QueryInterruption) -> Int {
        let snapshot = snapshot
        switch set {
        case .ordinals(let ordinals):
            let column = snapshot.column(ordinals.columnID)
            let ranges = ordinals.ranges
            // Each row has one ordinal. So either the selected ordinals or the others are counted, whichever are fewer.
            let left = OrdinalRanges.complement(ranges, below: column.distinct + 1)
            let isInverse = OrdinalRanges.size(left) < OrdinalRanges.size(ranges)
            let counted = isInverse ? left : ranges
            if column.bitmap(0) != nil, OrdinalRanges.size(counted) * other.bits.count / 8 < other.count {
                let bytes = snapshot.bytes
                var common = 0
                for ordinal in counted.joined() {
                    try steps.spend(other.bits.count / 8)
                    guard let offset = column.bitmap(ordinal) else { continue }
                    common += Bits.countCommon(other.bits, bytes, at: offset)
                }
                return isInverse ? max(0, other.count - common) : common
            }
            if ranges.count == 1 {
                let range = ranges[0]
                return try count(other) { range.contains(column.ordinal($0)) }
            }
            return try count(other) { OrdinalRanges.contains(column.ordinal($0), ranges) }
        case .list(let list, let count):
            let lists = list.lists(snapshot.columns)
            try steps.spend(min(count, self.rows / 8))
            return lists.countCommon(list.key, with: other.bits)
        case .none, .all, .rows, .bits: return 0
        }
    }

    /// The number of rows of a bitmap that pass a test.
    @inline(__always)
    private mutating func count(_ rows: RowBitmap, _ test: (Int) -> Bool) throws(QueryInterruption) -> Int {
        var count = 0
        for (index, bits) in rows.bits.enumerated() where bits != 0 {
            try steps.spend(bits.nonzeroBitCount)
            var word = bits
            while word != 0 {
                if test(index << 6 | word.trailingZeroBitCount) { count &+= 1 }
                word &= word &- 1
            }
        }
        return count
    }

    /// A set as a list of rows, in no order.
    mutating func listed(_ set: consuming RowSet) throws(QueryInterruption) -> [UInt32] {
        if case .rows(let rows) = set { return rows }
        var list: [UInt32] = []
        try forEach(in: set) { row in
            list.append(UInt32(truncatingIfNeeded: row))
            return true
        }
        if case .bits(let bits, _) = set { scratch.keep(bits) }
        return list
    }

    /// Calls `body` with each row of a set, in no particular order, until it returns false.
    @inline(__always)
    mutating func forEach(
        in set: RowSet, _ body: (Int) throws(QueryInterruption) -> Bool
    ) throws(QueryInterruption) {
        let snapshot = snapshot
        switch set {
        case .none: return
        case .all:
            for row in 0..<rows {
                try steps.spend()
                guard try body(row) else { return }
            }
        case .ordinals(let ordinals):
            let column = snapshot.column(ordinals.columnID)
            for range in ordinals.ranges {
                for index in column.slice(range) {
                    try steps.spend()
                    guard try body(column.row(at: index)) else { return }
                }
            }
        case .list(let list, let count):
            try steps.spend(count)
            var failure: QueryInterruption?
            list.lists(snapshot.columns).forEach(list.key) { row in
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

/// Tests whether rows are in a set and not excluded.
///
/// The test runs for each row of a walk. Its members are separate because an enum with payloads would be copied at each call.
struct RowTest: ~Escapable {
    private enum Form { case all, ordinals, list, bits }

    private let form: Form
    private var ordinals = OrdinalTest()
    private var list = PostingLists()
    private var key = 0
    private var bits: [UInt64] = []
    /// The excluded rows; empty for none.
    private let excluded: [UInt64]
    private let bytes: RawSpan
    /// Whether rows must also have one of the ordinals of ``run``.
    private var isRun = false
    private var run = OrdinalTest()

    /// nil for a set that cannot be tested without making a bitmap of it.
    @_lifetime(borrow snapshot)
    init?(_ set: RowSet, excluding excluded: [UInt64], in snapshot: borrowing Snapshot) {
        let index = snapshot.columnIndex
        switch set {
        case .none, .rows: return nil
        case .all: form = .all
        case .ordinals(let ordinals):
            form = .ordinals
            self.ordinals = OrdinalTest(ordinals.ranges, index[ordinals.columnID].ordinals)
        case .list(let id, _):
            form = .list
            (list, key) = (id.lists(index), id.key)
        case .bits(let bits, _):
            form = .bits
            self.bits = bits
        }
        self.excluded = excluded
        bytes = snapshot.bytes
    }

    /// The same test for only the rows that have one of some ordinals of a key's column.
    @_lifetime(copy self)
    func within(_ key: OrderPlan.Key, _ ordinals: [Int]) -> RowTest {
        var test = self
        test.isRun = true
        test.run = OrdinalTest(OrdinalRanges.united(ordinals.map { $0..<$0 + 1 }), key.ordinals)
        return test
    }

    @inline(__always)
    func callAsFunction(_ row: Int) -> Bool {
        if !excluded.isEmpty, Bits.contains(excluded, row) { return false }
        if isRun, !run.contains(row, bytes) { return false }
        switch form {
        case .all: return true
        case .ordinals: return ordinals.contains(row, bytes)
        case .list: return list.view(bytes).contains(row, key)
        case .bits: return Bits.contains(bits, row)
        }
    }
}

/// Tests whether the value of a row in one column has one of some ordinals.
private struct OrdinalTest {
    private let first: Range<Int>
    /// All ranges, if there are several.
    private let ranges: [Range<Int>]
    private let ordinals: ColumnOrdinals

    init(_ ranges: [Range<Int>], _ ordinals: ColumnOrdinals) {
        first = ranges.first ?? 0..<0
        self.ranges = ranges.count > 1 ? ranges : []
        self.ordinals = ordinals
    }

    /// The test that no row passes.
    init() { self.init([], ColumnOrdinals()) }

    @inline(__always)
    func contains(_ row: Int, _ bytes: RawSpan) -> Bool {
        let ordinal = ordinals.ordinal(row, bytes)
        return ranges.isEmpty ? first.contains(ordinal) : OrdinalRanges.contains(ordinal, ranges)
    }
}
