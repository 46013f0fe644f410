// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// Which group a code belongs to.
struct Grouping: Sendable {
    /// The field whose codes carry the groups.
    let field: Int
    /// How many groups there are; the number itself stands for no group.
    let groups: Int
    private let byCode: [Int]

    /// nil for a definition without groups.
    init?(_ definition: Definition) {
        guard let field = definition.groupBy, let vocabulary = definition.vocabulary(of: field) else { return nil }
        self.field = field
        let groups = definition.groups.count
        self.groups = groups
        byCode = vocabulary.codes.map { min($0.group ?? groups, groups) }
    }

    /// The group of an ordinal of the field; records without a code have none.
    @inline(__always)
    func group(_ ordinal: Int) -> Int { ordinal < byCode.count ? byCode[ordinal] : groups }

    /// The ordinals of a group.
    func ordinals(of group: Int) -> [Int] { byCode.indices.filter { byCode[$0] == group } }
}
