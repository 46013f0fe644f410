// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Glibc
import Testing

@testable import ClaimsStore

@Suite struct StateOpeningTests {
    @Test func `a new store has an epoch, a secret and a clock at zero`() throws {
        let fixture = try StoreFixture()
        let loaded = try fixture.store.database.load(names: ["things"])
        #expect(loaded.revision.epoch != 0 && loaded.revision.seq == 0)
        #expect(loaded.cursorSecret.count == 32)
        #expect(loaded.collections["things"]?.row.generation == 0)
    }

    @Test func `epoch and secret survive a restart, and differ between stores`() throws {
        let folder = try TemporaryFolder()
        let first = try StoreFixture(folder)
        let loaded = try first.store.database.load(names: [])
        first.store.close()
        let second = try StateStore(directory: folder.path)
        let again = try second.database.load(names: [])
        #expect(again.revision == loaded.revision && again.cursorSecret == loaded.cursorSecret)
        let other = try StoreFixture().store.database.load(names: [])
        #expect(other.revision.epoch != loaded.revision.epoch && other.cursorSecret != loaded.cursorSecret)
    }

    @Test func `the version of the tables stands in the file itself as soon as the store is open`() throws {
        let fixture = try StoreFixture()
        let bytes = try FileDescriptor.open(fixture.store.database.path, .read).read(4, at: 60)
        #expect(bytes.reduce(0) { $0 << 8 | Int64($1) } == StateDatabase.newestVersion)
    }

    @Test func `a version that a crash left in the log stands in the file itself once the store is open`() throws {
        let folder = try TemporaryFolder()
        try StateStore(directory: folder.path).close()
        let crashed = try TemporaryFolder()
        do {
            let database = try Database(path: folder(StateDatabase.fileName), access: .update)
            try database.execute("PRAGMA wal_autocheckpoint = 0; PRAGMA user_version = 3", "prepare")
            #expect(try database.emptyLog())
            try database.execute("PRAGMA user_version = \(StateSchema.version)", "prepare")
            for name in ["state.db", "state.db-wal"] {
                try crashed.write(name, try Files.readAll(folder(name), cap: 1 << 24))
            }
        }
        #expect(DatabaseHeader.version(crashed("state.db")) == 3)
        let store = try StateStore(directory: crashed.path)
        #expect(store.database.recovery == nil)
        #expect(DatabaseHeader.version(crashed("state.db")) == StateSchema.version)
    }

    @Test func `another program that reads the database leaves its log in place`() throws {
        let fixture = try StoreFixture()
        let path = fixture.store.database.path
        let script = """
            import sqlite3
            database = sqlite3.connect('\(path)')
            database.execute('SELECT * FROM meta').fetchall()
            database.close()
            """
        for _ in 0..<2 {
            #expect(Files.exists(path + "-wal"))
            let outcome = try ControlProgram.run("/usr/bin/python3", ["-c", script])
            #expect(outcome.code == 0, "\(outcome.error)")
            // The last connection of all programs removes them; this one was not the last.
            #expect(Files.exists(path + "-wal") && Files.exists(path + "-shm"))
        }
    }

