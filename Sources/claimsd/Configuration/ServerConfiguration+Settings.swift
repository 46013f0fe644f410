// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsProtocol
import ClaimsQuery
import ClaimsServer
import ClaimsSystemd
import Glibc

extension ServerConfiguration {
    /// The server's part of the configuration in force. Names of users and groups are looked up here, once.
    init(_ keeper: ConfigurationKeeper, cursorKey: (UInt64, UInt64)) {
        let settings = keeper.current.settings
        var policy = RolePolicy(
            ownUser: getuid(), archive: Self.grant(settings.roles.archive), write: Self.grant(settings.roles.write),
            admin: Self.grant(settings.roles.admin))
        policy.writers = Self.writers(keeper.current.definitions)
        var limits = settings.limits
        if let files = try? ResourceLimits.raiseOpenFiles() {
            limits.clients = min(limits.clients, max(files - Self.filesKept, files / 2))
        }
        self.init(
            version: Product.version, policy: policy, cursorKey: cursorKey, language: settings.language,
            limits: limits, problems: keeper.problems, history: settings.history, loops: 2)
        journal = settings.journal
        folder = keeper.folders.configuration
        reload = keeper.folders.reload
    }

    /// The number of file descriptors that are not for clients, if the limit allows; refreshes need some.
    private static let filesKept = 256

    /// The writers that definitions and their actions name.
    private static func writers(_ definitions: [Definition]) -> [WriteScope: RolePolicy.Grant] {
        var writers: [WriteScope: RolePolicy.Grant] = [:]
        for definition in definitions {
            guard let rules = definition.writes, rules.destination != nil else { continue }
            if let role = rules.role { writers[WriteScope(collection: definition.name)] = grant(role) }
            for action in rules.actions {
                guard let role = action.role else { continue }
                writers[WriteScope(collection: definition.name, action: action.name)] = grant(role)
            }
        }
        return writers
    }

    private static func grant(_ members: RoleSettings.Members) -> RolePolicy.Grant {
        RolePolicy.Grant(
            users: Set(members.users.compactMap { UInt32($0) ?? NameService.user($0) }),
            groups: Set(members.groups.compactMap { UInt32($0) ?? NameService.group($0) }))
    }
}
