// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsSnapshot
@testable import ClaimsStore

/// `kill -9`, or a loss of power, before each call that writes, syncs, renames or removes a file, while a stack of files is
/// made, merged and rewritten.
@Suite struct StackCrashTests {
    private static let variable = "CLAIMSD_TEST_RECORDED"

    /// One after the other, they make each file of a stack, put it in the place of others, and take it away. Each is at
    /// most one commit.
    private static let work: [@Sendable (OpenerFixture) throws -> Void] = {
        func take(
            _ records: String, _ scope: AnswerScope = AnswerScope(isIncremental: true)
        ) -> @Sendable (OpenerFixture) throws -> Void {
            { try $0.take([TestAnswer(scope: scope, pages: [records])], at: 50, bounds: SmallStack.bounds) }
        }
        @Sendable func require(_ isMade: Bool) throws {
            if !isMade { throw TestFailure("no file was made") }
        }
        let whole = SmallStack.records(3..<70, "whole")
        return [
            take(SmallStack.records([1], "recent")),
            // A young file, a middle one, a young one over it.
            take(SmallStack.records([2, 3, 80], "young")),
            { try $0.mark([1, 9, 80], isArchiving: true) },
            take(SmallStack.gone([4])),
            take(SmallStack.records([1, 5, 6, 81], "middle")),
            take(SmallStack.gone([7])),
            take(SmallStack.records([5, 8], "young")),
            { try $0.lose(.young) },
            take(SmallStack.records([11], "recent")),
            // Beside commits.
            { try require($0.opener.fold("things")) },
            take(SmallStack.records([12], "recent")),
            { try require($0.opener.merge("things")) },
            { try $0.mark([9], isArchiving: false) },
            take(SmallStack.records(20..<28, "middle")),
            { try $0.opener.tidy("things") },
            // Of records in all files, and of a gone one.
            { try $0.forget([20, 8, 7]) },
            { try require($0.opener.merge("things")) },
            take(SmallStack.records(40..<46, "middle")),
            { try $0.lose(.middle) },
            // A base of a commit, and one that nothing follows from.
            take(whole, .whole),
            take(whole, .whole),
            take(SmallStack.records([30], "recent")),
            { try $0.lose(.base) },
            { try $0.forget([30]) },
        ]
    }()

    /// The steps at which a file is lost, and made anew.
    private static let repairs = [7, 18, 22]

    @Test(.enabled(if: Environment[variable] != nil)) func `the work that is recorded`() throws {
        let records = try #require(Environment[Self.variable])
        func write(_ name: String, _ text: String) throws {
            try Files.writeAtomically(Paths.join(records, name), Array(text.utf8))
        }
        let fixture = try OpenerFixture(definitions: [SmallStack.definition()])
        try fixture.take([.whole(SmallStack.records(0..<SmallStack.count, "first"))])
        try fixture.mark([2], isArchiving: true)
        try write("told-0", fixture.told().joined(separator: "\n"))
        try write("step", "0")
        try write("root", fixture.folder.path)
        for (number, step) in Self.work.enumerated() {
            try step(fixture)
            try write("told-\(number + 1)", fixture.told().joined(separator: "\n"))
            try write("step", "\(number + 1)")
        }
        try write("step", "end")
    }

    @Test(.enabled(if: DiskRecorder.isPossible && Environment[variable] == nil))
    func `after a kill or a loss of power at any step nothing is lost, doubled, left behind or made anew`() throws {
        let recorder = try DiskRecorder()
        try recorder.run(test: "the work that is recorded", variable: Self.variable)
        let told = try (0...Self.work.count).map { try recorder.folder.read("told-\($0)") }
        let images = try recorder.images()
        var reached: [Bool: Set<Int>] = [:]
        for image in images {
            let name = image.path.split(separator: "/").last ?? ""
            let folder = try TemporaryFolder.copyOfStateAndCache(at: image.path)
            let found = try OpenerFixture(folder, definitions: [SmallStack.definition()])
            let text = try found.told().joined(separator: "\n")
            // The acknowledged data, perhaps with the step that was under way.
            let isKnown = told[image.step...].prefix(2).contains(text)
            #expect(isKnown, "\(name), step \(image.step)")
            let events = Self.repairs.contains(image.step) ? Array(found.reported.dropFirst()) : found.reported
            #expect(events.isEmpty, "\(name), step \(image.step): \(events)")
            #expect(try Set(Directory.list(folder("cache"))) == found.namedFiles, "\(name), step \(image.step)")
            let remains = try Directory.list(folder("state")).filter { $0.contains("damaged") }
            #expect(remains.isEmpty, "\(name), step \(image.step): \(remains)")
            reached[image.isPowerLoss, default: []].insert(image.step)
        }
        // Each step has changed something, and most have synced something.
        #expect(images.count > 200, "\(images.count) images")
        #expect(reached[false] == Set(0..<Self.work.count) && reached[true] == reached[false], "\(reached)")
    }
}

extension OpenerFixture {
    /// Loses a file that is served, and makes it anew.
    fileprivate func lose(_ role: StackRole) throws {
        try unverify()
        try Files.remove(Paths.join(opener.directory, fileName(role)))
        guard opener.verify("things") else { throw TestFailure("no file was made") }
    }
}
