// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsTestSupport
import Testing

@testable import ClaimsStore

@Suite struct StoredOperationTests {
    private func stored(_ number: UInt64, state: OperationState = .queued, settledAt: Int64? = nil) -> StoredOperation {
        var operation = Operation(
            OperationID(time: 5, random: (number, number)), .update, on: "7", of: "things", state: state,
            submittedAt: 5, submittedBy: 1000)
        if settledAt == nil { operation.values.given["name"] = "new" }
        return StoredOperation(
            operation, content: ContentHash.Digest(low: 1, high: number), seq: 4, changed: ["name"],
            settledAt: settledAt)
    }

    private func add(_ operations: [StoredOperation], to fixture: StoreFixture) throws -> [StoredOperation] {
        try fixture.store.database.perform { connection throws(StoreError) in
            try connection.transaction(.synced, "test") { connection throws(StoreError) in
                guard let row = try connection.row(1) else { return [] }
                var added: [StoredOperation] = []
                for operation in operations {
                    var operation = operation
                    try connection.add(&operation, to: row)
                    added.append(operation)
                }
                return added
            }
        }
    }

    private func unsettled(_ fixture: StoreFixture) throws -> [StoredOperation] {
        try fixture.store.database.perform { connection throws(StoreError) in
            guard let row = try connection.row(1) else { return [] }
            return try connection.unsettledOperations(of: row)
        }
    }

    @Test func `an operation is read as it was written, and its number never comes again`() throws {
        let fixture = try StoreFixture()
        let added = try add([stored(1), stored(2), stored(3, state: .done, settledAt: 9)], to: fixture)
        #expect(added.map(\.operation.number) == [1, 2, 3])
        #expect(try unsettled(fixture) == Array(added[..<2]))
        try fixture.store.forgetOperations(of: "things", settledBefore: 10, maxSettled: 10)
        #expect(try add([stored(4)], to: fixture).first?.operation.number == 4)
        let id = added[1].operation.id
        let found = try fixture.store.database.perform { connection throws(StoreError) in try connection.operation(id) }
        #expect(found == added[1])
        #expect(
            try Shell.rows(fixture.folder, "SELECT number || collection || id || action || state FROM operations")
                == ["1things7updatequeued", "2things7updatequeued", "4things7updatequeued"])
    }

    @Test func `settled operations are forgotten by age and by number, others never`() throws {
        let fixture = try StoreFixture()
        let settled = (0..<6).map { stored(10 + $0, state: .confirmed, settledAt: Int64($0)) }
        _ = try add([stored(1)] + settled, to: fixture)
        try fixture.store.forgetOperations(of: "things", settledBefore: 2, maxSettled: 100)
        let numbers = "SELECT number FROM operation ORDER BY number"
        #expect(try Shell.rows(fixture.folder, numbers) == ["1", "4", "5", "6", "7"])
        try fixture.store.forgetOperations(of: "things", settledBefore: 0, maxSettled: 3)
        #expect(try Shell.rows(fixture.folder, numbers) == ["1", "5", "6", "7"])
        try fixture.store.forgetOperations(of: "things", settledBefore: 0, maxSettled: 0)
        #expect(try Shell.rows(fixture.folder, numbers) == ["1"])
    }

    @Test func `an operation whose details are damaged is held, and keeps its row`() throws {
        let fixture = try StoreFixture()
        _ = try add([stored(1), stored(2)], to: fixture)
        try fixture.store.database.perform { connection throws(StoreError) in
            try connection.database.execute("UPDATE operation SET detail = '{' WHERE number = 1", "test")
        }
        let read = try unsettled(fixture)
        #expect(read.map(\.operation.state) == [.held, .queued])
        #expect(read.first?.operation.reason == .damaged && read.first?.operation.record == "7")
    }

    @Test func `in a copy that was put back all unsettled operations are uncertain`() throws {
        let cache = try TemporaryFolder()
        let fixture = try StoreFixture(cache: cache)
        try fixture.commit(["7"])
        _ = try add([stored(1), stored(2, state: .confirmed, settledAt: 3)], to: fixture)
        let copy = try fixture.folder.copy()
        try fixture.archive(["7"])
        fixture.store.close()
        let restored = try StoreFixture(copy, cache: cache)
        #expect(restored.store.database.restoration != nil)
        let operation = try #require(try unsettled(restored).first).operation
        #expect(operation.state == .uncertain && operation.values.given["name"] == "new")
        #expect(operation.delivery.uncertainSince ?? 0 > 0)
        #expect(try Shell.rows(copy, "SELECT state FROM operation ORDER BY number") == ["uncertain", "confirmed"])
    }

    @Test func `a recovered file has its operations, and all unsettled ones are uncertain`() throws {
        let fixture = try StoreFixture()
        _ = try add([stored(1)], to: fixture)
        fixture.store.close()
        try fixture.folder.write(StateRecovery.markName, "")
        let recovered = try StoreFixture(fixture.folder)
        #expect(recovered.store.database.recovery?.rows["operation"] == 1)
        #expect(try unsettled(recovered).map(\.operation.state) == [.uncertain])
    }

    @Test func `a store of version 5 learns of operations, and its snapshots stay in force`() throws {
        let folder = try TemporaryFolder()
        let first = try StoreFixture(folder)
        for _ in 0..<3 { try first.commit(["1"]) }
        try first.archive(["1"])
        first.store.close()
        do {
            let database = try Database(path: folder(StateDatabase.fileName), access: .update)
            try database.execute(
                """
                PRAGMA user_version = 5; DROP VIEW changes; DROP VIEW collections; DROP VIEW operations; DROP VIEW record;
                DROP VIEW archived; DROP VIEW quarantined; DROP TABLE operation; DROP TABLE alias;
                ALTER TABLE collection DROP COLUMN file_generation; ALTER TABLE collection DROP COLUMN file_key;
                ALTER TABLE collection DROP COLUMN is_local;
                ALTER TABLE generation DROP COLUMN uid; ALTER TABLE local_change DROP COLUMN cause;
                ALTER TABLE local_change DROP COLUMN fields; ALTER TABLE local_change DROP COLUMN first_seen;
                ALTER TABLE local_change DROP COLUMN bytes; ALTER TABLE local_change DROP COLUMN is_silent;
                """, "prepare")
        }
        let second = try StoreFixture(folder)
        #expect(second.store.database.recovery == nil)
        let row = try second.store.database.load(names: []).collections["things"]?.row
        #expect(row?.fileGeneration == 3 && row?.fileKey == row?.nextKey && row?.isLocal == false)
        #expect(
            try Shell.rows(folder, "SELECT cause || op FROM changes WHERE op LIKE '%archived'") == ["archivearchived"])
        #expect(try add([stored(1)], to: second).count == 1)
    }
}
