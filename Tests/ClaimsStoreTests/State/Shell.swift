// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsTestSupport

@testable import ClaimsStore

/// Rows of state.db as somebody with the sqlite3 shell sees them.
enum Shell {
    static func rows(_ folder: TemporaryFolder, _ sql: String) throws -> [String] {
        try rows(at: folder(StateDatabase.fileName), sql)
    }

    static func rows(at path: String, _ sql: String) throws -> [String] {
        let database = try Database(path: path, access: .read)
        let statement = try database.prepare(sql, "look")
        var rows: [String] = []
        while try statement.step() { rows.append(statement.text(0)) }
        return rows
    }
}
