// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// The address of a draft without the secrets in its query, which belong in a credential.
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
            if parts.count > 1, !parts[1].isEmpty,
                SecretParameter.isSecret(name) || SecretParameter.isLikely(name, value: parts[1])
            {
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
}
