// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform

/// Reads credentials: the files that the service manager has put into the credentials folder (systemd.exec(5),
/// LoadCredential=), or without a service manager the private files of a user.
public struct CredentialReader: Sendable {
    /// The size of the largest credential, in bytes.
    public static let maxSize = 64 << 10

    private enum Folder: Sendable {
        /// The folder that systemd made for the service, `$CREDENTIALS_DIRECTORY`.
        case service(String)
        /// A folder whose files belong to this user alone.
        case user(String, number: UInt32)
        /// Credentials that were read before.
        case given([String: [UInt8]])
    }

    private let folder: Folder?

    /// A reader of credentials that are in memory.
    public init(given: [String: [UInt8]]) {
        folder = .given(given)
    }

    /// - Parameters:
    ///   - directory: `$CREDENTIALS_DIRECTORY`; nil if the service has none.
    ///   - fallback: The folder of a user's own files, which counts if there is no `directory`.
    ///   - user: The owner of those files; nil for the user of this process.
    public init(directory: String?, fallback: String? = nil, user: UInt32? = nil) {
        folder =
            directory.map { .service($0) } ?? fallback.map { .user($0, number: user ?? ProcessUser.number) }
    }

    /// The beginning of the names that systemd gives to the files of the unit's folder of credentials
    /// (`LoadCredential=site:/etc/claimsd/credentials`).
    public static let folderPrefix = "site_"

    /// Returns a credential without white space around it. The file is read anew each time, because it may be replaced.
    ///
    /// A credential that the unit loads by its own name has priority over one in the unit's folder.
    ///
    /// - Throws: a failure of kind `credential`: `missing` if there is no file of that name, `mode` if a user's file
    ///   may be read by others, `unusable` if it cannot be read.
    public func read(_ name: String) throws(AccessFailure) -> String {
        guard let text = String(validating: try bytes(name), as: UTF8.self) else {
            throw .credential(.unusable, Message(.credentialUnreadable, name, "it is no text in UTF-8"))
        }
        return text
    }

    /// As `read`, without taking the bytes for text.
    public func bytes(_ name: String) throws(AccessFailure) -> [UInt8] {
        guard let folder, CredentialName.isName(name) else {
            throw .credential(.missing, Message(.credentialMissing, name))
        }
        switch folder {
        case .given(let files):
            guard let bytes = files[name] else { throw .credential(.missing, Message(.credentialMissing, name)) }
            return Self.trimmed(bytes)
        case .service(let path):
            for file in [name, Self.folderPrefix + name] {
                let path = Paths.join(path, file)
                let bytes = try Self.found(name) { () throws(SystemError) in
                    try Files.readAll(path, cap: Self.maxSize)
                }
                if let bytes { return Self.trimmed(bytes) }
            }
            throw .credential(.missing, Message(.credentialMissing, name))
        case .user(let path, let number):
            let path = Paths.join(path, name)
            let reading = try Self.found(name) { () throws(SystemError) in
                try PrivateFile.read(path, of: number, cap: Self.maxSize)
            }
            return Self.trimmed(try Self.contents(reading, name))
        }
    }

    /// The result of `read`; nil if there is no such file.
    private static func found<Found>(
        _ name: String, _ read: () throws(SystemError) -> Found
    ) throws(AccessFailure) -> Found? {
        do throws(SystemError) {
            return try read()
        } catch {
            if error.isNotFound { return nil }
            throw .credential(.unusable, Message(.credentialUnreadable, name, error.message))
        }
    }

    private static func contents(_ reading: PrivateFile.Reading?, _ name: String) throws(AccessFailure) -> [UInt8] {
        switch reading {
        case .contents(let bytes): return bytes
        case nil: throw .credential(.missing, Message(.credentialMissing, name))
        case .special: throw .credential(.mode, Message(.credentialMode, name, "it is no regular file"))
        case .foreign(let owner):
            throw .credential(.mode, Message(.credentialMode, name, "it belongs to the user with the number \(owner)"))
        case .open(let permissions):
            let mode = String(permissions, radix: 8)
            throw .credential(.mode, Message(.credentialMode, name, "its mode is \(mode), expected 600"))
        }
    }

    /// A credential without the white space around it, which does not count.
    public static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
        let isSpace: (UInt8) -> Bool = { $0 <= 0x20 }
        let start = bytes.drop(while: isSpace)
        return Array(start[..<(start.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? start.startIndex)])
    }
}
