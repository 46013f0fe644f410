// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CCurl
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
    /// A query parameter of this name, which follows the parameters of the URL.
    case parameter(name: String, value: String)

    /// Checks whether a request can carry the secret.
    ///
    /// - Throws: The kind `credential` if it cannot; the detail has the reason, without the secret.
    public func check() throws(HTTPError) {
        _ = try header()
        _ = try parameter()
    }

    /// The header that carries the secret; nil if none does.
    ///
    /// - Throws: The kind `credential` if a header cannot hold it.
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

    /// The query parameter that carries the secret, percent-encoded; nil if none does.
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

/// A secret in the query of a URL. It is added when the URL is sent, and removed from URLs that are kept or shown.
struct SecretParameter {
    let name: String
    let value: String

    /// A URL as it is sent to its home.
    func added(to url: String) -> String {
        let mark = url.utf8.contains(UInt8(ascii: "?")) ? (url.hasSuffix("?") || url.hasSuffix("&") ? "" : "&") : "?"
        return "\(url)\(mark)\(PercentEncoding.encode(name))=\(PercentEncoding.encode(value))"
    }

    /// A URL without the secret, which a server may have put into it.
    ///
    /// - Parameter isHome: whether the parameter is the caller's there; elsewhere one of the same name may be another.
    func removed(from url: String, isHome: Bool) -> String {
        guard let mark = url.firstIndex(of: "?") else { return url }
        let pairs = url[url.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        let kept = pairs.filter { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let first = parts.first, PercentEncoding.decode(first) == Array(name.utf8) else { return true }
            return !isHome && (parts.count < 2 || PercentEncoding.decode(parts[1]) != Array(value.utf8))
        }
        if kept.count == pairs.count { return url }
        return kept.isEmpty ? String(url[..<mark]) : "\(url[..<mark])?\(kept.joined(separator: "&"))"
    }
}

/// The header lines of a request.
enum RequestHeaders {
    /// Appends the caller's headers, and the header with the credential.
    static func append(
        _ headers: [(name: String, value: String)], credential: HTTPCredential?, to list: inout HeaderList
    ) throws(HTTPError) {
        let secret = try credential?.header()
        for (name, value) in headers {
            guard isName(name), isValue(value) else {
                throw HTTPError(.other, detail: "the header \(name) cannot be sent")
            }
            if name.lowercased() == secret?.name.lowercased() { continue }
            try list.append(name, value)
        }
        if let secret { try list.append(secret.name, secret.value) }
    }

    /// A token (RFC 9110, section 5.6.2).
    static func isName(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
                    || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
    }

    /// Anything but control characters.
    static func isValue(_ value: String) -> Bool {
        value.utf8.allSatisfy { byte in byte >= 0x20 && byte != 0x7f }
    }
}

/// The sole owner of one list of header lines.
@safe
struct HeaderList: ~Copyable {
    private var list: UnsafeMutablePointer<curl_slist>?

    init() { unsafe list = nil }

    deinit { unsafe ccurl_slist_free(list) }

    var pointer: UnsafeMutablePointer<curl_slist>? { unsafe list }

    /// Appends a header. libcurl writes one without a value as `Name;`.
    mutating func append(_ name: String, _ value: String) throws(HTTPError) {
        try append(line: value.isEmpty ? "\(name);" : "\(name): \(value)")
    }

    /// Keeps libcurl from sending a header of its own making.
    mutating func suppress(_ name: String) throws(HTTPError) { try append(line: "\(name):") }

    private mutating func append(line: String) throws(HTTPError) {
        guard let longer = unsafe ccurl_slist_append(list, line) else { throw Curl.outOfMemory() }
        unsafe list = longer
    }
}
