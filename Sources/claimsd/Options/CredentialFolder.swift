// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsUpstream

/// The folder whose files systemd loads as credentials when it starts the service (systemd.exec(5), LoadCredential=).
struct CredentialFolder {
    /// A file of the folder, as it was found.
    struct File {
        let name: String
        /// In bytes.
        let size: Int
        /// The bytes without white space around them; nil if they cannot be read, or are too many.
        let content: [UInt8]?
    }

    private let path: String
    /// nil if the folder cannot be read.
    private let files: [File]?

    /// The maximum size of all credentials of a service, names included, in bytes; systemd has this bound.
    private static let maxSize = 1 << 20
    /// The maximum length of a name in bytes; systemd puts a prefix before it.
    private static let maxNameLength = 250

    /// Reads the folder, which needs root's rights.
    init(reading path: String) {
        self.path = path
        files = (try? Directory.list(path))?.sorted().map { name in
            let file = Paths.join(path, name)
            let bytes = Files.isRegular(file) ? try? Files.readAll(file, cap: CredentialReader.maxSize) : nil
            return File(
                name: name, size: Files.size(file) ?? 0, content: bytes.map { CredentialReader.trimmed($0) })
        }
    }

    /// The reasons why the service would not start, and the credentials that definitions name and that are not there, or
    /// cannot be used.
    func warnings(about configuration: Configuration) -> [String] {
        guard let files else {
            return ["\(path): there is no such folder, and systemd does not start the service without it"]
        }
        var warnings: [String] = []
        for file in files where !Self.isAllowed(file.name) {
            warnings.append(
                "\(path)/\(file.name): systemd does not start the service with this name; expected ASCII without ':'")
        }
        let total = files.reduce(0) { $0 + $1.size + $1.name.utf8.count }
        if total > Self.maxSize {
            warnings.append("\(path): systemd does not start the service with more than 1 MiB of credentials")
        }
        return warnings
            + configuration.credentialWarnings { credential in
                obstacle(of: credential, in: files).map {
                    "\(path)/\(credential.name) \($0), unless a drop-in of the service loads it"
                }
            }
    }

    /// The reason why a credential cannot be used, as the end of a sentence; nil if it can.
    private func obstacle(of credential: NamedCredential, in files: [File]) -> String? {
        guard let file = files.first(where: { $0.name == credential.name }) else { return "is missing" }
        guard let content = file.content else {
            return "cannot be used: it is no file of at most \(CredentialReader.maxSize >> 10) KiB"
        }
        return CredentialContent.obstacle(content, for: credential.use).map { "cannot be used: \($0)" }
    }

    private static func isAllowed(_ name: String) -> Bool {
        name.utf8.count <= maxNameLength
            && name.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: ":") }
    }
}
