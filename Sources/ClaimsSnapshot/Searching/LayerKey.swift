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

/// A layer with the order of a query in it. Its rows share it, because a row is copied often.
final class LayerOrder {
    fileprivate let layer: ServedLayer
    fileprivate let plan: OrderPlan

    init(_ layer: ServedLayer, _ query: PageQuery) {
        self.layer = layer
        plan = OrderPlan(query.order, isGrouped: query.isGrouped, layer.snapshot)
    }
}

/// A row of one layer among rows of others.
struct LayeredRow {
    private let order: LayerOrder
    private let row: Int
    /// The values of the keys that have been compared, and the key of the id; read when they are needed first, because
    /// most rows are never compared.
    private var values: [LayerKey?] = []
    private var id: [UInt8]?

    init(_ row: Int, in order: LayerOrder) {
        self.order = order
        self.row = row
    }

    /// The number of the row in the numbering through all layers.
    var number: UInt32 { UInt32(truncatingIfNeeded: order.layer.start + row) }

    /// Orders two rows: negative if the first comes before the second. Rows of different records are never equal.
    static func compare(_ one: inout LayeredRow, _ other: inout LayeredRow) -> Int {
        if one.order === other.order, one.row == other.row { return 0 }
        let plan = one.order.plan
        for index in plan.keys.indices {
            var (first, second) = (one.value(index), other.value(index))
            let descending = plan.keys[index].grouping == nil && plan.keys[index].descending
            let order = LayerKey.compare(&first, &second, descending: descending)
            // A text that was read for the comparison is kept.
            (one.values[index], other.values[index]) = (first, second)
            if order != 0 { return order }
        }
        let order = one.idKey().rawSpan.compare(other.idKey().rawSpan)
        return plan.rowsDescending ? -order : order
    }

    private mutating func value(_ index: Int) -> LayerKey {
        let (plan, snapshot) = (order.plan, order.layer.snapshot)
        if values.isEmpty { values = Array(repeating: nil, count: plan.keys.count) }
        if let known = values[index] { return known }
        let key = plan.keys[index]
        let column = key.column.view(snapshot.bytes)
        let ordinal = column.ordinal(row)
        if let grouping = key.grouping { return LayerKey(group: grouping.group(ordinal), of: row, in: snapshot) }
        return LayerKey(ordinal, of: row, column, in: snapshot)
    }

    private mutating func idKey() -> [UInt8] {
        if let id { return id }
        let snapshot = order.layer.snapshot
        var key: [UInt8] = []
        KeyEncoding.natural(snapshot.id(row), into: &key)
        id = key
        return key
    }
}
