// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsTestSupport
import Testing

@testable import ClaimsModel
@testable import ClaimsRefresh
@testable import ClaimsStore

@Suite struct RefreshLogTests {
    /// The log as it stands, the newest first.
    private func log(_ fixture: RefreshFixture, limit: Int = 100) throws -> [LoggedRefresh] {
        let reader = try fixture.store.database.changeLog()
        return try reader.refreshes(of: fixture.view?.condition.row.number, limit: limit)
    }

    /// The setting of a definition for the number of entries that stay.
    private func keeping(_ count: Int) throws -> LimitOverrides<HistorySettings> {
        var overrides = LimitOverrides<HistorySettings>()
        overrides.set(try #require(HistorySettings.keys.first { $0.name == "refreshes" }), to: .count(count))
        return overrides
    }

    @Test func `each attempt is logged with its outcome and the changes that it brought`() throws {
        let fixture = try RefreshFixture()
        try fixture.refresh()
        fixture.advance(.seconds(1))
        try fixture.refresh()
        fixture.advance(.seconds(1))
        try fixture.serve(#"[{"id":1,"name":"a"},{"id":2,"name":"B"},{"id":3,"name":"c"},{"id":5},7]"#)
        try fixture.refresh()
        let entries = try log(fixture)
        #expect(entries.map(\.number) == [3, 2, 1] && entries.map(\.collection) == ["things", "things", "things"])
        #expect(entries.map(\.outcome) == [.updated, .unchanged, .updated])
        #expect(entries.map(\.at) == [2, 1, 0].map { RefreshFixture.start + $0 * 1000 })
        #expect(entries.allSatisfy { $0.duration >= 0 && $0.kind == nil && $0.site == nil })
        #expect(entries.map(\.records) == [4, 4, 4])
        #expect(entries[0].added == 1 && entries[0].updated == 1 && entries[0].removed == 1)
        #expect(entries[0].quarantined == 1 && entries[2].bytes == RefreshFixture.records.utf8.count)
        #expect(try log(fixture, limit: 1) == [entries[0]])
    }

    @Test func `failures and held bodies are logged, and what was not asked is not`() throws {
        let fixture = try RefreshFixture()
        try fixture.refresh()
        try fixture.serve("[]")
        try fixture.refresh()
        try fixture.refresh()
        try fixture.upstream.misbehave(
            "things.json", #"{"fault":"status","status":503,"headers":{"Retry-After":"3600"}}"#)
        try fixture.refresh()
        #expect(fixture.refresher.refresh("things") == .leftAlone(until: fixture.now + 3_600_000))
        let entries = try log(fixture)
        #expect(entries.map(\.outcome) == [.failed, .held, .held, .updated])
        #expect(entries.map(\.kind) == [.httpStatus, .held, .held, nil])
        #expect(entries.map(\.records) == [nil, 0, 0, 4] && entries[1].removed == 4)
    }

    @Test func `a body that cannot be read is logged without records`() throws {
        let fixture = try RefreshFixture()
        try fixture.serve("{")
        try fixture.refresh()
        let entries = try log(fixture)
        #expect(entries.map(\.outcome) == [.failed] && entries.first?.kind == .notJSON)
        #expect(entries.first?.records == nil && entries.first?.bytes == 1)
    }

    @Test func `an attempt that goes well has no kind of failure, though an earlier failure still stands`() {
        var row = SourceRow()
        row.lastError = Failure(kind: .timeout, message: Message(.definitionChanging), at: 1)
        let start = AttemptStart(at: 5)
        func kind(_ outcome: RefreshOutcome) -> FailureKind? {
            start.entry(outcome, row, bytes: 0, records: nil, maxKept: 1).refresh.kind
        }
        #expect(kind(.updated) == nil && kind(.unchanged) == nil)
        #expect(kind(.failed) == .timeout && kind(.held) == .timeout)
    }

    @Test func `a definition keeps as many entries as it says, whatever the settings say`() throws {
        var settings = Settings()
        settings.history.refreshes = 1
        let first = try RefreshFixture(settings: settings, history: try keeping(3))
        for _ in 0..<5 { try first.refresh() }
        #expect(try log(first).map(\.number) == [5, 4, 3])
        first.close()
        let second = try RefreshFixture(after: first, history: try keeping(0))
        try second.refresh()
        #expect(try log(second).isEmpty)
        second.close()
        // A number is never given twice.
        let third = try RefreshFixture(after: second, history: try keeping(10_000))
        try third.refresh()
        #expect(try log(third).map(\.number).first ?? 0 > 5)
    }

    @Test func `the log outlives a restart, and only the last entries stay`() throws {
        var settings = Settings()
        settings.history.refreshes = 3
        let first = try RefreshFixture(settings: settings)
        for _ in 0..<4 { try first.refresh() }
        #expect(try log(first).map(\.number) == [4, 3, 2])
        first.close()
        settings.history.refreshes = 2
        let second = try RefreshFixture(after: first, settings: settings)
        #expect(try log(second).map(\.number) == [4, 3, 2])
        try second.refresh()
        #expect(try log(second).map(\.number) == [5, 4])
        second.close()
        settings.history.refreshes = 0
        let third = try RefreshFixture(after: second, settings: settings)
        try third.refresh()
        #expect(try log(third).isEmpty)
    }
}
