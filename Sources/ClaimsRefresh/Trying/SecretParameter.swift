// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The names of parameters of addresses whose values are secrets: what drafts leave out, and answers show as `***`. Pure.
enum SecretParameter {
    /// Whether a name says that the value is a secret. Keys and tokens of pages and orders are none.
    static func isSecret(_ name: some StringProtocol) -> Bool {
        let words = words(of: name)
        let whole = words.joined()
        if words.contains(where: secretWords.contains) || secretEnds.contains(where: whole.hasSuffix) { return true }
        let isPlain = pageWords.contains(where: whole.contains) || words.contains(where: orderWords.contains)
        return !isPlain && (words.contains("key") || keyEnds.contains(where: whole.hasSuffix))
    }

    /// Whether the value of a name that says little is so long that it is rather a secret, as `code` of some functions.
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
