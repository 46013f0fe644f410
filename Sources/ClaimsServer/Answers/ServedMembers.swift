// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel

/// The members that served records have by a definition, and the fields that they belong to.
struct ServedMembers: Sendable {
    /// The field of a member.
    struct Owner: Sendable {
        /// The index of the field.
        let index: Int
        /// Whether the member is `FIELD.raw`.
        let isRaw: Bool
    }

    private let names: [(name: [UInt8], owner: Owner)]

    init(_ definition: Definition) {
        var names: [(name: [UInt8], owner: Owner)] = []
        for (index, field) in definition.fields.enumerated() {
            names.append((Array(field.name.utf8), Owner(index: index, isRaw: false)))
            if field.type == .enum { names.append((Array("\(field.name).raw".utf8), Owner(index: index, isRaw: true))) }
        }
        self.names = names
    }

    /// The field that a member belongs to; nil where the definition has none.
    func owner(_ name: RawSpan) -> Owner? {
        // Read through a span, the names are not retained one by one.
        let names = names.span
        for index in names.indices where name.equals(names[index].name.rawSpan) { return names[index].owner }
        return nil
    }
}
