// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
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

        /// Makes a grant; without arguments it covers no peer.
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
    /// The users and groups that may add, edit and delete records.
    public var write: Grant
    /// The users and groups that may refresh by force; they may archive and write too.
    public var admin: Grant
    /// The writers that definitions name in place of the writers of `write`.
    public var writers: [WriteScope: Grant] = [:]

    /// Makes a policy; without grants only root and `ownUser` have more than the role `read`.
    public init(ownUser: UInt32, archive: Grant = Grant(), write: Grant = Grant(), admin: Grant = Grant()) {
        self.ownUser = ownUser
        self.archive = archive
        self.write = write
        self.admin = admin
    }

    /// The scopes for which a definition names the peer as a writer.
    func scopes(of peer: PeerCredentials) -> Set<WriteScope> {
        Set(writers.lazy.filter { $0.value.covers(peer) }.map(\.key))
    }

    /// Whether no rule limits a peer: root and the daemon's own user, who can read the files.
    func isUnlimited(_ peer: PeerCredentials) -> Bool { peer.uid == 0 || peer.uid == ownUser }

    /// The roles of a peer, by the credentials that the kernel reported when it connected.
    ///
    /// Every peer has `read`, since it could open the socket. The role `admin` includes `archive` and `write`.
    public func roles(of peer: PeerCredentials) -> RoleSet {
        if isUnlimited(peer) { return .all }
        var roles: RoleSet = .read
        if archive.covers(peer) { roles.insert(.archive) }
        if write.covers(peer) { roles.insert(.write) }
        if admin.covers(peer) { roles.formUnion([.archive, .write, .admin]) }
        return roles
    }
}

/// A collection, or one of its actions, for which the definition names its own writers.
public struct WriteScope: Sendable, Hashable {
    public var collection: String
    /// The name of the action; nil for all that have no writers of their own.
    public var action: String?

    public init(collection: String, action: String? = nil) {
        self.collection = collection
        self.action = action
    }

    /// The scope that names the writers who may do an action; nil if the settings name them.
    public init?(of action: WriteAction, in definition: Definition) {
        if action.role != nil {
            self.init(collection: definition.name, action: action.name)
        } else if definition.writes?.role != nil {
            self.init(collection: definition.name)
        } else {
            return nil
        }
    }
}
