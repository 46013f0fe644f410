// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

/// The definition of a collection: its source, fields, vocabularies, orders and views. It never changes.
///
/// ```swift
/// let configuration = Configuration.load(…)
/// let things = configuration.definition(named: "things")
/// things?.fields.map(\.name)
/// ```
public struct Definition: Sendable {
    /// The name of the collection in requests, which is that of its file.
    public let name: String
    /// The name of the collection for people.
    public let title: String
    /// The name of one record, and the selector of claimsctl.
    public let singular: String
    /// The upstream and the schedule of refreshes.
    public let source: Source
    /// The path of the file that is served before an upstream has answered; nil if there is none.
    public let bundle: String?
    /// The fields, in the order of columns and of `detail`. Other properties refer to them by index.
    public let fields: [Field]
    /// The vocabularies of enum fields, which ``Field/vocabulary`` refers to by index.
    public let vocabularies: [Vocabulary]
    /// The groups of records, in the order in which they are shown.
    public let groups: [RecordGroup]
    /// The index of the enum field whose codes decide a record's group; nil without groups.
    public let groupBy: Int?
    /// The order of answers to requests that name none.
    public let defaultOrder: RecordOrder
    /// The orders that requests may name.
    public let orders: [NamedOrder]
    /// The filters that requests may name.
    public let views: [NamedView]
    /// The indexes of the fields that a list shows, in order.
    public let list: [Int]
    /// Whether records of the collection may be archived.
    public let isArchivable: Bool
    /// The line that `deal` makes of a record, with `{field}` in place of values; nil if there are no deals.
    public let deal: LocalizedText?
    /// The index of the only field of type `id`.
    public let idField: Int
    /// A hash of everything that decides the content of a snapshot of given upstream records.
    ///
    /// Fields with their pointers, vocabularies, groups and orders count. Addresses, labels, titles, views and lists do
    /// not.
    public let shapeHash: UInt64
    /// Hashes of the parts that filters and orders rest on, for cursors.
    public let queryShape: QueryShape
    /// Whether the files say something else that cannot come into force, so that this definition stays.
    public private(set) var isPrevious = false

    /// Makes a definition from checked parts.
    ///
    /// - Precondition: Exactly one field has the type `id`, and all indexes are valid. The reader of definition files
    ///   ensures both.
    public init(
        name: String, title: String? = nil, singular: String? = nil, source: Source, bundle: String? = nil,
        fields: [Field], vocabularies: [Vocabulary] = [], groups: [RecordGroup] = [], groupBy: Int? = nil,
        defaultOrder: RecordOrder? = nil, orders: [NamedOrder] = [], views: [NamedView] = [], list: [Int]? = nil,
        isArchivable: Bool = false, deal: LocalizedText? = nil
    ) {
        let idField = fields.firstIndex { $0.type == .id }
        precondition(idField != nil, "a definition needs an id field")
        self.idField = idField ?? 0
        self.name = name
        self.title = title ?? LocalizedText.humanized(name)
        self.singular = singular ?? name
        self.source = source
        self.bundle = bundle
        self.fields = fields
        self.vocabularies = vocabularies
        self.groups = groups
        self.groupBy = groupBy
        self.defaultOrder = defaultOrder ?? RecordOrder([], idField: self.idField)
        self.orders = orders
        self.views = views
        self.list = list ?? Array(fields.indices)
        self.isArchivable = isArchivable
        self.deal = deal
        shapeHash = ShapeHash.of(
            fields: fields, vocabularies: vocabularies, groups: groups, groupBy: groupBy,
            orders: [self.defaultOrder] + orders.map(\.order), join: source.join)
        queryShape = QueryShape(
            fields: fields, vocabularies: vocabularies, groups: groups, groupBy: groupBy,
            orders: [self.defaultOrder] + orders.map(\.order), views: views, join: source.join)
    }

    /// The same definition, marked as one that stays in force because what the files say cannot come into force.
    public var asPrevious: Definition {
        var definition = self
        definition.isPrevious = true
        return definition
    }

    /// The index of the field called `name`; nil if there is none.
    public func fieldIndex(_ name: String) -> Int? {
        fields.firstIndex { $0.name == name }
    }

    /// The named order called `name`; nil if there is none.
    public func order(named name: String) -> NamedOrder? {
        orders.first { $0.name == name }
    }

    /// The view called `name`; nil if there is none.
    public func view(named name: String) -> NamedView? {
        views.first { $0.name == name }
    }

    /// The vocabulary of the field at an index; nil if the field is not an enum.
    public func vocabulary(of field: Int) -> Vocabulary? {
        fields[field].vocabulary.map { vocabularies[$0] }
    }

    /// The indexes of the fields that free text searches, ascending.
    public var searchedFields: [Int] {
        fields.indices.filter { fields[$0].isSearched }
    }
}

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

/// The way from one page of an upstream to the next.
public enum Paging: Sendable, Hashable {
    /// The answer holds the address of the next page at this pointer; null or a missing value ends the pages.
    case pointer(JSONPointer)
    /// The `Link` header of the answer with `rel="next"` holds the address of the next page (RFC 8288).
    case link
    /// A query parameter of this name counts pages from 1. A page of fewer than `size` records is the last.
    case parameter(name: String, size: Int)
}

/// The location of a value in the configuration files.
public struct ConfigurationLocation: Sendable, Hashable {
    /// The path of the file.
    public let file: String
    /// The line, from 1; nil if only the file is known.
    public let line: Int?
    /// The column in Unicode scalars, from 1; nil if only the file is known.
    public let column: Int?
    /// The keys that lead to the value, such as `fields.status.vocabulary`; empty if the file as a whole is meant.
    public let keyPath: String

    public init(file: String, line: Int? = nil, column: Int? = nil, keyPath: String = "") {
        self.file = file
        self.line = line
        self.column = column
        self.keyPath = keyPath
    }
}
