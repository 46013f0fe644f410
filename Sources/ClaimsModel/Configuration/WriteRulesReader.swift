// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// Reads the rules of writes, `writes` in a definition, and notes everything that is wrong with them.
struct WriteRulesReader {
    /// The parts of the definition that the rules refer to.
    let definition: Definition
    /// The names of the other collections; nil if they are not known.
    let others: [String]?
    /// The headers of the block; nil if those of the source count.
    private(set) var headers: [Header]?
    /// How the requests of the block tell who asks; nil if the source's way counts.
    private(set) var auth: Authentication?
    /// The authorities and the certificate of the block; nil if those of the source count.
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
            create.log.note(reference: create.keyPath)
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
        return request("GET", address)
    }

    /// A request to an address, with the headers and the credential that go there.
    func request(_ method: String, _ address: WriteAddress) -> WriteRequest {
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
            if let auth = request("", address).auth { AccessReader.checkAddress(text, node, auth) }
            return address
        }
        return nil
    }

    /// The mistake in a place that values are written to; nil if there is none.
    static func complaint(about pointer: JSONPointer) -> String? {
        if pointer.tokens.isEmpty { return "expected a place inside the object, such as \"/name\"" }
        let isIndex = pointer.tokens.contains { token in
            token == [UInt8(ascii: "-")] || !token.isEmpty && token.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
        }
        return isIndex ? "a value cannot be written through an array; expected a place among members only" : nil
    }
}
