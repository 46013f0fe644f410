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
        #expect(roles(uid: 0) == ["read", "archive", "admin"])
        #expect(roles(uid: 900) == ["read", "archive", "admin"])
    }

    @Test func `a role comes by user, by main group or by further group`() {
        #expect(roles(uid: 1000) == ["read", "archive"])
        #expect(roles(uid: 2000, gid: 50) == ["read", "archive"])
        #expect(roles(uid: 2000, groups: [7, 50]) == ["read", "archive"])
    }

    @Test func `groups matter only where one of them has a role`() {
        #expect(policy.needsGroups)
        #expect(RolePolicy(ownUser: 900, archive: .init(groups: [50])).needsGroups)
        #expect(RolePolicy(ownUser: 900, admin: .init(groups: [60])).needsGroups)
        #expect(!RolePolicy(ownUser: 900, archive: .init(users: [1]), admin: .init(users: [2])).needsGroups)
    }

    @Test func `an admin may archive too`() {
        #expect(roles(uid: 1001) == ["read", "archive", "admin"])
        #expect(roles(uid: 2000, groups: [60]) == ["read", "archive", "admin"])
    }
}
