// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsPlatform
public import ClaimsProtocol

/// The rule that gives each peer its roles, by numeric user and group ids.
///
/// The configuration names users and groups; the daemon resolves them once, when it reads the configuration.
public struct RolePolicy: Sendable {
    /// The users and groups to which one role is granted.
    public struct Grant: Sendable {
        /// The numeric ids of users.
        public var users: Set<UInt32>
        /// The numeric ids of groups; a member by primary or supplementary group has the role.
        public var groups: Set<UInt32>

        /// Makes a grant; without arguments it covers nobody.
        public init(users: Set<UInt32> = [], groups: Set<UInt32> = []) {
            self.users = users
            self.groups = groups
        }

        func covers(_ peer: PeerCredentials) -> Bool {
            users.contains(peer.uid) || groups.contains { peer.isMember(of: $0) }
        }
    }

    /// The numeric id of the daemon's own user, which has all roles, as root has.
    public var ownUser: UInt32
    /// The users and groups that may archive and unarchive.
    public var archive: Grant
    /// The users and groups that may refresh by force; they may archive too.
    public var admin: Grant

    /// Makes a policy; without grants only root and `ownUser` have more than the role `read`.
    public init(ownUser: UInt32, archive: Grant = Grant(), admin: Grant = Grant()) {
        self.ownUser = ownUser
        self.archive = archive
        self.admin = admin
    }

    /// Whether roles depend on the groups of a peer.
    var needsGroups: Bool { !archive.groups.isEmpty || !admin.groups.isEmpty }

    /// The roles of a peer, by the credentials that the kernel reported when it connected.
    ///
    /// Every peer has `read`, since it could open the socket. The role `admin` includes `archive`.
    public func roles(of peer: PeerCredentials) -> RoleSet {
        if peer.uid == 0 || peer.uid == ownUser { return .all }
        var roles: RoleSet = .read
        if archive.covers(peer) { roles.insert(.archive) }
        if admin.covers(peer) { roles.formUnion([.archive, .admin]) }
        return roles
    }
}
