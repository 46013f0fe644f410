// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// Reads the parts of requests that sources and writes share: their headers.
enum RequestHeaderReader {
    static func headers(_ node: ConfigurationNode) -> [Header] {
        var headers: [Header] = []
        for (name, value) in node.entries(of: "an object of headers") {
            check(name, value)
            guard let text = value.string() else { continue }
            if text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
                value.complain("a header cannot hold control characters")
            }
            headers.append(Header(name: name, value: text))
        }
        return headers
    }

    /// Notes a name that a header of a definition cannot have.
    static func check(_ name: String, _ node: ConfigurationNode) {
        if !isToken(name) { node.complain("'\(name)' cannot be the name of a header") }
        if framingHeaders.contains(name.lowercased()) {
            node.complain("'\(name)' is set by claimsd itself, for each connection")
        }
    }

    /// The headers that frame a request or its connection, in lower case. Other values would break the connection.
    private static let framingHeaders: Set = ["host", "content-length", "transfer-encoding", "connection"]

    /// A token of RFC 9110, section 5.6.2.
    private static func isToken(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}

extension ConfigurationNode {
    /// Users and groups, by name or number.
    func members() -> RoleSettings.Members? {
        guard let object = object("users", "groups") else { return nil }
        func names(_ key: String) -> [String] {
            (object[key]?.elements(of: "an array of names or numbers") ?? []).compactMap { element in
                if case .number(let digits) = element.node.value, UInt32(digits) != nil { return digits }
                return element.name("a name or a number")
            }
        }
        return RoleSettings.Members(users: names("users"), groups: names("groups"))
    }

    /// The value as JSON; nil if it has a number that JSON does not have.
    func jsonValue() -> JSONValue? {
        switch node.value {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .string(let text): return .string(text)
        case .number(let digits):
            if KeyEncoding.number(digits) != nil { return .number(digits) }
            complain(expected: "a number of JSON")
            return nil
        case .array(let elements):
            var values: [JSONValue] = []
            for (index, element) in elements.enumerated() {
                let child = ConfigurationNode(node: element, keyPath: "\(keyPath)[\(index)]", log: log)
                guard let value = child.jsonValue() else { return nil }
                values.append(value)
            }
            return .array(values)
        case .object(let members):
            var values: [JSONObject.Member] = []
            for member in members {
                guard let value = child(member.key, member.node).jsonValue() else { return nil }
                values.append(.init(member.key, value))
            }
            return .object(JSONObject(values))
        }
    }
}
