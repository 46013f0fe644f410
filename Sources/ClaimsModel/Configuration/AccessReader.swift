// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON

/// Reads how requests authenticate to an upstream: `auth`, its short form `credential`, and `tls`.
///
/// Sources, joins, sites, token requests and writes share it.
enum AccessReader {
    /// The keys of a request that are read here.
    static let keys = ["auth", "credential", "tls"]

    /// Reads `auth`, or `credential`, which is short for `auth: { bearer }`.
    static func authentication(_ object: ConfigurationObject) -> Authentication? {
        let short = object["credential"]
        guard let node = object["auth"] else {
            return short.flatMap { credential($0) }.map { .bearer($0) }
        }
        if let short { short.complain("short for 'auth: { bearer }'; expected one of the two") }
        return authentication(node)
    }

    /// The name of a credential.
    static func credential(_ node: ConfigurationNode) -> String? {
        guard let name = node.name("the name of a credential") else { return nil }
        if name.contains("/") {
            node.complain(expected: "the name of a credential, not a path")
        } else if !CredentialName.isName(name) {
            node.complain(
                expected: "the name of a credential, at most 64 of A-Z, a-z, 0-9, '.', '_' and '-' with no '.' first")
        }
        return name
    }

    private static func authentication(_ node: ConfigurationNode) -> Authentication? {
        let kinds = ["bearer", "basic", "key", "oauth2"]
        guard let object = node.object(kinds) else { return nil }
        let given = kinds.compactMap { kind in object[kind].map { (kind, $0) } }
        guard given.count == 1, let (kind, value) = given.first else {
            node.complain("expected exactly one of \(kinds.joined(separator: ", "))")
            return nil
        }
        switch kind {
        case "bearer": return credential(value).map { .bearer($0) }
        case "basic": return basic(value)
        case "key": return key(value)
        default: return oauth2(value).map { .oauth2($0) }
        }
    }

    private static func basic(_ node: ConfigurationNode) -> Authentication? {
        guard let object = node.object("user", "password") else { return nil }
        guard let user = object["user"] else {
            object.complain(missing: "user", "the name of a user")
            return nil
        }
        guard let password = object["password"] else {
            object.complain(missing: "password", "the name of a credential")
            return nil
        }
        guard let name = user.string("the name of a user"), let secret = credential(password) else { return nil }
        // The password begins behind the first colon (RFC 7617, section 2).
        if name.contains(":") || hasControls(name) {
            user.complain("expected the name of a user without ':' and control characters")
        }
        return .basic(user: name, password: secret)
    }

    private static func key(_ node: ConfigurationNode) -> Authentication? {
        guard let object = node.object("secret", "header", "prefix", "parameter") else { return nil }
        guard let secret = object["secret"] else {
            object.complain(missing: "secret", "the name of a credential")
            return nil
        }
        let name = credential(secret)
        let carrier: Authentication.KeyCarrier?
        switch (object["header"], object["parameter"]) {
        case (let header?, nil):
            carrier = header.name("the name of a header").map { name in
                RequestHeaderReader.check(name, header)
                return .header(name: name, prefix: prefix(object["prefix"]))
            }
        case (nil, let parameter?):
            carrier = parameter.name("the name of a query parameter").map { .parameter($0) }
            object["prefix"]?.complain("only a header has a prefix")
        default:
            node.complain("expected one of 'header' and 'parameter'")
            carrier = nil
        }
        guard let name, let carrier else { return nil }
        return .key(name, carrier)
    }

    private static func prefix(_ node: ConfigurationNode?) -> String {
        guard let node, let text = node.string() else { return "" }
        if hasControls(text) { node.complain("a header cannot hold control characters") }
        return text
    }

    // MARK: - Connections

    static func tls(_ node: ConfigurationNode) -> TLSOptions? {
        guard let object = node.object("ca", "certificate", "key") else { return nil }
        var options = TLSOptions()
        options.ca = object["ca"].flatMap { authorities($0) }
        options.certificate = object["certificate"].flatMap { credential($0) }
        options.key = object["key"].flatMap { credential($0) }
        if object["key"] != nil, object["certificate"] == nil {
            object.complain(missing: "certificate", "the name of a credential, for the 'key' belongs to one")
        }
        return options == TLSOptions() ? nil : options
    }

    private static func authorities(_ node: ConfigurationNode) -> TLSOptions.Authorities? {
        let expected = "the name of a credential, or the absolute path of a PEM file"
        guard let text = node.name(expected) else { return nil }
        if text.hasPrefix("/") {
            if text.utf8.contains(0) {
                node.complain(expected: expected)
            } else {
                node.log.record(certificateFile: text, at: node.location)
            }
            return .file(text)
        }
        if text.contains("/") {
            node.complain(expected: expected)
            return nil
        }
        return credential(node).map { .credential($0) }
    }

    static func hasControls(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    }
}

/// The names that credentials can have.
public enum CredentialName {
    /// The longest name, in bytes.
    public static let maxLength = 64

    /// Whether a text is a name: letters, digits, `.`, `_` and `-`, with no `.` at its beginning.
    public static func isName(_ text: String) -> Bool {
        (1...maxLength).contains(text.utf8.count) && text.utf8.first != UInt8(ascii: ".")
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}

extension AccessReader {
    /// The fields of the form that the grant itself has.
    private static let grantFields: Set = ["grant_type", "client_id", "client_secret", "refresh_token"]

