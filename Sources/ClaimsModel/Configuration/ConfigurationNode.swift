// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// A value of the configuration with its key path. Each reader returns nil if the value is not what it should be, and
/// reports what was expected.
struct ConfigurationNode {
    let node: JSON5Node
    let keyPath: String
    let log: ProblemLog

    var location: ConfigurationLocation {
        ConfigurationLocation(file: node.file, line: node.line, column: node.column, keyPath: keyPath)
    }

    func complain(_ message: String) { log.add(message, at: location) }

    /// - Parameter expected: what would have been right, with its article.
    func complain(expected: String) { complain("expected \(expected), found \(found)") }

    /// The value itself if it is short and simple, otherwise its kind.
    private var found: String {
        switch node.value {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let digits): digits.utf8.count <= 40 ? digits : "a number"
        case .string(let text): text.utf8.count <= 40 ? "'\(text)'" : "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    func child(_ key: String, _ node: JSON5Node) -> ConfigurationNode {
        ConfigurationNode(node: node, keyPath: Self.keyPath(keyPath, key), log: log)
    }

    /// `a.b`, with quotes around a key that is not a plain word.
    static func keyPath(_ path: String, _ key: String) -> String {
        let isPlain =
            !key.isEmpty
            && key.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "$"):
                    true
                default: false
                }
            }
        let name = isPlain ? key : "\"\(key)\""
        return path.isEmpty ? name : "\(path).\(name)"
    }

    /// An object of known members. Others are noted.
    func object(_ keys: String...) -> ConfigurationObject? { object(keys) }

    func object(_ keys: [String]) -> ConfigurationObject? {
        guard case .object(let members) = node.value else {
            complain(expected: "an object")
            return nil
        }
        for member in members where !keys.contains(member.key) {
            let hint = Suggestion.hint(member.key, among: keys) ?? "expected one of \(keys.joined(separator: ", "))"
            log.add(
                "unknown key '\(member.key)'; \(hint)",
                at: ConfigurationLocation(
                    file: member.node.file, line: member.keyLine, column: member.keyColumn,
                    keyPath: Self.keyPath(keyPath, member.key)))
        }
        return ConfigurationObject(node: self, members: members)
    }

    /// The members of an object whose keys are names that the file chooses; members that are null count as absent.
    func entries(of expected: String) -> [(key: String, value: ConfigurationNode)] {
        guard case .object(let members) = node.value else {
            complain(expected: expected)
            return []
        }
        return members.compactMap { member in
            if case .null = member.node.value { nil } else { (member.key, child(member.key, member.node)) }
        }
    }

    /// The elements of an array.
    func elements(of expected: String) -> [ConfigurationNode]? {
        guard case .array(let nodes) = node.value else {
            complain(expected: expected)
            return nil
        }
        return nodes.enumerated().map { index, node in
            ConfigurationNode(node: node, keyPath: "\(keyPath)[\(index)]", log: log)
        }
    }
}

/// An object of the configuration whose members are known.
struct ConfigurationObject {
    /// The object itself.
    let node: ConfigurationNode
    let members: [JSON5Member]

    /// The member called `key`; nil if it is not there or null, which both mean the default.
    subscript(key: String) -> ConfigurationNode? {
        guard let member = members.first(where: { $0.key == key }) else { return nil }
        if case .null = member.node.value { return nil }
        return node.child(key, member.node)
    }

    /// Whether the member called `key` is null.
    func isNull(_ key: String) -> Bool {
        guard case .null? = members.first(where: { $0.key == key })?.node.value else { return false }
        return true
    }

    /// Reports that a member is missing.
    func complain(missing key: String, _ expected: String) {
        let location = node.location
        node.log.add(
            "missing; expected \(expected)",
            at: ConfigurationLocation(
                file: location.file, line: location.line, column: location.column,
                keyPath: ConfigurationNode.keyPath(location.keyPath, key)))
    }
}

extension ConfigurationNode {
    func string(_ expected: String = "a string") -> String? {
        guard case .string(let text) = node.value else {
            complain(expected: expected)
            return nil
        }
        return text
    }

    /// A string that is not blank.
    func name(_ expected: String) -> String? {
        guard let text = string(expected) else { return nil }
        guard !text.allSatisfy(\.isWhitespace) else {
            complain(expected: expected)
            return nil
        }
        return text
    }

    func bool() -> Bool? {
        guard case .bool(let value) = node.value else {
            complain(expected: "true or false")
            return nil
        }
        return value
    }

