// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsRefresh
import Testing

@testable import ClaimsFleet

@Suite struct LeadershipTests {
    private let hosts = ["a", "b", "c"]

    private func permission(
        of host: String, after newest: NewestEntry?, startedAt: Int64 = 1_000_000
    ) -> AskPermission {
        Leadership(own: Issuer(host: host, epoch: "2"), hosts: hosts, rank: hosts.firstIndex(of: host))
            .permission(after: newest, request: "r", startedAt: startedAt)
    }

    private func newest(
        of host: String, epoch: String = "1", _ entry: HeadEntry, seenAt: Int64 = 500, isSeenFresh: Bool = true
    ) -> NewestEntry {
        NewestEntry(
            issuer: Issuer(host: host, epoch: epoch), leader: 0, entry: entry, seenAt: seenAt, isSeenFresh: isSeenFresh)
    }

    @Test("without a head the leaders may ask one after the other, and other hosts never") func noHead() {
        #expect(permission(of: "a", after: nil) == .from(1_000_000))
        #expect(permission(of: "b", after: nil) == .from(1_020_000))
        #expect(permission(of: "x", after: nil) == .never)
    }

    @Test("the host that issued the newest head asks when its source is due") func ownHead() {
        let known = newest(of: "b", epoch: "2", headEntry(issuedAt: 400))
        #expect(permission(of: "b", after: known) == .bySchedule)
    }

    @Test("the others wait for the time that was announced, counted from when they saw it, one step each")
    func takingOver() {
        let known = newest(of: "a", headEntry(issuedAt: 400, next: 10_400))
        #expect(permission(of: "b", after: known) == .from(30_500))
        #expect(permission(of: "c", after: known) == .from(50_500))
        // Of a head that was found at a start, the clock of its issuer counts.
        let found = newest(of: "a", headEntry(issuedAt: 400, next: 10_400), isSeenFresh: false)
        #expect(permission(of: "b", after: found) == .from(30_400))
        // The first of the list does not take over from one that is well.
        let other = newest(of: "c", headEntry(issuedAt: 400, next: 10_400))
        #expect(permission(of: "a", after: other) == .from(30_500))
    }

    @Test("a leader that has started again goes on when it is due") func restarted() {
        let known = newest(of: "b", headEntry(issuedAt: 400, next: 10_400), isSeenFresh: false)
        #expect(permission(of: "b", after: known, startedAt: 30_400) == .bySchedule)
        // Another one may have taken over from it.
        #expect(permission(of: "b", after: known, startedAt: 30_401) == .from(50_401))
    }

    @Test("a failure that another host may not have lets it try") func failures() {
        func permission(_ kind: String, _ failures: Int) -> AskPermission {
            let error = HeadEntry.Fault(kind: kind, reason: nil, status: nil, at: 300, failures: failures)
            let known = newest(of: "a", headEntry(issuedAt: 400, next: 900_400, error: error))
            return self.permission(of: "b", after: known)
        }
        #expect(permission("tls", 1) == .from(20_500))
        #expect(permission("credential", 1) == .from(20_500))
        #expect(permission("unreachable", 4) == .from(920_500))
        #expect(permission("unreachable", 5) == .from(20_500))
        #expect(permission("http_status", 9) == .from(920_500))
    }

    @Test("a host that tells of such a failure again and again makes nobody wait for longer") func repeatedFailures() {
        func entry(_ failures: Int, of host: String = "a", seenAt: Int64, kind: String = "unreachable") -> NewestEntry {
            let error = HeadEntry.Fault(kind: kind, reason: nil, status: nil, at: 300, failures: failures)
            return newest(of: host, headEntry(issuedAt: seenAt, next: seenAt + 60_000, error: error), seenAt: seenAt)
        }
        let fourth = entry(4, seenAt: 1_000)
        let fifth = entry(5, seenAt: 9_000).replacing(fourth)
        let sixth = entry(6, seenAt: 20_000).replacing(fifth)
        #expect(permission(of: "b", after: fifth) == .from(29_000))
        #expect(permission(of: "b", after: sixth) == .from(29_000))
        // A clock that is set makes nothing late, and nothing early.
        #expect(permission(of: "b", after: sixth.shifted(by: -5_000)) == .from(24_000))
        // It counts anew after a good answer, after another failure, and from another host.
        let good = newest(of: "a", headEntry(issuedAt: 30_000, next: 90_000), seenAt: 30_000).replacing(sixth)
        #expect(permission(of: "b", after: entry(5, seenAt: 40_000).replacing(good)) == .from(60_000))
        let other = entry(1, seenAt: 30_000, kind: "http_status").replacing(sixth)
        #expect(permission(of: "b", after: other) == .from(110_000))
        #expect(permission(of: "b", after: entry(5, of: "c", seenAt: 40_000).replacing(sixth)) == .from(80_000))
    }

    @Test("what the upstream demanded of one host binds the others") func retryAfter() {
        let known = newest(of: "a", headEntry(issuedAt: 400, next: 10_400, retryAfter: 99_000))
        #expect(permission(of: "b", after: known) == .from(99_000))
    }

