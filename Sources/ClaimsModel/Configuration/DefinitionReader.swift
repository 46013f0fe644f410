// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// Reads one collection's definition, merged from its files, and reports all mistakes in it.
struct DefinitionReader {
    let name: String
    let root: ConfigurationNode
    let surroundings: Surroundings
    var fields: [Field] = []
    var vocabularies: [Vocabulary] = []
    var groups: [RecordGroup] = []

    /// The files around the one that is being read.
    struct Surroundings {
        /// The folder of relative paths in a file: the folder of the daemon's files that the file belongs to.
        let folder: (_ file: String) -> String
        /// The names of the other collections; nil if they are not known.
        let others: [String]?
        /// The names of the vendor's definitions, which a site's file may extend.
        let vendor: [String]
        /// The reason why a file cannot be read; nil if it can.
        let obstacle: (_ path: String) -> String?
        /// Whether a text is a filter of the collection. Only asked where fields were left out.
        var isFilter: Definition.FilterCheck = { _, _ in true }
    }

    init(name: String, node: JSON5Node, log: ProblemLog, surroundings: Surroundings) {
        self.name = name
        root = ConfigurationNode(node: node, keyPath: "", log: log)
        self.surroundings = surroundings
    }

    /// The definition; nil if anything is wrong. A mistake in the rules of `access` closes it, and the rest counts.
    mutating func read() -> Definition? {
        guard
            let object = root.object(
                "title", "singular", "source", "bundle", "fields", "vocabularies", "groups", "group_by", "sort",
                "sorts", "views", "list", "archive", "deal", "volatile", "history", "writes",
                "access")
        else { return nil }
        let title = object["title"].flatMap { $0.title() }
        let singular = readSingular(object["singular"])
        readGroups(object["groups"])
        let names = readVocabularies(object["vocabularies"])
        readFields(object, vocabularies: names)
        let groupBy = object["group_by"].flatMap { readGroupBy($0) }
        let orders = readOrders(object["sorts"])
        let defaultOrder = object["sort"].flatMap { readOrder($0, named: orders)?.order }
        let views = readViews(object["views"])
        let list = object["list"].flatMap { readList($0) }
        let archive = object["archive"].flatMap { $0.bool() }
        let deal = object["deal"].flatMap { readDeal($0) }
        let source = readSource(object["source"])
        let volatile = object["volatile"].flatMap { readVolatile($0, source) } ?? []
        let history = object["history"]?.object(HistorySettings.names)?.overrides() ?? LimitOverrides<HistorySettings>()
        let bundle = object["bundle"].flatMap { readBundle($0) }
        let writes = object["writes"].flatMap { readWrites($0, source, volatile: volatile, bundle: bundle) }
        if source.withhold != nil, writes?.destination == .local {
            object["source"]?.complain("'withhold' is for data of an upstream, and 'writes' makes this host the truth")
        }
        checkSites(object["source"], source, writes)
        let isSound = root.log.problems.isEmpty
        let access = object["access"].map { readAccess($0, writes) }
        guard isSound else { return nil }
        func definition(_ views: [NamedView], _ writes: WriteRules?) -> Definition {
            Definition(
                name: name, title: title, singular: singular, source: source, bundle: bundle, fields: fields,
                vocabularies: vocabularies, groups: groups, groupBy: groupBy, defaultOrder: defaultOrder,
                orders: orders, views: views, list: list, isArchivable: archive ?? false, deal: deal,
                volatile: volatile, history: history, writes: writes, access: access)
        }
        let whole = definition(views, writes)
        return root.log.leftOut.isEmpty ? whole : definition(goodViews(of: whole), goodWrites(of: whole))
    }

    /// The views whose filters do without the fields that are left out. The others are noted.
    private func goodViews(of definition: Definition) -> [NamedView] {
        definition.views.filter { view in
            if surroundings.isFilter(view.filter, definition) { return true }
            root.log.record(reference: view.location?.keyPath ?? "views")
            return false
        }
    }

