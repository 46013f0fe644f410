// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// An order with a name that requests may ask for. It wins over a field of the same name.
public struct NamedOrder: Sendable, Hashable {
    public let name: String
    public let order: RecordOrder
    /// Whether the id was named in the definition, and not only appended to make the order total.
    public let namesID: Bool

    public init(name: String, order: RecordOrder, namesID: Bool = false) {
        self.name = name
        self.order = order
        self.namesID = namesID
    }

    /// All keys that the definition names in the other direction; absent values stay last, and an id that was only
    /// appended stays ascending.
    public var reversed: RecordOrder {
        let last = order.keys.count - 1
        let isAppended = !namesID && order.keys.last?.descending == false
        let keys = order.keys.enumerated().map { index, key in
            SortKey(field: key.field, descending: index == last && isAppended ? false : !key.descending)
        }
        return RecordOrder(keys, idField: order.keys[last].field)
    }
}
