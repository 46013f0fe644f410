// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// A value of the configuration with its key path. Reading it as what it should be gives nil where it is not, and
/// notes that with what was expected.
struct ConfigurationNode {
    let node: JSON5Node
    let keyPath: String
    let log: ProblemLog

    var place: ConfigurationPlace {
        ConfigurationPlace(file: node.file, line: node.line, column: node.column, keyPath: keyPath)
    }

    func complain(_ message: String) { log.add(message, at: place) }

    /// - Parameter expected: what would have been right, with its article.
    func complain(expected: String) { complain("expected \(expected), found \(found)") }

    /// The value itself where it is short and simple, else its kind.
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
    func object(_ keys: String...) -> ConfigurationObject? {
        guard case .object(let members) = node.value else {
            complain(expected: "an object")
            return nil
        }
        for member in members where !keys.contains(member.key) {
            let hint = Suggestion.hint(member.key, among: keys) ?? "expected one of \(keys.joined(separator: ", "))"
            log.add(
                "unknown key '\(member.key)'; \(hint)",
                at: ConfigurationPlace(
                    file: member.node.file, line: member.keyLine, column: member.keyColumn,
                    keyPath: Self.keyPath(keyPath, member.key)))
        }
        return ConfigurationObject(node: self, members: members)
    }

    /// The members of an object whose keys are names that the file chooses; those that are null are as good as none.
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
