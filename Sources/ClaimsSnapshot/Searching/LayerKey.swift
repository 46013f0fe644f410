// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel

/// The key that orders a value of one layer among values of another one.
///
/// Ordinals and rows are numbers of one snapshot. The keys of values are the same in all.
struct LayerKey {
    private enum Value {
        /// No value; it comes last in both directions.
        case absent
        /// A group, or the code of an enum.
        case number(Int)
        /// The key of the value in its column.
        case key([UInt8])
    }

    private let value: Value
    /// A row that has the value, and its snapshot.
    private let snapshot: Snapshot
    private let row: Int
    /// The field of a text; nil for other types.
    private let textField: Int?
    /// The text as it came, which decides between texts that fold to the same; read when it is needed first.
    private var original: [UInt8]?

    /// The group that the groups' field of a row leads to.
    init(group: Int, of row: Int, in snapshot: Snapshot) {
        value = .number(group)
        self.snapshot = snapshot
        self.row = row
        textField = nil
    }

    /// The value of a column with an ordinal, which a row has.
    init(_ ordinal: Int, of row: Int, _ column: ColumnView, in snapshot: Snapshot) {
        self.snapshot = snapshot
        self.row = row
        textField = column.kind.isText ? column.kind.field : nil
        if ordinal >= column.distinct {
            value = .absent
        } else if column.kind.isCoded {
            value = .number(ordinal)
        } else if column.kind.isIdentity {
            var key: [UInt8] = []
            KeyEncoding.natural(column.key(ordinal), into: &key)
            value = .key(key)
        } else {
            var key: [UInt8] = []
            column.appendKey(ordinal, to: &key)
            value = .key(key)
        }
    }

    /// Orders two values: negative if the first comes before the second, 0 if they are equal.
    static func compare(_ one: inout LayerKey, _ other: inout LayerKey, descending: Bool) -> Int {
        let order: Int
        switch (one.value, other.value) {
        case (.absent, .absent): return 0
        case (.absent, _): return 1
        case (_, .absent): return -1
        case (.number(let first), .number(let second)): order = first - second
        case (.key(let first), .key(let second)):
            let keys = first.rawSpan.compare(second.rawSpan)
            order = keys == 0 && one.textField != nil ? compareTexts(&one, &other) : keys
        case (.number, .key), (.key, .number): order = 0  // Values of one field are of one kind.
        }
        return descending ? -order : order
    }

    private static func compareTexts(_ one: inout LayerKey, _ other: inout LayerKey) -> Int {
        let (first, second) = (one.readOriginal(), other.readOriginal())
        return first.rawSpan.compare(second.rawSpan)
    }

    private mutating func readOriginal() -> [UInt8] {
        if let original { return original }
        guard let textField else { return [] }
        var tape = JSONTape()
        let name = Array(snapshot.definition.fields[textField].name.utf8)
        let text = DocumentText.read(name, of: snapshot.document(row), &tape)
        original = text
        return text
    }
}

/// A row of one layer among rows of others.
struct LayeredRow: Equatable {
    /// The index of the layer.
    let layer: Int
    let row: Int
}

/// Orders the rows of several layers by a query.
struct RowOrder {
    private let layers: [ServedLayer]
    private let plans: [OrderPlan]
    /// The second row of the last comparison, and its keys as far as they were needed. One row is compared with many.
    private var second: LayeredRow?
    private var keys: [LayerKey] = []
    private var id: [UInt8]?

    init(_ layers: [ServedLayer], _ query: PageQuery) {
        self.layers = layers
        plans = layers.map { OrderPlan(query.order, isGrouped: query.isGrouped, $0.snapshot) }
    }

    /// Negative if the first row comes before the second. Rows of different records are never equal.
    mutating func compare(_ one: LayeredRow, _ other: LayeredRow) -> Int {
        if one == other { return 0 }
        if second != other {
            second = other
            keys = []
            id = nil
        }
        for index in plans[one.layer].keys.indices {
            var first = key(index, of: one)
            if keys.count == index { keys.append(key(index, of: other)) }
            let order = LayerKey.compare(&first, &keys[index], descending: isDescending(index, in: one.layer))
            if order != 0 { return order }
        }
        let last = id ?? idKey(other)
        id = last
        let order = idKey(one).rawSpan.compare(last.rawSpan)
        return plans[one.layer].rowsDescending ? -order : order
    }

    private func isDescending(_ index: Int, in layer: Int) -> Bool {
        plans[layer].keys[index].grouping == nil && plans[layer].keys[index].descending
    }

    private func key(_ index: Int, of row: LayeredRow) -> LayerKey {
        let snapshot = layers[row.layer].snapshot
        let ordinals = plans[row.layer].keys[index].ordinals
        let ordinal = ordinals.ordinal(row.row, snapshot.bytes)
        if let grouping = plans[row.layer].keys[index].grouping {
            return LayerKey(group: grouping.group(ordinal), of: row.row, in: snapshot)
        }
        let column = snapshot.column(plans[row.layer].keys[index].columnID)
        return LayerKey(ordinal, of: row.row, column, in: snapshot)
    }

    private func idKey(_ row: LayeredRow) -> [UInt8] {
        let snapshot = layers[row.layer].snapshot
        var key: [UInt8] = []
        KeyEncoding.natural(snapshot.id(row.row), into: &key)
        return key
    }
}
