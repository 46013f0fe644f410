// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// One column of a snapshot: a field's values, or the unknown values of an enum as they came.
struct ColumnKind: Sendable, Equatable {
    /// The bit of a column ID that distinguishes raw values from their field.
    static let rawBit = 0x8000

    let field: Int
    let isRaw: Bool
    let type: FieldType
    let isSearched: Bool
    /// The number of codes of the enum; 1 for json, of which only the presence is known; 0 for other types and raw
    /// values.
    let codes: Int

    /// Its ID in the file: the number of the field, with `rawBit` for raw values.
    var columnID: Int { isRaw ? field | Self.rawBit : field }

    /// Whether its ordinals are codes of the definition, so that it has no keys.
    var isCoded: Bool { codes > 0 }
    /// Whether it is the id: its ordinals are the rows.
    var isIdentity: Bool { type == .id }
    /// Whether its values are texts that order by their folded form first.
    var isText: Bool { type == .text && !isRaw }
    var hasTies: Bool { isText }
    /// Whether the file has its keys; the keys of searched texts are made from their terms.
    var storesKeys: Bool { !isCoded && !isIdentity && !(isText && isSearched) }
    /// Whether its values are gathered; the values of an id are gathered only for its terms.
    var isGathered: Bool { !isIdentity || isSearched }
    /// Whether its folded values may differ from its keys.
    var mayHaveFolded: Bool { (type == .url || type == .id) && !isRaw }

    /// The column of a field without a column.
    static func none(_ field: Int) -> ColumnKind {
        ColumnKind(field: field, isRaw: false, type: .json, isSearched: false, codes: 0)
    }

    /// The columns of a definition: one for each field, and one for the raw values of each enum.
    static func columns(of definition: Definition) -> [ColumnKind] {
        var columns: [ColumnKind] = []
        for (index, field) in definition.fields.enumerated() {
            let codes = field.type == .json ? 1 : definition.vocabulary(of: index)?.codes.count ?? 0
            columns.append(
                ColumnKind(
                    field: index, isRaw: false, type: field.type,
                    isSearched: field.isSearched && field.type.isTextual, codes: codes))
        }
        for (index, field) in definition.fields.enumerated() where field.type == .enum {
            columns.append(ColumnKind(field: index, isRaw: true, type: .enum, isSearched: false, codes: 0))
        }
        return columns
    }
}

/// The group that a code belongs to.
struct Grouping: Sendable {
    /// The field whose codes carry the groups.
    let field: Int
    /// The number of groups; the number itself means no group.
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

/// A stored order: the order of a definition that no single column gives.
struct StoredOrder: Equatable, Sendable {
    let order: RecordOrder
    /// Whether the groups come first.
    let isGrouped: Bool

    /// The stored orders of a definition, in the order of their numbers.
    static func orders(of definition: Definition) -> [StoredOrder] {
        var stored: [StoredOrder] = []
        for order in [definition.defaultOrder] + definition.orders.map(\.order) where order.keys.count > 2 {
            let candidate = StoredOrder(order: order, isGrouped: false)
            if !stored.contains(candidate) { stored.append(candidate) }
        }
        if Grouping(definition) != nil { stored.append(StoredOrder(order: definition.defaultOrder, isGrouped: true)) }
        return stored
    }
}
