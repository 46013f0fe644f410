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
    /// Says whether a text is a filter of a collection.
    public typealias FilterCheck = (_ text: String, _ definition: Definition) -> Bool

    /// The name of the collection in requests, which is that of its file.
    public let name: String
    /// The name of the collection for people, by language.
    public let title: LocalizedText
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
    /// The places in upstream records that make no change when they alone differ.
    public let volatile: [JSONPointer]
    /// The limits of the kept history that differ from those of the settings.
    public let history: LimitOverrides<HistorySettings>
    /// The rules by which records are written; nil if they are only read.
    public let writes: WriteRules?
    /// The index of the only field of type `id`.
    public let idField: Int
    /// A hash of everything that decides the content of a snapshot of given upstream records.
    ///
    /// Fields with their pointers, vocabularies, groups and orders count. Addresses, labels, titles, views, lists and
    /// rules of writes do not.
    public let shapeHash: UInt64
    /// A hash of everything that decides the values served of given upstream records, and which of their changes are
    /// told; never 0.
    ///
    /// Fields, volatile places, codes with their ranks and the join count. Groups, orders, views and the order of fields
    /// do not.
    public let valuesHash: UInt64
    /// Hashes of the parts that filters and orders rest on, for cursors.
    public let queryShape: QueryShape
    /// Whether the files say something else that cannot come into force, so that this definition stays.
    public private(set) var isPrevious = false

    /// Makes a definition from checked parts.
    ///
    /// - Precondition: Exactly one field has the type `id`, and all indexes are valid. The reader of definition files
    ///   ensures both.
    public init(
        name: String, title: LocalizedText? = nil, singular: String? = nil, source: Source, bundle: String? = nil,
        fields: [Field], vocabularies: [Vocabulary] = [], groups: [RecordGroup] = [], groupBy: Int? = nil,
        defaultOrder: RecordOrder? = nil, orders: [NamedOrder] = [], views: [NamedView] = [], list: [Int]? = nil,
        isArchivable: Bool = false, deal: LocalizedText? = nil, volatile: [JSONPointer] = [],
        history: LimitOverrides<HistorySettings> = LimitOverrides(), writes: WriteRules? = nil
    ) {
        let idField = fields.firstIndex { $0.type == .id }
        precondition(idField != nil, "a definition needs an id field")
        self.idField = idField ?? 0
        self.name = name
        self.title = title ?? LocalizedText(LocalizedText.humanized(name))
        self.singular = singular ?? name
        self.source = source
        self.bundle = bundle
        self.fields = Self.marking(fields, volatile: volatile)
        self.volatile = volatile
        self.history = history
        self.writes = writes
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
            orders: [self.defaultOrder] + orders.map(\.order), join: source.join,
            siteField: source.sites?.field)
        valuesHash = ValuesHash.of(
            fields: fields, vocabularies: vocabularies, volatile: volatile, join: source.join,
            siteField: source.sites?.field)
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