    /// The rules of writes without the actions whose filters need a field that is left out. These are noted.
    private func goodWrites(of definition: Definition) -> WriteRules? {
        guard var writes = definition.writes else { return nil }
        writes.actions.removeAll { action in
            guard let condition = action.condition, !surroundings.isFilter(condition.filter, definition) else {
                return false
            }
            root.log.record(reference: condition.location?.keyPath ?? "writes")
            return true
        }
        return writes
    }

    /// The rules of writes; nil if they are wrong, or if the fields are.
    private func readWrites(
        _ node: ConfigurationNode, _ source: Source, volatile: [JSONPointer], bundle: String?
    ) -> WriteRules? {
        guard fields.contains(where: { $0.type == .id }) else { return nil }
        let parts = Definition(
            name: name, source: source, bundle: bundle, fields: fields, vocabularies: vocabularies, volatile: volatile)
        var reader = WriteRulesReader(definition: parts, others: surroundings.others)
        return reader.read(node)
    }

    /// The rules of who sees the collection; ``AccessRules/mistaken`` if anything is wrong with them.
    private func readAccess(_ node: ConfigurationNode, _ writes: WriteRules?) -> AccessRules {
        let count = root.log.problems.count
        let named = (writes?.actions ?? []).map(\.name).filter { !AccessRules.ordinaryActs.contains($0) }
        let rules = AccessRulesReader(acts: AccessRules.ordinaryActs + named, fields: fields).read(node)
        return root.log.problems.count == count ? rules : .mistaken
    }

    /// The singular; without one it is the collection's name.
    private func readSingular(_ node: ConfigurationNode?) -> String? {
        let expected = "a word of a-z, 0-9, _ and - that begins with a letter"
        guard let singular = node == nil ? name : node?.string(expected) else { return nil }
        if !ReservedNames.isName(String(singular.map { $0 == "-" ? "_" : $0 })) {
            (node ?? root).complain(expected: expected)
        }
        if ReservedNames.options.contains(singular) {
            (node ?? root).complain("'\(singular)' is an option of claimsctl; expected another word as the singular")
        }
        return singular
    }

    private func readGroupBy(_ node: ConfigurationNode) -> Int? {
        guard let field = readField(node) else { return nil }
        if fields[field].type != .enum { node.complain("'\(fields[field].name)' is no enum field") }
        return field
    }

    private func readList(_ node: ConfigurationNode) -> [Int]? {
        var list: [Int] = []
        for element in node.elements(of: "an array of field names") ?? [] {
            guard let field = readField(element) else { continue }
            if list.contains(field) { element.complain("'\(fields[field].name)' is in the list already") }
            list.append(field)
        }
        if case .array(let elements) = node.node.value, elements.isEmpty {
            node.complain("expected at least one name of a field")
        }
        return list.isEmpty ? nil : list
    }

    private func readDeal(_ node: ConfigurationNode) -> LocalizedText? {
        guard let object = node.object("message") else { return nil }
        guard let message = object["message"] else {
            object.complain(missing: "message", "a text with {field} for the values of a record")
            return nil
        }
        guard let text = message.localizedText() else { return nil }
        for translation in text.translations {
            for piece in translation.text.split(separator: "{", omittingEmptySubsequences: false).dropFirst() {
                let name = String(piece.prefix { $0 != "}" })
                if !fields.contains(where: { $0.name == name }) {
                    message.complain(unknownField: name, among: fields.map(\.name))
                }
            }
        }
        return text
    }

