// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsSnapshot
@testable import ClaimsStore

/// A merge whose base has no room on the disk.
@Suite(.enabled(if: SmallFileSystem.isPossible)) struct WaitingMergeTests {
    private static let count = 4000
    private static let bounds = RecentBounds(
        maxChanges: 1, maxRecords: 2, layers: LayerBounds(maxYoung: 3, maxMiddle: 10))

    private func change(_ ids: Range<Int>, in fixtures: [OpenerFixture], at: Int64, _ bounds: [RecentBounds]) throws {
        let answer = TestAnswer.changes(SmallStack.records(ids, "at \(at)"))
        for (fixture, bounds) in zip(fixtures, bounds) { try fixture.take([answer], at: at, bounds: bounds) }
    }

    /// How often a merge was said to wait, and how often that it was made after all.
    private func told(_ fixture: OpenerFixture) -> (waiting: Int, merged: Int) {
        let events = fixture.reported
        return (
            events.count { if case .mergeWaiting(let error) = $0 { error.code == .storageFull } else { false } },
            events.count { $0 == .merged }
        )
    }

    @Test func `a merge without room waits, the middle file goes on past its bound, and room lets it be merged`() throws
    {
        let disk = try SmallFileSystem(megabytes: 8)
        let layered = try OpenerFixture(definitions: [SmallStack.definition()], cacheIn: disk.folder.path)
        let plain = try OpenerFixture(definitions: [SmallStack.definition()])
        let fixtures = [layered, plain]
        for fixture in fixtures { try fixture.take([.whole(SmallStack.records(0..<Self.count, "first"))]) }
        try change(0..<9, in: fixtures, at: 5, [Self.bounds, .none])
        #expect(layered.roles == [.base, .middle] && layered.view?.condition.isMergeWaiting == false)
        let base = try layered.fileName(.base)
        let size = try #require(layered.view?.committed?.file.fileSize)
        // There is room for some changes, and for no other base.
        try disk.fill(leaving: size / 4096 / 2)
        for _ in 0..<3 {
            #expect(throws: StoreError.self) { try layered.opener.merge("things") }
            #expect(layered.view?.condition.isMergeWaiting == true && told(layered) == (1, 0))
            #expect(Set(layered.files) == layered.namedFiles)
        }
        for step in 0..<8 {
            try change(step * 20..<step * 20 + 15, in: fixtures, at: 10 + Int64(step), [Self.bounds, .none])
            #expect(layered.roles == [.base, .middle], "\(layered.roles)")
        }
        // Marks do not end the wait.
        for fixture in fixtures { try fixture.mark([3, 40, 3999], isArchiving: true) }
        #expect(try layered.fileName(.base) == base && layered.view?.condition.isMergeWaiting == true)
        let entries = try #require(layered.view?.committed?.files[.middle]?.entries)
        #expect(entries > 100)
        #expect(try layered.told() == plain.told())
        let found = try layered.crashed()
        #expect(try found.told() == plain.told() && found.reported.isEmpty)
        disk.clear()
        #expect(try layered.opener.merge("things") && told(layered) == (1, 1))
        #expect(layered.roles == [.base] && layered.view?.condition.isMergeWaiting == false)
        #expect(try layered.told() == plain.told())
        // From now on the bound holds again: a commit makes a base.
        try change(0..<30, in: fixtures, at: 30, [Self.bounds, .none])
        #expect(try layered.roles == [.base] && layered.told() == plain.told())
    }

    @Test func `a merge that cannot have room is not begun`() throws {
        let disk = try SmallFileSystem(megabytes: 8)
        let fixture = try OpenerFixture(definitions: [SmallStack.definition()], cacheIn: disk.folder.path)
        try fixture.take([.whole(SmallStack.records(0..<Self.count, "first"))])
        try change(0..<9, in: [fixture], at: 5, [Self.bounds])
        let needed = try #require(fixture.view?.committed?.file.indexBytes)
        try disk.fill(leaving: needed / 4096 / 2)
        let isBegun = Monitor(false)
        let merge = {
            _ = try fixture.opener.merge("things") {
                isBegun.update { $0 = true }
                return true
            }
        }
        #expect(throws: StoreError.self) { try merge() }
        #expect(!isBegun.read { $0 } && fixture.view?.condition.isMergeWaiting == true)
        disk.clear()
        try merge()
        #expect(isBegun.read { $0 } && fixture.roles == [.base])
    }

    @Test func `a whole answer that makes another base ends the wait`() throws {
        let disk = try SmallFileSystem(megabytes: 8)
        let fixture = try OpenerFixture(definitions: [SmallStack.definition()], cacheIn: disk.folder.path)
        try fixture.take([.whole(SmallStack.records(0..<Self.count, "first"))])
        try change(0..<9, in: [fixture], at: 5, [Self.bounds])
        try disk.fill()
        #expect(throws: StoreError.self) { try fixture.opener.merge("things") }
        #expect(fixture.view?.condition.isMergeWaiting == true)
        disk.clear()
        try fixture.take([.whole(SmallStack.records(0..<Self.count, "second"))], at: 6, bounds: .none)
        #expect(fixture.roles == [.base] && fixture.view?.condition.isMergeWaiting == false)
    }
}
