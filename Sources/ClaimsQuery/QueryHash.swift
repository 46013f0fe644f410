// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsModel

/// A 64-bit hash of a query, equal in every process, that ties a cursor to its query.
///
/// A field counts with its shape (``QueryShape``), so that the hash changes with the definition of the fields that the
/// query uses, and with nothing else.
///
/// The hash distinguishes queries; it does not authenticate a cursor.
public struct QueryHash: Sendable {
    private var hash = FNVHash()

    /// The hash of everything added so far.
    public var value: UInt64 { hash.value }

    /// A hash to which nothing was added.
    public init() {}

    /// A hash of a predicate and an order over a definition with this shape.
    ///
    /// The predicate is hashed as it is. Simplify it first, because equivalent predicates may have different hashes.
    public init(_ predicate: Predicate, _ order: RecordOrder, of shape: QueryShape) {
        add(predicate, of: shape)
        add(order.keys.count)
        for key in order.keys {
            add(shape.fields[key.field])
            add(key.descending ? 1 : 0)
        }
    }

    /// Adds a number.
    public mutating func add(_ number: Int) { hash.add(number) }

    /// Adds another hash.
    public mutating func add(_ other: UInt64) { hash.add(Int(truncatingIfNeeded: other)) }

    /// Adds a byte string with its length.
    public mutating func add(_ bytes: some Collection<UInt8>) { hash.add(bytes) }

    /// Adds the UTF-8 of a text with its length.
    public mutating func add(_ text: String) { hash.add(text) }

    /// Adds a predicate, operand by operand.
    public mutating func add(_ predicate: Predicate, of shape: QueryShape) {
        switch predicate {
        case .constant(let value): tag(0, value ? 1 : 0)
        case .and(let operands):
            tag(1, operands.count)
            for operand in operands { add(operand, of: shape) }
        case .or(let operands):
            tag(2, operands.count)
            for operand in operands { add(operand, of: shape) }
        case .not(let operand):
            tag(3, 1)
            add(operand, of: shape)
        case .present(let field): tag(4, shape.fields[field])
        case .codes(let field, let codes):
            tag(5, shape.fields[field])
            add(codes.count)
            for code in codes { add(code) }
        case .keys(let field, let ranges):
            tag(6, shape.fields[field])
            add(ranges.count)
            for range in ranges { add(range) }
        case .contains(let field, let patterns):
            tag(7, shape.fields[field])
            add(patterns)
        case .prefix(let field, let patterns):
            tag(8, shape.fields[field])
            add(patterns)
        case .raw(let field, let match):
            tag(9, shape.fields[field])
            add(match)
        case .text(let pattern, nil):
            tag(10, shape.searched)
            add(pattern)
        case .text(let pattern, let fields?):
            tag(12, fields.count)
            for field in fields { tag(7, shape.fields[field]) }
            add(pattern)
        case .pending(let states):
            tag(11, states.count)
            for state in states { add(state.rawValue) }
        }
    }

    private mutating func add(_ match: RawMatch) {
        switch match {
        case .present: tag(0, 0)
        case .equals(let values):
            tag(1, 0)
            add(values)
        case .contains(let values):
            tag(2, 0)
            add(values)
        case .prefix(let values):
            tag(3, 0)
            add(values)
        }
    }

    private mutating func add(_ range: KeyRange) {
        for (bound, isInclusive) in [(range.lower, range.lowerInclusive), (range.upper, range.upperInclusive)] {
            hash.add(byte: bound == nil ? 0 : isInclusive ? 1 : 2)
            add(bound ?? [])
        }
    }

    private mutating func add(_ patterns: [[UInt8]]) {
        add(patterns.count)
        for pattern in patterns { add(pattern) }
    }

    private mutating func tag(_ kind: UInt8, _ shape: UInt64) {
        tag(kind, Int(truncatingIfNeeded: shape))
    }

    private mutating func tag(_ kind: UInt8, _ number: Int) {
        hash.add(byte: kind)
        add(number)
    }
}
