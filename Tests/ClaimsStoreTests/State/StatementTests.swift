// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsTestSupport
import Testing

@testable import ClaimsStore

@Suite struct StatementTests {
    private func database(_ folder: TemporaryFolder) throws -> Database {
        let database = try Database(path: folder("test.db"), access: .create)
        try database.execute("CREATE TABLE t(a); INSERT INTO t VALUES (1), (2)", "prepare")
        return database
    }

    @Test func `a binding that fails throws`() throws {
        let folder = try TemporaryFolder()
        let database = try database(folder)
        let statement = try database.prepare("SELECT a FROM t WHERE a >= ?1", "look")
        #expect(throws: StoreError.self) { try statement.bind(2, 7) }
        #expect(throws: StoreError.self) { try statement.bind(2, text: Array("x".utf8)) }
        try statement.bind(1, 1)
        #expect(try statement.step() && statement.integer(0) == 1)
        // SQLite does not take it in the middle of a run; the step after it would tell nothing.
        #expect(throws: StoreError.self) { try statement.bind(1, 2) }
        #expect(try statement.step() && statement.integer(0) == 2)
        statement.reset()
        try statement.bind(1, 2)
        #expect(try statement.step() && statement.integer(0) == 2)
    }

    @Test func `parameters stay bound until they are cleared`() throws {
        let folder = try TemporaryFolder()
        let database = try database(folder)
        let statement = try database.prepare("SELECT ?1 IS NULL", "look")
        try statement.bind(1, "x")
        #expect(try statement.step() && statement.integer(0) == 0)
        statement.reset()
        #expect(try statement.step() && statement.integer(0) == 0)
        statement.reset()
        statement.clearBindings()
        #expect(try statement.step() && statement.integer(0) == 1)
    }

    @Test func `the columns that statements know are those of the tables`() throws {
        let folder = try TemporaryFolder()
        try StateStore(directory: folder.path).close()
        for table in StateSchema.tables {
            let columns = try Shell.rows(folder, "SELECT name FROM pragma_table_info('\(table.name)')")
            #expect(Set(columns) == Set(table.columns), "\(table.name)")
        }
        let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        #expect(Set(try Shell.rows(folder, tables)) == Set(StateSchema.tables.map(\.name)))
    }
}
