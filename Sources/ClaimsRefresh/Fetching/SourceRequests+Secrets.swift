// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

extension SourceRequests {
    /// The values of headers and parameters whose names say that they are secret.
    var ownSecrets: [String] {
        let words = ["auth", "key", "token", "secret", "cookie", "password"]
        return [records.request, join?.request].compactMap(\.self).flatMap { request in
            let headers = request.headers.filter { header in
                let name = header.name.lowercased()
                return words.contains { name.contains($0) }
            }
            let parameters = request.query.filter { SecretParameter.isSecret($0.name) }.flatMap(\.values)
            let own = parameters + SecretMask.secrets(in: request.url ?? "")
            return headers.map(\.value) + own.filter { $0.utf8.count >= Self.minSecret }
        }
    }

    /// The size of the shortest value of a parameter that is hidden wherever it occurs, in bytes.
    private static var minSecret: Int { 6 }
}

extension FetchFailure {
    /// The same failure without secrets that an upstream has echoed.
    func hiding(_ mask: SecretMask) -> FetchFailure {
        var told = self
        told.message = Message(message.key, arguments: message.arguments.map { mask.text($0) })
        // A token server's error that has a secret is none that can be told.
        if let reason, mask.text(reason.rawValue) != reason.rawValue { told.reason = .token }
        return told
    }
}
