// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

/// What an upstream sends that the definition does not know: the first of each kind, up to a cap, with counts.
public struct DriftReport: Sendable, Hashable {
    /// How many entries each list has at most.
    public static let longestList = 64
    /// Names and values longer than this are not listed, in bytes.
    public static let longestText = 128

    /// A value that an enum's vocabulary does not have.
    public struct NewValue: Sendable, Hashable {
        public let field: String
        public let value: String
        public let count: Int

        public init(field: String, value: String, count: Int) {
            self.field = field
            self.value = value
            self.count = count
        }
    }

    /// A member of the records that no field is read from.
    public struct NewMember: Sendable, Hashable {
        public let name: String
        public let count: Int

        public init(name: String, count: Int) {
            self.name = name
            self.count = count
        }
    }

    /// A field's value of another type than its own; it was left out.
    public struct TypeChange: Sendable, Hashable {
        public let field: String
        public let expected: FieldType
        /// What came. A string where text was expected has the wrong form, such as a date that is none.
        public let found: JSONKind
        public let count: Int

        public init(field: String, expected: FieldType, found: JSONKind, count: Int) {
            self.field = field
            self.expected = expected
            self.found = found
            self.count = count
        }
    }

    public var newValues: [NewValue]
    public var newMembers: [NewMember]
    public var typeChanges: [TypeChange]
    /// How many values and members were met for which the lists had no room.
    public var unlisted: Int

    public init(
        newValues: [NewValue] = [], newMembers: [NewMember] = [], typeChanges: [TypeChange] = [], unlisted: Int = 0
    ) {
        self.newValues = newValues
        self.newMembers = newMembers
        self.typeChanges = typeChanges
        self.unlisted = unlisted
    }

    public var isEmpty: Bool {
        newValues.isEmpty && newMembers.isEmpty && typeChanges.isEmpty && unlisted == 0
    }
}
