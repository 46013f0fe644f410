// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON

/// Counts drift as records go by, without allocating once a kind of drift has been met.
struct DriftCounter: Sendable {
    let fields: [Field]
    /// Values, each after the number of its field in two bytes.
    private var values = ByteTable()
    private var valueCounts: [DriftCount] = []
    private var memberCounts: [DriftCount] = []
    /// For each field an item for each kind of JSON value, and one for positions that are later than their answer.
    private var typeCounts: [DriftCount]
    private var unlisted = 0
    private var key: [UInt8] = []
    /// The findings in the record at hand that no record had before.
    private var fresh: [Item] = []

    /// A kind of drift, by its index among those of its kind.
    private enum Item: Sendable {
        case value(Int), member(Int), type(Int)
    }

    /// The number of records, and the id of one of them.
    private struct DriftCount: Sendable {
        var count = 0
        var example: String?

        var sight: DriftSight { DriftSight(count: count, example: example) }
    }

    init(fields: [Field]) {
        self.fields = fields
        typeCounts = [DriftCount](repeating: DriftCount(), count: fields.count * Self.kinds)
    }

    /// Begins the next record.
    mutating func beginRecord() {
        if !fresh.isEmpty { fresh.removeAll(keepingCapacity: true) }
    }

    /// Makes the record at hand the example of what it is the first to have.
    mutating func exemplify(_ id: [UInt8]) {
        guard !fresh.isEmpty else { return }
        let example = String(decoding: id, as: UTF8.self)
        for item in fresh {
            switch item {
            case .value(let number): valueCounts[number].example = example
            case .member(let number): memberCounts[number].example = example
            case .type(let index): typeCounts[index].example = example
            }
        }
        fresh.removeAll(keepingCapacity: true)
    }

    private static let kinds = 8
    /// The item of positions that are later than their answer; those before it are the kinds of JSON values.
    private static let ahead = 7

    mutating func countType(_ field: Int, found: JSONKind) { count(field, item: Int(found.rawValue)) }

    /// Counts a position that is later than its answer.
    mutating func countAhead(_ field: Int) { count(field, item: Self.ahead) }

    private mutating func count(_ field: Int, item: Int) {
        let index = field * Self.kinds + item
        typeCounts[index].count += 1
        if typeCounts[index].example == nil { fresh.append(.type(index)) }
    }

    /// Counts a new member by its number among the new ones.
    mutating func countMember(_ number: Int) {
        if number == memberCounts.count { memberCounts.append(DriftCount()) }
        memberCounts[number].count += 1
        if memberCounts[number].example == nil { fresh.append(.member(number)) }
    }

    mutating func countUnlisted() { unlisted += 1 }

    mutating func countValue(_ field: Int, _ value: RawSpan) {
        guard value.byteCount <= DriftReport.maxTextLength else { return countUnlisted() }
        key.removeAll(keepingCapacity: true)
        key.append(UInt8(truncatingIfNeeded: field >> 8))
        key.append(UInt8(truncatingIfNeeded: field))
        key.append(bytes: value)
        if let number = values.find(key.rawSpan) {
            valueCounts[number].count += 1
            if valueCounts[number].example == nil { fresh.append(.value(number)) }
        } else if values.count < DriftReport.maxListCount {
            fresh.append(.value(valueCounts.count))
            _ = values.insert(key)
            valueCounts.append(DriftCount(count: 1))
        } else {
            countUnlisted()
        }
    }

    func report(newMembers names: [String]) -> DriftReport {
        DriftReport(
            newValues: valueCounts.indices.map { number in
                let key = values[number]
                let field = Int(key.byte(at: 0)) << 8 | Int(key.byte(at: 1))
                let value = key.extracting(2..<key.byteCount).text
                return .init(field: fields[field].name, value: value, sight: valueCounts[number].sight)
            },
            newMembers: zip(names, memberCounts).map { .init(name: $0, sight: $1.sight) },
            typeChanges: typeCounts.indices.filter { typeCounts[$0].count > 0 }.map { index in
                let field = fields[index / Self.kinds]
                let item = index % Self.kinds
                let kind = item == Self.ahead ? field.type.sentKind : JSONKind(rawValue: UInt8(item)) ?? .null
                return .init(
                    field: field.name, expected: field.type, found: kind, isAhead: item == Self.ahead,
                    sight: typeCounts[index].sight)
            },
            unlisted: unlisted)
    }
}

extension FieldType {
    /// The kind of value that a position of the type is sent as.
    fileprivate var sentKind: JSONKind { self == .integer ? .number : .string }
}

extension JSONKind {
    /// The kind in a sentence: "a string".
    var named: String {
        switch self {
        case .object: "an object"
        case .array: "an array"
        case .string: "a string"
        case .number: "a number"
        case .true: "true"
        case .false: "false"
        case .null: "null"
        }
    }
}
