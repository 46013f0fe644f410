// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsUpstream

/// Hashes the settings that decide the answer of a source, without secrets: hosts whose hashes differ would ask for
/// something else.
enum RequestHash {
    /// - Returns: 32 hexadecimal digits; nil if the definition has no such source.
    static func of(_ definition: Definition, site: String?) -> String? {
        // The records of a home are asked for nowhere.
        if definition.isLocal || definition.home != nil { return ofHome }
        guard let request = definition.source.request(of: site), let url = request.url else { return nil }
        var parts = [address(url)] + parts(of: request)
        parts += [definition.source.since.map { "\($0)" } ?? "", definition.source.deleted.map { "\($0)" } ?? ""]
        if let join = definition.source.join {
            parts += [join.request.url.map(address) ?? "", "\(join.on)", "\(join.take)"]
            parts += Self.parts(of: join.request)
        }
        var hash = SHA256()
        for part in parts { hash.update(Array("\(part.utf8.count):\(part)".utf8).rawSpan) }
        return String(hash.hexadecimal.prefix(32))
    }

    private static let ofHome = String(SHA256.hexadecimal(of: Array("home".utf8).rawSpan).prefix(32))

    /// A URL without a password, but with its parameters.
    private static func address(_ url: String) -> String {
        HTTPURL.withoutSecrets(url) + url.drop { $0 != "?" }
    }

    /// All that decides the answer but `auth`, which has the secrets.
    private static func parts(of request: ReadRequest) -> [String] {
        var parts = [request.method.rawValue, request.root.text, request.fails?.text ?? ""]
        parts.append(request.next.map { "\($0)" } ?? "")
        parts.append(request.body.map { "\($0)" } ?? "")
        for parameter in request.query { parts += [parameter.name] + parameter.values.map { "\($0)" } }
        for header in request.headers { parts += [header.name.lowercased(), "\(header.value)"] }
        return parts
    }

    /// The hash of the settings that decide how records are decoded.
    static func ofDecoding(_ definition: Definition) -> String { String(definition.valuesHash, radix: 16) }

    /// The hash of the rules of access of a definition.
    static func ofRules(_ text: String) -> String {
        String(SHA256.hexadecimal(of: Array(text.utf8).rawSpan).prefix(32))
    }
}
