// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

extension DefinitionReader {
    /// A definition has no more fields than this.
    static let maxFields = 256

    /// - Parameter vocabularies: the names of the declared vocabularies, with their indexes; nil for a broken one.
    mutating func readFields(_ object: ConfigurationObject, vocabularies: [String: Int?]) {
        guard let node = object["fields"] else {
            let other = Suggestion.nearest(name, among: surroundings.vendor)
            let hint = other.map { "; did you mean \($0)\(ConfigurationName.suffix)?" } ?? ""
            return object.complain(missing: "fields", "an object of fields by name\(hint)")
        }
        let filled = joinedNames(object["source"]).union(siteFieldName(object["source"]))
        for (name, value) in node.entries(of: "an object of fields by name") {
            if !ReservedNames.isName(name) {
                value.complain("'\(name)' is not a name; expected a-z, 0-9 and _, beginning with a letter")
            } else if ReservedNames.filterWords.contains(name) {
                value.complain("'\(name)' is a word of the filter language; expected another name")
            } else if ReservedNames.members.contains(name) {
                if value.isLeftOut(field: name) { continue }
                value.complain(
                    "records of answers have a member '\(name)' of their own; expected another name, such as "
                        + "\(ReservedNames.substitute(for: name))")
            }
            let field = readField(name, value, vocabularies, isFilled: filled.contains(name))
            if let field { fields.append(field) }
        }
        if fields.count > Self.maxFields { node.complain("more than \(Self.maxFields) fields") }
        let ids = fields.filter { $0.type == .id }
        if ids.isEmpty || !ids.contains(where: { $0.name == "id" }) {
            node.complain("expected a field called 'id' of the type id")
        }
        for other in ids where other.name != "id" {
            node.complain("'\(other.name)' is of the type id; expected only the field called 'id' to be")
        }
    }

    private func readField(
        _ name: String, _ node: ConfigurationNode, _ vocabularies: [String: Int?], isFilled: Bool
    ) -> Field? {
        guard
            let object = node.object(
                "type", "from", "search", "required", "vocabulary", "title", "bold", "lines")
        else { return nil }
        let from = readPointers(object, isFilled: isFilled)
        guard let type = readType(object) else { return nil }
        let isSearched = object["search"].flatMap { $0.bool() } ?? false
        if isSearched, !type.isTextual {
            object["search"]?.complain("free text cannot look into the type \(type.rawValue); expected text, id or url")
        }
        return Field(
            name: name, type: type, from: from, isSearched: isSearched,
            isRequired: object["required"].flatMap { $0.bool() } ?? false,
            vocabulary: readVocabulary(object, type, vocabularies),
            title: object["title"].flatMap { $0.localizedText() },
            isEmphasized: object["bold"].flatMap { $0.bool() } ?? false,
            lines: object["lines"].flatMap { $0.integer(1...20) } ?? 1)
    }

    private func readType(_ object: ConfigurationObject) -> FieldType? {
        let names = FieldType.allCases.map(\.rawValue)
        guard let node = object["type"] else {
            object.complain(missing: "type", "one of \(names.joined(separator: ", "))")
            return nil
        }
        guard let name = node.string("one of \(names.joined(separator: ", "))") else { return nil }
        guard let type = FieldType(rawValue: name) else {
            node.complain(unknown: name, "type", among: names)
            return nil
        }
        return type
    }

    private func readPointers(_ object: ConfigurationObject, isFilled: Bool) -> [JSONPointer] {
        guard let node = object["from"] else {
            if !isFilled { object.complain(missing: "from", "an array of JSON Pointers, such as [\"/name\"]") }
            return []
        }
        if case .string = node.node.value { return node.pointer().map { [$0] } ?? [] }
        guard let elements = node.elements(of: "an array of JSON Pointers, such as [\"/name\"]") else { return [] }
        if elements.isEmpty, !isFilled { node.complain("expected at least one JSON Pointer") }
        return elements.compactMap { $0.pointer() }
    }

