// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsJSON

/// The values and members of an upstream that its definition does not have, with their counts.
///
/// Each list has the first of its kind, up to ``maxListCount``.
public struct DriftReport: Sendable, Hashable {
    /// The maximal number of entries in each list.
    public static let maxListCount = 64
    /// The maximal length of a listed name or value, in bytes. Longer ones are only counted.
    public static let maxTextLength = 128

    /// A value of an enum field that the vocabulary does not have.
    public struct NewValue: Sendable, Hashable {
        /// The name of the field.
        public let field: String
        /// The value as received.
        public let value: String
        /// The number of records with the value.
        public let count: Int

        public init(field: String, value: String, count: Int) {
            self.field = field
            self.value = value
            self.count = count
        }
    }

    /// A member of the upstream's records that no field is read from.
    public struct NewMember: Sendable, Hashable {
        /// The name of the member.
        public let name: String
        /// The number of records with the member.
        public let count: Int

        public init(name: String, count: Int) {
            self.name = name
            self.count = count
        }
    }

    /// A value of another type than its field's, which was left out.
    public struct TypeChange: Sendable, Hashable {
        /// The name of the field.
        public let field: String
        /// The type that the definition gives the field.
        public let expected: FieldType
        /// The kind of value received. A string of the wrong form counts too, such as an impossible date.
        public let found: JSONKind
        /// The number of records with such a value.
        public let count: Int

        public init(field: String, expected: FieldType, found: JSONKind, count: Int) {
            self.field = field
            self.expected = expected
            self.found = found
            self.count = count
        }
    }

    /// The unknown values of enum fields.
    public var newValues: [NewValue]
    /// The members that no field is read from.
    public var newMembers: [NewMember]
    /// The values of other types than their fields'.
    public var typeChanges: [TypeChange]
    /// The number of values and members that are not listed, because a list was full or they were too long.
    public var unlisted: Int

    public init(
        newValues: [NewValue] = [], newMembers: [NewMember] = [], typeChanges: [TypeChange] = [], unlisted: Int = 0
    ) {
        self.newValues = newValues
        self.newMembers = newMembers
        self.typeChanges = typeChanges
        self.unlisted = unlisted
    }

    /// Whether the upstream fits its definition, so that the report has no entries.
    public var isEmpty: Bool {
        newValues.isEmpty && newMembers.isEmpty && typeChanges.isEmpty && unlisted == 0
    }
}

/// Counts drift as records go by, without allocating once a kind of drift has been met.
struct DriftCounter: Sendable {
    let fields: [Field]
    /// Values, each after the number of its field in two bytes.
    private var values = ByteTable()
    private var valueCounts: [Int] = []
    private var memberCounts: [Int] = []
    /// Seven places, one for each kind of JSON value, for each field.
    private var typeCounts: [Int]
    private var unlisted = 0
    private var key: [UInt8] = []

    init(fields: [Field]) {
        self.fields = fields
        typeCounts = [Int](repeating: 0, count: fields.count * Self.kinds)
    }

    private static let kinds = 7

    mutating func countType(_ field: Int, found: JSONKind) {
        typeCounts[field * Self.kinds + Int(found.rawValue)] += 1
    }

    /// Counts a new member by its number among the new ones.
    mutating func countMember(_ number: Int) {
        if number == memberCounts.count { memberCounts.append(0) }
        memberCounts[number] += 1
    }

    mutating func countUnlisted() { unlisted += 1 }

    mutating func countValue(_ field: Int, _ value: RawSpan) {
        guard value.byteCount <= DriftReport.maxTextLength else { return countUnlisted() }
        key.removeAll(keepingCapacity: true)
        key.append(UInt8(truncatingIfNeeded: field >> 8))
        key.append(UInt8(truncatingIfNeeded: field))
        key.append(bytes: value)
        if let number = values.find(key.rawSpan) {
            valueCounts[number] += 1
        } else if values.count < DriftReport.maxListCount {
            _ = values.insert(key)
            valueCounts.append(1)
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
                return .init(field: fields[field].name, value: value, count: valueCounts[number])
            },
            newMembers: zip(names, memberCounts).map { .init(name: $0, count: $1) },
            typeChanges: typeCounts.indices.filter { typeCounts[$0] > 0 }.map { index in
                let field = fields[index / Self.kinds]
                return .init(
                    field: field.name, expected: field.type,
                    found: JSONKind(rawValue: UInt8(index % Self.kinds)) ?? .null, count: typeCounts[index])
            },
            unlisted: unlisted)
    }
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
