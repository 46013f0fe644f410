// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// An interval of order-preserving keys, compared as bytes. An end that is nil is open.
public struct KeyRange: Sendable, Hashable {
    public var lower: [UInt8]?
    public var lowerInclusive: Bool
    public var upper: [UInt8]?
    public var upperInclusive: Bool

    public init(
        lower: [UInt8]? = nil, lowerInclusive: Bool = true, upper: [UInt8]? = nil, upperInclusive: Bool = true
    ) {
        self.lower = lower
        self.lowerInclusive = lowerInclusive
        self.upper = upper
        self.upperInclusive = upperInclusive
    }

    /// Exactly one key.
    public static func point(_ key: [UInt8]) -> KeyRange {
        KeyRange(lower: key, upper: key)
    }

    /// Every key there is.
    public static let everything = KeyRange()

    public var isEverything: Bool { lower == nil && upper == nil }

    /// Whether no key can be in it.
    public var isEmpty: Bool {
        guard let lower, let upper else { return false }
        if lower == upper { return !lowerInclusive || !upperInclusive }
        return !lower.lexicographicallyPrecedes(upper)
    }

    /// The key, if exactly one is in it.
    public var onlyKey: [UInt8]? {
        guard let lower, lower == upper, !isEmpty else { return nil }
        return lower
    }

    public func contains(_ key: RawSpan) -> Bool {
        if let lower {
            let order = key.order(comparedTo: lower.rawSpan)
            if order < 0 || order == 0 && !lowerInclusive { return false }
        }
        if let upper {
            let order = key.order(comparedTo: upper.rawSpan)
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
