// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsPlatform
import ClaimsQuery

/// The rows whose values in one column have certain ordinals: ranges of the column's permutation.
struct OrdinalRanges {
    /// The column: a field, or with `ColumnKind.rawBit` its raw values.
    let columnID: Int
    /// In ascending order, neither overlapping nor touching. The ordinal of absence may be among them.
    let ranges: [Range<Int>]
    /// The number of rows that have them.
    let count: Int

    init(_ ranges: [Range<Int>], of column: ColumnView) {
        columnID = column.kind.columnID
        self.ranges = ranges
        var count = 0
        for range in ranges { count += column.slice(range).count }
        self.count = count
    }

    @inline(__always)
    func contains(_ row: Int, _ column: ColumnView) -> Bool {
        OrdinalRanges.contains(column.ordinal(row), ranges)
    }
}

/// Sets of ordinals as ranges in ascending order that neither overlap nor touch.
extension OrdinalRanges {
    static func united(_ ranges: [Range<Int>]) -> [Range<Int>] {
        var result: [Range<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
            if let last = result.last, range.lowerBound <= last.upperBound {
                result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                result.append(range)
            }
        }
        return result
    }

    /// The number of ordinals.
    static func size(_ ranges: [Range<Int>]) -> Int { ranges.reduce(0) { $0 + $1.count } }

    /// The ordinals below `bound` that are in none of the ranges.
    static func complement(_ ranges: [Range<Int>], below bound: Int) -> [Range<Int>] {
        var result: [Range<Int>] = []
        var start = 0
        for range in ranges {
            if start < range.lowerBound { result.append(start..<range.lowerBound) }
            start = range.upperBound
        }
        if start < bound { result.append(start..<bound) }
        return result
    }

    static func intersection(_ left: [Range<Int>], _ right: [Range<Int>]) -> [Range<Int>] {
        var result: [Range<Int>] = []
        var (one, other) = (0, 0)
        while one < left.count, other < right.count {
            let common = left[one].clamped(to: right[other])
            if !common.isEmpty { result.append(common) }
            if left[one].upperBound < right[other].upperBound { one += 1 } else { other += 1 }
        }
        return result
    }

    @inline(__always)
    static func contains(_ ordinal: Int, _ ranges: [Range<Int>]) -> Bool {
        if ranges.count == 1 { return ranges[0].contains(ordinal) }
        let index = ranges.indices.partitionPoint { ranges[$0].upperBound <= ordinal }
        return index < ranges.count && ranges[index].lowerBound <= ordinal
    }
}

extension ColumnView {
    /// The ordinals whose keys are in one of the ranges, as ranges in ascending order that do not touch.
    func ordinals(in ranges: [KeyRange]) -> [Range<Int>] {
        OrdinalRanges.united(
            ranges.map { range in
                let low = range.lower.map { bound($0, isAfter: !range.lowerInclusive) } ?? 0
                let high = range.upper.map { bound($0, isAfter: range.upperInclusive) } ?? distinct
                return low..<max(low, high)
            })
    }

    /// The ordinals whose keys begin with one of the prefixes; only if the keys are ordered by their bytes.
    func ordinals(withPrefixes prefixes: [[UInt8]]) -> [Range<Int>] {
        OrdinalRanges.united(
            prefixes.map { prefix in
                let low = bound(prefix, isAfter: false)
                return low..<max(low, bound(prefix, isAfter: true, isPrefix: true))
            })
    }

    /// Whether `prefixes` may be looked up: the keys are the folded texts, or texts that are not folded, in byte order.
    var hasOrderedTexts: Bool { !kind.isIdentity && foldedStarts.count == 0 }

    /// The ordinals whose folded text (of a column of raw values: their bytes) has the pattern in it.
    ///
    /// Reads all of the column's values.
    func ordinals(
        containing patterns: [[UInt8]], atStart: Bool, steps: inout QuerySteps
    ) throws(QueryInterruption) -> [Range<Int>] {
        var found: [Range<Int>] = []
        for pattern in patterns where !pattern.isEmpty {
            found += try ordinals(containing: pattern, atStart: atStart, steps: &steps)
        }
        return patterns.count == 1 ? found : OrdinalRanges.united(found)
    }

    private func ordinals(
        containing pattern: [UInt8], atStart: Bool, steps: inout QuerySteps
    ) throws(QueryInterruption) -> [Range<Int>] {
        let foldedStarts = foldedStarts
        let isFolded = foldedStarts.count > 0
        let starts = isFolded ? foldedStarts : keyStarts
        let text = isFolded ? folded : keys
        var found: [Range<Int>] = []
        var (start, end) = (0, 0)
        var search = PieceSearch(pattern)
        while let match = try search.next(in: text, &steps) {
            let ordinal = min(starts.last(notAbove: match, from: end), max(distinct - 1, 0))
            let range = starts.range(ordinal)
            let isInside = match >= range.lowerBound && match + pattern.count <= range.upperBound
            // One match in a value is enough; a match across two values does not count.
            if isInside { search.skip(to: range.upperBound) }
            guard isInside, !atStart || match == range.lowerBound, ordinal >= end else { continue }
            if ordinal > end, start < end {
                found.append(start..<end)
                start = ordinal
            } else if start == end {
                start = ordinal
            }
            end = ordinal + 1
        }
        if start < end { found.append(start..<end) }
        return found
    }
}
