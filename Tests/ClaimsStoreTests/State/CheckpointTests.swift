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
        let before = try size(fixture.store.path)
        try fixture.store.perform { connection throws(StoreError) in
            try connection.transaction(.synced, "fill") { connection throws(StoreError) in
                for key in 0..<500 as Range<Int64> {
                    connection.statements.addVersion.bind(1, StateSchema.firstKey(of: 1) + key)
                    connection.statements.addVersion.bind(2, bits: 1)
                    connection.statements.addVersion.bind(3, text: Array("\(key)".utf8))
                    connection.statements.addVersion.bind(4, text: [UInt8](repeating: 0x20, count: 500))
                    connection.statements.addVersion.bind(5, 0)
                    connection.statements.addVersion.bind(6, 0)
                    try connection.statements.addVersion.run()
                }
            }
        }
        let database = try Database(path: fixture.store.path, access: .update)
        try database.checkpoint()
        #expect(try size(fixture.store.path) > before + 500 * 500)
        #expect(try size(fixture.store.path + "-wal") == 0)
    }
}