    /// The vocabulary of an enum field. A declared but broken vocabulary has been reported at its own location.
    private func readVocabulary(
        _ object: ConfigurationObject, _ type: FieldType, _ vocabularies: [String: Int?]
    ) -> Int? {
        guard let node = object["vocabulary"] else {
            if type == .enum { object.complain(missing: "vocabulary", "the name of a vocabulary") }
            return nil
        }
        guard type == .enum else {
            node.complain("only fields of the type enum have a vocabulary")
            return nil
        }
        guard let name = node.string("the name of a vocabulary") else { return nil }
        guard let index = vocabularies[name] else {
            node.complain(unknown: name, "vocabulary", among: vocabularies.keys.sorted())
            return nil
        }
        return index
    }

    /// The field that the names of sites fill.
    private func siteFieldName(_ source: ConfigurationNode?) -> Set<String> {
        var node = source?.node
        for key in ["sites", "field"] {
            guard case .object(let members)? = node?.value else { return [] }
            node = members.first { $0.key == key }?.node
        }
        guard case .string(let name)? = node?.value else { return [] }
        return [name]
    }

    /// The fields that the join fills, which need no pointer of their own.
    private func joinedNames(_ source: ConfigurationNode?) -> Set<String> {
        var node = source?.node
        for key in ["join", "take"] {
            guard case .object(let members)? = node?.value else { return [] }
            node = members.first { $0.key == key }?.node
        }
        guard case .object(let members)? = node?.value else { return [] }
        return Set(members.map(\.key))
    }
}

extension DefinitionReader {
    mutating func readGroups(_ node: ConfigurationNode?) {
        for (key, value) in node?.entries(of: "an object of groups by name") ?? [] {
            if !ReservedNames.isName(key) {
                value.complain("'\(key)' is not a name; expected a-z, 0-9 and _, beginning with a letter")
            }
            let label = value.object("label")?["label"].flatMap { $0.localizedText() }
            groups.append(RecordGroup(key: key, label: label))
        }
    }

    /// Reads the vocabularies and returns the names of all of them, with the indexes of the sound ones.
    mutating func readVocabularies(_ node: ConfigurationNode?) -> [String: Int?] {
        var names: [String: Int?] = [:]
        for (name, value) in node?.entries(of: "an object of vocabularies by name") ?? [] {
            names[name] = .some(nil)
            guard let vocabulary = readVocabulary(name, value) else { continue }
            names[name] = .some(vocabularies.count)
            vocabularies.append(vocabulary)
        }
        return names
    }

    private func readVocabulary(_ name: String, _ node: ConfigurationNode) -> Vocabulary? {
        guard let object = node.object("fallback", "absent", "codes") else { return nil }
        guard let codesNode = object["codes"] else {
            object.complain(missing: "codes", "an object of codes")
            return nil
        }
        var codes: [Code] = []
        for (code, value) in codesNode.entries(of: "an object of codes") {
            if code.allSatisfy(\.isWhitespace) { value.complain("a code cannot be blank") }
            if let read = readCode(code, value) { codes.append(read) }
        }
        let spellings = codes.map(\.code)
        func reference(_ key: String) -> String? {
            guard let node = object[key], let code = node.string("a code of this vocabulary") else { return nil }
            if !spellings.contains(code) { node.complain(unknown: code, "code", among: spellings) }
            return code
        }
        let absent = reference("absent")
        if object["fallback"] == nil {
            object.complain(missing: "fallback", "the code that unknown values become")
        }
        guard let fallback = reference("fallback") else { return nil }
        if CodeTable(spellings) == nil {
            codesNode.complain("two codes differ only in letter case, or in spaces, '-' and '_'")
        }
        return Vocabulary(name: name, codes: codes, fallback: fallback, absent: absent)
    }

