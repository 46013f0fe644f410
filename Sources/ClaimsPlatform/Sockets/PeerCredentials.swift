// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Who is at the other end of a Unix socket, as the kernel noted when they connected (SO_PEERCRED, SO_PEERGROUPS).
public struct PeerCredentials: Equatable, Sendable {
    public let pid: Int32
    public let uid: UInt32
    public let gid: UInt32
    /// The supplementary groups, where they were asked for.
    public let groups: [UInt32]

    public init(pid: Int32, uid: UInt32, gid: UInt32, groups: [UInt32]) {
        self.pid = pid
        self.uid = uid
        self.gid = gid
        self.groups = groups
    }

    /// The credentials of the peer of a connected Unix socket.
    ///
    /// - Parameter withGroups: whether the supplementary groups are asked for too, which costs a further system call.
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

    /// True where the peer is in that group, by its main or any further group.
    public func isMember(of group: UInt32) -> Bool {
        gid == group || groups.contains(group)
    }
}