    /// The volatile places. Nothing that records are found by may be one.
    private func readVolatile(_ node: ConfigurationNode, _ source: Source) -> [JSONPointer]? {
        let expected = "an array of JSON Pointers, such as [\"/last_seen\"]"
        guard let elements = node.elements(of: expected) else { return nil }
        let maximum = Definition.maxVolatile
        if elements.count > maximum { node.complain("more than \(maximum) JSON Pointers") }
        return elements.compactMap { element in
            guard let pointer = element.pointer() else { return nil }
            for (index, field) in fields.enumerated() where field.from.contains(where: { $0.isRelated(to: pointer) }) {
                if field.type == .id {
                    element.complain("the id is read there, and cannot be volatile")
                } else if field.isSearched {
                    element.complain(
                        "'\(field.name)' is read there, and free text looks into it; it cannot be volatile")
                } else if index == source.join?.on.field {
                    element.complain("'\(field.name)' is read there, and the join is on it; it cannot be volatile")
                }
            }
            return pointer
        }
    }

    private func readBundle(_ node: ConfigurationNode) -> String? {
        guard let path = node.name("the path of a file, such as \"bundles/NAME.json\"") else { return nil }
        let whole = path.hasPrefix("/") ? path : "\(surroundings.folder(node.node.file))/\(path)"
        if let obstacle = surroundings.obstacle(whole) { node.complain(obstacle) }
        return whole
    }

    /// The field that a node names.
    func readField(_ node: ConfigurationNode) -> Int? {
        guard let name = node.string("the name of a field") else { return nil }
        return field(named: name, node)
    }

    func field(named name: String, _ node: ConfigurationNode) -> Int? {
        if let index = fields.firstIndex(where: { $0.name == name }) { return index }
        node.complain(unknownField: name, among: fields.map(\.name))
        return nil
    }
}

extension DefinitionReader {
    /// The orders by name. Their keys are fields only.
    func readOrders(_ node: ConfigurationNode?) -> [NamedOrder] {
        var orders: [NamedOrder] = []
        for (name, value) in node?.entries(of: "an object of orders by name") ?? [] {
            if !ReservedNames.isName(name) {
                value.complain("'\(name)' is not a name; expected a-z, 0-9 and _, beginning with a letter")
            }
            guard let order = readOrder(value, named: []) else { continue }
            orders.append(NamedOrder(name: name, order: order.order, namesID: order.namesID))
        }
        return orders
    }

    /// An order: an array of keys, or a text of keys with commas between. The name of one of `orders` means its keys.
    func readOrder(
        _ node: ConfigurationNode, named orders: [NamedOrder]
    ) -> (order: RecordOrder, namesID: Bool)? {
        guard let idField = fields.firstIndex(where: { $0.type == .id }) else { return nil }
        var keys: [SortKey] = []
        var namesID = false
        for (text, element) in keyTexts(node) {
            let descends = text.hasPrefix("-")
            let name = String(descends ? text.dropFirst() : text[...])
            if let order = orders.first(where: { $0.name == name }) {
                let named = descends ? order.reversed : order.order
                keys += order.namesID ? named.keys : named.keys.dropLast()
                namesID = namesID || order.namesID
                continue
            }
            guard let field = fields.firstIndex(where: { $0.name == name }) else {
                element.complain(unknownField: name, among: fields.map(\.name) + orders.map(\.name))
                continue
            }
            if !fields[field].type.isSortable {
                element.complain("'\(name)' is of the type json, by which nothing can be sorted")
            }
            if keys.contains(where: { $0.field == field }) {
                element.complain("'\(name)' is in the order already")
            } else if keys.contains(where: { $0.field == idField }) {
                element.complain("nothing can follow the id, which no two records share")
            }
            if field == idField { namesID = true }
            keys.append(SortKey(field: field, descending: descends))
        }
        return (RecordOrder(keys, idField: idField), namesID)
    }

    private func keyTexts(_ node: ConfigurationNode) -> [(String, ConfigurationNode)] {
        if case .string(let text) = node.node.value {
            return text.split(separator: ",").map { (String($0.filter { $0 != " " }), node) }
        }
        let expected = "an array of sort keys, such as [\"-name\", \"id\"]"
        return (node.elements(of: expected) ?? []).compactMap { element in
            element.string("the name of a field, with - before it to descend").map { ($0, element) }
        }
    }

