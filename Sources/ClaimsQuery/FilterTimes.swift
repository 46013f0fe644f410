// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

/// The dependence of a filter's meaning on the time and the time zone in which it is typed.
public struct FilterTimes: Sendable, Hashable {
    /// A bound of a comparison that moves with time.
    public enum Bound: Sendable, Hashable {
        /// The moments of a field are compared with a moment that lies `offset` milliseconds after now.
        case moment(field: Int, offset: Int64)
        /// A comparison means another day from the next midnight of the time zone on.
        case midnight
    }

    /// The bounds that move, each once.
    public private(set) var bounds: Set<Bound> = []
    /// Whether the calendar of the time zone counts.
    public private(set) var usesDays = false

    /// Whether the filter may match other records later, although no record has changed.
    public var dependsOnTime: Bool { !bounds.isEmpty }

    /// The times of a filter without dates.
    public init() {}

    fileprivate mutating func add(_ value: FilterLiteral, of field: Int, _ type: FieldType, isEquality: Bool) {
        switch value.text {
        case "now" where type == .instant: bounds.insert(.moment(field: field, offset: 0))
        case "now", "today", "yesterday", "tomorrow": addMidnight()
        default:
            switch DateValue(unnamed: value.text) {
            case nil: return
            case .offset(let days) where type == .instant && !isEquality:
                bounds.insert(.moment(field: field, offset: Int64(days) * Instant.msPerDay))
            case .offset: addMidnight()
            case .day: if type == .instant { usesDays = true }
            case .moment: if type == .date { usesDays = true }
            }
        }
    }

    private mutating func addMidnight() {
        bounds.insert(.midnight)
        usesDays = true
    }
}

extension FilterNode {
    /// The filter's dependence on time. Its fields must be fields of `definition`, as typing ensures.
    public func times(in definition: Definition) -> FilterTimes {
        var times = FilterTimes()
        for term in terms {
            guard let name = term.field, !name.isRaw, let field = definition.fieldIndex(name.name) else { continue }
            let type = definition.fields[field].type
            guard type == .instant || type == .date else { continue }
            switch term.condition {
            case .compare(_, let comparator, let values):
                let isEquality = comparator == .eq || comparator == .ne
                for value in values { times.add(value, of: field, type, isEquality: isEquality) }
            case .range(_, let low, let high):
                for value in [low, high] {
                    if let value { times.add(value, of: field, type, isEquality: false) }
                }
            case .any, .none, .text: continue
            }
        }
        return times
    }

    /// A condition that every record meets for which the filter is true in one of two contexts only.
    ///
    /// Other records may meet it too. Each context must have the same definition and the same calendar.
    public func crossed(from first: FilterContext, to second: FilterContext) throws(FilterError) -> Predicate {
        var parts: [Predicate] = []
        for term in terms {
            let node = FilterNode.term(term)
            let before = try node.typed(in: first)
            let after = try node.typed(in: second)
            guard before != after else { continue }
            guard let field = term.field.flatMap({ first.definition.fieldIndex($0.name) }) else {
                return .constant(true)
            }
            parts.append(.keys(field: field, KeyRange.crossed(from: before.ranges, to: after.ranges)))
        }
        return Predicate.or(parts).simplified
    }
}

extension Predicate {
    /// The keys for which a test of one field is true, or, negated, false.
    fileprivate var ranges: [KeyRange] {
        switch self {
        case .keys(_, let ranges): ranges
        case .not(let operand): operand.ranges
        case .constant(false): []
        case .constant, .present, .and, .or, .codes, .contains, .prefix, .raw, .text, .pending: [.everything]
        }
    }
}

extension KeyRange {
    /// Ranges that hold every key that is in one of two sets only.
    fileprivate static func crossed(from first: [KeyRange], to second: [KeyRange]) -> [KeyRange] {
        guard first.count == second.count else { return merged(first + second) }
        var ranges: [KeyRange] = []
        for (before, after) in zip(first, second) {
            ranges += between((before.lower, before.lowerInclusive), (after.lower, after.lowerInclusive))
            ranges += between((before.upper, before.upperInclusive), (after.upper, after.upperInclusive))
        }
        return merged(ranges)
    }

    /// The keys between two ends of ranges, both included; none if the ends are the same.
    private static func between(
        _ one: (key: [UInt8]?, isInclusive: Bool), _ other: (key: [UInt8]?, isInclusive: Bool)
    ) -> [KeyRange] {
        if one.key == other.key, one.key == nil || one.isInclusive == other.isInclusive { return [] }
        guard let first = one.key, let second = other.key else { return [.everything] }
        let isAscending = first.lexicographicallyPrecedes(second)
        return [KeyRange(lower: isAscending ? first : second, upper: isAscending ? second : first)]
    }
}
