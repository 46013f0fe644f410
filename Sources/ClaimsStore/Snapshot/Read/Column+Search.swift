// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsQuery

extension Column {
    /// The first ordinal whose key is not below `probe`, or with `isAfter` the first whose key is above it; with
    /// `isPrefix`, keys that begin with the probe equal it.
    func bound(_ probe: [UInt8], isAfter: Bool, isPrefix: Bool = false, _ bytes: RawSpan) -> Int {
        var natural: [UInt8] = []
        var low = 0
        var high = distinct
        while low < high {
            let middle = (low + high) / 2
            let order = compare(middle, probe.raw, isPrefix: isPrefix, bytes, &natural)
            if order < 0 || isAfter && order == 0 { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The ordinals whose keys are in one of the ranges, as ranges in ascending order that do not touch.
    func ordinals(in ranges: [KeyRange], _ bytes: RawSpan) -> [Range<Int>] {
        OrdinalRanges.united(
            ranges.map { range in
                let low = range.lower.map { bound($0, isAfter: !range.lowerInclusive, bytes) } ?? 0
                let high = range.upper.map { bound($0, isAfter: range.upperInclusive, bytes) } ?? distinct
                return low..<max(low, high)
            })
    }

    /// The ordinals whose keys begin with one of the prefixes; only where the keys order by their bytes.
    func ordinals(withPrefixes prefixes: [[UInt8]], _ bytes: RawSpan) -> [Range<Int>] {
        OrdinalRanges.united(
            prefixes.map { prefix in
                let low = bound(prefix, isAfter: false, bytes)
                return low..<max(low, bound(prefix, isAfter: true, isPrefix: true, bytes))
            })
    }

    /// Whether `prefixes` may be looked up: the keys are the folded texts, or texts that are not folded, in byte order.
    var hasOrderedTexts: Bool { !kind.isIdentity && foldedStarts.count == 0 }

    /// The ordinals whose folded text (of a column of raw values: their bytes) has the pattern in it.
    ///
    /// Reads all of the column's values.
    func ordinals(
        containing patterns: [[UInt8]], atStart: Bool, _ bytes: RawSpan, _ steps: inout QuerySteps
    ) throws(QueryInterruption) -> [Range<Int>] {
        var found: [Range<Int>] = []
        for pattern in patterns where !pattern.isEmpty {
            found += try ordinals(containing: pattern, atStart: atStart, bytes, &steps)
        }
        return patterns.count == 1 ? found : OrdinalRanges.united(found)
    }

    private func ordinals(
        containing pattern: [UInt8], atStart: Bool, _ bytes: RawSpan, _ steps: inout QuerySteps
    ) throws(QueryInterruption) -> [Range<Int>] {
        let isFolded = foldedStarts.count > 0
        let starts = isFolded ? foldedStarts : keyStarts
        let text = (isFolded ? folded : keys).all(bytes)
        var found: [Range<Int>] = []
        var (start, end) = (0, 0)
        var search = PieceSearch(pattern)
        while let match = try search.next(in: text, &steps) {
            let ordinal = min(starts.last(notAbove: match, from: end, bytes), max(distinct - 1, 0))
            let range = starts.range(ordinal, bytes)
            let isInside = match >= range.lowerBound && match + pattern.count <= range.upperBound
            // One match of a value is enough; a match across two values is none.
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

extension Table {
    /// The last index whose integer is not above `value`, of integers that ascend; not before `first`, near which it is
    /// found soonest.
    func last(notAbove value: Int, from first: Int = 0, _ bytes: RawSpan) -> Int {
        var low = min(first, max(count - 1, 0))
        var step = 1
        while low + step < count, self[low + step, bytes] <= value {
            low += step
            step *= 2
        }
        var high = min(low + step, max(count - 1, 0))
        while low < high {
            let middle = (low + high + 1) / 2
            if self[middle, bytes] <= value { low = middle } else { high = middle - 1 }
        }
        return low
    }
}
