// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform

/// Reads what the service manager has put into the credentials folder (systemd.exec(5), LoadCredential=).
public struct CredentialReader: Sendable {
    /// The size of the largest credential, in bytes.
    public static let maxSize = 64 << 10

    private let directory: String?

    /// - Parameter directory: `$CREDENTIALS_DIRECTORY`; nil where the service has none.
    public init(directory: String?) {
        self.directory = directory
    }

    /// The beginning of the names that systemd gives to the files of the unit's folder of credentials
    /// (`LoadCredential=site:/etc/claimsd/credentials`).
    public static let folderPrefix = "site_"

    /// Returns a credential without white space around it. The file is read anew each time, because it may be replaced.
    ///
    /// A credential that the unit loads by its own name has priority over one in the unit's folder.
    ///
    /// - Throws: a failure of kind `credential` where there is no file of that name, or it cannot be read.
    public func read(_ name: String) throws(AccessFailure) -> String {
        guard let directory, !name.isEmpty, name != ".", name != "..", !name.utf8.contains(UInt8(ascii: "/")) else {
            throw .credential(.missing, Message(.credentialMissing, name))
        }
        for file in [name, Self.folderPrefix + name] {
            do throws(SystemError) {
                return Self.text(try Files.readAll(Paths.join(directory, file), cap: Self.maxSize))
            } catch {
                guard error.isNotFound else {
                    throw .credential(.unusable, Message(.credentialUnreadable, name, error.message))
                }
            }
        }
        throw .credential(.missing, Message(.credentialMissing, name))
    }

    private static func text(_ bytes: [UInt8]) -> String {
        let isSpace: (UInt8) -> Bool = { $0 <= 0x20 }
        let start = bytes.drop(while: isSpace)
        let text = start[..<(start.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? start.startIndex)]
        return String(decoding: text, as: UTF8.self)
    }
}
