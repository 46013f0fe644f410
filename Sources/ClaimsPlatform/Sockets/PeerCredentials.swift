// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// The process, user and groups of the peer of a Unix socket, as they were when it connected (SO_PEERCRED and
/// SO_PEERGROUPS, unix(7)).
public struct PeerCredentials: Equatable, Sendable {
    /// The process id. The process may have ended, and its id may be in use again.
    public let pid: Int32
    /// The effective user id.
    public let uid: UInt32
    /// The effective group id.
    public let gid: UInt32
    /// The supplementary group ids; empty if they were not requested.
    public let groups: [UInt32]

    public init(pid: Int32, uid: UInt32, gid: UInt32, groups: [UInt32]) {
        self.pid = pid
        self.uid = uid
        self.gid = gid
        self.groups = groups
    }

    /// Asks the kernel for the credentials of the peer of a connected Unix socket.
    ///
    /// - Parameter withGroups: Whether the supplementary groups are requested too, which costs a further system call.
    public init(of socket: Int32, withGroups: Bool = true) throws(SystemError) {
        var pid: Int32 = 0
        var uid: UInt32 = 0
        var gid: UInt32 = 0
        guard unsafe linux_peer_credentials(socket, &pid, &uid, &gid) == 0 else {
            throw .last("ask who a peer is")
        }
        guard withGroups else {
            self.init(pid: pid, uid: uid, gid: gid, groups: [])
            return
        }
        var groups = [UInt32](repeating: 0, count: 64)
        while true {
            let count = unsafe Int(linux_peer_groups(socket, &groups, Int32(groups.count)))
            guard count >= 0 else { throw .last("ask for a peer's groups") }
            if count <= groups.count {
                groups.removeLast(groups.count - count)
                break
            }
            groups = [UInt32](repeating: 0, count: count)
        }
        self.init(pid: pid, uid: uid, gid: gid, groups: groups)
    }

    /// Whether the peer is in that group, by its effective group or a supplementary one.
    public func isMember(of group: UInt32) -> Bool {
        gid == group || groups.contains(group)
    }
}