    @Test("an answer counts unless another host has published meanwhile, or the clock was set") func permits() {
        let own = Issuer(host: "b", epoch: "2")
        let given = GivenPermit(
            permit: AskPermit(number: 1, floor: 0), newest: HeadOrder(issuedAt: 400, host: "a"), clock: 7)
        let known = newest(of: "a", headEntry(issuedAt: 400))
        #expect(given.holds(with: known, own: own, clock: 7))
        #expect(given.holds(with: nil, own: own, clock: 2_007) && !given.holds(with: nil, own: own, clock: 2_008))
        #expect(!given.holds(with: newest(of: "a", headEntry(issuedAt: 401)), own: own, clock: 7))
        #expect(given.holds(with: newest(of: "b", epoch: "2", headEntry(issuedAt: 900)), own: own, clock: 7))
        #expect(!given.holds(with: newest(of: "c", headEntry(issuedAt: 400)), own: own, clock: 7))
        // A head that came in the place of one of a wrong clock is dated earlier.
        #expect(!given.holds(with: newest(of: "a", headEntry(issuedAt: 399)), own: own, clock: 7))
        let first = GivenPermit(permit: AskPermit(number: 1, floor: 0), newest: nil, clock: 7)
        #expect(first.holds(with: nil, own: own, clock: 7) && !first.holds(with: known, own: own, clock: 7))
    }

    @Test("of two heads of one millisecond all hosts find that of the greater host newest, so that one goes on asking")
    func equalTimes() {
        let (one, other) = (newest(of: "a", headEntry(issuedAt: 400)), newest(of: "b", headEntry(issuedAt: 400)))
        #expect(HeadJudgement.isNewer(other, than: one, now: 500))
        #expect(!HeadJudgement.isNewer(one, than: other, now: 500))
        #expect(HeadJudgement.isNewer(newest(of: "a", headEntry(issuedAt: 401)), than: other, now: 500))
        // A host that has started again repeats its head.
        #expect(!HeadJudgement.isNewer(newest(of: "b", epoch: "2", headEntry(issuedAt: 400)), than: other, now: 500))
    }

    @Test("of two heads of one millisecond the records of the newer one are taken, and none go back to the older one")
    func equalTimesOfRecords() {
        let taken = FollowedState(state: "s", issuedAt: 400, host: "b", join: nil)
        #expect(EntryJudgement.isNews(newest(of: "c", headEntry(issuedAt: 400)), after: taken, now: 500))
        #expect(!EntryJudgement.isNews(newest(of: "b", epoch: "2", headEntry(issuedAt: 400)), after: taken, now: 500))
        #expect(!EntryJudgement.isNews(newest(of: "a", headEntry(issuedAt: 400)), after: taken, now: 500))
    }

    @Test("a request counts as begun after the newest data, and after the data here, unless that is dated far ahead")
    func floors() {
        let known = newest(of: "a", headEntry(issuedAt: 400, asOf: 300))
        #expect(GivenPermit.floor(newest: nil, known: nil, now: 500) == 0)
        #expect(GivenPermit.floor(newest: known, known: nil, now: 500) == 300)
        #expect(GivenPermit.floor(newest: known, known: 450, now: 500) == 450)
        // A host that has just started, and reaches no other one, may know alone what a clock that is ahead has dated.
        #expect(GivenPermit.floor(newest: nil, known: 300_500, now: 500) == 300_500)
        #expect(GivenPermit.floor(newest: nil, known: 300_501, now: 500) == 0)
    }

    @Test("a host with another request does not take over") func otherRequest() {
        let known = newest(of: "a", headEntry(issuedAt: 400, next: 10_400, request: "other"))
        #expect(permission(of: "b", after: known) == .never)
    }

    @Test("an entry is issued after the one before, unless the clock was set back since") func issueTimes() {
        #expect(HeadJudgement.issueTime(5_000, after: nil) == 5_000)
        #expect(HeadJudgement.issueTime(5_000, after: 4_000) == 5_000)
        #expect(HeadJudgement.issueTime(5_000, after: 7_000) == 7_001)
        #expect(HeadJudgement.issueTime(5_000, after: 5_000 + HeadJudgement.maxLead) == 5_001 + HeadJudgement.maxLead)
        #expect(HeadJudgement.issueTime(5_000, after: 5_001 + HeadJudgement.maxLead) == 5_000)
    }

    @Test("the time of the next request is raised by as much as that of the head, so that nobody takes over early")
    func nextRequests() {
        #expect(HeadJudgement.nextRefresh(65_000, issuedAt: 5_000, now: 5_000) == 65_000)
        // The head before was issued by a clock that was ahead.
        let next = HeadJudgement.nextRefresh(65_000, issuedAt: 170_001, now: 5_000)
        let known = newest(of: "a", headEntry(issuedAt: 170_001, next: next))
        #expect(permission(of: "b", after: known) == .from(500 + 60_000 + 20_000))
        #expect(HeadJudgement.nextRefresh(nil, issuedAt: 5_000, now: 5_000) == nil)
    }

    @Test("a head counts if it is newer, or if what is known was issued under a wrong clock") func newer() {
        let known = newest(of: "a", headEntry(issuedAt: 400))
        var next = newest(of: "a", headEntry(issuedAt: 401))
        #expect(HeadJudgement.isNewer(next, than: known, now: 500))
        let ahead = newest(of: "a", headEntry(issuedAt: 4_000_000))
        #expect(!HeadJudgement.isNewer(next, than: ahead, now: 500))
        next.isClockTrusted = true
        #expect(HeadJudgement.isNewer(next, than: ahead, now: 500))
        next.entry.issuedAt = 400
        #expect(!HeadJudgement.isNewer(next, than: known, now: 500))
    }
}
