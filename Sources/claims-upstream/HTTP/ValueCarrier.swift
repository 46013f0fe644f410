// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON

/// The part of a request that carries a value: a parameter of the query, or a member of a JSON body.
enum ValueCarrier: Sendable {
    case parameter(String)
    case member(MemberPath)

    /// Reads `name`, or `/a/pointer` into the body.
    init(_ text: String) throws(UpstreamError) {
        self = text.hasPrefix("/") ? .member(try MemberPath(text)) : .parameter(text)
    }

    /// The text, or the digits of the number, in `request`; nil for none, and for null.
    func text(in request: UpstreamRequest) -> String? {
        switch self {
        case .parameter(let name): return request.parameters[name]
        case .member(let path):
            guard let body = try? JSONValue.parse(request.body), let value = path.find(in: body) else { return nil }
            return value.string ?? value.number
        }
    }
}

extension UpstreamRequest {
    /// The fields of a form in the body (`application/x-www-form-urlencoded`); nil if the body is no form.
    var form: [String: String]? {
        guard mediaType == "application/x-www-form-urlencoded" else { return nil }
        var fields: [String: String] = [:]
        for pair in String(decoding: body, as: UTF8.self).split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1).map { part in Self.formText(part) }
            if let name = parts.first { fields[name] = parts.count == 2 ? parts[1] : "" }
        }
        return fields
    }

    /// The user and the password of basic authentication; nil if it has none.
    var basicCredentials: (user: String, password: String)? {
        guard let text = self["authorization"], text.lowercased().hasPrefix("basic "),
            let bytes = Base64.decode(text.dropFirst(6).utf8), let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        return (
            String(decoding: bytes[..<colon], as: UTF8.self), String(decoding: bytes[(colon + 1)...], as: UTF8.self)
        )
    }

    /// The token of `Authorization: Bearer`; nil if it has none.
    var bearerToken: String? {
        guard let text = self["authorization"], text.lowercased().hasPrefix("bearer ") else { return nil }
        return String(text.dropFirst(7))
    }

    /// The text of a form with `%XX` and `+` decoded.
    static func formText(_ text: some StringProtocol) -> String {
        unescaped(String(text).replacing("+", with: " "))
    }
}
