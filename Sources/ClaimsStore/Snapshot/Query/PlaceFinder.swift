// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel

/// Finds where a position of an earlier page is in this snapshot, and tells where a page ends.
struct PlaceFinder {
    let snapshot: Snapshot
    let plan: OrderPlan

    // MARK: - From positions

    func place(_ position: PagePosition) -> PlaceInOrder {
        let bytes = snapshot.bytes
        let id = RowPlace.find(position.id, snapshot)
        var places: [PlaceInOrder.Place] = []
        let isHintGood =
            position.generation == snapshot.identity.generation && id.isExact && id.low == position.row
        var values = position.keys[...]
        for key in plan.keys {
            if isHintGood {
                places.append(.init(low: key.place(id.low, bytes), isExact: true))
            } else if key.grouping != nil {
                places.append(.init(low: position.group ?? 0, isExact: true))
            } else {
                places.append(place(values.first ?? nil, key))
            }
            if key.grouping == nil { values = values.dropFirst() }
        }
        // Descending, rows below the first one that is not below the position come after it, found or not.
        return PlaceInOrder(places: places, row: id, rowsDescending: plan.rowsDescending)
    }

    private func place(_ value: [UInt8]?, _ key: OrderPlan.Key) -> PlaceInOrder.Place {
        let column = key.column
        guard let value else { return .init(low: column.distinct, isExact: true) }
        let (ordinal, isExact) = ordinal(of: value, column)
        guard key.descending else { return .init(low: ordinal, isExact: isExact) }
        // The places run backwards: what comes after has smaller ordinals.
        return .init(low: column.distinct - ordinal - (isExact ? 1 : 0), isExact: isExact)
    }

    /// The first ordinal whose value is not below `value`, and whether it is that value.
    private func ordinal(of value: [UInt8], _ column: Column) -> (Int, Bool) {
        let bytes = snapshot.bytes
        if column.kind.isCoded {
            let code = value.reduce(0) { $0 << 8 | Int($1) } & 0xFFFF_FFFF
            return code < column.distinct ? (code, true) : (column.distinct, false)
        }
        guard column.kind.isText else {
            let low = column.bound(value, isAfter: false, bytes)
            return (low, low < column.bound(value, isAfter: true, bytes))
        }
        let parts = value.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        let folded = Array(parts.first ?? [])
        let original = parts.count > 1 ? Array(parts[1]) : folded
        var low = column.bound(folded, isAfter: false, bytes)
        var high = column.bound(folded, isAfter: true, bytes)
        let end = high
        var tape = JSONTape()
        while low < high {
            let middle = (low + high) / 2
            let text = text(column.sample(middle, bytes), column, &tape)
            if text.raw.compare(original.raw) < 0 { low = middle + 1 } else { high = middle }
        }
        let isExact = low < end && text(column.sample(low, bytes), column, &tape) == original
        return (low, isExact)
    }

    private func text(_ row: Int, _ column: Column, _ tape: inout JSONTape) -> [UInt8] {
        let name = Array(snapshot.definition.fields[column.kind.field].name.utf8)
        return DocumentText.read(name, of: snapshot.document(row), &tape)
    }

    // MARK: - To positions

    func position(_ row: Int) -> PagePosition {
        let bytes = snapshot.bytes
        var group: Int?
        var keys: [[UInt8]?] = []
        for key in plan.keys {
            let ordinal = key.column.ordinal(row, bytes)
            if let grouping = key.grouping {
                group = grouping.group(ordinal)
            } else {
                keys.append(value(ordinal, row, key.column))
            }
        }
        return PagePosition(
            group: group, keys: keys, id: snapshot.id(row).copied, generation: snapshot.identity.generation, row: row)
    }

    private func value(_ ordinal: Int, _ row: Int, _ column: Column) -> [UInt8]? {
        guard ordinal < column.distinct else { return nil }
        if column.kind.isCoded { return (0..<4).map { UInt8(truncatingIfNeeded: ordinal >> (24 - $0 * 8)) } }
        var key: [UInt8] = []
        column.appendKey(ordinal, to: &key, snapshot.bytes)
        guard column.kind.isText else { return key }
        var tape = JSONTape()
        let original = text(row, column, &tape)
        return original == key ? key : key + [0] + original
    }
}
