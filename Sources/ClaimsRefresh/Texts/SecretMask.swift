// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

/// Replaces secrets by `***`, wherever an upstream may have echoed them, and shortens long texts. Pure.
///
///     let mask = SecretMask(["hunter2"])
///     mask.text("the token hunter2 is wrong", upTo: 256)    // "the token *** is wrong"
public struct SecretMask: Sendable {
    /// The maximal length of a value that is shown, in bytes.
    public static let maxValue = 256
    private static let stars = Array("***".utf8)

    /// The length of a text beyond the part that is shown which is searched, too, in bytes.
    private static let lookahead = 64

    private let search: SecretSearch

    public init(_ secrets: some Sequence<[UInt8]>) {
        search = SecretSearch(Set(secrets))
    }

    /// A text without secrets, in any encoding, cut to a number of bytes. A secret that continues past the cut is masked
    /// too.
    public func text(_ bytes: [UInt8], upTo count: Int = .max) -> String {
        let seen = Array(bytes.prefix(count < bytes.count ? count + Self.lookahead : count))
        var masked: [UInt8] = []
        var offset = 0
        var limit = seen.count
        if limit < bytes.count {
            limit = count
            while limit > 0, seen[limit] & 0xC0 == 0x80 { limit -= 1 }
        }
        for range in search.ranges(in: seen) where range.lowerBound < limit {
            masked += seen[offset..<range.lowerBound] + Self.stars
            offset = range.upperBound
        }
        masked += seen[offset..<max(offset, limit)]
        guard masked.count > count || seen.count < bytes.count else { return String(decoding: masked, as: UTF8.self) }
        var end = min(count, masked.count)
        while end > 0, end < masked.count, masked[end] & 0xC0 == 0x80 { end -= 1 }
        return String(decoding: masked[..<end], as: UTF8.self) + "…"
    }

    public func text(_ text: String, upTo count: Int = .max) -> String { self.text(Array(text.utf8), upTo: count) }

    /// A value without secrets. Texts are cut, and an array or object that is long becomes a text.
    public func value(_ value: JSONValue) -> JSONValue {
        switch value {
        case .null, .bool: return value
        case .number: return masked(value)
        case .string(let string): return .string(text(string, upTo: Self.maxValue))
        case .array, .object:
            var plain = JSONWriter()
            value.write(to: &plain)
            guard plain.bytes.count <= Self.maxSearched else { return .string(text(plain.bytes, upTo: Self.maxValue)) }
            let masked = self.masked(value)
            var writer = JSONWriter()
            masked.write(to: &writer)
            if writer.bytes.count <= Self.maxValue { return masked }
            return .string(text(writer.bytes, upTo: Self.maxValue))
        }
    }

    /// The size of the largest array or object whose every value is searched, in bytes. What is larger is shown as text.
    private static let maxSearched = 16 * maxValue

    private func masked(_ value: JSONValue) -> JSONValue {
        switch value {
        case .null, .bool: value
        case .number(let digits): text(digits) == digits ? value : .string(text(digits))
        case .string(let string): .string(text(string))
        case .array(let elements): .array(elements.map(masked))
        case .object(let members): .object(JSONObject(members.members.map { .init(text($0.key), masked($0.value)) }))
        }
    }
}

extension SecretMask {
    /// An address without secrets, and without the values of parameters whose names are names of secrets.
    public func address(_ url: String) -> String {
        guard let mark = url.firstIndex(of: "?") else { return text(url, upTo: Self.maxValue) }
        let parts = url[mark...].dropFirst().split(separator: "&", omittingEmptySubsequences: false).map { part in
            guard let equals = part.firstIndex(of: "="), SecretNames.isSecret(part[..<equals]) else { return part }
            return part[...equals] + "***"
        }
        return text(url[...mark] + parts.joined(separator: "&"), upTo: Self.maxValue)
    }

    /// The values of an address's parameters whose names are names of secrets.
    public static func secrets(in url: String) -> [String] {
        guard let mark = url.firstIndex(of: "?") else { return [] }
        return url[mark...].dropFirst().split(separator: "&").compactMap { part in
            guard let equals = part.firstIndex(of: "="), SecretNames.isSecret(part[..<equals]) else { return nil }
            return String(part[equals...].dropFirst())
        }
    }
}

/// The names of parameters of addresses whose values are secrets: drafts leave them out, and answers show them as
/// `***`. Pure.
enum SecretNames {
    /// Whether a name is the name of a secret. Keys and tokens of pages and orders are not.
    static func isSecret(_ name: some StringProtocol) -> Bool {
        let words = words(of: name)
        let whole = words.joined()
        if words.contains(where: secretWords.contains) || secretEnds.contains(where: whole.hasSuffix) { return true }
        let isPlain = pageWords.contains(where: whole.contains) || words.contains(where: orderWords.contains)
        return !isPlain && (words.contains("key") || keyEnds.contains(where: whole.hasSuffix))
    }

    /// Whether a value with an unclear name is so long that it is probably a secret, such as `code` of some functions.
    static func isLikely(_ name: some StringProtocol, value: some StringProtocol) -> Bool {
        words(of: name) == ["code"] && value.utf8.count >= minLikely
    }

    private static func words(of name: some StringProtocol) -> [String] {
        (FieldName.of(String(name)) ?? "").split(separator: "_").map(String.init)
    }

    private static let secretWords: Set<String> = [
        "secret", "password", "passwd", "passphrase", "pass", "pwd", "credential", "credentials", "auth",
        "authorization", "bearer", "signature", "sig", "sid", "session", "jwt", "appid", "otp", "totp", "pin",
        "passcode",
    ]
    private static let secretEnds = ["secret", "password", "passwd", "auth", "authorization", "signature", "sessionid"]
    private static let keyEnds = [
        "token", "apikey", "appkey", "accesskey", "authkey", "secretkey", "userkey", "clientkey", "subscriptionkey",
    ]
    /// Words that make a key or token one of pages or positions.
    private static let pageWords = ["page", "next", "continuation", "cursor", "sync", "delta"]
    /// Words that make a key one of orders.
    private static let orderWords: Set<String> = ["sort", "order", "group", "start"]
    /// Codes of countries, packs and the like are shorter, in bytes.
    private static let minLikely = 20
}