    /// The views by name; their filters are checked where filters are parsed.
    func readViews(_ node: ConfigurationNode?) -> [NamedView] {
        var views: [NamedView] = []
        for (name, value) in node?.entries(of: "an object of filters by name") ?? [] {
            if !ReservedNames.isName(name) {
                value.complain("'\(name)' is not a name; expected a-z, 0-9 and _, beginning with a letter")
            }
            if case .string(let filter) = value.node.value {
                views.append(NamedView(name: name, filter: filter, location: value.location))
                continue
            }
            guard let object = value.object("filter", "title") else { continue }
            guard let filter = object["filter"] else {
                object.complain(missing: "filter", "a filter")
                continue
            }
            guard let text = filter.string("a filter") else { continue }
            views.append(
                NamedView(
                    name: name, filter: text, title: object["title"].flatMap { $0.localizedText() },
                    location: filter.location))
        }
        return views
    }
}

extension DefinitionReader {
    /// No source is asked more often than this.
    static let minInterval = Duration.milliseconds(100)

    func readSource(_ node: ConfigurationNode?) -> Source {
        guard
            let object = node?.object(
                Self.requestKeys + Self.incrementalKeys
                    + ["interval", "ttl", "expires", "join", "limits", "sites", "withhold"])
        else { return Source() }
        let defaults = Source()
        let ttl = object["ttl"].flatMap { $0.span() }
        let expires = object["expires"].flatMap { $0.span() } ?? defaults.expires
        if let ttl, ttl > expires { object["ttl"]?.complain("longer than 'expires', \(TimeSpan.text(of: expires))") }
        var source = Source(
            readRequest(object),
            interval: object["interval"].flatMap { $0.span(atLeast: Self.minInterval) } ?? defaults.interval,
            ttl: ttl,
            expires: expires,
            join: object["join"].flatMap { readJoin($0) },
            limits: object["limits"]?.object(TransferLimits.names)?.overrides() ?? LimitOverrides())
        source.withhold = readWithhold(object, expires: expires)
        source.sites = object["sites"].flatMap { readSites($0, of: object) }
        readIncremental(object, into: &source)
        return source
    }

    /// The age from which records are withheld.
    private func readWithhold(_ source: ConfigurationObject, expires: Duration) -> Duration? {
        guard let node = source["withhold"], let span = node.span() else { return nil }
        if span < expires { node.complain("shorter than 'expires', \(TimeSpan.text(of: expires))") }
        if source["sites"] != nil { node.complain("not beside 'sites'") }
        return span
    }

    private func readJoin(_ node: ConfigurationNode) -> Join? {
        guard let object = node.object(Self.requestKeys + ["on", "take"]) else { return nil }
        guard let on = object["on"] else {
            object.complain(missing: "on", "a field and a JSON Pointer, such as [\"owner_id\", \"/id\"]")
            return nil
        }
        guard let pair = on.elements(of: "a field and a JSON Pointer, such as [\"owner_id\", \"/id\"]") else {
            return nil
        }
        guard pair.count == 2 else {
            on.complain("expected two elements: a field and a JSON Pointer")
            return nil
        }
        let field = readField(pair[0])
        if let field, fields[field].type != .text, fields[field].type != .id {
            pair[0].complain("expected a field of the type text or id")
        }
        var take: [Join.Link] = []
        if object["take"] == nil { object.complain(missing: "take", "an object of fields and JSON Pointers") }
        for (name, value) in object["take"]?.entries(of: "an object of fields and JSON Pointers") ?? [] {
            let taken = self.field(named: name, value)
            if let taken, fields[taken].type == .id { value.complain("the id cannot come from another request") }
            if let taken, let pointer = value.pointer() { take.append(.init(field: taken, pointer: pointer)) }
        }
        guard let field, let pointer = pair[1].pointer() else { return nil }
        return Join(readRequest(object), on: .init(field: field, pointer: pointer), take: take)
    }
}

/// Reads how an upstream shows what has changed, and what is gone.
extension DefinitionReader {
    static let incrementalKeys = ["since", "deleted"]

