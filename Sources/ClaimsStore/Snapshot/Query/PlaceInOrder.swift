// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A position in an order as places in one snapshot's columns, to compare rows with.
struct PlaceInOrder {
    /// One key's place: the first that is not before the position, and whether it is exactly the position's.
    struct Place {
        let low: Int
        let isExact: Bool
    }

    let places: [Place]
    let row: Place
    let rowsDescending: Bool

    /// The position among rows that are equal by the first key.
    var withoutFirstKey: PlaceInOrder {
        PlaceInOrder(places: Array(places.dropFirst()), row: row, rowsDescending: rowsDescending)
    }

    /// Whether a row comes after the position.
    func isBefore(_ other: Int, _ keys: [OrderPlan.Key], _ bytes: RawSpan) -> Bool {
        for (key, place) in zip(keys, places) {
            let found = key.place(other, bytes)
            if found != place.low { return found > place.low }
            if !place.isExact { return true }
        }
        if rowsDescending { return other < row.low }
        return row.isExact ? other > row.low : other >= row.low
    }
}
