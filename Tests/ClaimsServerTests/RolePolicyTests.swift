// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsProtocol
import Testing

@testable import ClaimsServer

@Suite struct RolePolicyTests {
    private let policy = RolePolicy(
        ownUser: 900, archive: .init(users: [1000], groups: [50]), admin: .init(users: [1001], groups: [60]))

    private func roles(uid: UInt32, gid: UInt32 = 100, groups: [UInt32] = []) -> [String] {
        policy.roles(of: PeerCredentials(pid: 1, uid: uid, gid: gid, groups: groups)).names
    }

    @Test func `whoever can open the socket may read`() {
        #expect(roles(uid: 2000) == ["read"])
    }

    @Test func `root and the daemon's own user have every role`() {
        #expect(roles(uid: 0) == ["read", "archive", "write", "admin"])
        #expect(roles(uid: 900) == ["read", "archive", "write", "admin"])
    }

    @Test func `a role comes by user, by main group or by further group`() {
        #expect(roles(uid: 1000) == ["read", "archive"])
        #expect(roles(uid: 2000, gid: 50) == ["read", "archive"])
        #expect(roles(uid: 2000, groups: [7, 50]) == ["read", "archive"])
    }

    @Test func `a definition may name its own writers, for all of it or for one action`() {
        var policy = policy
        policy.write = .init(users: [1000])
        policy.writers = [
            WriteScope(collection: "letters"): .init(users: [3000]),
            WriteScope(collection: "letters", action: "sign"): .init(groups: [70]),
        ]
        func peer(_ uid: UInt32, groups: [UInt32] = []) -> Peer {
            let credentials = PeerCredentials(pid: 1, uid: uid, gid: 100, groups: groups)
            return ServedShelf.peer(policy.roles(of: credentials), scopes: policy.scopes(of: credentials))
        }
        let letters = WriteScope(collection: "letters")
        let sign = WriteScope(collection: "letters", action: "sign")
        #expect(peer(1000).mayWrite(nil) && !peer(1000).mayWrite(letters) && !peer(1000).mayWrite(sign))
        #expect(!peer(3000).mayWrite(nil) && peer(3000).mayWrite(letters) && !peer(3000).mayWrite(sign))
        #expect(!peer(9, groups: [70]).mayWrite(letters) && peer(9, groups: [70]).mayWrite(sign))
        #expect(peer(1001).mayWrite(nil) && peer(1001).mayWrite(letters) && peer(1001).mayWrite(sign))
        #expect(peer(3000).roleNames() == ["read", "write:letters"])
        #expect(peer(9, groups: [70]).roleNames() == ["read", "write:letters"])
        #expect(peer(9).roleNames() == ["read"])
    }

    @Test func `an admin may archive too`() {
        #expect(roles(uid: 1001) == ["read", "archive", "write", "admin"])
        #expect(roles(uid: 2000, groups: [60]) == ["read", "archive", "write", "admin"])
    }
}
