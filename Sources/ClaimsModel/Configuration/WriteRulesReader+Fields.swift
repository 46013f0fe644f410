// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// The rules for what callers may give: fields and files.
extension WriteRulesReader {
    /// The rules by field, in the definition's order.
    func readFields(_ node: ConfigurationNode?) -> [FieldRule] {
        var rules: [FieldRule] = []
        for (name, value) in node?.entries(of: "an object of fields by name") ?? [] {
            value.noteWhetherRequired(field: name)
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
        let method = object["method"].flatMap { readMethod($0, among: ["POST", "PUT"]) } ?? "POST"
        var made = request(method, address)
        if let accept = object["accept"] { made.accept = readAccept(accept) }
        return .requests(made)
    }
}
