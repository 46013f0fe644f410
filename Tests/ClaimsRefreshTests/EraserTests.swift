// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsRefresh
@testable import ClaimsStore

/// When removed collections are erased, by a clock that is moved by hand.
@Suite struct EraserTests {
    private func versions(_ fixture: RefreshFixture) throws -> Int64 {
        try Database(path: fixture.store.database.path, access: .read)
            .integer("SELECT count(*) FROM version", "look")
    }

    private var settings: Settings {
        var settings = Settings()
        settings.history.keep = .seconds(3_600)
        return settings
    }

    @Test func `a removed collection is kept as long as history is, and then erased`() throws {
        let fixture = try RefreshFixture(settings: settings)
        try fixture.refresh()
        fixture.opener.reload([])
        try fixture.refresher.start()
        fixture.advance(.seconds(3_600))
        let ticks = fixture.refresher.ticks
        fixture.refresher.wake()
        while fixture.refresher.ticks < ticks + 2 { fixture.refresher.wake() }
        #expect(fixture.store.catalog.current().removed.count == 1)
        fixture.advance(.milliseconds(1))
        fixture.refresher.wake()
        #expect(fixture.erased.wait(upTo: LineClient.timeout) { $0.isEmpty ? nil : $0.map(\.records) } == [4])
        #expect(fixture.store.catalog.current().removed.isEmpty)
        #expect(try versions(fixture) == 0)
    }

    @Test func `the time runs while the daemon is down`() throws {
        let first = try RefreshFixture(settings: settings)
        try first.refresh()
        first.opener.reload([])
        first.close()
        first.advance(.seconds(3_601))
        let second = try RefreshFixture(after: first, settings: settings, isDefined: false)
        #expect(second.store.catalog.current().removed.count == 1)
        try second.refresher.start()
        #expect(second.erased.wait(upTo: LineClient.timeout) { $0.isEmpty ? nil : $0.map(\.name) } == ["things"])
        #expect(try versions(second) == 0)
    }

    @Test func `what a crash left of an erasure is deleted after the next start`() throws {
        let first = try RefreshFixture()
        try first.refresh()
        first.opener.reload([])
        _ = try first.store.beginErasing("things")
        first.close()
        let second = try RefreshFixture(after: first, isDefined: false)
        #expect(try versions(second) == 4)
        try second.refresher.start()
        let done = Monitor<Result<ErasedCollection, StoreError>?>(nil)
        // Its turn comes after what is left.
        second.refresher.erase("things") { result in done.update { $0 = result } }
        let result = done.wait(upTo: LineClient.timeout) { $0 }
        #expect(result == .failure(StoreError(.noCollection, "erase a collection", detail: "things")))
        while try versions(second) > 0 { second.refresher.wake() }
    }

    @Test func `erasing gives up the refresh that runs, and waits for its end`() throws {
        let fixture = try RefreshFixture()
        try fixture.refresh()
        try fixture.upstream.misbehave("things.json", #"{"fault":"hang"}"#)
        let report = Monitor<RefreshReport?>(nil)
        fixture.refresher.refresh("things", RefreshOptions(force: true)) { ended in report.update { $0 = ended } }
        try fixture.upstream.requests("things.json", count: 2)
        fixture.opener.reload([])
        let done = Monitor<Result<ErasedCollection, StoreError>?>(nil)
        fixture.refresher.erase("things") { result in done.update { $0 = result } }
        #expect(try done.wait(upTo: LineClient.timeout) { $0 }?.get().records == 4)
        #expect(report.wait(upTo: LineClient.timeout) { $0 }?.isGone == true)
        #expect(try versions(fixture) == 0)
    }

    @Test func `once it stops, those who wait are told`() throws {
        let fixture = try RefreshFixture()
        try fixture.refresh()
        fixture.opener.reload([])
        fixture.refresher.stop()
        let done = Monitor<Result<ErasedCollection, StoreError>?>(nil)
        fixture.refresher.erase("things") { result in done.update { $0 = result } }
        #expect(done.wait { $0 } == .failure(StoreError(.closed, "erase a collection")))
    }
}
