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
        /// The number of records, the times, and an example.
        public var sight: DriftSight

        public init(field: String, value: String, sight: DriftSight) {
            self.field = field
            self.value = value
            self.sight = sight
        }
    }

    /// A member of the upstream's records that no field is read from.
    public struct NewMember: Sendable, Hashable {
        /// The name of the member.
        public let name: String
        /// The number of records, the times, and an example.
        public var sight: DriftSight

        public init(name: String, sight: DriftSight) {
            self.name = name
            self.sight = sight
        }
    }

    /// A value of another type than its field's, which was left out; or a position that is later than its answer, which
    /// is served and moves nothing.
    public struct TypeChange: Sendable, Hashable {
        /// The name of the field.
        public let field: String
        /// The type that the definition gives the field.
        public let expected: FieldType
        /// The kind of value received. A string of the wrong form counts too, such as an impossible date.
        public let found: JSONKind
        /// Whether the value is of the right type, and a position that is later than its answer.
        public let isAhead: Bool
        /// The number of records, the times, and an example.
        public var sight: DriftSight

        public init(field: String, expected: FieldType, found: JSONKind, isAhead: Bool = false, sight: DriftSight) {
            self.field = field
            self.expected = expected
            self.found = found
            self.isAhead = isAhead
            self.sight = sight
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

/// The number of times that a kind of drift was seen, the times, and an example.
public struct DriftSight: Sendable, Hashable {
    /// The number of records.
    public var count: Int
    /// The id of one of the records; nil if none is known.
    public var example: String?
    /// The time of the first answer that had it, in milliseconds since 1970; nil if it is not known.
    public var firstSeen: Int64?
    /// The time of the last answer that had it, in milliseconds since 1970; nil if it is not known. Unchanged answers
    /// move it only as ``lastSeen(confirmedAt:)`` says.
    public var lastSeen: Int64?
    /// Whether the newest data has it, as far as is known.
    public var isCurrent: Bool

    public init(
        count: Int, example: String? = nil, firstSeen: Int64? = nil, lastSeen: Int64? = nil, isCurrent: Bool = true
    ) {
        self.count = count
        self.example = example
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
        self.isCurrent = isCurrent
    }

    /// When it was last seen, for data that the upstream confirmed at `time`, in milliseconds since 1970.
    public func lastSeen(confirmedAt time: Int64?) -> Int64? {
        guard isCurrent, let time else { return lastSeen }
        return max(lastSeen ?? time, time)
    }
}

extension DriftReport {
    /// The report without what `definition` knows: values that became codes, members that a field is read from, and
    /// fields that are gone or of another type.
    public func unknown(to definition: Definition) -> DriftReport {
        if isEmpty { return self }
        var names = ByteTable()
        _ = DecoderTables(definition, names: &names)
        var report = self
        report.newValues.removeAll { entry in
            guard let field = definition.fieldIndex(entry.field), let vocabulary = definition.vocabulary(of: field)
            else { return true }
            return vocabulary.index(matching: entry.value) != nil
        }
        report.newMembers.removeAll { names.find(Array($0.name.utf8).rawSpan) != nil }
        report.typeChanges.removeAll { entry in
            guard let field = definition.fieldIndex(entry.field) else { return true }
            return definition.fields[field].type != entry.expected
        }
        return report
    }
}

extension DriftReport {
    /// The drift of the sites of one collection, each kind once: its counts are added, and its times cover the times of
    /// all.
    public static func uniting(_ reports: [DriftReport]) -> DriftReport {
        var united = DriftReport()
        for report in reports {
            for entry in report.newValues {
                unite(entry, \.sight, into: &united.newValues) { $0.field == $1.field && $0.value == $1.value }
            }
            for entry in report.newMembers {
                unite(entry, \.sight, into: &united.newMembers) { $0.name == $1.name }
            }
            for entry in report.typeChanges {
                unite(entry, \.sight, into: &united.typeChanges) {
                    $0.field == $1.field && $0.found == $1.found && $0.isAhead == $1.isAhead
                }
            }
            united.unlisted += report.unlisted
        }
        return united
    }

    private static func unite<Entry>(
        _ entry: Entry, _ sight: WritableKeyPath<Entry, DriftSight>, into entries: inout [Entry],
        isSame: (Entry, Entry) -> Bool
    ) {
        guard let index = entries.firstIndex(where: { isSame($0, entry) }) else {
            if entries.count < maxListCount { entries.append(entry) }
            return
        }
        let other = entry[keyPath: sight]
        entries[index][keyPath: sight].unite(other)
    }
}

extension DriftSight {
    fileprivate mutating func unite(_ other: DriftSight) {
        count += other.count
        example = example ?? other.example
        firstSeen = [firstSeen, other.firstSeen].compactMap(\.self).min()
        lastSeen = [lastSeen, other.lastSeen].compactMap(\.self).max()
        isCurrent = isCurrent || other.isCurrent
    }
}

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

    /// A kind of drift and its index.
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

    /// Makes the current record the example of the kinds of drift that it is the first to have.
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
