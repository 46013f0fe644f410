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
        /// In how many records, when, and in which one.
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
        /// In how many records, when, and in which one.
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
        /// In how many records, when, and in which one.
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

/// How often, when and where a kind of drift was seen.
public struct DriftSight: Sendable, Hashable {
    /// The number of records.
    public var count: Int
    /// The id of one of the records; nil where none is known.
    public var example: String?
    /// The time of the first answer that had it, in milliseconds since 1970; nil where it is not known.
    public var firstSeen: Int64?
    /// The time of the last answer that had it, in milliseconds since 1970; nil where it is not known. Unchanged answers
    /// move it only as ``lastSeen(confirmedAt:)`` tells.
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
