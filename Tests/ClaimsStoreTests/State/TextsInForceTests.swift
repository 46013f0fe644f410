// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsStore

/// The texts in force, as state.db keeps them.
@Suite struct TextsInForceTests {
    private static let texts = [
        TextInForce(name: "claimsd.json5", text: "{}", origins: [ConfigurationOrigin(.site, "/etc/c/claimsd.json5")]),
        TextInForce(
            name: "collections.d/a.json5", text: #"{"title":"Łódź","n":Infinity}"#,
            origins: [ConfigurationOrigin(.vendor, "/v/a \"b\".json5"), ConfigurationOrigin(.site, "/s/a.json5")]),
    ]

    @Test func `texts and their files are there after a restart`() throws {
        let folder = try TemporaryFolder()
        let first = try StateStore(directory: folder.path)
        #expect(try first.database.textsInForce() == [])
        try first.database.keep(Self.texts)
        #expect(try first.database.textsInForce() == Self.texts)
        first.close()
        let second = try StateStore(directory: folder.path)
        #expect(try second.database.textsInForce() == Self.texts)
        try second.database.keep([Self.texts[1]])
        #expect(try second.database.textsInForce() == [Self.texts[1]])
    }

    @Test func `the same texts are not written again`() throws {
        let folder = try TemporaryFolder()
        let store = try StateStore(directory: folder.path)
        try store.database.keep(Self.texts)
        let log = StateDatabase.fileName + "-wal"
        let size = Files.size(folder(log))
        let modified = Files.modified(folder(log))
        try store.database.keep(Self.texts.reversed())
        #expect(Files.size(folder(log)) == size && Files.modified(folder(log)) == modified)
    }

    @Test func `a store of version 3 gets the table, and a recovered one keeps it`() throws {
        let folder = try TemporaryFolder()
        try StateStore(directory: folder.path).close()
        do {
            let database = try Database(path: folder(StateDatabase.fileName), access: .update)
            try database.execute("PRAGMA user_version = 3; DROP TABLE in_force", "prepare")
        }
        let second = try StateStore(directory: folder.path)
        #expect(try second.database.recovery == nil && second.database.textsInForce() == [])
        try second.database.keep(Self.texts)
        second.close()
        try folder.write(StateRecovery.markName, "")
        let third = try StateStore(directory: folder.path)
        #expect(third.database.recovery?.incomplete == [])
        #expect(try third.database.textsInForce() == Self.texts)
    }

    @Test func `recovery of a file without the table misses nothing`() throws {
        let folder = try TemporaryFolder()
        try StateStore(directory: folder.path).close()
        do {
            let database = try Database(path: folder(StateDatabase.fileName), access: .update)
            try database.execute("PRAGMA user_version = 3; DROP TABLE in_force", "prepare")
        }
        try folder.write(StateRecovery.markName, "")
        let store = try StateStore(directory: folder.path)
        #expect(store.database.recovery?.incomplete == [])
        #expect(try store.database.textsInForce() == [])
    }
}
