// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsModel
import ClaimsPlatform
@testable import ClaimsTerminal
import ClaimsTestSupport
import Glibc
import Testing

struct SocketAdviceTests {
    private static let own = "/run/user/1000/claimsd/claimsd.sock"

    @Test func `a socket that is missing is told with the unit that makes it`() {
        func hint(_ path: String, exists: @escaping (String) -> Bool) -> String? {
            SocketAdvice.hint(path: path, errno: ENOENT, exists: exists)?.english
        }
        #expect(hint(SocketPath.system) { _ in false }?.hasSuffix("systemctl start claimsd") == true)
        #expect(hint(Self.own) { _ in false }?.hasSuffix("systemctl --user start claimsd") == true)
        #expect(
            hint(SocketPath.system) { $0 == "/run/claimsd" }?.hasSuffix("anew: systemctl restart claimsd.socket")
                == true)
        #expect(
            hint(Self.own) { $0 == "/run/user/1000/claimsd" }?.hasSuffix("anew: systemctl --user restart claimsd")
                == true)
        let own = DaemonUnit.ownFolders
        #expect(geteuid() == 0 ? own.isEmpty : own.count == 2)
        if let folder = own.first {
            #expect(
                hint(SocketPath.system) { $0 == folder }?
                    .hasSuffix("systemctl start claimsd; to start your own: systemctl --user start claimsd") == true)
        }
        #expect(SocketAdvice.hint(path: "/s", errno: ENOENT)?.english.contains("--socket or CLAIMSD_SOCKET") == true)
        #expect(
            SocketAdvice.hint(path: SocketPath.system, errno: ECONNREFUSED)?.english
                == "nobody listens there; to start the daemon: systemctl start claimsd; why it ended: systemctl status claimsd"
        )
        #expect(SocketAdvice.hint(path: SocketPath.system, errno: EMFILE) == nil)
    }

    @Test func `a socket that is forbidden is told with its group and the way into it`() {
        func hint(group: String? = "claims", isOpen: Bool = true, has: Bool = false, isMember: Bool = false) -> String {
            SocketAccess(
                folder: "/run/claimsd", group: group, isOpenToGroup: isOpen, user: "ann", hasGroup: has,
                isMember: isMember
            ).hint.english
        }
        #expect(
            hint()
                == "the group 'claims' may open it, and your user 'ann' is not in it: sudo usermod -aG claims ann, then log in again"
        )
        #expect(hint(isMember: true).hasSuffix("only from the next login on: log in again, or: newgrp claims"))
        #expect(hint(group: nil) == "your user 'ann' may not enter the folder /run/claimsd")
        #expect(hint(isOpen: false).hasPrefix("only its owner may open it"))
        #expect(hint(has: true).contains("sandbox"))
    }

    @Test func `in Polish the way into the group is told too`() {
        let access = SocketAccess(
            folder: "/run/claimsd", group: "claims", isOpenToGroup: true, user: "ann", hasGroup: false, isMember: true)
        #expect(access.hint.polish.contains("dopiero od następnego logowania"))
        #expect(SocketAdvice.hint(path: "/s", errno: ECONNREFUSED)?.polish.hasPrefix("nikt tam nie nasłuchuje") == true)
    }

    @Test func `the permissions of a socket are read from the file`() throws {
        let folder = try TemporaryFolder()
        let path = Paths.join(folder.path, "socket")
        let listener = try UnixSocket.listen(path: path, permissions: 0o600)
        let access = SocketAccess(path: path)
        #expect(access.group == (Accounts.groupName(getegid()) ?? String(getegid())))
        #expect(access.hasGroup && !access.isOpenToGroup)
        #expect(access.folder == folder.path)
        try Files.setPermissions(path, 0o660)
        #expect(SocketAccess(path: path).isOpenToGroup)
        #expect(SocketAccess(path: path + "-none").group == nil)
        _ = listener.raw
    }
}
