// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// Reads the rules of writes, `writes` in a definition, and reports all mistakes in them.
struct WriteRulesReader {
    /// The parts of the definition that the rules refer to.
    let definition: Definition
    /// The names of the other collections; nil if they are not known.
    let others: [String]?
    /// The headers of the block; nil if the source's headers count.
    private(set) var headers: [Header]?
    /// The authentication of the block's requests; nil if the source's counts.
    private(set) var auth: Authentication?
    /// The authorities and the certificate of the block; nil if the source's count.
    private(set) var tls: TLSOptions?

    init(definition: Definition, others: [String]?) {
        self.definition = definition
        self.others = others
    }

    mutating func read(_ node: ConfigurationNode) -> WriteRules? {
        guard
            let object = node.object(
                "to", "role", "fields", "create", "update", "delete", "actions", "attachments", "headers", "auth",
                "credential", "tls", "idempotency", "reference", "match", "confirm")
        else { return nil }
        headers = object["headers"].map { RequestHeaderReader.headers($0) }
        auth = AccessReader.authentication(object)
        tls = object["tls"].flatMap { AccessReader.tls($0) }
        if let auth, let node = object["headers"] { AccessReader.checkHeaders(node, auth) }
        var rules = WriteRules(to: object["to"].flatMap { readDestination($0) })
        rules.role = object["role"].flatMap { $0.members() }
        rules.fields = readFields(object["fields"])
        for kind in [WriteAction.Kind.create, .update, .delete] {
            if let action = object[kind.rawValue].flatMap({ readAction(kind.rawValue, kind, $0, rules: rules.fields) })
            {
                rules.actions.append(action)
            }
        }
        for (name, value) in object["actions"]?.entries(of: "an object of actions by name") ?? [] {
            checkName(name, value)
            if let action = readAction(name, .named, value, rules: rules.fields) { rules.actions.append(action) }
        }
        rules.attachments = object["attachments"].flatMap { readAttachments($0, rules) }
        if rules.attachments == nil, let files = object["attachments"], let create = object["create"],
            !files.log.leftOut.isEmpty
        {
            // New records would come without the files that they need.
            rules.actions.removeAll { $0.kind == .create }
            create.log.record(reference: create.keyPath)
        }
        rules.idempotency = object["idempotency"].flatMap { readIdempotency($0) }
        rules.reference = object["reference"].flatMap { readReference($0, rules) }
        rules.match = object["match"].flatMap { readMatch($0) }
        rules.confirm = object["confirm"].flatMap { $0.span(atLeast: .seconds(1)) } ?? rules.confirm
        checkIDs(of: rules, object)
        checkPointers(of: rules, object)
        return rules
    }

    private func readDestination(_ node: ConfigurationNode) -> WriteRules.Destination? {
        let names = WriteRules.Destination.allCases.map(\.rawValue)
        let expected = "'local', 'upstream' or null"
        guard let name = node.string(expected) else { return nil }
        guard let destination = WriteRules.Destination(rawValue: name) else {
            let hint = Suggestion.hint(name, among: names).map { "; \($0)" } ?? ""
            node.complain("expected \(expected), found '\(name)'\(hint)")
            return nil
        }
        switch destination {
        case .local:
            if definition.source.isConfigured {
                node.complain("this host cannot be the truth beside an upstream; expected no 'source.url'")
            }
            if definition.bundle != nil {
                node.complain("this host cannot be the truth beside a bundle; expected no 'bundle'")
            }
        case .upstream:
            if !definition.source.isConfigured { node.complain("there is no upstream; expected a 'source.url'") }
        }
        return destination
    }

    private func checkName(_ name: String, _ node: ConfigurationNode) {
        if !ReservedNames.isName(name) {
            node.complain("'\(name)' is not a name; expected a-z, 0-9 and _, beginning with a letter")
        }
        if let kind = WriteAction.Kind(rawValue: name), kind != .named {
            node.complain("'\(name)' is no action with a name of its own; expected it beside 'actions'")
        }
    }

    private func readIdempotency(_ node: ConfigurationNode) -> WriteRules.Idempotency? {
        guard let object = node.object("header", "life") else { return nil }
        guard let header = object["header"] else {
            object.complain(missing: "header", "the name of a header, such as \"Idempotency-Key\"")
            return nil
        }
        guard let life = object["life"] else {
            object.complain(missing: "life", "how long the upstream knows a key, such as \"24h\"")
            return nil
        }
        guard let name = header.name("the name of a header, such as \"Idempotency-Key\""),
            let span = life.span(atLeast: .seconds(1))
        else { return nil }
        RequestHeaderReader.check(name, header)
        return WriteRules.Idempotency(header: name, life: span)
    }

    private func readReference(_ node: ConfigurationNode, _ rules: WriteRules) -> JSONPointer? {
        guard let pointer = node.pointer() else { return nil }
        if let complaint = Self.complaint(about: pointer) {
            node.complain(complaint)
            return nil
        }
        for (index, field) in definition.fields.enumerated() {
            let isWritten = index == definition.idField || rules.rule(of: index) != nil
            let pointers = field.from + [rules.rule(of: index)?.pointer].compactMap(\.self)
            if isWritten, pointers.contains(where: { $0.isRelated(to: pointer) }) {
                node.complain("'\(field.name)' is there; expected a place of its own")
            }
        }
        return pointer
    }

