// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// The files and folders of the configuration that more users can write or read than is good.
///
/// The service's configuration is to be root's, and its credentials are to be read by root alone. A user's own daemon
/// trusts that user as well. What cannot be looked at is passed over.
struct OpenFiles {
    private let folders: Folders
    private let isSystem: Bool
    /// The users and groups that may write.
    private let users: Set<UInt32>
    private let groups: Set<UInt32>

    /// - Parameter isSystem: whether the configuration belongs to the system's service.
    init(_ folders: Folders, isSystem: Bool) {
        self.folders = folders
        self.isSystem = isSystem
        users = isSystem ? [0] : [0, ProcessUser.number]
        groups = isSystem ? [0] : [0, ProcessUser.group]
    }

    /// A sentence for each file and folder. To be called with root's rights if the process has them, because other
    /// users cannot enter the folder of credentials.
    func warnings() -> [String] {
        let credentials = Paths.join(folders.configuration, "credentials")
        let names = ["claimsd.json5", "collections.d", "triggers.d"]
        var paths = [folders.configuration] + names.map { Paths.join(folders.configuration, $0) }
        for folder in paths.dropFirst(2) { paths += Self.files(in: folder) }
        var warnings = (paths + [credentials] + Self.files(in: credentials)).compactMap { path in
            writers(of: path).map { "\(path): \($0) may write it" }
        }
        if isSystem {
            for path in [credentials] + Self.files(in: credentials) where (Files.permissions(path) ?? 0) & 0o044 != 0 {
                warnings.append("\(path): others than root may read it, and it has secrets")
            }
        }
        return warnings
    }

    /// The users that may write a file in addition to the trusted ones, as the subject of a sentence; nil: none.
    private func writers(of path: String) -> String? {
        guard let owner = Files.owner(path), let permissions = Files.permissions(path) else { return nil }
        if !users.contains(owner.user) { return "the user \(Accounts.userName(owner.user) ?? "\(owner.user)")" }
        if permissions & 0o002 != 0 { return "everybody" }
        if permissions & 0o020 != 0, !groups.contains(owner.group) {
            return "the group \(Accounts.groupName(owner.group) ?? "\(owner.group)")"
        }
        return nil
    }

    private static func files(in folder: String) -> [String] {
        ((try? Directory.list(folder)) ?? []).filter { !$0.hasPrefix(".") }.map { Paths.join(folder, $0) }
    }
}
