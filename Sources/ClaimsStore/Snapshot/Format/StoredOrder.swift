// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// An order whose rows are stored: those of a definition that no single column gives.
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