    private func readMatch(_ node: ConfigurationNode) -> WriteRequest? {
        guard let address = readAddress(node, needsID: true) else { return nil }
        return request(.get, address)
    }

    /// A request to an address, with the headers and the credential that go there.
    func request(_ method: HTTPMethod, _ address: WriteAddress) -> WriteRequest {
        let source = definition.source.request
        let isOfSource = source.url.flatMap(SourceAddress.origin) == SourceAddress.origin(address.template)
        return WriteRequest(
            method: method, address: address, headers: headers ?? (isOfSource ? source.headers : []),
            auth: auth ?? (isOfSource ? source.auth : nil), tls: tls ?? (isOfSource ? source.tls : nil))
    }

    /// An address of http or https, with `{id}` behind the host only.
    func readAddress(_ node: ConfigurationNode, needsID: Bool) -> WriteAddress? {
        guard let text = node.string("an address, with {id} where the record's id goes") else { return nil }
        let address = WriteAddress(text)
        let rest = text.replacing(WriteAddress.placeholder, with: "")
        let host = text.replacing("://", with: "", maxReplacements: 1).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if rest.contains(where: { $0 == "{" || $0 == "}" }) {
            node.complain("{id} is the only placeholder; expected %7B and %7D for other braces")
        } else if host.contains("{") {
            node.complain("{id} cannot be a part of the host")
        } else if text.contains("#") {
            node.complain("expected an address without '#'")
        } else if let expected = SourceAddress.complaint(rest) {
            node.complain("expected \(expected)")
        } else if text.lowercased().hasPrefix("file:") {
            node.complain("expected an address that begins with https:// or http://")
        } else if address.url(of: [UInt8(ascii: "1")]) == nil {
            node.complain("expected an address without the segments '.' and '..'")
        } else if needsID, !address.hasID {
            node.complain("expected {id} in the address, which says what record is meant")
        } else {
            if let auth = request(.get, address).auth { AccessReader.checkAddress(text, node, auth) }
            return address
        }
        return nil
    }

    /// The mistake in a pointer to which values are written; nil if there is none.
    static func complaint(about pointer: JSONPointer) -> String? {
        if pointer.tokens.isEmpty { return "expected a place inside the object, such as \"/name\"" }
        let isIndex = pointer.tokens.contains { token in
            token == [UInt8(ascii: "-")] || !token.isEmpty && token.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
        }
        return isIndex ? "a value cannot be written through an array; expected a place among members only" : nil
    }
}

/// The rules for what callers may give: fields and files.
extension WriteRulesReader {
    /// The rules by field, in the definition's order.
    func readFields(_ node: ConfigurationNode?) -> [FieldRule] {
        var rules: [FieldRule] = []
        for (name, value) in node?.entries(of: "an object of fields by name") ?? [] {
            value.recordWhetherRequired(field: name)
            guard let field = writableField(name, value), let rule = readRule(field, value) else { continue }
            rules.append(rule)
        }
        return rules.sorted { $0.field < $1.field }
    }

    /// The field of that name, if a value for it can be written.
    func writableField(_ name: String, _ node: ConfigurationNode) -> Int? {
        guard let index = definition.fieldIndex(name) else {
            node.complain(unknownField: name, among: definition.fields.map(\.name))
            return nil
        }
        let field = definition.fields[index]
        if index == definition.idField {
            node.complain("the id cannot be given")
        } else if definition.isJoined(index) {
            node.complain("'\(name)' comes from the join, and cannot be given")
        } else if field.isVolatile {
            node.complain("'\(name)' is volatile, and cannot be given")
        } else if let complaint = field.from.lazy.compactMap({ Self.complaint(about: $0) }).first {
            node.complain("'\(name)' is read at \(field.from[0].text): \(complaint)")
        } else {
            return index
        }
        return nil
    }

    private func readRule(_ index: Int, _ node: ConfigurationNode) -> FieldRule? {
        let field = definition.fields[index]
        guard
            let object = node.object("required", "codes", "max_length", "min", "max", "scale", "refs", "at")
        else { return nil }
        var rule = FieldRule(field: index, maxLength: FieldRule.maxLength(of: field.type))
        rule.isRequired = object["required"].flatMap { $0.bool() } ?? false
        rule.codes = readCodes(object["codes"], of: index)
        if let length = object["max_length"], isRule(length, of: [.text, .url, .json], field) {
            rule.maxLength = field.type == .json ? length.size() : length.integer(1...(1 << 20))
        }
        let ordered: [FieldType] = [.integer, .decimal, .instant, .date]
        if let bound = object["min"], isRule(bound, of: ordered, field) { rule.minimum = readBound(bound, field) }
        if let bound = object["max"], isRule(bound, of: ordered, field) { rule.maximum = readBound(bound, field) }
        if let scale = object["scale"], isRule(scale, of: [.decimal], field) { rule.maxScale = scale.integer(0...100) }
        if let refs = object["refs"], isRule(refs, of: [.text, .json], field) { rule.refs = readRefs(refs) }
        if let at = object["at"], let pointer = at.pointer() {
            if let complaint = Self.complaint(about: pointer) { at.complain(complaint) }
            rule.pointer = pointer
        }
        return rule
    }