    /// Reads `since` and `deleted` of a source whose request has been read.
    func readIncremental(_ object: ConfigurationObject, into source: inout Source) {
        source.since = object["since"].flatMap { readSince($0, source) }
        source.deleted = object["deleted"].flatMap { readDeleted($0, hasSince: object["since"] != nil) }
        if source.request.url?.hasPrefix("file:") == true {
            object["since"]?.complain("a file: address has no 'since'; expected https:// or http://, or no 'since'")
        }
    }

    private func readSince(_ node: ConfigurationNode, _ source: Source) -> IncrementalRules? {
        guard let object = node.object("to", "field", "token", "overlap", "full") else { return nil }
        let target = object["to"].flatMap { readTarget($0, source) }
        if object["to"] == nil { object.complain(missing: "to", "a query parameter, or { body: \"/since\" }") }
        let full = object["full"].map { $0.span(atLeast: Self.minInterval) } ?? IncrementalRules.defaultFull
        let position = readPosition(object)
        guard let target, let full, let position else { return nil }
        return IncrementalRules(to: target, position: position, full: full)
    }

    /// The parameter that carries the position; neither the pages nor `auth` may use it, too.
    ///
    /// Each site has a body and an `auth` of its own. The first mistake is reported.
    private func readTarget(_ node: ConfigurationNode, _ source: Source) -> ParameterTarget? {
        guard let target = node.parameterTarget(of: source.request) else { return nil }
        switch source.request.next {
        case .cursor(_, let other, _) where other == target, .page(let other, _, _, _) where other == target,
            .offset(let other, _, _) where other == target:
            node.complain("'next' sends its own value there; expected another parameter")
        default: break
        }
        guard AccessReader.checkTarget(target, node, source.request.auth) else { return nil }
        for site in source.sites?.sites ?? [] {
            guard node.parameterTarget(of: site.request) != nil,
                AccessReader.checkTarget(target, node, site.request.auth)
            else { return nil }
        }
        return target
    }

    private func readPosition(_ object: ConfigurationObject) -> IncrementalRules.Position? {
        switch (object["field"], object["token"]) {
        case (let field?, nil): return readFieldPosition(field, object["overlap"])
        case (nil, let token?):
            object["overlap"]?.complain("only 'field' has an overlap")
            guard let pointer = token.pointer() else { return nil }
            if pointer.tokens.isEmpty { token.complain("expected a place inside the answer, such as \"/token\"") }
            return .token(pointer)
        default:
            object.node.complain("expected either 'field' or 'token'")
            return nil
        }
    }

    private func readFieldPosition(
        _ node: ConfigurationNode, _ overlap: ConfigurationNode?
    ) -> IncrementalRules.Position? {
        guard let field = readField(node) else { return nil }
        switch fields[field].type {
        case .instant, .date:
            guard let span = overlap.map({ $0.span() }) ?? IncrementalRules.defaultOverlap else { return nil }
            return .field(field, overlap: .span(span))
        case .integer:
            guard let number = overlap.map({ $0.integer(0...Int.max) }) ?? 0 else { return nil }
            return .field(field, overlap: .number(number))
        default:
            node.complain("'\(fields[field].name)' is no field of the type instant, date or integer")
            return nil
        }
    }

    private func readDeleted(_ node: ConfigurationNode, hasSince: Bool) -> DeletionRule? {
        guard case .object = node.node.value else {
            guard let pointer = node.pointer() else { return nil }
            if pointer.tokens.isEmpty { node.complain("expected a place inside a record, such as \"/deleted_at\"") }
            return .mark(pointer)
        }
        guard let object = node.object("ids") else { return nil }
        guard let ids = object["ids"] else {
            object.complain(missing: "ids", "a JSON Pointer to the ids that a page lists as deleted")
            return nil
        }
        if !hasSince { ids.complain("an answer with all records needs no such list; expected 'since', too") }
        return ids.pointer().map { .ids($0) }
    }
}
