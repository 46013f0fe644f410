// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsQuery
import ClaimsSnapshot
import ClaimsTestSupport
import Testing

@testable import ClaimsServer
@testable import ClaimsStore

/// Surveys of many changes, and the views that they begin from.
@Suite struct FeedSurveyTests {
    private static func notes(_ count: Int, _ title: String) -> [String] {
        (0..<count).map { #"{"id":"n\#($0)","title":"\#(title)","level":\#($0)}"# }
    }

    private func view(_ fixture: FeedFixture) throws -> CollectionView { try fixture.view("notes") }

    private func predicate(_ filter: String, _ fixture: FeedFixture) throws -> Predicate {
        var parameters = FeedParameters()
        parameters.filter = ClaimsProtocol.FilterValue(filter)
        return try Feed(FeedRequest(parameters, fixture.context.queries), of: FeedFixture.notes(), within: nil)
            .predicate(at: 0)
    }

    private func seq(_ fixture: FeedFixture) -> UInt64 { fixture.store.catalog.current().revision.seq }

    /// The indexes of all candidates, part by part.
    private func candidates(
        _ survey: FeedSurvey, _ filter: String, _ fixture: FeedFixture
    ) throws -> [FeedCandidates.Candidate] {
        let predicate = try predicate(filter, fixture)
        let snapshot = try #require(try view(fixture).snapshot)
        var found: [FeedCandidates.Candidate] = []
        var index = 0
        while index < survey.count {
            let key = FeedSurvey.Key(feed: UInt64(bitPattern: Int64(filter.hashValue)), time: 0)
            let part = try survey.candidates(
                key, { () throws(QueryFailure) in predicate }, from: index, in: snapshot,
                scratch: QueryScratch(), budget: .unlimited)
            #expect(part.end > index && part.count <= survey.bounds.maxCandidates)
            while let next = part.next(from: index), next.index < part.end {
                found.append(next)
                index = next.index + 1
            }
            index = part.end
        }
        return found
    }

    @Test func `a survey names the changes whose record matched or matches`() throws {
        let fixture = try FeedFixture()
        try fixture.take(Self.notes(6, "pump"), into: "notes")
        let old = try view(fixture)
        let start = seq(fixture)
        // 0 and 1 change, 2 goes, 3 stays, 4 and 5 change, 6 comes.
        var body = Self.notes(7, "water")
        body[3] = Self.notes(6, "pump")[3]
        body.remove(at: 2)
        try fixture.take(body, into: "notes", writesFile: true)
        let new = try view(fixture)
        let log = FeedLog(try fixture.context.queries.changeLog())
        let survey = FeedSurvey(
            from: try #require(old.snapshot), of: old, after: start, to: try #require(new.snapshot),
            SurveyBounds(maxStep: 2, maxCandidates: 2))
        var steps = 1
        while try !survey.extend(to: new, log) { steps += 1 }
        #expect(survey.count == 6 && steps >= 3)
        #expect(survey.end == new.changedSeq)
        #expect((0..<6).map { survey.index(after: survey.seq(of: $0)) } == [1, 2, 3, 4, 5, 6])
        #expect(survey.index(after: start) == 0 && survey.index(after: .max) == 6)
        let pumps = try candidates(survey, "pump", fixture)
        #expect(pumps.count == 5 && pumps.allSatisfy { $0.wasMatch && !$0.isMatch })
        let waters = try candidates(survey, "water", fixture)
        #expect(waters.count == 5 && waters.allSatisfy { !$0.wasMatch && $0.isMatch })
        let low = try candidates(survey, "level<1", fixture)
        #expect(low.count == 1 && low.allSatisfy { $0.wasMatch && $0.isMatch })
        #expect(try candidates(survey, "level=3", fixture).isEmpty)
        #expect(try candidates(survey, "level>90", fixture).isEmpty)
    }

    @Test func `marks that come later belong to the same survey`() throws {
        let fixture = try FeedFixture()
        try fixture.take(Self.notes(4, "pump"), into: "notes")
        let origin = FeedOrigin(try view(fixture), at: seq(fixture), SurveyBounds(minChanges: 2))
        let log = FeedLog(try fixture.context.queries.changeLog())
        #expect(origin.holds(seq(fixture)))
        guard case .none = try origin.survey(to: try view(fixture), log) else {
            Issue.record("nothing has changed")
            return
        }
        try fixture.take(Self.notes(4, "water"), into: "notes", writesFile: true)
        guard case .survey(let survey) = try origin.survey(to: try view(fixture), log) else {
            Issue.record("the changes are surveyed")
            return
        }
        #expect(survey.count == 4)
        try fixture.archive(["n1"], in: "notes")
        #expect(!origin.holds(seq(fixture)))
        guard case .survey(let same) = try origin.survey(to: try view(fixture), log) else {
            Issue.record("the mark is surveyed")
            return
        }
        #expect(same === survey && same.count == 5)
        // The record has its last change, the mark.
        let matches = try candidates(same, "level=1", fixture)
        #expect(matches == [.init(index: 4, wasMatch: true, isMatch: true)])
    }

    @Test func `a survey of a log that was trimmed meanwhile is no survey`() throws {
        let fixture = try FeedFixture()
        try fixture.take(Self.notes(4, "pump"), into: "notes")
        let origin = FeedOrigin(try view(fixture), at: seq(fixture), SurveyBounds(minChanges: 2))
        let log = FeedLog(try fixture.context.queries.changeLog())
        try fixture.take(Self.notes(4, "water"), into: "notes")
        let seen = try view(fixture)
        try fixture.take(Self.notes(4, "tea"), into: "notes")
        try fixture.trim("notes", changes: 0)
        guard case .none = try origin.survey(to: seen, log) else {
            Issue.record("the log does not tell the changes any more")
            return
        }
    }

    @Test func `one view that is replaced is kept until feeds have passed the commit`() throws {
        let fixture = try FeedFixture()
        try fixture.take(Self.notes(2, "a"), into: "notes")
        let first = try view(fixture)
        var origins = FeedOrigins(first, at: seq(fixture))
        #expect(!origins.isReplaced && origins.origin.view === first)
        // Other collections move the clock, and the set stays.
        try fixture.take([#"{"id":1}"#], into: "shelf")
        let later = seq(fixture)
        #expect(!origins.accept(first, at: later) { _ in true })
        #expect(origins.origin.holds(later))

        try fixture.take(Self.notes(2, "b"), into: "notes")
        let second = try view(fixture)
        #expect(origins.accept(second, at: seq(fixture)) { _ in true })
        #expect(origins.isReplaced && origins.origin.view === first)
        try fixture.take(Self.notes(2, "c"), into: "notes")
        let third = try view(fixture)
        var others = origins
        #expect(origins.accept(third, at: seq(fixture)) { _ in true })
        #expect(origins.origin.view === first)
        #expect(others.accept(third, at: seq(fixture)) { _ in false })
        #expect(others.origin.view === second)
        origins.settle()
        #expect(!origins.isReplaced && origins.origin.view === third)
    }

    @Test func `a way on which nothing was told begins anew with a newer commit`() {
        let way = FeedPosition(since: 10, processed: 10, forcedAfter: 20, time: 0, target: 0, phase: .delta)
        var later = way
        later.processed = 15
        func anew(
            _ position: FeedPosition, _ stage: FeedStage = .live, isOpen: Bool = false, dependsOnTime: Bool = false,
            isCheap: Bool = true
        ) -> FeedPosition? {
            FeedProgress(position: position, stage: stage, isOpen: isOpen)
                .begunAnew(dependsOnTime: dependsOnTime, isCheap: isCheap)?.position
        }
        let rest = FeedPosition.rest(at: 10, time: 0)
        #expect(anew(way) == rest && anew(later) == rest && anew(way, .catchingUp) == rest)
        #expect(anew(way, isCheap: false) == rest && anew(later, isCheap: false) == nil)
        #expect(anew(way, isOpen: true) == nil && anew(way, .set(reason: nil)) == nil && anew(rest) == nil)
        #expect(anew(way, dependsOnTime: true) == nil)
        later.target = 5
        #expect(anew(later, dependsOnTime: true) == rest)
    }

    @Test func `candidates are cut into parts, which go on where the one before ends`() {
        // The changes 1, 64, 65 and 130 of 140.
        let was: [UInt64] = [2, 1, 4]
        let now: [UInt64] = [2, 2, 0]
        let all = FeedCandidates(was: was, now: now, from: 0, count: 140, limit: 9)
        #expect(all.count == 4 && all.end == 140 && all.covers(139) && !all.covers(140))
        #expect(all.next(from: 0) == .init(index: 1, wasMatch: true, isMatch: true))
        #expect(all.next(from: 2) == .init(index: 64, wasMatch: true, isMatch: false))
        #expect(all.next(from: 65) == .init(index: 65, wasMatch: false, isMatch: true))
        #expect(all.next(from: 66)?.index == 130 && all.next(from: 131) == nil)
        #expect(all.count(0..<140) == 4 && all.count(1..<65) == 2 && all.count(66..<130) == 0)
        let part = FeedCandidates(was: was, now: now, from: 2, count: 140, limit: 2)
        #expect(part.count == 2 && part.end == 130 && !part.covers(1) && part.covers(129))
        let rest = FeedCandidates(was: was, now: now, from: part.end, count: 140, limit: 2)
        #expect(rest.count == 1 && rest.end == 140)
    }
}
