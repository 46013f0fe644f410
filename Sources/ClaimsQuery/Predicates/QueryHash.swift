// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel

/// A hash of what a query asks for, the same in every process: it ties a cursor to its query.
///
/// 64 bits of FNV-1a over self-delimiting pieces. It tells queries apart; it does not prove who made a cursor.
public struct QueryHash: Sendable {
    public private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    public init() {}

    /// A predicate, as it is: simplify it first, so that equal queries are equal.
    public init(_ predicate: Predicate, _ order: RecordOrder) {
        add(predicate)
        add(order.keys.count)
        for key in order.keys {
            add(key.field)
            add(key.descending ? 1 : 0)
        }
    }

    public mutating func add(_ number: Int) {
        let word = UInt64(bitPattern: Int64(number))
        for shift in stride(from: UInt64(0), to: 64, by: 8) { mix(UInt8(truncatingIfNeeded: word >> shift)) }
    }

    public mutating func add(_ bytes: some Collection<UInt8>) {
        add(bytes.count)
        for byte in bytes { mix(byte) }
    }

    public mutating func add(_ text: String) { add(text.utf8) }

    public mutating func add(_ predicate: Predicate) {
        switch predicate {
        case .constant(let value): tag(0, value ? 1 : 0)
        case .and(let operands):
            tag(1, operands.count)
            for operand in operands { add(operand) }
        case .or(let operands):
            tag(2, operands.count)
            for operand in operands { add(operand) }
        case .not(let operand):
            tag(3, 1)
            add(operand)
        case .present(let field): tag(4, field)
        case .codes(let field, let codes):
            tag(5, field)
            add(codes.count)
            for code in codes { add(code) }
        case .keys(let field, let ranges):
            tag(6, field)
            add(ranges.count)
            for range in ranges { add(range) }
        case .contains(let field, let patterns):
            tag(7, field)
            add(patterns)
        case .prefix(let field, let patterns):
            tag(8, field)
            add(patterns)
        case .raw(let field, let match):
            tag(9, field)
            add(match)
        case .text(let pattern):
            tag(10, 0)
            add(pattern)
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
            mix(bound == nil ? 0 : isInclusive ? 1 : 2)
            add(bound ?? [])
        }
    }

    private mutating func add(_ patterns: [[UInt8]]) {
        add(patterns.count)
        for pattern in patterns { add(pattern) }
    }

    private mutating func tag(_ kind: UInt8, _ number: Int) {
        mix(kind)
        add(number)
    }

    private mutating func mix(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x100_0000_01b3
    }
}
