// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsSystemd
import ClaimsUpstream

/// The check of the configuration by `--check-config`, which says good only to what the daemon can use.
///
/// Root checks with the rights of the daemon's user, because root can read what the daemon cannot.
enum ConfigurationCheck {
    /// Checks, and writes errors and warnings to standard error.
    ///
    /// - Returns: the exit code: 78 if there is an error.
    static func run(_ folders: Folders) -> Int32 {
        // Only root can read the credentials, so that comes before root's rights are given up.
        let isRoot = ProcessUser.number == 0
        let isSystem = folders.configuration == Folders.systemConfiguration
        let credentials = isRoot && isSystem ? CredentialFolder(reading: "\(folders.configuration)/credentials") : nil
        let openness = OpenFiles(folders, isSystem: isSystem).warnings()
        let account = isRoot ? daemonAccount(folders) : nil
        if let account {
            do throws(SystemError) {
                try ProcessUser.become(user: account.user, group: account.group, name: account.name)
            } catch {
                ProgramOutput.complain(error.message)
                return DaemonExitCode.failed
            }
        }
        let configuration = ConfigurationReader.read(folders, maxBundle: .max)
        let definitions = configuration.definitions
        var errors = configuration.problems.map(\.description)
        if !Files.isDirectory(folders.data) { errors.append("\(folders.data): the data folder is missing") }
        if definitions.isEmpty, errors.isEmpty { errors.append("\(folders.configuration): no collection is defined") }
        var warnings = warnings(about: folders) + warnings(about: configuration.settings.roles)
        warnings += Self.warnings(about: definitions) + openness
        if isRoot, isSystem { warnings += ServiceSandbox.warnings(about: configuration) }
        if isSystem {
            warnings += credentials?.warnings(about: definitions) ?? []
        } else {
            warnings += unreadableCredentials(of: definitions, in: folders)
        }
        for warning in warnings { ProgramOutput.complain("warning: \(warning)") }
        for error in errors { ProgramOutput.complain(error) }
        let reader = account.map { ", as the user \($0.name ?? "\($0.user)") reads it" } ?? ""
        guard errors.isEmpty else {
            let count = "\(errors.count) mistake\(errors.count == 1 ? "" : "s")"
            ProgramOutput.complain("the configuration has \(count)\(reader)")
            return DaemonExitCode.configuration
        }
        print("the configuration is good\(reader): " + definitions.map(\.name).joined(separator: ", "))
        return DaemonExitCode.stopped
    }

    /// The user that the daemon runs as: the owner of the state folder, else the one of the unit; nil for root itself.
    private static func daemonAccount(_ folders: Folders) -> NameService.Account? {
        if let owner = Files.owner(folders.state) {
            if owner.user == 0 { return nil }
            return NameService.account(numbered: owner.user)
                ?? NameService.Account(name: nil, user: owner.user, group: owner.group)
        }
        // A folder that somebody has named will belong to whoever starts the daemon.
        return folders.state == Folders.systemState ? NameService.account(named: daemonUser) : nil
    }

    private static func warnings(about folders: Folders) -> [String] {
        var warnings: [String] = []
        if !Files.exists(folders.configuration) {
            warnings.append("\(folders.configuration): there is no such folder; all settings have their defaults")
        } else if !Files.exists("\(folders.configuration)/collections.d") {
            warnings.append(
                "\(folders.configuration)/collections.d: there is no such folder; "
                    + "definitions that came from it stay in force")
        }
        for folder in [folders.data, folders.configuration] {
            // A folder that cannot be read is an error already.
            let names = (try? Directory.list("\(folder)/collections.d")) ?? []
            for name in names.sorted() where !name.hasSuffix(".json5") && !name.hasPrefix(".") {
                warnings.append("\(folder)/collections.d/\(name): ignored; the name of a definition ends in .json5")
            }
        }
        return warnings
    }

    private static func warnings(about roles: RoleSettings) -> [String] {
        [("archive", roles.archive), ("write", roles.write), ("admin", roles.admin)].flatMap { role, members in
            unknownNames(members, "claimsd.json5: roles.\(role)")
        }
    }

    /// The warnings about the writers that definitions name.
    private static func warnings(about definitions: [Definition]) -> [String] {
        definitions.flatMap { definition -> [String] in
            guard let rules = definition.writes, rules.destination != nil else { return [] }
            let file = "collections.d/\(definition.name).json5: writes"
            let own = rules.role.map { unknownNames($0, "\(file).role") } ?? []
            return own
                + rules.actions.flatMap { action -> [String] in
                    let path = action.kind == .named ? "actions.\(action.name)" : action.name
                    return action.role.map { unknownNames($0, "\(file).\(path).role") } ?? []
                }
        }
    }

    /// The credentials that a user's own daemon would not read. One that a service manager starts may have others.
    private static func unreadableCredentials(of definitions: [Definition], in folders: Folders) -> [String] {
        let reader = CredentialReader(folders)
        return definitions.flatMap { definition in
            definition.credentials.compactMap { credential -> String? in
                let message: Message
                do throws(AccessFailure) {
                    let content = try reader.bytes(credential.name)
                    guard let obstacle = CredentialContent.obstacle(content, for: credential.use) else { return nil }
                    message = Message(.credentialUnreadable, credential.name, obstacle)
                } catch {
                    guard case .credential(_, let reason, _) = error else { return nil }
                    message = reason
                }
                return "collections.d/\(definition.name).json5: \(credential.keyPath): \(message.text("en"))"
            }
        }
    }

    private static func unknownNames(_ members: RoleSettings.Members, _ path: String) -> [String] {
        let users = members.users.filter { UInt32($0) == nil && NameService.user($0) == nil }
        let groups = members.groups.filter { UInt32($0) == nil && NameService.group($0) == nil }
        return users.map { "\(path).users: this machine has no user called '\($0)'" }
            + groups.map { "\(path).groups: this machine has no group called '\($0)'" }
    }

    /// The user of the unit.
    private static let daemonUser = "claimsd"
}
