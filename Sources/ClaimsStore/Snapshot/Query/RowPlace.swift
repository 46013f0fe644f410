// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// Finds ids among the rows, which are in the ids' natural order.
enum RowPlace {
    /// The first row whose id is not below `id`, and whether it is that id.
    static func find(_ id: [UInt8], _ snapshot: Snapshot) -> PlaceInOrder.Place {
        var key: [UInt8] = []
        KeyEncoding.natural(id.raw, into: &key)
        let column = snapshot.columns[snapshot.definition.idField]
        let low = column.bound(key, isAfter: false, snapshot.bytes)
        return .init(low: low, isExact: low < snapshot.count && snapshot.id(low).isEqual(id.raw))
    }
}
