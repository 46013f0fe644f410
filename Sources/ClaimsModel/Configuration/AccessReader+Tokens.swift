// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

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
