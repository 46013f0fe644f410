// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsStore

@Suite struct LoggedRefreshTests {
    private func note(_ at: Int64, _ outcome: RefreshOutcome = .unchanged, maxKept: Int = 10) -> RefreshNote {
        RefreshNote(
            LoggedRefresh(at: at, outcome: outcome, kind: outcome == .failed ? .timeout : nil), began: 0,
            maxKept: maxKept)
    }

    private func log(_ store: StateStore, of collection: Int64? = nil) throws -> [LoggedRefresh] {
        let reader = try store.database.changeLog()
        return try reader.refreshes(of: collection, limit: 100)
    }

    @Test func `an attempt is logged in the transaction of its outcome`() throws {
        let fixture = try StoreFixture()
        var stage = try fixture.stage()
        let snapshot = try fixture.snapshot([], stage.generation)
        try fixture.store.generations.commit(
            &stage, GenerationCommit(.file(snapshot), sources: [SourceRow()]), logging: [note(1, .updated)])
        try fixture.store.record(SourceRow(), of: "things", logging: note(2, .failed))
        #expect(try log(fixture.store).map(\.outcome) == [.failed, .updated])
        #expect(try log(fixture.store, of: 1).map(\.kind) == [.timeout, nil])
        #expect(try log(fixture.store, of: 2).isEmpty)
        // A generation that is not committed is not logged either.
        var late = try fixture.stage()
        let other = try fixture.snapshot([], late.generation)
        try fixture.commit(["1"])
        #expect(throws: StoreError.self) {
            try fixture.store.generations.commit(
                &late, GenerationCommit(.file(other), sources: [SourceRow()]), logging: [note(3, .updated)])
        }
        #expect(try log(fixture.store).map(\.at) == [2, 1])
    }

    @Test(arguments: 1...6) func `a store without a log gets one, which begins empty`(version: Int) throws {
        let folder = try TemporaryFolder()
        let first = try StoreFixture(folder)
        try first.commit(["1", "2"])
        first.store.close()
        do {
            let database = try Database(path: folder(StateDatabase.fileName), access: .update)
            try database.execute(
                "PRAGMA user_version = \(version); DROP VIEW refreshes; DROP TABLE refresh_log", "prepare")
        }
        let second = try StoreFixture(folder)
        #expect(second.store.database.recovery == nil && second.store.epoch == first.store.epoch)
        #expect(try second.store.database.load(names: []).collections["things"]?.row.records == 2)
        #expect(try log(second.store).isEmpty)
        try second.store.record(SourceRow(), of: "things", logging: note(5))
        #expect(try Shell.rows(folder, "SELECT collection || ' ' || outcome FROM refreshes") == ["things unchanged"])
    }

    @Test func `a recovered file has its log, and goes on with its numbers`() throws {
        let fixture = try StoreFixture()
        for at in 1...3 { try fixture.store.record(SourceRow(), of: "things", logging: note(Int64(at))) }
        fixture.store.close()
        try fixture.folder.write(StateRecovery.markName, "")
        let recovered = try StoreFixture(fixture.folder)
        #expect(recovered.store.database.recovery?.rows["refresh_log"] == 3)
        try recovered.store.record(SourceRow(), of: "things", logging: note(4, maxKept: 2))
        #expect(try log(recovered.store).map(\.number) == [4, 3])
    }

    @Test func `the log of a removed collection is not told, and goes with it`() throws {
        let things = try OpenerFixture.definition()
        let others = try OpenerFixture.definition(name: "others")
        let fixture = try OpenerFixture(definitions: [things, others])
        try fixture.take(#"[{"id":1,"name":"a"}]"#)
        for name in ["things", "others"] { try fixture.store.record(SourceRow(), of: name, logging: note(1)) }
        #expect(try log(fixture.store).map(\.collection) == ["others", "things"])
        fixture.opener.reload([others])
        #expect(try log(fixture.store).map(\.collection) == ["others"])
        _ = try fixture.store.beginErasing("things")
        #expect(try log(fixture.store).map(\.collection) == ["others"])
        try fixture.store.finishErasing { true }
        #expect(try fixture.rows("SELECT count(*) FROM refresh_log") == ["1"])
    }
}
