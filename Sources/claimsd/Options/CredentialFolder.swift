// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform

/// The folder whose files systemd loads as credentials when it starts the service (systemd.exec(5), LoadCredential=).
///
/// The contents of the files are not read.
struct CredentialFolder {
    private let path: String
    /// The names of the files with their sizes in bytes; nil if the folder cannot be read.
    private let files: [(name: String, size: Int)]?

    /// The maximum size of all credentials of a service, names included, in bytes; systemd has this bound.
    private static let maxSize = 1 << 20
    /// The maximum length of a name in bytes; systemd puts a prefix before it.
    private static let maxNameLength = 250

    /// Looks at the folder, which takes root's rights.
    init(reading path: String) {
        self.path = path
        files = (try? Directory.list(path))?.sorted().map { ($0, Files.size(Paths.join(path, $0)) ?? 0) }
    }

    init(path: String, files: [(name: String, size: Int)]?) {
        self.path = path
        self.files = files
    }

    /// The reasons why the service would not start, and the credentials that definitions name and that are not there.
    func warnings(about definitions: [Definition]) -> [String] {
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
        for definition in definitions {
            for credential in definition.credentials where !files.contains(where: { $0.name == credential.name }) {
                warnings.append(
                    "collections.d/\(definition.name).json5: \(credential.keyPath): \(path)/\(credential.name) "
                        + "is missing, unless a drop-in of the service loads it")
            }
        }
        return warnings
    }

    private static func isAllowed(_ name: String) -> Bool {
        name.utf8.count <= maxNameLength
            && name.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: ":") }
    }
}