    private func readCode(_ code: String, _ node: ConfigurationNode) -> Code? {
        guard let object = node.object("rank", "group", "badge", "label") else { return nil }
        let label = object["label"].flatMap { $0.localizedText() }
        var group: Int?
        if let groupNode = object["group"], let key = groupNode.string("the name of a group") {
            group = groups.firstIndex { $0.key == key }
            if group == nil { groupNode.complain(unknown: key, "group", among: groups.map(\.key)) }
        }
        let made = Code(
            code, rank: object["rank"].flatMap { $0.integer(-1_000_000...1_000_000) } ?? 0, group: group, label: label)
        var result = made
        result.badge = readBadge(object["badge"], label: made.label)
        return result
    }

    /// `true` shows the label.
    private func readBadge(_ node: ConfigurationNode?, label: LocalizedText) -> LocalizedText? {
        guard let node else { return nil }
        if case .bool(let isShown) = node.node.value { return isShown ? label : nil }
        return node.localizedText()
    }
}

/// Reads requests: of a source, of a join, of sites.
extension DefinitionReader {
    /// The keys of a request.
    static let requestKeys =
        [
            "url", "method", "query", "headers", "body", "root", "fails", "next",
        ] + AccessReader.keys

    /// The request that the members of a source, a join or a site describe.
    func readRequest(_ object: ConfigurationObject) -> ReadRequest {
        var request = ReadRequest(url: object["url"].flatMap { $0.address() })
        request.method = object["method"].flatMap { readMethod($0) } ?? request.method
        request.query = object["query"].map { readQuery($0) } ?? []
        request.headers = object["headers"].map { RequestHeaderReader.headers($0) } ?? []
        request.body = object["body"].flatMap { $0.jsonValue() }
        request.auth = AccessReader.authentication(object)
        request.tls = object["tls"].flatMap { AccessReader.tls($0) }
        request.root = object["root"].flatMap { $0.pointer() } ?? request.root
        request.fails = object["fails"].flatMap { readFails($0) }
        if let next = object["next"] {
            (request.next, request.hasStablePages) = PagingReader(request: request).read(next)
        }
        if request.method == .get { object["body"]?.complain("only a request with method: \"POST\" has a body") }
        if AddressQuery.appending(request.query, to: request.url ?? "").utf8.count > SourceAddress.maxLength {
            object["query"]?.complain("expected at most \(SourceAddress.maxLength) bytes together with the address")
        }
        checkFile(request, object)
        AccessReader.checkConflicts(of: request, object)
        return request
    }

    private func readMethod(_ node: ConfigurationNode) -> HTTPMethod? {
        let expected = "'GET' or 'POST'"
        guard let name = node.string(expected) else { return nil }
        guard let method = HTTPMethod(rawValue: name), HTTPMethod.reading.contains(method) else {
            node.complain(expected: expected)
            return nil
        }
        return method
    }

    private func readQuery(_ node: ConfigurationNode) -> [QueryParameter] {
        node.entries(of: "an object of parameters").compactMap { name, value in
            if name.isEmpty { value.complain("a parameter needs a name") }
            guard case .array(let nodes) = value.node.value else {
                return value.parameterValue().map { QueryParameter(name, [$0]) }
            }
            let values = nodes.enumerated().compactMap { index, node in
                ConfigurationNode(node: node, keyPath: "\(value.keyPath)[\(index)]", log: value.log).parameterValue()
            }
            return QueryParameter(name, values)
        }
    }

    private func readFails(_ node: ConfigurationNode) -> JSONPointer? {
        guard let pointer = node.pointer() else { return nil }
        // Every answer has a value there.
        if pointer.tokens.isEmpty { node.complain("expected a place inside the answer, such as \"/errors\"") }
        return pointer
    }

    /// Reports members that a file cannot have. Headers beside a file come from a vendor's definition whose address a
    /// site has replaced; they are not sent anywhere.
    private func checkFile(_ request: ReadRequest, _ object: ConfigurationObject) {
        guard let url = request.url, url.hasPrefix("file:") else { return }
        for key in ["method", "query", "body", "auth", "credential", "tls", "next"] {
            object[key]?.complain("a file: address has no '\(key)'; expected https:// or http://, or no '\(key)'")
        }
    }
}

