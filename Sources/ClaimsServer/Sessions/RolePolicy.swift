// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

package import ClaimsPlatform
package import ClaimsProtocol

/// Which peers have which roles, by numbers: names were looked up when the configuration was read.
package struct RolePolicy: Sendable {
    /// The users and groups that have one role.
    package struct Grant: Sendable {
        package var users: Set<UInt32>
        package var groups: Set<UInt32>

        package init(users: Set<UInt32> = [], groups: Set<UInt32> = []) {
            self.users = users
            self.groups = groups
        }

        func covers(_ peer: PeerCredentials) -> Bool {
            users.contains(peer.uid) || groups.contains { peer.isMember(of: $0) }
        }
    }

    /// The user the daemon runs as; it has all roles, as root has.
    package var ownUser: UInt32
    package var archive: Grant
    package var admin: Grant

    package init(ownUser: UInt32, archive: Grant = Grant(), admin: Grant = Grant()) {
        self.ownUser = ownUser
        self.archive = archive
        self.admin = admin
    }

    /// The roles of a peer. Whoever could open the socket may read; an admin may archive too.
    package func roles(of peer: PeerCredentials) -> RoleSet {
        if peer.uid == 0 || peer.uid == ownUser { return .all }
        var roles: RoleSet = .read
        if archive.covers(peer) { roles.insert(.archive) }
        if admin.covers(peer) { roles.formUnion([.archive, .admin]) }
        return roles
    }
}
