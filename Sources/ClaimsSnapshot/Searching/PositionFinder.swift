// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel

/// Finds the rank of a position of an earlier page in this snapshot, and makes the position at the end of a page.
struct PositionFinder {
    let snapshot: Snapshot
    let plan: OrderPlan

    // MARK: - From positions

    func boundary(of position: PagePosition) -> PageBoundary {
        let bytes = snapshot.bytes
        let id = row(of: position.id)
        var bounds: [PageBoundary.Bound] = []
        let isHintGood =
            position.generation == snapshot.identity.generation && id.isExact && id.low == position.row
        var values = position.keys[...]
        for key in plan.keys {
            if isHintGood {
                bounds.append(.init(low: key.rank(id.low, bytes), isExact: true))
            } else if key.grouping != nil {
                bounds.append(.init(low: position.group ?? 0, isExact: true))
            } else {
                bounds.append(bound(of: values.first ?? nil, by: key))
            }
            if key.grouping == nil { values = values.dropFirst() }
        }
        // In a descending order, rows below the first row that is not below the position come after it, whether or not
        // it is found.
        return PageBoundary(bounds: bounds, row: id, rowsDescending: plan.rowsDescending)
    }

    private func bound(of value: [UInt8]?, by key: OrderPlan.Key) -> PageBoundary.Bound {
        let column = snapshot.column(key.columnID)
        guard let value else { return .init(low: column.distinct, isExact: true) }
        let (ordinal, isExact) = ordinal(of: value, column)
        guard key.descending else { return .init(low: ordinal, isExact: isExact) }
        // Ranks run backwards: later rows have smaller ordinals.
        return .init(low: column.distinct - ordinal - (isExact ? 1 : 0), isExact: isExact)
    }

    /// The first ordinal whose value is not below `value`, and whether it is that value.
    func ordinal(of value: [UInt8], _ column: ColumnView) -> (Int, Bool) {
        if column.kind.isCoded {
            let code = value.reduce(0) { $0 << 8 | Int($1) } & 0xFFFF_FFFF
            return code < column.distinct ? (code, true) : (column.distinct, false)
        }
        guard column.kind.isText else {
            let low = column.bound(value, isAfter: false)
            return (low, low < column.bound(value, isAfter: true))
        }
        let parts = value.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        let folded = Array(parts.first ?? [])
        let original = parts.count > 1 ? Array(parts[1]) : folded
        let start = column.bound(folded, isAfter: false)
        let end = max(start, column.bound(folded, isAfter: true))
        var tape = JSONTape()
        let low = (start..<end).partitionPoint { ordinal in
            text(column.sample(ordinal), column, &tape).rawSpan.compare(original.rawSpan) < 0
        }
        let isExact = low < end && text(column.sample(low), column, &tape) == original
        return (low, isExact)
    }

    private func text(_ row: Int, _ column: ColumnView, _ tape: inout JSONTape) -> [UInt8] {
        let name = Array(snapshot.definition.fields[column.kind.field].name.utf8)
        return DocumentText.read(name, of: snapshot.document(row), &tape)
    }

    /// The first row whose id is not below `id`, and whether it is that id.
    private func row(of id: [UInt8]) -> PageBoundary.Bound {
        var key: [UInt8] = []
        KeyEncoding.natural(id.rawSpan, into: &key)
        let column = snapshot.columns[snapshot.definition.idField]
        let low = column.bound(key, isAfter: false)
        return .init(low: low, isExact: low < snapshot.count && snapshot.id(low).equals(id.rawSpan))
    }

    // MARK: - To positions

    func position(of row: Int) -> PagePosition {
        var group: Int?
        var keys: [[UInt8]?] = []
        for key in plan.keys {
            let column = snapshot.column(key.columnID)
            let ordinal = column.ordinal(row)
            if let grouping = key.grouping {
                group = grouping.group(ordinal)
            } else {
                keys.append(value(ordinal, row, column))
            }
        }
        return PagePosition(
            group: group, keys: keys, id: snapshot.id(row).array, generation: snapshot.identity.generation, row: row)
    }

    /// The order-preserving key of the value with that ordinal, which a row has; nil for none.
    func value(_ ordinal: Int, _ row: Int, _ column: ColumnView) -> [UInt8]? {
        guard ordinal < column.distinct else { return nil }
        if column.kind.isCoded { return (0..<4).map { UInt8(truncatingIfNeeded: ordinal >> (24 - $0 * 8)) } }
        var key: [UInt8] = []
        column.appendKey(ordinal, to: &key)
        guard column.kind.isText else { return key }
        var tape = JSONTape()
        let original = text(row, column, &tape)
        return original == key ? key : key + [0] + original
    }
}

/// A position in an order as ranks in one snapshot's columns, to compare rows with.
struct PageBoundary {
    /// The first rank of one key that is not before the position, and whether it is exactly the position's.
    struct Bound {
        let low: Int
        let isExact: Bool
    }

    let bounds: [Bound]
    let row: Bound
    let rowsDescending: Bool

    /// The position among rows that are equal by the first key.
    var withoutFirstKey: PageBoundary {
        PageBoundary(bounds: Array(bounds.dropFirst()), row: row, rowsDescending: rowsDescending)
    }

    /// Whether a row comes after the position.
    func isBefore(_ other: Int, _ keys: [OrderPlan.Key], _ bytes: RawSpan) -> Bool {
        for index in 0..<min(keys.count, bounds.count) {
            let (found, bound) = (keys[index].rank(other, bytes), bounds[index])
            if found != bound.low { return found > bound.low }
            if !bound.isExact { return true }
        }
        if rowsDescending { return other < row.low }
        return row.isExact ? other > row.low : other >= row.low
    }
}
