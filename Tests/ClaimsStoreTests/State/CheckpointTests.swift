// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsStore

@Suite struct CheckpointTests {
    /// In bytes.
    private func size(_ path: String) throws -> Int { try FileDescriptor.open(path, .read).size() }

    @Test func `a connection that has read nothing yet copies the log into the file, and empties it`() throws {
        let fixture = try StoreFixture()
        let before = try size(fixture.store.database.path)
        try fixture.store.database.perform { connection throws(StoreError) in
            try connection.transaction(.synced, "fill") { connection throws(StoreError) in
                for key in 0..<500 as Range<Int64> {
                    try connection.statements.addVersion.bind(.key, StateSchema.firstKey(of: 1) + key)
                    try connection.statements.addVersion.bind(.generation, bits: 1)
                    try connection.statements.addVersion.bind(.id, text: Array("\(key)".utf8))
                    try connection.statements.addVersion.bind(.upstream, text: [UInt8](repeating: 0x20, count: 500))
                    try connection.statements.addVersion.bind(.firstSeen, 0)
                    try connection.statements.addVersion.bind(.changedAt, 0)
                    try connection.statements.addVersion.run()
                }
            }
        }
        let database = try Database(path: fixture.store.database.path, access: .update)
        try database.checkpoint()
        #expect(try size(fixture.store.database.path) > before + 500 * 500)
        #expect(try size(fixture.store.database.path + "-wal") == 0)
    }

    /// Rewrites the same rows, which makes a log of the same length each time.
    private func rewrite(_ fixture: borrowing StoreFixture) throws {
        try fixture.store.database.perform { connection throws(StoreError) in
            try connection.transaction(.synced, "rewrite") { connection throws(StoreError) in
                try connection.database.execute(
                    "CREATE TABLE IF NOT EXISTS filler (number INTEGER PRIMARY KEY, text); "
                        + "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 8000) "
                        + "REPLACE INTO filler SELECT n, randomblob(1000) FROM numbers", "rewrite")
            }
        }
    }

    @Test func `the log is copied and emptied whenever nobody writes, however long it was before`() throws {
        let fixture = try StoreFixture()
        let silence = try FileDescriptor.pipe()
        for _ in 0..<3 {
            try rewrite(fixture)
            let deadline = SystemClock.monotonic &+ 60_000_000_000
            while try size(fixture.store.database.path + "-wal") > 0 {
                try #require(SystemClock.monotonic < deadline, "the log stays")
                // Asking the store would be work again: the file is all there is to look at, now and then.
                _ = try silence.reading.wait(for: .read, timeout: .milliseconds(20))
            }
        }
    }
}