    @Test func `a second store in one folder is refused, and told who has it`() throws {
        let fixture = try StoreFixture()
        #expect(throws: StoreError(.inUse, "open \(fixture.store.database.path)", number: getpid())) {
            try StateStore(directory: fixture.folder.path)
        }
    }

    @Test func `the file of another program is refused, and stays`() throws {
        let folder = try TemporaryFolder()
        let path = folder(StateDatabase.fileName)
        do {
            let database = try Database(path: path, access: .create)
            try database.execute("CREATE TABLE other(x)", "prepare")
        }
        let before = try Files.readAll(path, cap: 1 << 20)
        let error = #expect(throws: StoreError.self) { try StateStore(directory: folder.path) }
        #expect(error?.code == .foreign)
        #expect(try Files.readAll(path, cap: 1 << 20) == before)
    }

    @Test(arguments: ["folder", "link", "pipe", "folder-wal"])
    func `what is no file in the place of the file is told, and stays`(kind: String) throws {
        let folder = try TemporaryFolder()
        let name = kind.hasSuffix("-wal") ? "state.db-wal" : StateDatabase.fileName
        switch kind {
        case "link": try #require(unsafe symlink("nowhere", folder(name)) == 0)
        case "pipe": try #require(unsafe mkfifo(folder(name), 0o600) == 0)
        default: try Directory.create(folder(name), permissions: 0o750)
        }
        let error = #expect(throws: StoreError.self) { try StateStore(directory: folder.path) }
        #expect(error?.code == .misplaced && error?.detail.isEmpty == false, "\(String(describing: error))")
        #expect(try Directory.list(folder.path) == [name, StateDatabase.lockName].sorted())
        if kind == "folder" { #expect(Files.permissions(folder(name)) == 0o750) }
        if kind == "link" { #expect(Files.readLink(folder(name)) == "nowhere") }
    }

    @Test(arguments: ["-wal", "-shm", "-journal"])
    func `a link beside the file is told, and what it leads to is not touched`(suffix: String) throws {
        let folder = try TemporaryFolder()
        let other = try folder.write("other", String(repeating: "precious", count: 100))
        try Directory.create(folder("state"))
        try StateStore(directory: folder("state")).close()
        let link = folder("state/\(StateDatabase.fileName)\(suffix)")
        Files.remove(link)
        try #require(unsafe symlink(other, link) == 0)
        try Files.setPermissions(other, 0o640)
        let error = #expect(throws: StoreError.self) { try StateStore(directory: folder("state")) }
        #expect(error?.code == .misplaced && error?.detail == "a link to \(other)", "\(String(describing: error))")
        #expect(try folder.read("other") == String(repeating: "precious", count: 100))
        #expect(Files.permissions(other) == 0o640 && Files.readLink(link) == other)
    }

    @Test func `a link to a file is followed`() throws {
        let folder = try TemporaryFolder()
        let other = try TemporaryFolder()
        let first = try StateStore(directory: other.path)
        let epoch = try first.database.load(names: []).revision.epoch
        first.close()
        try #require(unsafe symlink(other(StateDatabase.fileName), folder(StateDatabase.fileName)) == 0)
        #expect(try StateStore(directory: folder.path).database.load(names: []).revision.epoch == epoch)
    }

    @Test func `a store whose id is lost is damaged, and no other program's`() throws {
        let folder = try TemporaryFolder()
        try StateStore(directory: folder.path).close()
        do {
            let database = try Database(path: folder(StateDatabase.fileName), access: .update)
            try database.execute("PRAGMA application_id = 5", "prepare")
        }
        let store = try StateStore(directory: folder.path)
        #expect(store.database.recovery?.reason.code == .damaged)
        #expect(try Shell.rows(folder, "PRAGMA application_id") == ["\(StateSchema.applicationID)"])
    }

    @Test func `the file and what lies beside it are their owner's alone, also where they were not`() throws {
        let folder = try TemporaryFolder()
        let path = folder(StateDatabase.fileName)
        let files = [path, path + "-wal", path + "-shm"]
        for _ in 0..<2 {
            let store = try StateStore(directory: folder.path)
            #expect(files.map { Files.permissions($0) } == [0o600, 0o600, 0o600])
            store.close()
            try Files.setPermissions(path, 0o644)
        }
    }

    @Test func `text in place of a database is moved aside, too`() throws {
        let folder = try TemporaryFolder()
        let text = String(repeating: "no ", count: 500)
        try folder.write(StateDatabase.fileName, text)
        let recovery = try #require(try StateStore(directory: folder.path).database.recovery)
        #expect(try Files.readText(recovery.movedTo, cap: 1 << 20) == text)
    }

    @Test func `a store of an older version gets the views of this one`() throws {
        let folder = try TemporaryFolder()
        try StateStore(directory: folder.path).close()
        let views = "SELECT sql FROM sqlite_schema WHERE type = 'view' ORDER BY name"
        let before = try Shell.rows(folder, views)
        do {
            let database = try Database(path: folder(StateDatabase.fileName), access: .update)
            try database.execute(
                "PRAGMA user_version = 1; DROP VIEW collections; CREATE VIEW collections AS SELECT 1", "prepare")
        }
        try StateStore(directory: folder.path).close()
        #expect(try Shell.rows(folder, views) == before && before.count == 8)
        #expect(try Shell.rows(folder, "PRAGMA user_version") == ["\(StateSchema.version)"])
    }

    @Test func `a store of an older version gets the columns of this one, and keeps its rows`() throws {
        let folder = try TemporaryFolder()
        let first = try StoreFixture(folder)
        var source = SourceRow()
        (source.asOf, source.freshUntil) = (5, 7)
        try first.commit(["1"], source: source)
        #expect(try first.store.database.load(names: []).collections["things"]?.source.freshUntil == 7)
        first.store.close()
        do {
            let database = try Database(path: folder(StateDatabase.fileName), access: .update)
            try database.execute("PRAGMA user_version = 2; ALTER TABLE source DROP COLUMN fresh_until", "prepare")
        }
        let second = try StateStore(directory: folder.path)
        let row = try second.database.load(names: []).collections["things"]?.source
        #expect(second.database.recovery == nil && row?.asOf == 5 && row?.freshUntil == nil)
    }

    @Test func `a store of version 3 has no removed collection until one is noted`() throws {
        let folder = try TemporaryFolder()
        try StoreFixture(folder).store.close()
        do {
            let database = try Database(path: folder(StateDatabase.fileName), access: .update)
            try database.execute(
                """
                PRAGMA user_version = 3; DROP VIEW collections; ALTER TABLE collection DROP COLUMN removed_at;
                CREATE VIEW collections AS SELECT name FROM collection
                """, "prepare")
        }
        let store = try StateStore(directory: folder.path)
        #expect(store.database.recovery == nil)
        #expect(try store.database.load(names: []).collections["things"]?.row.removedAt == nil)
        #expect(try Shell.rows(folder, "SELECT removed_at IS NULL FROM collections") == ["1"])
        #expect(try Shell.rows(folder, "PRAGMA user_version") == ["\(StateSchema.version)"])
    }

    @Test func `the log of a store of version 4 begins at its clock`() throws {
        let folder = try TemporaryFolder()
        let first = try StoreFixture(folder)
        for _ in 0..<3 { try first.commit(["1"]) }
        try first.archive(["1"])
        let clock = first.store.catalog.current().revision
        first.store.close()
        do {
            let database = try Database(path: folder(StateDatabase.fileName), access: .update)
            try database.execute(
                """
                PRAGMA user_version = 4; DROP VIEW changes; DROP TABLE local_change; DROP TABLE change;
                DROP INDEX generation_seq;
                CREATE TABLE change(
                    collection INTEGER NOT NULL, generation INTEGER NOT NULL, ordinal INTEGER NOT NULL,
                    op TEXT NOT NULL, id TEXT NOT NULL, fields TEXT,
                    PRIMARY KEY(collection, generation, ordinal)) STRICT, WITHOUT ROWID;
                CREATE TABLE local_change(
                    seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, collection INTEGER NOT NULL,
                    op TEXT NOT NULL, id TEXT NOT NULL, uid INTEGER NOT NULL) STRICT;
                INSERT INTO change VALUES (1, 3, 1, 'upsert', '1', NULL);
                INSERT INTO local_change VALUES (4, 1, 1, 'archive', '1', 1000);
                INSERT INTO meta VALUES ('floor', 0);
                ALTER TABLE generation DROP COLUMN cause; ALTER TABLE generation DROP COLUMN whole;
                ALTER TABLE generation DROP COLUMN bytes; ALTER TABLE collection DROP COLUMN floor;
                ALTER TABLE collection DROP COLUMN start_seq; ALTER TABLE collection DROP COLUMN definition_seq;
                ALTER TABLE collection DROP COLUMN values_hash;
                """, "prepare")
        }
        let second = try StoreFixture(folder)
        #expect(second.store.database.recovery == nil && second.store.catalog.current().revision == clock)
        #expect(try second.store.database.load(names: []).collections["things"]?.row.floor == clock.seq)
        #expect(try second.store.database.load(names: []).collections["things"]?.changedSeq == clock.seq)
        #expect(try Shell.rows(folder, "SELECT count(*) FROM changes") == ["0"])
        #expect(try Shell.rows(folder, "SELECT generation FROM generation") == ["3"])
        try second.archive(["1"], false)
        #expect(try Shell.rows(folder, "SELECT seq || op FROM changes") == ["\(clock.seq + 1)unarchived"])
    }

    @Test func `recovery reads the columns that an older version has`() throws {
        let folder = try TemporaryFolder()
        let first = try StoreFixture(folder)
        var source = SourceRow()
        source.origin = "there"
        try first.commit(["1"], source: source)
        first.store.close()
        do {
            let database = try Database(path: folder(StateDatabase.fileName), access: .update)
            try database.execute("PRAGMA user_version = 2; ALTER TABLE source DROP COLUMN fresh_until", "prepare")
        }
        try folder.write(StateRecovery.markName, "")
        let second = try StateStore(directory: folder.path)
        #expect(second.database.recovery?.incomplete == [])
        #expect(try second.database.load(names: []).collections["things"]?.source.origin == "there")
    }

    @Test func `a store of a newer version is not touched`() throws {
        let folder = try TemporaryFolder()
        try StoreFixture(folder).store.close()
        do {
            let database = try Database(path: folder(StateDatabase.fileName), access: .update)
            try database.execute("PRAGMA user_version = 99", "prepare")
        }
        #expect { try StateStore(directory: folder.path) } throws: { ($0 as? StoreError)?.code == .otherVersion }
    }

    @Test func `a folder that is not there is named`() throws {
        #expect { try StateStore(directory: "/nonexistent/claimsd") } throws: { error in
            guard let error = error as? StoreError else { return false }
            return error.code == .missing && error.message.contains("/nonexistent/claimsd")
        }
    }

    @Test func `after closing, changes fail and the folder is free`() throws {
        let fixture = try StoreFixture()
        fixture.store.close()
        #expect { try fixture.archive(["1"]) } throws: { ($0 as? StoreError)?.code == .closed }
        #expect { try fixture.store.database.load(names: []) } throws: { ($0 as? StoreError)?.code == .closed }
    }
}
