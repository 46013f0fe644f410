// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// A secret in the form in which a request carries it. Only the origin of the request's home gets it.
///
/// No error and no description of it has the secret.
public enum HTTPCredential: Sendable {
    /// The token of `Authorization: Bearer` (RFC 6750).
    case bearer(String)
    /// A user and a password for `Authorization: Basic` (RFC 7617).
    case basic(user: String, password: String)
    /// A header of this name, with the secret in its value.
    case header(name: String, value: String)
    /// A query parameter of this name, which follows those of the URL.
    case parameter(name: String, value: String)

    /// The header that carries the secret; nil where none does.
    ///
    /// - Throws: The kind `credential` where a header cannot hold it.
    func header() throws(HTTPError) -> (name: String, value: String)? {
        switch self {
        case .bearer(let token):
            guard !token.isEmpty, token.utf8.allSatisfy({ byte in (0x21...0x7e).contains(byte) }) else {
                throw Self.unusable
            }
            return ("Authorization", "Bearer \(token)")
        case .basic(let user, let password):
            return ("Authorization", "Basic \(Base64.encode(Array("\(user):\(password)".utf8)))")
        case .header(let name, let value):
            guard RequestHeaders.isName(name), !value.isEmpty, RequestHeaders.isValue(value) else {
                throw Self.unusable
            }
            return (name, value)
        case .parameter:
            return nil
        }
    }

    /// The query parameter that carries the secret, percent-encoded; nil where none does.
    func parameter() throws(HTTPError) -> SecretParameter? {
        guard case .parameter(let name, let value) = self else { return nil }
        guard !value.isEmpty else { throw Self.unusable }
        return SecretParameter(name: name, value: value)
    }

    private static var unusable: HTTPError {
        HTTPError(.credential, detail: "it is empty, or has characters that a header cannot hold")
    }
}

extension HTTPCredential: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String { "***" }
    public var debugDescription: String { "***" }
}

/// A secret in the query of a URL. It is added where the URL is sent, and taken out of URLs that are kept or told.
struct SecretParameter {
    let name: String
    let value: String

    /// A URL as it is sent to its home.
    func added(to url: String) -> String {
        let mark = url.utf8.contains(UInt8(ascii: "?")) ? (url.hasSuffix("?") || url.hasSuffix("&") ? "" : "&") : "?"
        return "\(url)\(mark)\(FormText.encoded(name))=\(FormText.encoded(value))"
    }

    /// A URL without the secret, which a server may have put into it.
    ///
    /// - Parameter isHome: whether the parameter is the caller's there; elsewhere one of the same name may be another.
    func removed(from url: String, isHome: Bool) -> String {
        guard let mark = url.firstIndex(of: "?") else { return url }
        let pairs = url[url.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        let kept = pairs.filter { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let first = parts.first, FormText.decoded(first) == Array(name.utf8) else { return true }
            return !isHome && (parts.count < 2 || FormText.decoded(parts[1]) != Array(value.utf8))
        }
        if kept.count == pairs.count { return url }
        return kept.isEmpty ? String(url[..<mark]) : "\(url[..<mark])?\(kept.joined(separator: "&"))"
    }
}

/// The encoding of names and values in forms and queries (application/x-www-form-urlencoded).
public enum FormText {
    /// The text with everything percent-encoded but letters, digits, `-`, `.`, `_` and `~`, so that it is right in a query
    /// and in a form alike.
    public static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The bytes of an encoded text: `+` is a space, and a `%` without two digits stays.
    static func decoded(_ text: Substring) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text.utf8
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2, let high = digits.first.flatMap(ASCII.hexValue),
                let low = digits.last.flatMap(ASCII.hexValue)
            {
                bytes.append(UInt8(high << 4 | low))
                rest.removeFirst(2)
            } else {
                bytes.append(byte == ASCII.plus ? ASCII.space : byte)
            }
        }
        return bytes
    }
}
