// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import ClaimsUpstream
import Testing

@testable import ClaimsRefresh

@Suite struct RefreshProgressTests {
    private func progress(_ phase: RefreshProgress.Phase) -> RefreshProgress {
        var progress = RefreshProgress()
        progress.phase = phase
        return progress
    }

    @Test func `every phase is told at once, and what comes between four times a second`() {
        var throttle = ProgressThrottle()
        let quarter = ProgressThrottle.minInterval
        let news: [(RefreshProgress.Phase, UInt64, Bool)] = [
            (.connect, 0, true), (.receive, 1, true), (.receive, 2, false), (.receive, quarter, false),
            (.receive, quarter + 1, true), (.receive, quarter + 2, false), (.read, quarter + 3, true),
            (.write, quarter + 4, true), (.connect, quarter + 5, true),
        ]
        for (phase, now, isTold) in news {
            #expect(throttle.admits(progress(phase), at: now) == isTold, "\(phase) at \(now)")
        }
    }

    @Test func `a wait is told at once, and so is its end`() {
        var throttle = ProgressThrottle()
        var waiting = progress(.receive)
        waiting.wait = HostWait(host: "api.example", reason: .floor, until: 9000)
        var longer = waiting
        longer.wait = HostWait(host: "api.example", reason: .floor, until: 9500)
        let news: [(RefreshProgress, Bool)] = [
            (progress(.receive), true), (waiting, true), (waiting, false), (longer, true), (progress(.receive), true),
            (progress(.receive), false),
        ]
        for (index, (progress, isTold)) in news.enumerated() {
            #expect(throttle.admits(progress, at: UInt64(index)) == isTold, "\(index)")
        }
    }

    @Test func `of sites that all wait the first that goes on is told, and none while one is asked`() {
        var sites = SiteProgress()
        func note(_ until: Int64?, of site: String) -> RefreshProgress? {
            var news = progress(.connect)
            news.wait = until.map { HostWait(host: "api.example", reason: .rate, until: $0) }
            return sites.record(news, of: SourceID("things", site: site), at: 1)
        }
        #expect(note(nil, of: "a") != nil && note(nil, of: "b") == nil)
        #expect(note(9000, of: "a") == nil)
        #expect(note(8000, of: "b")?.wait?.until == 8000)
        #expect(note(nil, of: "a")?.wait == nil)
        sites.finish(SourceID("things", site: "a"))
        #expect(note(8500, of: "b")?.wait?.until == 8500)
    }

    @Test func `the sites of a collection are told together, however many they are`() {
        var sites = SiteProgress()
        let quarter = ProgressThrottle.minInterval
        var told: [RefreshProgress] = []
        func note(_ phase: RefreshProgress.Phase, of number: Int, bytes: Int = 0, at now: UInt64) {
            var news = progress(phase)
            (news.bytes, news.expected, news.pages, news.records) = (bytes, 9, 1, 2)
            if let whole = sites.record(news, of: SourceID("things", site: "s\(number)"), at: now) {
                told.append(whole)
            }
        }
        for phase in RefreshProgress.Phase.allCases {
            for number in 0..<256 { note(phase, of: number, bytes: 1, at: 1) }
        }
        // The first site that reaches a phase tells it.
        #expect(told.map(\.phase) == RefreshProgress.Phase.allCases && told.map(\.bytes) == [1, 256, 256, 256, 256])
        #expect(told.allSatisfy { $0.expected == nil } && told.last?.records == 512 && told.last?.pages == 256)
        told = []
        for number in 0..<255 { sites.finish(SourceID("things", site: "s\(number)")) }
        note(.receive, of: 255, bytes: 7, at: quarter + 1)
        note(.receive, of: 255, bytes: 8, at: quarter + 2)
        note(.write, of: 255, bytes: 9, at: quarter + 3)
        #expect(told.map(\.phase) == [.receive] && told.map(\.bytes) == [262])
        note(.write, of: 255, bytes: 9, at: quarter * 2 + 1)
        #expect(told.map(\.phase) == [.receive, .write])
    }

