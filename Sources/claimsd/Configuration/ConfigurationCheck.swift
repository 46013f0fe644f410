// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsFleet
import ClaimsModel
import ClaimsPlatform
import ClaimsQuery
import ClaimsSystemd
import ClaimsUpstream

/// The check of the configuration by `--check-config`, which accepts only files that the daemon can use.
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
        var warnings = warnings(about: folders) + unknownMembers(of: configuration) + openness
        if isRoot, isSystem { warnings += ServiceSandbox.warnings(about: configuration) }
        if isSystem {
            warnings += credentials?.warnings(about: configuration) ?? []
        } else {
            warnings += unreadableCredentials(of: configuration, in: folders)
        }
        for warning in warnings { ProgramOutput.complain("warning: \(warning)") }
        for error in errors { ProgramOutput.complain(error) }
        let reader = account.map { ", as the user \($0.name ?? "\($0.user)") reads it" } ?? ""
        guard errors.isEmpty else {
            let count = Plural.mistakes.text(errors.count).english
            ProgramOutput.complain("the configuration has \(count)\(reader)")
            return DaemonExitCode.configuration
        }
        if isRoot {
            for definition in definitions {
                guard let rules = definition.access?.rules else { continue }
                print("\(definition.name): \(Plural.rules.text(rules.count).english) of access")
            }
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
        // A folder from the command line will belong to the user who starts the daemon.
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

    /// The warnings about users and groups that settings and definitions name, and that this machine does not have.
    private static func unknownMembers(of configuration: Configuration) -> [String] {
        let roles = configuration.settings.roles
        let settings = [("archive", roles.archive), ("write", roles.write), ("admin", roles.admin)].flatMap {
            unknownNames($1, "roles.\($0)", in: configuration.settingsFile)
        }
        let writers = configuration.definitions.flatMap { definition -> [String] in
            guard let rules = definition.writes, rules.destination != nil,
                let file = configuration.file(of: definition.name)
            else { return [] }
            let own = rules.role.map { unknownNames($0, "writes.role", in: file) } ?? []
            return own
                + rules.actions.flatMap { action -> [String] in
                    let path = action.kind == .named ? "actions.\(action.name)" : action.name
                    return action.role.map { unknownNames($0, "writes.\(path).role", in: file) } ?? []
                }
        }
        let rules = configuration.definitions.flatMap { definition -> [String] in
            guard let members = definition.access?.members, let file = configuration.file(of: definition.name) else {
                return []
            }
            return unknownNames(members, "access.rules", in: file) + unmapped(members, in: file)
                + negations(in: definition)
        }
        return settings + writers + rules
    }

    /// The warnings about filters in rules of access that show records without the field, too.
    private static func negations(in definition: Definition) -> [String] {
        (definition.access?.rules ?? []).flatMap(\.filters).compactMap { filter in
            guard let node = try? FilterParser.parse(filter.text), node.hasNegation else { return nil }
            return ConfigurationProblem(
                location: filter.location, message: "a record without the field matches a negation, and is shown"
            ).description
        }
    }

    /// The warnings about names in rules of access for an id that this machine does not map.
    private static func unmapped(_ members: RoleSettings.Members, in file: MergedFile<Definition>) -> [String] {
        let users = members.users.filter { NameService.user($0) == AccessRules.unmapped }
        let groups = members.groups.filter { NameService.group($0) == AccessRules.unmapped }
        return (users + groups).map { name in
            ConfigurationProblem(
                location: file.location(of: "access.rules"),
                message: "'\(name)' stands for ids that this machine does not map; only \"all\" names such a peer"
            ).description
        }
    }

    private static func unknownNames<Value>(
        _ members: RoleSettings.Members, _ path: String, in file: MergedFile<Value>
    ) -> [String] {
        func warning(_ key: String, _ kind: String, _ name: String) -> String {
            // The locations of elements of arrays are not known.
            let path = path == "access.rules" ? path : "\(path).\(key)"
            return ConfigurationProblem(
                location: file.location(of: path), message: "this machine has no \(kind) called '\(name)'"
            ).description
        }
        let users = members.users.filter { UInt32($0) == nil && NameService.user($0) == nil }
        let groups = members.groups.filter { UInt32($0) == nil && NameService.group($0) == nil }
        return users.map { warning("users", "user", $0) } + groups.map { warning("groups", "group", $0) }
    }

    /// The credentials that a user's own daemon would not read. One that a service manager starts may have others.
    private static func unreadableCredentials(of configuration: Configuration, in folders: Folders) -> [String] {
        let reader = CredentialReader(folders)
        return configuration.credentialWarnings { credential in
            do throws(AccessFailure) {
                let content = try reader.bytes(credential.name)
                let key = configuration.fleetFile.value.flatMap { fleet in
                    credential.name == FleetDefinition.keyCredential
                        ? FleetKey.obstacle(content, of: HostName.current, in: fleet) : nil
                }
                return (CredentialContent.obstacle(content, for: credential.use) ?? key).map {
                    Message(.credentialUnreadable, credential.name, $0).text("en")
                }
            } catch {
                guard case .credential(_, let reason, _) = error else { return nil }
                return reason.text("en")
            }
        }
    }

    /// The user of the unit.
    private static let daemonUser = "claimsd"
}

extension Configuration {
    /// A warning for each credential of the definitions that cannot be used, with the location of the key that names it.
    ///
    /// - Parameter obstacle: the reason why a credential cannot be used; nil if it can.
    func credentialWarnings(_ obstacle: (NamedCredential) -> String?) -> [String] {
        let fleet = (fleetFile.value?.credentials(of: HostName.current) ?? []).compactMap { credential in
            obstacle(credential).map { message in
                ConfigurationProblem(location: fleetFile.location(of: credential.keyPath), message: message).description
            }
        }
        return fleet
            + definitions.flatMap { definition -> [String] in
                guard let file = file(of: definition.name) else { return [] }
                var warnings: [String] = []
                let keys = Set((definition.access?.rules ?? []).flatMap(\.credentials)).sorted()
                let masks = keys.map { NamedCredential(keyPath: "access.rules", name: $0, use: .text) }
                for credential in definition.credentials + masks {
                    guard let message = obstacle(credential) else { continue }
                    let location =
                        masks.contains(credential)
                        ? file.location(of: credential.keyPath) : file.location(ofRequestKey: credential.keyPath)
                    let problem = ConfigurationProblem(location: location, message: message)
                    // Sites share the credentials of the source.
                    if !warnings.contains(problem.description) { warnings.append(problem.description) }
                }
                return warnings
            }
    }
}
