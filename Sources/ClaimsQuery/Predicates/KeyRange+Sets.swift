// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension KeyRange {
    /// The same set of keys as ascending ranges of which no two overlap or touch.
    public static func merged(_ ranges: [KeyRange]) -> [KeyRange] {
        var merged: [KeyRange] = []
        for range in ranges.filter({ !$0.isEmpty }).sorted(by: startsBefore) {
            guard let last = merged.last, last.touches(range) else {
                merged.append(range)
                continue
            }
            if endsBefore(last, range) {
                merged[merged.count - 1].upper = range.upper
                merged[merged.count - 1].upperInclusive = range.upperInclusive
            }
        }
        return merged
    }

    /// What is in both sets, each of them ascending and apart as `merged` leaves it.
    public static func intersection(_ left: [KeyRange], _ right: [KeyRange]) -> [KeyRange] {
        var common: [KeyRange] = []
        var (i, j) = (0, 0)
        while i < left.count, j < right.count {
            let range = left[i].intersection(right[j])
            if !range.isEmpty { common.append(range) }
            if endsBefore(left[i], right[j]) { i += 1 } else { j += 1 }
        }
        return common
    }

    func intersection(_ other: KeyRange) -> KeyRange {
        let start = Self.startsBefore(self, other) ? other : self
        let end = Self.endsBefore(self, other) ? self : other
        return KeyRange(
            lower: start.lower, lowerInclusive: start.lowerInclusive, upper: end.upper,
            upperInclusive: end.upperInclusive)
    }

    /// Whether no key lies between the end of this range and the start of `next`, which starts no earlier.
    private func touches(_ next: KeyRange) -> Bool {
        guard let upper, let lower = next.lower else { return true }
        if upper == lower { return upperInclusive || next.lowerInclusive }
        return lower.lexicographicallyPrecedes(upper)
    }

    private static func startsBefore(_ left: KeyRange, _ right: KeyRange) -> Bool {
        guard let second = right.lower else { return false }
        guard let first = left.lower else { return true }
        if first == second { return left.lowerInclusive && !right.lowerInclusive }
        return first.lexicographicallyPrecedes(second)
    }

    private static func endsBefore(_ left: KeyRange, _ right: KeyRange) -> Bool {
        guard let first = left.upper else { return false }
        guard let second = right.upper else { return true }
        if first == second { return !left.upperInclusive && right.upperInclusive }
        return first.lexicographicallyPrecedes(second)
    }
}
