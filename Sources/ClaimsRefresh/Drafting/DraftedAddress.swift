// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// The address of a draft without the secrets in its query, which belong into a credential.
struct DraftedAddress {
    /// The address without them.
    let url: String
    /// The names of the query parameters that were secrets, in their order.
    let secrets: [String]

    init(_ url: String) {
        let end = url.firstIndex(of: "#") ?? url.endIndex
        guard let mark = url[..<end].firstIndex(of: "?") else {
            (self.url, secrets) = (url, [])
            return
        }
        var kept: [Substring] = []
        var secrets: [String] = []
        for pair in url[url.index(after: mark)..<end].split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(decoding: PercentEncoding.decode(parts[0]), as: UTF8.self)
            if parts.count > 1, !parts[1].isEmpty, Self.isSecret(name) {
                if !secrets.contains(name) { secrets.append(name) }
            } else {
                kept.append(pair)
            }
        }
        self.secrets = secrets
        if secrets.isEmpty {
            self.url = url
        } else {
            let query = kept.isEmpty ? "" : "?" + kept.joined(separator: "&")
            self.url = "\(url[..<mark])\(query)\(url[end...])"
        }
    }

    private static let secretWords: Set<String> = [
        "key", "apikey", "appkey", "appid", "token", "secret", "password", "passwd", "pwd", "credential", "credentials",
        "auth", "authorization", "signature", "sig", "sid",
    ]
    /// Words that make a key or token one of pages or orders.
    private static let plainWords: Set<String> = [
        "page", "next", "continuation", "cursor", "sort", "order", "group", "start",
    ]

    private static func isSecret(_ name: String) -> Bool {
        let words = Set((FieldName.of(name) ?? "").split(separator: "_").map(String.init))
        return !words.isDisjoint(with: secretWords) && words.isDisjoint(with: plainWords)
    }
}
