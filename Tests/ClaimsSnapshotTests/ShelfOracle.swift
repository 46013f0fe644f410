// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsQuery

@testable import ClaimsSnapshot

/// Answers queries the slow way: record by record, with comparisons of keys.
struct ShelfOracle {
    let definition: Definition
    /// In the order of the rows.
    let records: [DecodedRecord]

    func matches(_ predicate: Predicate, _ archived: ArchivedMode, _ archive: Set<Int>) -> [Int] {
        let matcher = PredicateMatcher(predicate, definition: definition)
        return records.indices.filter { row in
            switch archived {
            case .include: break
            case .exclude: if archive.contains(row) { return false }
            case .only: if !archive.contains(row) { return false }
            }
            return matcher.matches(records[row])
        }
    }

    /// The rows in an order; with `isGrouped` by group first.
    func sorted(_ rows: [Int], _ order: RecordOrder, isGrouped: Bool) -> [Int] {
        rows.sorted { precedes($0, $1, order, isGrouped: isGrouped) }
    }

    func precedes(_ one: Int, _ other: Int, _ order: RecordOrder, isGrouped: Bool) -> Bool {
        if isGrouped, group(one) != group(other) { return group(one) < group(other) }
        for key in order.keys {
            let (left, right) = (value(one, key.field), value(other, key.field))
            guard let left else {
                if right == nil { continue }
                return false
            }
            guard let right else { return true }
            if left == right { continue }
            let isBefore = left.lexicographicallyPrecedes(right) { $0.lexicographicallyPrecedes($1) }
            return isBefore != key.descending
        }
        return false
    }

    /// The order of a record: its key, then the text as it came; nil where it is absent.
    private func value(_ row: Int, _ field: Int) -> [[UInt8]]? {
        let record = records[row]
        let value = record.values[field]
        guard value.isPresent else { return nil }
        switch definition.fields[field].type {
        case .enum: return [[UInt8(value.code)]]
        case .id: return [record.idKey]
        case .text:
            let key = Array(record.keys[value.key])
            return [key, value.tie.isEmpty ? key : Array(record.keys[value.tie])]
        default: return [Array(record.keys[value.key])]
        }
    }

    func group(_ row: Int) -> Int {
        guard let field = definition.groupBy, let vocabulary = definition.vocabulary(of: field) else { return 0 }
        let code = records[row].values[field].code
        return code >= 0 ? vocabulary.codes[code].group ?? definition.groups.count : definition.groups.count
    }

    /// How often each value of a field occurs, in the field's order, and last how many rows have none.
    func facet(_ rows: [Int], _ field: Int) -> [Int] {
        var counts: [[[UInt8]]: Int] = [:]
        var absent = 0
        for row in rows {
            if let value = value(row, field) { counts[value, default: 0] += 1 } else { absent += 1 }
        }
        return counts.sorted { $0.key.lexicographicallyPrecedes($1.key) { $0.lexicographicallyPrecedes($1) } }
            .prefix(FacetCount.maxValues).map(\.value) + (absent > 0 ? [absent] : [])
    }
}
