// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

/// Reads `next`: the way from one page of an upstream to the next.
struct PagingReader {
    /// The request as far as it is read: method and body.
    let request: ReadRequest

    private static let ways = ["pointer", "link", "cursor", "page", "parameter", "offset"]
    private static let members = ways + ["to", "size", "from", "more", "stable"]
    private static let expected = """
        one of { pointer: "/next" }, { link: true }, { cursor: "/cursor", to: "after" }, \
        { page: "page", size: 200 } or { offset: "offset", size: 200 }
        """

    /// The way, and whether the upstream is said to page over a set that does not change meanwhile.
    func read(_ node: ConfigurationNode) -> (paging: Paging?, isStable: Bool) {
        guard let object = node.object(Self.members) else { return (nil, false) }
        return (readWay(node, object), object["stable"]?.bool() ?? false)
    }

    private func readWay(_ node: ConfigurationNode, _ object: ConfigurationObject) -> Paging? {
        let ways = Self.ways.filter { object[$0] != nil }
        guard ways.count == 1, let way = ways.first, let value = object[way] else {
            node.complain("expected \(Self.expected)")
            return nil
        }
        checkCompanions(of: way, object)
        switch way {
        case "pointer": return value.pointer().map { .pointer($0) }
        case "link":
            if value.bool() == false { value.complain("expected \(Self.expected)") }
            return .link
        case "cursor": return readCursor(value, object)
        default: return readCount(way, value, object)
        }
    }

    /// Reports members that the way of paging does not have.
    private func checkCompanions(of way: String, _ object: ConfigurationObject) {
        let isCount = way == "page" || way == "parameter" || way == "offset"
        if request.method == .post, way == "pointer" || way == "link" {
            object[way]?.complain("an address is followed by GET; expected 'cursor', 'page' or 'offset' for a POST")
        }
        if way != "cursor" { object["to"]?.complain("only 'cursor' has a 'to'") }
        if !isCount { object["size"]?.complain("only 'page' and 'offset' have a size") }
        if way == "offset" || !isCount { object["from"]?.complain("only 'page' has a 'from'") }
        if !isCount { object["stable"]?.complain("only 'page' and 'offset' have a 'stable'") }
        if way == "pointer" || way == "link" {
            object["more"]?.complain("only 'cursor', 'page' and 'offset' have a 'more'")
        }
    }

    private func readCursor(_ node: ConfigurationNode, _ object: ConfigurationObject) -> Paging? {
        guard let to = object["to"] else {
            object.complain(missing: "to", "a query parameter, or { body: \"/after\" }")
            return nil
        }
        let pointer = node.pointer()
        let target = to.parameterTarget(of: request)
        let more = object["more"].flatMap { $0.pointer() }
        guard let pointer, let target else { return nil }
        return .cursor(pointer, to: target, more: more)
    }

    private func readCount(_ way: String, _ node: ConfigurationNode, _ object: ConfigurationObject) -> Paging? {
        guard let sizeNode = object["size"] else {
            object.complain(missing: "size", "the number of records of a full page")
            return nil
        }
        let size = sizeNode.integer(1...1_000_000)
        let from = object["from"].map { $0.integer(0...1_000_000) } ?? 1
        let more = object["more"].flatMap { $0.pointer() }
        guard let target = node.parameterTarget(of: request), let size, let from else { return nil }
        return way == "offset"
            ? .offset(to: target, size: size, more: more) : .page(to: target, size: size, from: from, more: more)
    }
}

extension ConfigurationNode {
    /// The parameter of a request that carries a value: a text is one of the query, `{ body: POINTER }` a member of the
    /// body.
    ///
    /// - Parameter request: the request as far as it is read: method and body.
    func parameterTarget(of request: ReadRequest) -> ParameterTarget? {
        guard case .object = node.value else {
            return name("the name of a query parameter, or { body: \"/after\" }").map { .query($0) }
        }
        guard let object = object("body") else { return nil }
        guard let node = object["body"] else {
            object.complain(missing: "body", "a JSON Pointer into the request's body")
            return nil
        }
        guard let pointer = node.pointer() else { return nil }
        guard let body = request.body, request.method == .post else {
            node.complain("the request has no body; expected method: \"POST\" and a 'body'")
            return nil
        }
        if let complaint = body.complaint(aboutSetting: pointer) {
            node.complain(complaint)
            return nil
        }
        return .body(pointer)
    }
}

extension JSONValue {
    /// The reason why no value can be put at the pointer; nil if one can.
    fileprivate func complaint(aboutSetting pointer: JSONPointer) -> String? {
        if pointer.tokens.isEmpty { return "expected a place inside the body, such as \"/variables/after\"" }
        if setting(pointer, to: .null) != nil { return nil }
        let parent = JSONPointer(tokens: Array(pointer.tokens.dropLast()))
        return "the body has no object at '\(parent.text)'; expected one there, such as {}"
    }
}

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

    /// Reports a name that a header of a definition cannot have.
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