extension ConfigurationNode {
    /// A value of a query parameter, as the text that is sent.
    fileprivate func parameterValue() -> String? {
        switch node.value {
        case .string(let text): return text
        case .bool(let value): return value ? "true" : "false"
        case .number: return jsonValue()?.number
        default:
            complain(expected: "a text, a number, true, false, or an array of these")
            return nil
        }
    }
}

/// Reads the equal upstreams of a collection.
extension DefinitionReader {
    /// The keys that a site may have of its own. They are merged over those of the source.
    static let siteKeys = ["url", "query", "headers", "body", "auth", "credential", "tls"].filter {
        requestKeys.contains($0)
    }

    /// The sites of a source.
    ///
    /// - Parameter source: the object that the sites are merged over.
    func readSites(_ node: ConfigurationNode, of source: ConfigurationObject) -> SiteList? {
        guard let object = node.object("field", "each") else { return nil }
        let field = object["field"].flatMap { readSiteField($0) }
        if object["field"] == nil { object.complain(missing: "field", "the name of a field of the type text") }
        guard let each = object["each"] else {
            object.complain(missing: "each", "an object of sites by name")
            return nil
        }
        // A mistake in the source itself is one in each site.
        let isSound = root.log.problems.isEmpty
        var sites: [Site] = []
        let entries = each.entries(of: "an object of sites by name")
        for (name, value) in entries {
            if !Site.isName(name) {
                value.complain(
                    "'\(name)' is not the name of a site; expected a-z, 0-9, _ and -, at most \(Site.maxNameLength), beginning with a letter"
                )
            }
            guard value.object(Self.siteKeys) != nil, isSound else { continue }
            if let request = readRequest(of: value, over: source) { sites.append(Site(name, request)) }
        }
        if entries.isEmpty { each.complain("expected at least one site") }
        if entries.count > SiteList.maxSites { each.complain("more than \(SiteList.maxSites) sites") }
        return SiteList(field: field, sites: sites)
    }

    /// The field whose value is the name of the site. Nothing else fills it.
    private func readSiteField(_ node: ConfigurationNode) -> Int? {
        guard let index = readField(node) else { return nil }
        let field = fields[index]
        if field.type != .text {
            node.complain("'\(field.name)' is of the type \(field.type.rawValue); expected a field of the type text")
        } else if !field.from.isEmpty {
            node.complain("'\(field.name)' has 'from'; expected a field without, because the site's name fills it")
        }
        return index
    }

    private func readRequest(of site: ConfigurationNode, over source: ConfigurationObject) -> ReadRequest? {
        let own = Set(site.entries(of: "an object").map(\.key))
        var common = source.node.node
        common.value = .object(
            source.members.filter { member in
                // A site that has its own `auth` replaces all of the source's.
                let isReplaced =
                    ["auth", "credential"].contains(member.key) && !own.isDisjoint(with: ["auth", "credential"])
                return Self.requestKeys.contains(member.key) && !isReplaced
            })
        let merged = common.merging(site.node)
        guard
            let object = ConfigurationNode(node: merged, keyPath: site.keyPath, log: site.log).object(Self.requestKeys)
        else { return nil }
        let request = readRequest(object)
        if request.url == nil, object["url"] == nil {
            site.complain("it has no 'url', and neither has the source; expected one of them to have it")
        }
        return request
    }

    /// Reports members that are not allowed beside sites.
    func checkSites(_ source: ConfigurationNode?, _ read: Source, _ writes: WriteRules?) {
        guard read.sites != nil, let object = source?.node.members, let source else { return }
        guard let node = object.first(where: { $0.key == "sites" }).map({ source.child("sites", $0.node) }) else {
            return
        }
        if read.join?.request.url != nil {
            node.complain("a source with sites has no 'join.url'; expected one of them")
        }
        if writes?.destination != nil { node.complain("a source with sites has no 'writes.to'; expected one of them") }
    }
}

extension JSON5Node {
    /// The members of an object; nil for any other value.
    fileprivate var members: [JSON5Member]? {
        if case .object(let members) = value { members } else { nil }
    }
}
