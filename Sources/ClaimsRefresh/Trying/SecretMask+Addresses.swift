// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension SecretMask {
    /// An address without secrets, and without the values of parameters whose names say that they are secret.
    public func address(_ url: String) -> String {
        guard let mark = url.firstIndex(of: "?") else { return text(url, upTo: Self.maxValue) }
        let parts = url[mark...].dropFirst().split(separator: "&", omittingEmptySubsequences: false).map { part in
            guard let equals = part.firstIndex(of: "="), Self.isSecret(parameter: part[..<equals]) else { return part }
            return part[...equals] + "***"
        }
        return text(url[...mark] + parts.joined(separator: "&"), upTo: Self.maxValue)
    }

    /// The values of an address's parameters whose names say that they are secret.
    public static func secrets(in url: String) -> [String] {
        guard let mark = url.firstIndex(of: "?") else { return [] }
        return url[mark...].dropFirst().split(separator: "&").compactMap { part in
            guard let equals = part.firstIndex(of: "="), isSecret(parameter: part[..<equals]) else { return nil }
            return String(part[equals...].dropFirst())
        }
    }

    /// Whether a parameter's name says that its value is secret. Tokens of pages are none.
    public static func isSecret(parameter name: some StringProtocol) -> Bool {
        let name = name.lowercased()
        let ends = ["auth", "authorization", "key", "token", "secret", "password", "signature", "sig"]
        let pages = ["page", "next", "cursor", "continuation", "sync", "delta"]
        return ends.contains { name.hasSuffix($0) } && !pages.contains { name.contains($0) }
    }
}