    /// Reads the request for a token.
    static func oauth2(_ node: ConfigurationNode) -> TokenRequest? {
        guard
            let object = node.object("url", "client", "secret", "refresh", "send", "parameters", "tls")
        else { return nil }
        if object["url"] == nil { object.complain(missing: "url", "the address of the token server") }
        if object["client"] == nil { object.complain(missing: "client", "the name of the client") }
        let url = object["url"].flatMap { tokenAddress($0) }
        let client = object["client"].flatMap { $0.name("the name of the client") }
        if let client, let node = object["client"], hasControls(client) {
            node.complain("expected the name of the client without control characters")
        }
        let secret = object["secret"].flatMap { credential($0) }
        let refresh = object["refresh"].flatMap { credential($0) }
        let send = object["send"].flatMap { placement($0) }
        let parameters = object["parameters"].map { Self.parameters($0) } ?? []
        let tls = object["tls"].flatMap { Self.tls($0) }
        if object["secret"] == nil, let node = object["send"] { node.complain("there is no 'secret' to send") }
        guard let url, let client else { return nil }
        var request = TokenRequest(url: url, client: client, secret: secret, refresh: refresh)
        request.send = send ?? request.send
        request.parameters = parameters
        request.tls = tls
        return request
    }

    private static func tokenAddress(_ node: ConfigurationNode) -> String? {
        guard let text = node.address() else { return nil }
        if text.hasPrefix("file:") {
            node.complain("expected an address that begins with https:// or http://")
            return nil
        }
        return text
    }

    private static func placement(_ node: ConfigurationNode) -> TokenRequest.Placement? {
        guard let name = node.string("'basic' or 'body'") else { return nil }
        guard let placement = TokenRequest.Placement(rawValue: name) else {
            node.complain(expected: "'basic' or 'body'")
            return nil
        }
        return placement
    }

    /// The further fields of the form: texts, numbers, booleans, and arrays of these for a field that comes repeatedly.
    private static func parameters(_ node: ConfigurationNode) -> [QueryParameter] {
        var parameters: [QueryParameter] = []
        for (name, value) in node.entries(of: "an object of texts") {
            if grantFields.contains(name) { value.complain("the grant itself has '\(name)'") }
            if case .array = value.node.value {
                let values = (value.elements(of: "an array of texts") ?? []).compactMap { Self.field($0) }
                parameters.append(QueryParameter(name, values))
            } else if let text = Self.field(value) {
                parameters.append(QueryParameter(name, [text]))
            }
        }
        return parameters
    }

    private static func field(_ node: ConfigurationNode) -> String? {
        switch node.node.value {
        case .string(let text), .number(let text): return text
        case .bool(let value): return "\(value)"
        default:
            node.complain(expected: "a text, a number or a boolean")
            return nil
        }
    }
}

extension AccessReader {
    /// Reports every header and parameter of a request that its `auth` sends too: one of the two would be lost.
    ///
    /// - Parameter object: the members of the request.
    static func checkConflicts(of request: ReadRequest, _ object: ConfigurationObject) {
        guard let auth = request.auth else { return }
        if let node = object["headers"] { checkHeaders(node, auth) }
        guard let name = auth.parameter else { return }
        if let node = object["url"], let url = request.url { checkAddress(url, node, auth) }
        if let node = object["query"] {
            for (key, value) in node.entries(of: "an object of parameters") where key == name { complain(value, name) }
        }
        if request.next?.target == .query(name), let node = object["next"] { complain(node, name) }
    }

    /// Reports a header that `auth` sends too.
    static func checkHeaders(_ node: ConfigurationNode, _ auth: Authentication) {
        guard case .object = node.node.value, let header = auth.header?.lowercased() else { return }
        for (name, value) in node.entries(of: "an object of headers") where name.lowercased() == header {
            value.complain("'auth' sends the header '\(name)' too; expected one of the two")
        }
    }

    /// Reports a parameter of an address that `auth` sends too.
    static func checkAddress(_ url: String, _ node: ConfigurationNode, _ auth: Authentication) {
        guard let name = auth.parameter, parameters(of: url).contains(name) else { return }
        complain(node, name)
    }

    /// Reports a parameter that carries a value of each refresh, if `auth` sends it too.
    ///
    /// - Returns: whether there is no such conflict.
    static func checkTarget(_ target: ParameterTarget, _ node: ConfigurationNode, _ auth: Authentication?) -> Bool {
        guard let name = auth?.parameter, target == .query(name) else { return true }
        complain(node, name)
        return false
    }

    private static func complain(_ node: ConfigurationNode, _ name: String) {
        node.complain("'auth' sends the parameter '\(name)' too; expected one of the two")
    }

    /// The names of the parameters in an address.
    private static func parameters(of url: String) -> [String] {
        guard let mark = url.firstIndex(of: "?") else { return [] }
        let query = url[url.index(after: mark)...].prefix { $0 != "#" }
        return query.split(separator: "&").map { pair in
            String(decoding: PercentEncoding.decode(pair.prefix { $0 != "=" }), as: UTF8.self)
        }
    }
}

extension Paging {
    /// The parameter that selects the page; nil if the page has an address of its own.
    fileprivate var target: ParameterTarget? {
        switch self {
        case .pointer, .link: nil
        case .cursor(_, let target, _), .page(let target, _, _, _), .offset(let target, _, _): target
        }
    }
}