    func integer(_ range: ClosedRange<Int>) -> Int? {
        guard case .number(let digits) = node.value, let number = Int(digits), range.contains(number) else {
            complain(expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
            return nil
        }
        return number
    }

    /// A share, from 0 to 1.
    func share() -> Double? {
        guard case .number(let digits) = node.value, let number = Double(digits), number >= 0, number <= 1 else {
            complain(expected: "a share from 0 to 1")
            return nil
        }
        return number
    }

    /// A span of time: text as systemd.time(7) has it, or a number of seconds.
    func span(atLeast least: Duration = .zero, upTo maximum: Duration? = nil) -> Duration? {
        let text: String? =
            switch node.value {
            case .string(let text), .number(let text): text
            default: nil
            }
        guard let span = text.flatMap(TimeSpan.parse), span >= least, maximum.map({ span <= $0 }) ?? true else {
            let bound =
                maximum.map { " from \(TimeSpan.text(of: least)) to \(TimeSpan.text(of: $0))" }
                ?? (least > .zero ? " of at least \(least)" : "")
            complain(expected: "a span of time\(bound), such as \"5min\" or \"1h 30min\"")
            return nil
        }
        return span
    }

    /// A size in bytes: text with K, M or G, or a number.
    func size(_ range: ClosedRange<Int> = 1...ByteSize.maxSize) -> Int? {
        let text: String? =
            switch node.value {
            case .string(let text), .number(let text): text
            default: nil
            }
        guard let size = text.flatMap(ByteSize.parse), range.contains(size) else {
            complain(
                expected: "a size from \(range.lowerBound) to \(range.upperBound) bytes, such as \"64M\" or 4096")
            return nil
        }
        return size
    }

    func pointer() -> JSONPointer? {
        let expected = "a JSON Pointer, such as \"/a/b\" or \"\""
        guard let text = string(expected) else { return nil }
        guard let pointer = try? JSONPointer(text) else {
            complain(expected: expected)
            return nil
        }
        return pointer
    }

    /// A text, or an object of texts by language.
    func localizedText() -> LocalizedText? {
        if case .string(let text) = node.value { return LocalizedText(text) }
        guard case .object(let members) = node.value, !members.isEmpty else {
            complain(expected: "a text, or an object of texts by language such as { en: \"…\", pl: \"…\" }")
            return nil
        }
        var translations: [LocalizedText.Translation] = []
        for member in members {
            let value = child(member.key, member.node)
            let isTag = member.key.utf8.count >= 2 && LocalizedText.primaryLanguage(of: member.key) == member.key
            if !isTag { value.complain("'\(member.key)' is not a language; expected a tag such as en or pl") }
            if let text = value.string(), isTag { translations.append(.init(language: member.key, text: text)) }
        }
        return translations.isEmpty ? nil : LocalizedText(translations)
    }

    /// A text for people, in one language or several, that is blank in none.
    func title() -> LocalizedText? {
        guard let title = localizedText() else { return nil }
        if title.translations.contains(where: { $0.text.allSatisfy(\.isWhitespace) }) {
            complain(expected: "a title")
            return nil
        }
        return title
    }

    /// Reports a reference to a field that does not exist. If it is a field that was left out, the reference is left
    /// out, too.
    func complain(unknownField name: String, among names: some Sequence<String>) {
        if log.leftOut.contains(where: { $0.name == name }) { return log.record(reference: keyPath) }
        complain(unknown: name, "field", among: names)
    }

    /// Leaves the field that is defined here out of a definition in force; false if its name is a mistake.
    func isLeftOut(field name: String) -> Bool {
        guard log.leavesOutFields else { return false }
        log.leaveOut(field: name, at: location)
        recordWhetherRequired(field: name)
        return true
    }

    /// Records whether the rules for a left out field require it in each record.
    func recordWhetherRequired(field name: String) {
        guard case .object(let members) = node.value,
            case .bool(true)? = members.first(where: { $0.key == "required" })?.node.value
        else { return }
        log.require(leftOut: name)
    }

    /// Reports a reference to nothing.
    ///
    /// - Parameter kind: the kind of thing that should have the name: `code`.
    func complain(unknown name: String, _ kind: String, among names: some Sequence<String>) {
        let names = Array(names)
        let hint =
            Suggestion.hint(name, among: names)
            ?? (names.isEmpty ? "there are none" : "there are \(names.joined(separator: ", "))")
        complain("no \(kind) is called '\(name)'; \(hint)")
    }
}

extension JSON5Node {
    /// The node with `patch` merged over it (RFC 7396): objects are merged member by member, null removes a member,
    /// anything else replaces the earlier value. Every value keeps its location in its file, and members keep their
    /// order; new ones come after the old.
    func merging(_ patch: JSON5Node) -> JSON5Node {
        guard case .object(let changes) = patch.value else { return patch }
        var merged = self
        var members: [JSON5Member] = []
        if case .object(let own) = value {
            members = own
        } else {
            merged = patch
        }
        for change in changes {
            let index = members.firstIndex { $0.key == change.key }
            if let index, case .null = change.node.value {
                members.remove(at: index)
            } else if let index {
                members[index] = members[index].merging(change)
            } else {
                // A null that removes nothing stays, so that a reader of the object sees its key.
                let nothing = JSON5Node(
                    value: .null, file: change.node.file, line: change.node.line, column: change.node.column)
                var member = change
                member.node = nothing.merging(change.node)
                members.append(member)
            }
        }
        merged.value = .object(members)
        return merged
    }
}

extension JSON5Member {
    /// The member with another one of its key merged over it. Where that replaces the value, the key's place is its
    /// too.
    fileprivate func merging(_ change: JSON5Member) -> JSON5Member {
        let merged = node.merging(change.node)
        if case .object = change.node.value {
            return JSON5Member(key: key, keyLine: keyLine, keyColumn: keyColumn, node: merged)
        }
        return change
    }
}

extension ConfigurationNode {
    /// An address from which records can be fetched.
    func address() -> String? {
        guard let text = string("an address, or null") else { return nil }
        if let expected = SourceAddress.complaint(text) {
            // A user or a query may hold a secret.
            let isPublic = !text.contains { $0 == "@" || $0 == "?" }
            if isPublic { complain(expected: expected) } else { complain("expected \(expected)") }
        }
        return text
    }
}
