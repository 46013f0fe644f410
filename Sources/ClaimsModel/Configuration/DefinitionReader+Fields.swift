// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

extension DefinitionReader {
    /// A definition has no more fields than this.
    static let maxFields = 256

    /// - Parameter vocabularies: the names of those declared, with their indexes; nil for one that is broken.
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

    /// The vocabulary of an enum field. One that is declared but broken has been complained of where it stands.
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

    /// The fields that the join takes, which need no pointer of their own.
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

    /// Reads the vocabularies and returns the names of all of them, with the indexes of those that are sound.
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
