// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Who may do more than read. root and the daemon's own user may do everything.
package struct RoleSettings: Sendable, Hashable {
    /// The users and groups that have one role, by name or by number.
    package struct Members: Sendable, Hashable {
        package var users: [String]
        package var groups: [String]

        package init(users: [String] = [], groups: [String] = []) {
            self.users = users
            self.groups = groups
        }
    }

    /// Archiving and unarchiving.
    package var archive: Members
    /// Refreshing with force or accept, retrying and dropping what is in quarantine.
    package var admin: Members

    package init(
        archive: Members = Members(groups: ["claims"]), admin: Members = Members(groups: ["claims-admin"])
    ) {
        self.archive = archive
        self.admin = admin
    }
}
