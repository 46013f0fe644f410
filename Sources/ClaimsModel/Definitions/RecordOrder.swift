// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

/// A filter with a name, which requests may ask for.
public struct NamedView: Sendable, Hashable {
    /// The name that requests use.
    public let name: String
    /// The text of the filter, which is not parsed yet.
    public let filter: String
    /// The name of the view for people; nil if it has none.
    public let title: LocalizedText?
    /// The location of the filter in the files, for errors of its parser; nil if it comes from no file.
    public let location: ConfigurationLocation?

    public init(name: String, filter: String, title: LocalizedText? = nil, location: ConfigurationLocation? = nil) {
        self.name = name
        self.filter = filter
        self.title = title
        self.location = location
    }
}

/// An order with a name, which requests may ask for. It takes precedence over a field of the same name.
public struct NamedOrder: Sendable, Hashable {
    /// The name that requests use.
    public let name: String
    /// The order itself, which ends in the id.
    public let order: RecordOrder
    /// Whether the definition names the id in this order, so that it was not merely appended.
    public let namesID: Bool

    public init(name: String, order: RecordOrder, namesID: Bool = false) {
        self.name = name
        self.order = order
        self.namesID = namesID
    }

    /// The order with every named key in the other direction.
    ///
    /// Absent values stay last, and an id that was merely appended stays ascending.
    public var reversed: RecordOrder {
        let last = order.keys.count - 1
        let isAppended = !namesID && order.keys.last?.descending == false
        let keys = order.keys.enumerated().map { index, key in
            SortKey(field: key.field, descending: index == last && isAppended ? false : !key.descending)
        }
        return RecordOrder(keys, idField: order.keys[last].field)
    }
}

/// A total order of a collection's records.
///
/// No field occurs twice. The last key is the id field, because ids are unique.
public struct RecordOrder: Sendable, Hashable {
    /// The keys, the most significant first.
    public let keys: [SortKey]

    /// Makes a total order of `keys`.
    ///
    /// Only the first mention of a field counts, and keys after the id are dropped. If the id is not among them, it is
    /// appended, ascending.
    public init(_ keys: [SortKey], idField: Int) {
        var kept: [SortKey] = []
        for key in keys where !kept.contains(where: { $0.field == key.field }) {
            kept.append(key)
            if key.field == idField { break }
        }
        if kept.last?.field != idField { kept.append(SortKey(field: idField)) }
        self.keys = kept
    }
}

/// One field of an order, and its direction. Absent values come last in both directions.
public struct SortKey: Sendable, Hashable {
    /// The index of the field in the definition.
    public let field: Int
    /// Whether greater values come first.
    public let descending: Bool

    public init(field: Int, descending: Bool = false) {
        self.field = field
        self.descending = descending
    }
}

/// A group of records in an answer. Groups are shown in the definition's order.
public struct RecordGroup: Sendable, Hashable {
    /// The name of the group in the protocol.
    public var key: String
    /// The name of the group for people.
    public var label: LocalizedText

    public init(key: String, label: LocalizedText? = nil) {
        self.key = key
        self.label = label ?? LocalizedText(LocalizedText.humanized(key))
    }
}

extension JSONPointer {
    /// Whether one of two pointers leads to the value of the other, or to a value around it.
    public func isRelated(to other: JSONPointer) -> Bool {
        tokens.starts(with: other.tokens) || other.tokens.starts(with: tokens)
    }
}
