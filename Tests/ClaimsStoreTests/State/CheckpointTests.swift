// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
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
        #expect(try database.copyLog())
        #expect(try database.emptyLog())
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

    @Test func `the log stays within its bound while changes come without a pause`() throws {
        let fixture = try StoreFixture()
        try fixture.commit(["1"])
        let isOver = Monitor(false)
        let archivist = try NamedThread("archivist") { [store = fixture.store, name = fixture.definition.name] in
            var isArchiving = true
            while !isOver.read({ $0 }) {
                let done = Monitor(false)
                let change = ArchiveChange(
                    collection: name, ids: [Array("1".utf8)], isArchiving: isArchiving, uid: 0, at: 0)
                store.archive(change) { _ in done.update { $0 = true } }
                _ = done.wait { $0 ? true : nil }
                isArchiving.toggle()
            }
        }
        var largest = 0
        var written = 0
        var waitIsOver = false
        while written < 300 << 20 {
            let begin = SystemClock.monotonic
            try rewrite(fixture)
            written += 8 << 20
            let length = try size(fixture.store.database.path + "-wal")
            // Changes wait for a copy, but not for ever: on a machine that cannot copy in that time the log grows.
            if SystemClock.monotonic &- begin >= LogBound.maxWait.wholeNanoseconds { waitIsOver = true }
            if length < LogBound.minBound / 2 { waitIsOver = false }
            if !waitIsOver { largest = max(largest, length) }
        }
        isOver.update { $0 = true }
        withExtendedLifetime(archivist) {}
        // One piece of work is over the bound before anybody looks; these are of 9 MiB.
        #expect(largest <= LogBound.minBound + 9 << 20, "\(largest)")
        #expect(fixture.store.database.keptLogSize == nil)
    }

    @Test func `a log that another program keeps is told of, and is emptied afterwards`() throws {
        let fixture = try StoreFixture()
        try rewrite(fixture)
        do {
            // A connection that is not counted is another program's.
            let reader = try Database(path: fixture.store.database.path, access: .read)
            try reader.execute("BEGIN", "read")
            _ = try reader.integer("SELECT count(*) FROM filler", "read")
            let deadline = SystemClock.monotonic &+ 60_000_000_000
            while fixture.store.database.keptLogSize == nil {
                try #require(SystemClock.monotonic < deadline, "nobody tells")
                try rewrite(fixture)
            }
            #expect(try size(fixture.store.database.path + "-wal") > LogBound.minBound)
        }
        let deadline = SystemClock.monotonic &+ 60_000_000_000
        while fixture.store.database.keptLogSize != nil {
            try #require(SystemClock.monotonic < deadline, "the log stays")
            try rewrite(fixture)
        }
        #expect(try size(fixture.store.database.path + "-wal") < LogBound.minBound)
    }
}
