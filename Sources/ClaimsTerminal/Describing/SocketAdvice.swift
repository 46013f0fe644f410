// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Glibc

/// The hints about a socket that cannot be opened: they name the command that helps.
enum SocketAdvice {
    /// The hint for a connection that failed with this error number; nil for an error without a hint.
    static func hint(path: String, errno: Int32) -> String? {
        let unit = DaemonUnit(socket: path)
        switch errno {
        case ENOENT, ENOTDIR:
            guard let unit else { return "does the daemon listen there? --socket or CLAIMSD_SOCKET names the path" }
            return "there is no socket; to start the daemon: \(unit.command("start"))"
        case ECONNREFUSED:
            guard let unit else { return "nobody listens there; --socket or CLAIMSD_SOCKET names another path" }
            let start = unit.command("start")
            return "nobody listens there; to start the daemon: \(start); why it ended: \(unit.command("status"))"
        case ETIMEDOUT:
            let command = unit.map { "; to see how it is: \($0.command("status"))" } ?? ""
            return "its queue of connections is full, and the daemon takes none\(command)"
        case EACCES, EPERM:
            return SocketAccess(path: path).hint
        default: return nil
        }
    }
}

/// The permissions of a socket, seen by a user who may not open it.
struct SocketAccess {
    /// The folder in which the socket is.
    let folder: String
    /// The group of the socket, by name or number; nil if its permissions cannot be read.
    let group: String?
    /// Whether members of the group may open the socket.
    let isOpenToGroup: Bool
    /// The name of the user.
    let user: String
    /// Whether this process has the group.
    let hasGroup: Bool
    /// Whether the group's entry in the database names the user: then a new login has the group.
    let isMember: Bool

    /// The way to get access.
    var hint: String {
        guard let group else { return "your user '\(user)' may not enter the folder \(folder)" }
        if hasGroup, isOpenToGroup {
            return "the group '\(group)', which your user has, may open it, but not from here: is this a sandbox?"
        }
        if !isOpenToGroup { return "only its owner may open it; the group '\(group)' may not" }
        if isMember {
            return
                "your user '\(user)' came into the group '\(group)' after this login: log in again, or: newgrp \(group)"
        }
        return "the group '\(group)' may open it, and your user '\(user)' is not in it: "
            + "sudo usermod -aG \(group) \(user), then log in again"
    }
}

extension SocketAccess {
    /// Reads the permissions of the socket, and the groups of this process.
    init(path: String) {
        var information = stat()
        let isKnown = unsafe stat(path, &information) == 0
        let gid = information.st_gid
        let uid = geteuid()
        folder = Paths.parent(path)
        user = Accounts.userName(uid) ?? String(uid)
        group = isKnown ? Accounts.groupName(gid) ?? String(gid) : nil
        isOpenToGroup = information.st_mode & 0o060 == 0o060
        hasGroup = isKnown && (getegid() == gid || ProcessGroups.all().contains(gid))
        isMember = isKnown && Accounts.members(ofGroup: gid).contains(user)
    }
}
