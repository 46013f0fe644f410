// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsSystemd

/// The numbers of the users and groups that rules of access name.
///
/// The machine's own files are read at start and at each reload. A name service may take long, so it is asked on
/// another thread, and until it has answered its names match no user. A name keeps its number until another one is
/// found for it, so an absent service opens and closes nothing.
struct AccountNumbers: Sendable, Equatable {
    private var users: [String: UInt32] = [:]
    private var groups: [String: UInt32] = [:]

    /// The number of a user, given by name or in decimal; nil if it is not known.
    func user(_ name: String) -> UInt32? { UInt32(name) ?? users[name] }

    /// The number of a group, given by name or in decimal; nil if it is not known.
    func group(_ name: String) -> UInt32? { UInt32(name) ?? groups[name] }

    /// Takes the numbers of names that the machine's own files have.
    ///
    /// - Returns: the names that they do not have.
    mutating func readFiles(for members: RoleSettings.Members) -> RoleSettings.Members {
        var others = RoleSettings.Members()
        for name in members.users where UInt32(name) == nil {
            if let number = Accounts.user(named: name) { users[name] = number } else { others.users.append(name) }
        }
        for name in members.groups where UInt32(name) == nil {
            if let number = Accounts.group(named: name) { groups[name] = number } else { others.groups.append(name) }
        }
        return others
    }

    /// The numbers of names that the name service knows. The call may block for long.
    static func asking(for members: RoleSettings.Members) -> AccountNumbers {
        var found = AccountNumbers()
        for name in members.users { found.users[name] = NameService.user(name) }
        for name in members.groups { found.groups[name] = NameService.group(name) }
        return found
    }

    /// Adopts the numbers that were found.
    ///
    /// - Returns: whether any is new.
    mutating func adopt(_ found: AccountNumbers) -> Bool {
        let before = self
        users.merge(found.users) { $1 }
        groups.merge(found.groups) { $1 }
        return self != before
    }

    /// The names without a number among some names.
    func unknown(among members: RoleSettings.Members) -> RoleSettings.Members {
        RoleSettings.Members(
            users: members.users.filter { user($0) == nil }, groups: members.groups.filter { group($0) == nil })
    }
}
