// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Everything the daemon knows about a collection. A value: it is read once and never changes.
public struct Definition: Sendable {
    /// What requests call it; the name of its file.
    public let name: String
    public let title: String
    /// What one record is called, and claimsctl's selector.
    public let singular: String
    public let source: Source
    /// The path of what is served before any upstream answered.
    public let bundle: String?
    /// In the order of columns and of `detail`.
    public let fields: [Field]
    public let vocabularies: [Vocabulary]
    /// In the order shown.
    public let groups: [RecordGroup]
    /// The enum field whose codes carry the groups.
    public let groupBy: Int?
    public let defaultOrder: RecordOrder
    public let orders: [NamedOrder]
    public let views: [NamedView]
    /// The fields of a list.
    public let list: [Int]
    public let isArchivable: Bool
    /// The line that `deal` makes of a record, with `{field}` for its values; nil: there are no deals.
    public let deal: LocalizedText?
    /// Where the one field of the type `id` is.
    public let idField: Int
    /// A hash of all that decides what a snapshot of given upstream records holds: fields, where they come from,
    /// vocabularies, groups, orders. Addresses, labels, titles, views and lists do not count.
    public let shapeHash: UInt64

    /// - Precondition: exactly one field has the type `id`, and all indexes are valid. The reader of definition
    ///   files makes sure of it.
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
        self.title = title ?? Wording.humanized(name)
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
    }

    /// The index of the field called `name`.
    public func fieldIndex(_ name: String) -> Int? {
        fields.firstIndex { $0.name == name }
    }

    public func order(named name: String) -> NamedOrder? {
        orders.first { $0.name == name }
    }

    public func view(named name: String) -> NamedView? {
        views.first { $0.name == name }
    }

    /// The vocabulary of a field, nil for one that is not an enum.
    public func vocabulary(of field: Int) -> Vocabulary? {
        fields[field].vocabulary.map { vocabularies[$0] }
    }

    /// The fields that free text looks into, in order.
    public var searchedFields: [Int] {
        fields.indices.filter { fields[$0].isSearched }
    }
}
