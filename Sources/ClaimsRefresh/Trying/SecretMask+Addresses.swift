// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension SecretMask {
    /// An address without secrets, and without the values of parameters whose names say that they are secret.
    public func address(_ url: String) -> String {
        guard let mark = url.firstIndex(of: "?") else { return text(url, upTo: Self.maxValue) }
        let parts = url[mark...].dropFirst().split(separator: "&", omittingEmptySubsequences: false).map { part in
            guard let equals = part.firstIndex(of: "="), SecretParameter.isSecret(part[..<equals]) else { return part }
            return part[...equals] + "***"
        }
        return text(url[...mark] + parts.joined(separator: "&"), upTo: Self.maxValue)
    }

    /// The values of an address's parameters whose names say that they are secret.
    public static func secrets(in url: String) -> [String] {
        guard let mark = url.firstIndex(of: "?") else { return [] }
        return url[mark...].dropFirst().split(separator: "&").compactMap { part in
            guard let equals = part.firstIndex(of: "="), SecretParameter.isSecret(part[..<equals]) else { return nil }
            return String(part[equals...].dropFirst())
        }
    }
}