    @Test func `a meter adds up the pages, and its phases only go on`() {
        let told = Monitor<[RefreshProgress]>([])
        let meter = RefreshMeter { progress in told.update { $0.append(progress) } }
        meter.begin()
        meter.record(HTTPProgress(isReceiving: false), isLast: false)
        meter.record(HTTPProgress(isReceiving: true, bytes: 5, expected: 9), isLast: false)
        meter.finish(bytes: 9, isPage: true)
        meter.record(HTTPProgress(isReceiving: false), isLast: true)
        meter.finish(bytes: 4, isPage: true)
        meter.read(0)
        meter.write(3)
        meter.begin()
        meter.record(HTTPProgress(isReceiving: true, bytes: 1, expected: 2), isLast: true)
        let all = told.read { $0 }
        #expect(all.map(\.phase) == [.connect, .receive, .read, .write, .connect, .receive])
        #expect(all.map(\.bytes) == [0, 5, 13, 13, 0, 1] && all.map(\.pages) == [0, 0, 2, 2, 0, 0])
        #expect(all.map(\.expected) == [nil, nil, nil, nil, nil, 2] && all[3].records == 3)
    }

    @Test func `those who wait are told how far their refresh is, and nothing after its end`() throws {
        let fixture = try RefreshFixture()
        let told = Monitor<[RefreshProgress]>([])
        let hasEnded = Monitor(false)
        fixture.refresher.refresh(
            "things", completion: { _ in hasEnded.update { $0 = true } },
            watcher: { progress in told.update { $0.append(progress) } })
        try #require(hasEnded.wait(upTo: LineClient.timeout) { $0 ? true : nil } == true)
        let all = told.read { $0 }
        #expect(all.map(\.phase) == [.queued, .connect, .receive, .read, .write])
        #expect(all.last?.records == 4 && all.last?.pages == 1)
        #expect(all.last?.bytes == RefreshFixture.records.utf8.count)
        // An answer that says nothing new is not read.
        let again = Monitor<[RefreshProgress.Phase]>([])
        let isOver = Monitor(false)
        fixture.refresher.refresh(
            "things", completion: { _ in isOver.update { $0 = true } },
            watcher: { progress in again.update { $0.append(progress.phase) } })
        try #require(isOver.wait(upTo: LineClient.timeout) { $0 ? true : nil } == true)
        #expect(again.read { $0 } == [.queued, .connect, .receive])
    }

    @Test func `each of those who share a fetch is told how far it is`() {
        var queue = RefreshQueue()
        let told = Monitor<[String]>([])
        func watcher(_ name: String) -> RefreshQueue.Watcher { { _ in told.update { $0.append(name) } } }
        func tell(_ phase: RefreshProgress.Phase) -> [String] {
            for watcher in queue.record(progress(phase), of: "things") { watcher(progress(phase)) }
            return told.update { told in
                defer { told = [] }
                return told
            }
        }
        let forced = RefreshOptions(force: true)
        _ = queue.request("things", RefreshOptions(), key: 1, watcher: watcher("a"), completion: nil)
        #expect(tell(.connect) == ["a"])
        _ = queue.request("things", RefreshOptions(), key: 1, watcher: watcher("b"), completion: nil)
        #expect(queue.progress(of: "things", RefreshOptions(), key: 1).phase == .connect)
        _ = queue.request("things", forced, key: 1, watcher: watcher("c"), completion: nil)
        #expect(queue.progress(of: "things", forced, key: 1).phase == .queued)
        #expect(tell(.receive) == ["a", "b"])
        _ = queue.finish("things")
        #expect(tell(.connect) == ["c"])
        _ = queue.finish("things")
        #expect(tell(.connect) == [])
    }
}
