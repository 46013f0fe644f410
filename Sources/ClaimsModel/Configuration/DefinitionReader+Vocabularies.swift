// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

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
