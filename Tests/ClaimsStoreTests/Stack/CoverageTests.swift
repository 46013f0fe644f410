// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsTestSupport
import Testing

@testable import ClaimsSnapshot
@testable import ClaimsStore

/// A start looks no id up for files that say which rows below they cover.
@Suite struct CoverageTests {
    /// Expects that a file names the rows of the files below whose ids it has.
    private func expectCoverage(of role: StackRole, _ fixture: OpenerFixture) throws {
        let files = try #require(fixture.view?.committed?.files)
        let file = try #require(files[role]?.snapshot)
        let below = files.snapshots(below: role)
        #expect(!below.isEmpty)
        for other in below {
            let coverage = try #require(file.coverage(of: other), "\(role)")
            for row in 0..<other.count {
                #expect(coverage.contains(row) == file.mentions(other.idBytes(row).rawSpan), "\(role) \(row)")
            }
        }
    }

    @Test(arguments: StackState.allCases)
    func `a file of a commit names the rows below that it covers`(state: StackState) throws {
        let fixture = try state.make()
        for role in state.roles.dropFirst() { try expectCoverage(of: role, fixture) }
    }

    @Test func `a file that is made beside commits names them`() throws {
        let fixture = try StackState.recentOverMiddle.make()
        let young = try #require(try fixture.opener.writer.writeRecent("things", SmallStack.bounds))
        try fixture.opener.writer.put(young)
        #expect(fixture.roles == [.base, .middle, .young])
        try expectCoverage(of: .young, fixture)
    }

    @Test func `files that are rewritten without an erased record name the rows of the rewritten files below`() throws {
        let fixture = try StackState.youngOverMiddle.make()
        try fixture.forget([5])
        #expect(fixture.roles == [.base, .middle, .young])
        for role in [StackRole.middle, .young] { try expectCoverage(of: role, fixture) }
    }
}
