// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsPlatform
public import ClaimsProtocol

/// Which peers have which roles, by numbers: names were looked up when the configuration was read.
public struct RolePolicy: Sendable {
    /// The users and groups that have one role.
    public struct Grant: Sendable {
        public var users: Set<UInt32>
        public var groups: Set<UInt32>

        public init(users: Set<UInt32> = [], groups: Set<UInt32> = []) {
            self.users = users
            self.groups = groups
        }

        func covers(_ peer: PeerCredentials) -> Bool {
            users.contains(peer.uid) || groups.contains { peer.isMember(of: $0) }
        }
    }

    /// The user the daemon runs as; it has all roles, as root has.
    public var ownUser: UInt32
    public var archive: Grant
    public var admin: Grant

    public init(ownUser: UInt32, archive: Grant = Grant(), admin: Grant = Grant()) {
        self.ownUser = ownUser
        self.archive = archive
        self.admin = admin
    }

    /// Whether roles depend on what groups a peer is in.
    var needsGroups: Bool { !archive.groups.isEmpty || !admin.groups.isEmpty }

    /// The roles of a peer. Whoever could open the socket may read; an admin may archive too.
    public func roles(of peer: PeerCredentials) -> RoleSet {
        if peer.uid == 0 || peer.uid == ownUser { return .all }
        var roles: RoleSet = .read
        if archive.covers(peer) { roles.insert(.archive) }
        if admin.covers(peer) { roles.formUnion([.archive, .admin]) }
        return roles
    }
}
