// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON

/// An interval of order-preserving keys, which are compared as unsigned bytes.
public struct KeyRange: Sendable, Hashable {
    /// The lower end; nil if the interval has none.
    public var lower: [UInt8]?
    /// Whether ``lower`` itself is in the interval.
    public var lowerInclusive: Bool
    /// The upper end; nil if the interval has none.
    public var upper: [UInt8]?
    /// Whether ``upper`` itself is in the interval.
    public var upperInclusive: Bool

    public init(
        lower: [UInt8]? = nil, lowerInclusive: Bool = true, upper: [UInt8]? = nil, upperInclusive: Bool = true
    ) {
        self.lower = lower
        self.lowerInclusive = lowerInclusive
        self.upper = upper
        self.upperInclusive = upperInclusive
    }

    /// The interval of exactly one key.
    public static func point(_ key: [UInt8]) -> KeyRange {
        KeyRange(lower: key, upper: key)
    }

    /// The interval of all keys.
    public static let everything = KeyRange()

    /// Whether the interval has no ends and so holds every key.
    public var isEverything: Bool { lower == nil && upper == nil }

    /// Whether the interval holds no key, because its ends are in the wrong order or equal and not both included.
    public var isEmpty: Bool {
        guard let lower, let upper else { return false }
        if lower == upper { return !lowerInclusive || !upperInclusive }
        return !lower.lexicographicallyPrecedes(upper)
    }

    /// The only key of the interval; nil if it is not of the form that ``point(_:)`` makes.
    public var onlyKey: [UInt8]? {
        guard let lower, lower == upper, !isEmpty else { return nil }
        return lower
    }

    /// Whether the key is in the interval.
    public func contains(_ key: RawSpan) -> Bool {
        if let lower {
            let order = key.compare(lower.rawSpan)
            if order < 0 || order == 0 && !lowerInclusive { return false }
        }
        if let upper {
            let order = key.compare(upper.rawSpan)
            if order > 0 || order == 0 && !upperInclusive { return false }
        }
        return true
    }

    /// All keys below it.
    var before: KeyRange? {
        lower.map { KeyRange(upper: $0, upperInclusive: !lowerInclusive) }
    }

    /// All keys above it.
    var after: KeyRange? {
        upper.map { KeyRange(lower: $0, lowerInclusive: !upperInclusive) }
    }

    /// From its start on.
    var fromStart: KeyRange { KeyRange(lower: lower, lowerInclusive: lowerInclusive) }

    /// Up to its end.
    var upToEnd: KeyRange { KeyRange(upper: upper, upperInclusive: upperInclusive) }
}

extension KeyRange {
    /// The same set of keys as ascending intervals that neither overlap nor touch. Empty intervals are dropped.
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

    /// The keys that are in both sets. Each set must be ascending and disjoint, as ``merged(_:)`` returns it, and so is
    /// the result.
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
