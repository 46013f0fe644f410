// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Who may do more than read. root and the daemon's own user may do everything.
public struct RoleSettings: Sendable, Hashable {
    /// The users and groups that have one role, by name or by number.
    public struct Members: Sendable, Hashable {
        public var users: [String]
        public var groups: [String]

        public init(users: [String] = [], groups: [String] = []) {
            self.users = users
            self.groups = groups
        }
    }

    /// Archiving and unarchiving.
    public var archive: Members
    /// Refreshing with force or accept, retrying and dropping what is in quarantine.
    public var admin: Members

    public init(
        archive: Members = Members(groups: ["claims"]), admin: Members = Members(groups: ["claims-admin"])
    ) {
        self.archive = archive
        self.admin = admin
    }
}
