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

    /// The name of the collection in requests, which is the name of its file.
    public let name: String
    /// The name of the collection for people, by language.
    public let title: LocalizedText
    /// The name of one record, and the selector of claimsctl.
    public let singular: String
    /// The upstream and the schedule of refreshes.
    public private(set) var source: Source
    /// The path of the file that is served before an upstream has answered; nil if there is none.
    public let bundle: String?
    /// The fields, in the order of columns and of `detail`. Other properties refer to them by index.
    public private(set) var fields: [Field]
    /// The vocabularies of enum fields, which ``Field/vocabulary`` refers to by index.
    public let vocabularies: [Vocabulary]
    /// The groups of records, in the order in which they are shown.
    public private(set) var groups: [RecordGroup]
    /// The index of the enum field whose codes decide a record's group; nil without groups.
    public private(set) var groupBy: Int?
    /// The order of answers to requests that name none.
    public private(set) var defaultOrder: RecordOrder
    /// The orders that requests may name.
    public private(set) var orders: [NamedOrder]
    /// The filters that requests may name.
    public private(set) var views: [NamedView]
    /// The indexes of the fields that a list shows, in order.
    public private(set) var list: [Int]
    /// Whether records of the collection may be archived.
    public let isArchivable: Bool
    /// The line that `deal` makes of a record, with `{field}` in place of values; nil if there are no deals.
    public private(set) var deal: LocalizedText?
    /// The places in upstream records that make no change when they alone differ.
    public let volatile: [JSONPointer]
    /// The limits of the kept history that differ from the settings.
    public let history: LimitOverrides<HistorySettings>
    /// The rules by which records are written; nil if they are only read.
    public private(set) var writes: WriteRules?
    /// The rules of who sees the collection; nil: all who can open the socket.
    public private(set) var access: AccessRules?
    /// The index of the only field of type `id`.
    public let idField: Int
    /// A hash of everything that decides the content of a snapshot of given upstream records.
    ///
    /// Fields with their pointers, vocabularies, groups and orders count. Addresses, labels, titles, views, lists and
    /// rules of writes do not.
    public let shapeHash: UInt64
    /// A hash of everything that decides the values served for given upstream records, and which of their changes are
    /// reported; never 0.
    ///
    /// Fields, volatile pointers, codes with their ranks and the join count. Groups, orders, views and the order of
    /// fields do not.
    public let valuesHash: UInt64
    /// Hashes of the parts that filters and orders rest on, for cursors.
    public let queryShape: QueryShape
    /// The host of the fleet on which the records are written, which this one only follows; nil for all other collections.
    public private(set) var home: String?
    /// Whether the files have another definition that cannot come into force, so that this one stays.
    public private(set) var isPrevious = false
    /// The part of each field that a rule of access shows; nil: all of every field.
    private var sights: [FieldSight]?
    /// The indexes of the fields that the newest rules do not mention, because they belong to a newer definition.
    private var unruled: Set<Int> = []

    /// Makes a definition from checked parts.
    ///
    /// - Precondition: Exactly one field has the type `id`, and all indexes are valid. The reader of definition files
    ///   ensures both.
    public init(
        name: String, title: LocalizedText? = nil, singular: String? = nil, source: Source, bundle: String? = nil,
        fields: [Field], vocabularies: [Vocabulary] = [], groups: [RecordGroup] = [], groupBy: Int? = nil,
        defaultOrder: RecordOrder? = nil, orders: [NamedOrder] = [], views: [NamedView] = [], list: [Int]? = nil,
        isArchivable: Bool = false, deal: LocalizedText? = nil, volatile: [JSONPointer] = [],
        history: LimitOverrides<HistorySettings> = LimitOverrides(), writes: WriteRules? = nil,
        access: AccessRules? = nil
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
        self.access = access
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

    /// The same definition, marked as one that stays in force because the definition of the files cannot come into
    /// force.
    public var asPrevious: Definition {
        var definition = self
        definition.isPrevious = true
        return definition
    }

    /// The same definition on a host that gets the records from the host on which they are written, and writes none.
    public func living(on home: FleetDefinition.Leader) -> Definition {
        var definition = self
        definition.home = home.host
        definition.source.request = home.request
        definition.writes?.destination = nil
        return definition
    }

    /// The same definition with other rules of who sees the collection.
    public func with(_ access: AccessRules?) -> Definition {
        var definition = self
        definition.access = access
        return definition
    }

    /// The same definition with the rules of a newer one, which is not in force yet. Whoever sees a part of the fields sees
    /// none that the newer definition has not, or reads elsewhere.
    public func withRules(of next: Definition) -> Definition {
        var definition = with(next.access)
        definition.unruled = Set(
            fields.indices.filter { index in
                let field = fields[index]
                return !next.fields.contains {
                    $0.name == field.name && $0.type == field.type && $0.from == field.from
                }
            })
        return definition
    }

    /// Whether the rules in force speak of the field at an index.
    func isRuled(_ field: Int) -> Bool { !unruled.contains(field) }

    /// The index of the field called `name`; nil if there is none, or a rule hides it.
    public func fieldIndex(_ name: String) -> Int? {
        fields.firstIndex { $0.name == name }.flatMap { sight(of: $0) == .hidden ? nil : $0 }
    }

    /// The part of the field at an index that is shown.
    public func sight(of field: Int) -> FieldSight { sights?[field] ?? .whole }

    /// Whether a rule hides fields or shows them in another form.
    public var hasSights: Bool { sights != nil }

    /// The indexes of the fields that are shown, masked or whole, ascending.
    public var shownFields: [Int] { fields.indices.filter { sight(of: $0) != .hidden } }

    /// The names of the fields that are shown.
    public var shownNames: [String] { shownFields.map { fields[$0].name } }

    /// The indexes of the fields that are shown whole, so that records can be compared by them, ascending.
    public var wholeFields: [Int] { fields.indices.filter { sight(of: $0) == .whole } }

    /// The same definition as a rule of access shows it. What rests on a field that is hidden or masked is missing, too.
    ///
    /// Fields keep their indexes.
    ///
    /// - Parameters:
    ///   - sights: the part of each field that is shown.
    ///   - read: returns the names of the fields that a filter reads.
    public func seen(through sights: [FieldSight], fieldsOf read: (_ filter: String) -> [String]) -> Definition {
        let whole = Set(fields.indices.filter { sights[$0] == .whole })
        let others = Set(fields.indices.filter { sights[$0] != .whole }.map { fields[$0].name })
        func isSeen(_ filter: String) -> Bool { others.isDisjoint(with: read(filter)) }
        func shown(_ order: RecordOrder) -> RecordOrder {
            RecordOrder(order.keys.filter { whole.contains($0.field) }, idField: idField)
        }
        var seen = self
        seen.sights = sights
        for index in fields.indices where !whole.contains(index) { seen.fields[index].isSearched = false }
        seen.defaultOrder = shown(defaultOrder)
        seen.orders = orders.compactMap { named in
            let order = shown(named.order)
            if order.keys.count == 1, !named.namesID { return nil }
            return NamedOrder(name: named.name, order: order, namesID: named.namesID)
        }
        seen.views = views.filter { isSeen($0.filter) }
        if let field = groupBy, !whole.contains(field) { (seen.groupBy, seen.groups) = (nil, []) }
        seen.list = list.filter { sights[$0] != .hidden }
        let hidden = fields.indices.filter { sights[$0] == .hidden }.map { "{\(fields[$0].name)}" }
        if let deal, deal.translations.contains(where: { text in hidden.contains { text.text.contains($0) } }) {
            seen.deal = nil
        }
        seen.writes = writes?.seen(whole, isSeen, fields)
        return seen
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

/// A credential that a definition names, and the key that names it.
public struct NamedCredential: Sendable, Hashable {
    /// The form in which requests use a credential.
    public enum Use: Sendable, Hashable {
        /// A bearer token, in a header.
        case token
        /// The whole or the end of a header's value.
        case header
        /// A text that is encoded: in a query, in a form, in a header of Basic.
        case text
        /// Certificates as PEM.
        case certificates
        /// A private key as PEM.
        case key
    }

    /// The path of the key: `source.auth.key.secret`.
    public let keyPath: String
    public let name: String
    public let use: Use

    public init(keyPath: String, name: String, use: Use) {
        self.keyPath = keyPath
        self.name = name
        self.use = use
    }
}

/// A file outside of the configuration that a definition names, and the key that names it.
public struct NamedFile: Sendable, Hashable {
    /// The path of the key: `source.tls.ca`.
    public let keyPath: String
    public let path: String

    public init(keyPath: String, path: String) {
        self.keyPath = keyPath
        self.path = path
    }
}

extension Definition {
    /// The credentials of all requests that the definition makes.
    public var credentials: [NamedCredential] {
        var named = readRequests.flatMap { Self.credentials($0.request.auth, $0.request.tls, $0.keyPath) }
        guard let writes, writes.destination == .upstream else { return named }
        // The source reports mistakes in values that writes inherit from it.
        let known = Set(named.map(\.name))
        for credential in writes.requests.flatMap({ Self.credentials($0.auth, $0.tls, "writes") })
        where !known.contains(credential.name) && !named.contains(credential) {
            named.append(credential)
        }
        return named
    }

    /// The requests that read, as far as they have an address, each with the key that holds it.
    public var readRequests: [(keyPath: String, request: ReadRequest)] {
        var requests =
            source.sites?.sites.map { ("source.sites.each.\($0.name)", $0.request) } ?? [("source", source.request)]
        if let join = source.join { requests.append(("source.join", join.request)) }
        return requests.filter { $0.1.url != nil }
    }

    /// The files with the authorities that requests trust.
    public var authorityFiles: [NamedFile] {
        var files = readRequests.flatMap { Self.authorityFiles($0.request.auth, $0.request.tls, $0.keyPath) }
        guard let writes, writes.destination == .upstream else { return files }
        let known = Set(files.map(\.path))
        for file in writes.requests.flatMap({ Self.authorityFiles($0.auth, $0.tls, "writes") })
        where !known.contains(file.path) && !files.contains(file) {
            files.append(file)
        }
        return files
    }

    /// The requests for tokens that the definition makes.
    public var tokenRequests: [TokenRequest] {
        var requests = (source.sites?.sites.map(\.request) ?? [source.request]).map(\.auth)
        requests.append(source.join?.request.auth)
        requests += writes?.requests.map(\.auth) ?? []
        return requests.compactMap { auth in
            if case .oauth2(let request) = auth { request } else { nil }
        }
    }

    static func credentials(_ auth: Authentication?, _ tls: TLSOptions?, _ path: String) -> [NamedCredential] {
        let secrets = (auth?.credentials ?? []).map { key, name in
            // The short form is the usual one.
            NamedCredential(
                keyPath: key == "bearer" ? "\(path).credential" : "\(path).auth.\(key)", name: name,
                use: auth?.use(of: key) ?? .text)
        }
        return secrets
            + (tls?.credentials ?? []).map { key, name in
                NamedCredential(keyPath: "\(path).tls.\(key)", name: name, use: TLSOptions.use(of: key))
            }
    }

    private static func authorityFiles(_ auth: Authentication?, _ tls: TLSOptions?, _ path: String) -> [NamedFile] {
        var options = [("\(path).tls.ca", tls)]
        if case .oauth2(let request) = auth { options.append(("\(path).auth.oauth2.tls.ca", request.tls)) }
        return options.compactMap { keyPath, options in
            if case .file(let file) = options?.ca { NamedFile(keyPath: keyPath, path: file) } else { nil }
        }
    }
}

extension Authentication {
    /// The form in which the credential at a key is used.
    fileprivate func use(of key: String) -> NamedCredential.Use {
        switch self {
        case .bearer: .token
        case .key(_, .header): .header
        case .oauth2 where key.hasPrefix("oauth2.tls."): TLSOptions.use(of: key)
        case .basic, .key(_, .parameter), .oauth2: .text
        }
    }
}

extension TLSOptions {
    /// The form in which the credential at a key is used; the key ends in one of `tls`.
    fileprivate static func use(of key: String) -> NamedCredential.Use { key.hasSuffix("key") ? .key : .certificates }
}

extension WriteRules {
    /// All requests that writes make.
    fileprivate var requests: [WriteRequest] {
        var requests = actions.compactMap(\.request)
        if case .requests(let request)? = attachments?.sending { requests.append(request) }
        return requests + [match].compactMap(\.self)
    }
}

extension Definition {
    /// The upstreams of the collection, in the order of the file; empty if there is none.
    public var sources: [SourceID] {
        if let sites = source.sites { return sites.sites.map { SourceID(name, site: $0.name) } }
        return source.request.url == nil ? [] : [SourceID(name)]
    }
}

extension WriteRules {
    /// The same rules for a user who sees some fields whole.
    ///
    /// - Parameter isSeen: whether a filter reads no other fields.
    fileprivate func seen(_ whole: Set<Int>, _ isSeen: (String) -> Bool, _ definition: [Field]) -> WriteRules {
        var seen = self
        seen.fields = fields.filter { whole.contains($0.field) }
        if let field = attachments?.field, !whole.contains(field) { seen.attachments = nil }
        let needsFiles = seen.attachments == nil && attachments?.minCount ?? 0 > 0
        seen.actions = actions.compactMap { action in
            if let condition = action.condition, !isSeen(condition.filter) { return nil }
            let assigned = Set((action.set + action.shows).map(\.field))
            let isLacking = action.fields.contains { field in
                let isRequired = definition[field].isRequired || rule(of: field)?.isRequired ?? false
                return isRequired && !whole.contains(field) && !assigned.contains(field)
            }
            if action.kind == .create, isLacking || needsFiles { return nil }
            var action = action
            action.fields.removeAll { !whole.contains($0) }
            action.takesFiles = action.takesFiles && seen.attachments != nil
            return action
        }
        return seen
    }
}