    private func isRule(_ node: ConfigurationNode, of types: [FieldType], _ field: Field) -> Bool {
        if types.contains(field.type) { return true }
        let names = types.map(\.rawValue).joined(separator: ", ")
        node.complain("'\(field.name)' is of the type \(field.type.rawValue); expected a field of the type \(names)")
        return false
    }

    /// The indexes of the codes; without a rule all but the fallback.
    private func readCodes(_ node: ConfigurationNode?, of index: Int) -> [Int] {
        guard let vocabulary = definition.vocabulary(of: index) else {
            if let node { _ = isRule(node, of: [.enum], definition.fields[index]) }
            return []
        }
        guard let node else { return vocabulary.codes.indices.filter { $0 != vocabulary.fallback } }
        let elements = node.elements(of: "an array of codes") ?? []
        if elements.isEmpty { node.complain("expected at least one code") }
        let codes = elements.compactMap { element -> Int? in
            guard let code = element.string("a code of the vocabulary '\(vocabulary.name)'") else { return nil }
            if let found = vocabulary.codes.firstIndex(where: { $0.code == code }) { return found }
            element.complain(unknown: code, "code", among: vocabulary.codes.map(\.code))
            return nil
        }
        return Array(Set(codes)).sorted()
    }

    private func readBound(_ node: ConfigurationNode, _ field: Field) -> String? {
        let isNumber = field.type == .integer || field.type == .decimal
        let expected = isNumber ? "a number, such as \"0.01\"" : DateValue.forms.english
        let text: String? =
            switch node.node.value {
            case .string(let text): text
            case .number(let digits) where isNumber: digits
            default: nil
            }
        guard let text else {
            node.complain(expected: expected)
            return nil
        }
        let isGood = isNumber ? KeyEncoding.number(text) != nil : DateValue(text, in: CivilCalendar(now: 0)) != nil
        if !isGood { node.complain(expected: expected) }
        return isGood ? text : nil
    }

    private func readRefs(_ node: ConfigurationNode) -> String? {
        guard let name = node.string("the name of a collection") else { return nil }
        if let others, name != definition.name, !others.contains(name) {
            node.complain(unknown: name, "collection", among: others + [definition.name])
        }
        return name
    }

    // MARK: - Files

    func readAttachments(_ node: ConfigurationNode, _ rules: WriteRules) -> AttachmentRules? {
        guard let object = node.object("field", "types", "min", "max", "size", "send") else { return nil }
        guard let fieldNode = object["field"] else {
            object.complain(missing: "field", "the name of a json field that lists the files")
            return nil
        }
        guard let name = fieldNode.string("the name of a json field"), let field = writableField(name, fieldNode) else {
            return nil
        }
        if definition.fields[field].type != .json {
            fieldNode.complain("'\(name)' is of the type \(definition.fields[field].type.rawValue); expected json")
        }
        if rules.rule(of: field) != nil {
            fieldNode.complain("'\(name)' lists the files, and cannot be given beside them in 'fields'")
        }
        var files = AttachmentRules(field: field)
        if let types = object["types"] { files.types = readTypes(types) }
        files.maxCount = object["max"].flatMap { $0.integer(1...1000) } ?? files.maxCount
        files.minCount = object["min"].flatMap { $0.integer(0...1000) } ?? 0
        if files.minCount > files.maxCount { object["min"]?.complain("more than 'max', \(files.maxCount)") }
        files.maxSize = object["size"].flatMap { $0.size() } ?? files.maxSize
        files.sending = object["send"].flatMap { readSending($0) }
        return files
    }

    private func readTypes(_ node: ConfigurationNode) -> [String] {
        let known = AttachmentRules.knownTypes
        let elements = node.elements(of: "an array of media types") ?? []
        if elements.isEmpty { node.complain("expected at least one media type") }
        return elements.compactMap { element in
            guard let type = element.string("a media type, such as \"image/png\"") else { return nil }
            if !known.contains(type) { element.complain(unknown: type, "type of files", among: known) }
            return type
        }
    }

    private func readSending(_ node: ConfigurationNode) -> AttachmentRules.Sending? {
        if case .string(let text) = node.node.value {
            if text == "multipart" { return .multipart }
            node.complain(expected: "'multipart', or a request { method, url }")
            return nil
        }
        guard let object = node.object("method", "url", "accept") else { return nil }
        guard let url = object["url"] else {
            object.complain(missing: "url", "an address with {id}")
            return nil
        }
        guard let address = readAddress(url, needsID: true) else { return nil }
        let method = object["method"].flatMap { readMethod($0, among: [.post, .put]) } ?? .post
        var made = request(method, address)
        if let accept = object["accept"] { made.accept = readAccept(accept) }
        return .requests(made)
    }
}
