// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

package import ClaimsJSON

/// What an upstream sends that the definition does not know: the first of each kind, up to a cap, with counts.
package struct DriftReport: Sendable, Hashable {
    /// How many entries each list has at most.
    package static let longestList = 64
    /// Names and values longer than this are not listed, in bytes.
    package static let longestText = 128

    /// A value that an enum's vocabulary does not have.
    package struct NewValue: Sendable, Hashable {
        package let field: String
        package let value: String
        package let count: Int

        package init(field: String, value: String, count: Int) {
            self.field = field
            self.value = value
            self.count = count
        }
    }

    /// A member of the records that no field is read from.
    package struct NewMember: Sendable, Hashable {
        package let name: String
        package let count: Int

        package init(name: String, count: Int) {
            self.name = name
            self.count = count
        }
    }

    /// A field's value of another type than its own; it was left out.
    package struct TypeChange: Sendable, Hashable {
        package let field: String
        package let expected: FieldType
        /// What came. A string where text was expected has the wrong form, such as a date that is none.
        package let found: JSONKind
        package let count: Int

        package init(field: String, expected: FieldType, found: JSONKind, count: Int) {
            self.field = field
            self.expected = expected
            self.found = found
            self.count = count
        }
    }

    package var newValues: [NewValue]
    package var newMembers: [NewMember]
    package var typeChanges: [TypeChange]
    /// How many values and members were met for which the lists had no room.
    package var unlisted: Int

    package init(
        newValues: [NewValue] = [], newMembers: [NewMember] = [], typeChanges: [TypeChange] = [], unlisted: Int = 0
    ) {
        self.newValues = newValues
        self.newMembers = newMembers
        self.typeChanges = typeChanges
        self.unlisted = unlisted
    }

    package var isEmpty: Bool {
        newValues.isEmpty && newMembers.isEmpty && typeChanges.isEmpty && unlisted == 0
    }
}
