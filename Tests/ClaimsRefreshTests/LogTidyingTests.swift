// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsStore
import ClaimsTestSupport
import Testing

@testable import ClaimsRefresh

@Suite struct LogTidyingTests {
    private let second: UInt64 = 1_000_000_000
    private let limits = RetentionLimits(oldest: 100, changes: 5, bytes: 50)

    private func check(_ isDue: Bool, _ isExpected: Bool, location: SourceLocation = #_sourceLocation) {
        #expect(isDue == isExpected, sourceLocation: location)
    }

    @Test func `a log is trimmed when it passes a limit, and not before`() {
        var tidying = LogTidying()
        for log in [LogExtent(), LogExtent(changes: 5, bytes: 49, oldest: 100)] {
            check(tidying.isDue("a", log, limits, at: 0), false)
        }
        check(tidying.isDue("a", LogExtent(changes: 6, bytes: 0, oldest: 100), limits, at: 0), true)
        check(tidying.isDue("b", LogExtent(changes: 1, bytes: 50, oldest: 100), limits, at: 0), true)
        check(tidying.isDue("c", LogExtent(changes: 1, bytes: 0, oldest: 99), limits, at: 0), true)
    }

    @Test func `a log that is beyond a limit all the same is left alone until it changes, or becomes too old`() {
        var tidying = LogTidying()
        let log = LogExtent(changes: 9, bytes: 0, oldest: 100)
        check(tidying.isDue("a", log, limits, at: 0), true)
        check(tidying.isDue("a", log, limits, at: 1000 * second), false)
        var later = limits
        later.oldest = 101
        check(tidying.isDue("a", log, later, at: 1000 * second), true)
        check(tidying.isDue("a", log, later, at: 2000 * second), false)
        check(tidying.isDue("a", LogExtent(changes: 10, bytes: 0, oldest: 100), later, at: 2000 * second), true)
    }

    @Test func `a trimming that failed is tried again after a pause, though nothing has changed`() {
        var tidying = LogTidying()
        let log = LogExtent(changes: 9, bytes: 0, oldest: 100)
        check(tidying.isDue("a", log, limits, at: 0), true)
        tidying.failed("a")
        check(tidying.isDue("a", log, limits, at: 19 * second), false)
        check(tidying.isDue("a", log, limits, at: 20 * second), true)
        check(tidying.isDue("a", log, limits, at: 40 * second), false)
    }

    @Test func `a stream of commits shares the work`() {
        var tidying = LogTidying()
        var trimmings = 0
        for step in 0..<600 {
            let log = LogExtent(changes: 6 + step, bytes: 0, oldest: 100)
            if tidying.isDue("a", log, limits, at: UInt64(step) * second / 10) { trimmings += 1 }
        }
        #expect(trimmings == 3)
    }

    @Test func `archive marks trim the log, though nothing is refreshed`() throws {
        var settings = Settings()
        settings.history.changes = 5
        let fixture = try RefreshFixture(settings: settings)
        fixture.refresher.configure(settings)
        try fixture.refresh()
        let marked = Monitor(0)
        for round in 0..<20 {
            let change = ArchiveChange(
                collection: "things", ids: [Array("1".utf8)], isArchiving: round % 2 == 0, uid: 1, at: fixture.now)
            fixture.store.archive(change) { _ in marked.update { $0 += 1 } }
        }
        #expect(marked.wait(upTo: LineClient.timeout) { $0 == 20 ? true : nil } == true)
        let log = Monitor(fixture.view?.condition.log)
        fixture.store.catalog.observe { catalog in log.update { $0 = catalog["things"]?.condition.log } }
        try fixture.refresher.start()
        #expect(log.wait(upTo: LineClient.timeout) { $0?.changes == 5 ? true : nil } == true)
        #expect(fixture.reports.read(\.count) == 1)
    }
}
