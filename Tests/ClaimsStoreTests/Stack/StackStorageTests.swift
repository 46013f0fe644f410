// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsSnapshot
@testable import ClaimsStore

/// A disk that has no room for a file of a stack, at each page of the file.
@Suite(.enabled(if: SmallFileSystem.isPossible)) struct StackStorageTests {
    /// A step that makes a file, or forgets one.
    private enum Step: CaseIterable {
        case young, middle, base, folded, merged, forgotten

        /// The state in which it is due.
        var state: StackState {
            switch self {
            case .young, .middle, .base: .recentOverBase
            case .folded: .recentOverMiddle
            case .merged, .forgotten: .all
            }
        }

        func run(_ fixture: OpenerFixture) throws {
            func take(_ ids: Range<Int>) throws {
                let answer = TestAnswer.changes(SmallStack.records(ids, "new"))
                try fixture.take([answer], at: 30, bounds: SmallStack.bounds)
            }
            switch self {
            case .young: try take(170..<171)
            case .middle: try take(170..<176)
            case .base: try take(170..<210)
            case .folded: #expect(try fixture.opener.fold("things"))
            case .merged: #expect(try fixture.opener.merge("things"))
            case .forgotten: try fixture.forget([5])
            }
        }
    }

    /// The most pages that a step is given before it must go well.
    private static let maxPages = 512

    /// Gives a step one page more each time, until it goes well.
    private func run(_ step: Step, _ fixture: OpenerFixture, on disk: SmallFileSystem) throws -> [String] {
        let (told, files) = (try fixture.told(), fixture.files)
        for pages in 0..<Self.maxPages {
            try disk.fill(leaving: pages)
            do {
                try step.run(fixture)
                disk.clear()
                return try fixture.told()
            } catch let error as StoreError {
                #expect(error.code == .storageFull, "\(step), \(pages) pages: \(error)")
            } catch let error as IntakeError {
                guard case .store(let error) = error else { throw error }
                #expect(error.code == .storageFull, "\(step), \(pages) pages: \(error)")
            }
            // Records are forgotten with the commit, and erased after it.
            if step == .forgotten, try fixture.told() != told { continue }
            let events = fixture.reported.filter { if case .mergeWaiting = $0 { false } else { true } }
            #expect(events.isEmpty, "\(step), \(pages) pages: \(events)")
            // The thread of the store releases what it was given before it goes on.
            try fixture.store.database.perform { _ in }
            #expect(fixture.files == files, "\(step), \(pages) pages")
            if pages % 8 == 0 {
                #expect(try fixture.told() == told, "\(step), \(pages) pages")
                let found = try fixture.crashed()
                #expect(try found.told() == told && found.reported.isEmpty, "\(step), \(pages) pages")
                #expect(Set(found.files) == found.namedFiles, "\(step), \(pages) pages")
            }
        }
        throw TestFailure("\(step) has no room with \(Self.maxPages) pages")
    }

    /// The served data after a step that has room.
    private func expected(_ step: Step) throws -> [String] {
        let fixture = try step.state.make()
        try step.run(fixture)
        return try fixture.told()
    }

    @Test(arguments: Step.allCases)
    private func `a cache without room changes nothing, and with room nothing is missing`(step: Step) throws {
        let disk = try SmallFileSystem(megabytes: 4)
        let fixture = try step.state.make(cacheIn: disk.folder.path)
        let told = try run(step, fixture, on: disk)
        #expect(try told == expected(step))
        let found = try fixture.crashed()
        #expect(try found.told() == told && found.reported.isEmpty)
        #expect(Set(found.files) == found.namedFiles)
    }

    @Test(arguments: Step.allCases)
    private func `a disk without room for state and cache changes nothing, and with room nothing is missing`(
        step: Step
    ) throws {
        let disk = try SmallFileSystem(megabytes: 8)
        let fixture = try step.state.make(disk.folder)
        let told = try run(step, fixture, on: disk)
        #expect(try told == expected(step))
        let found = try fixture.crashed()
        #expect(try found.told() == told && found.reported.isEmpty)
        #expect(Set(found.files) == found.namedFiles)
    }

    @Test func `a start that has no room to make a lost file anew serves what state_db has, and makes it later`() throws
    {
        for role in [StackRole.middle, .young] {
            let fixture = try StackState.all.make()
            let told = try fixture.told()
            let copy = try fixture.folder.copyOfStateAndCache()
            let disk = try SmallFileSystem(megabytes: 4)
            for name in try Directory.list(copy("cache")) where try name != fixture.fileName(role) {
                try disk.folder.write(name, Files.readAll(copy("cache/\(name)"), cap: 1 << 30))
            }
            try disk.fill()
            let found = try OpenerFixture(
                copy, definitions: [SmallStack.definition()], cacheIn: disk.folder.path)
            #expect(try found.told() == told, "\(role): \(found.reported)")
            disk.clear()
            found.opener.settle("things")
            #expect(try found.told() == told && found.view?.condition.lostFile == nil, "\(role)")
            let again = try found.crashed()
            #expect(try again.told() == told && again.reported.isEmpty, "\(role)")
        }
    }
}
