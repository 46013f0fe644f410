// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Sets of ordinals as ranges in ascending order that neither overlap nor touch.
enum OrdinalRanges {
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

    /// What is below `bound` and in none of the ranges.
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
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low &+ high) >> 1
            if ranges[middle].upperBound <= ordinal { low = middle &+ 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].lowerBound <= ordinal
    }
}
