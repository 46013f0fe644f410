// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsTestSupport
import Testing

@testable import ClaimsStore

@Suite struct SourceMigrationTests {
    /// Makes the tables of sources and quarantine what version 7 had.
    private static let versionSeven =
        StateSchema.dropViews + """
            CREATE TABLE old_source(
                collection INTEGER PRIMARY KEY, origin TEXT, as_of INTEGER, fetched_at INTEGER,
                due INTEGER, failures INTEGER NOT NULL DEFAULT 0, retry_after INTEGER,
                error_kind TEXT, error_status INTEGER, error_message TEXT, error_at INTEGER,
                held_hash TEXT, held_since INTEGER, held_summary TEXT,
                body_hash TEXT, validator_key INTEGER NOT NULL DEFAULT 0, etag TEXT, last_modified TEXT, validator_url TEXT,
                join_hash TEXT, join_validator_key INTEGER NOT NULL DEFAULT 0, join_etag TEXT, join_last_modified TEXT,
                join_validator_url TEXT, drift TEXT,
                tried_key INTEGER NOT NULL DEFAULT 0, fresh_until INTEGER) STRICT;
            INSERT INTO old_source(collection, origin, as_of, due, failures, etag, tried_key, fresh_until)
                SELECT collection, origin, as_of, due, failures, etag, tried_key, fresh_until FROM source;
            DROP TABLE source;
            ALTER TABLE old_source RENAME TO source;
            DROP INDEX quarantine_digest; DROP INDEX quarantine_entry; DROP INDEX quarantine_id;
            DELETE FROM quarantine WHERE batch <> (SELECT quarantine_batch FROM collection);
            ALTER TABLE quarantine DROP COLUMN site; ALTER TABLE quarantine DROP COLUMN is_incremental;
            CREATE INDEX quarantine_entry ON quarantine(collection, batch, digest, entry);
            CREATE INDEX quarantine_id ON quarantine(collection, batch, id) WHERE id IS NOT NULL;
            DROP TABLE quarantine_extent;
            PRAGMA user_version = 7;

            """

    /// A folder with a state.db of version 7, of a collection whose source and quarantine have something to tell.
    private func olderStore() throws -> (folder: TemporaryFolder, source: SourceRow, entries: [QuarantineEntry]) {
        let fixture = try OpenerFixture()
        try fixture.take(#"[{"id":1,"name":"a"},7]"#)
        try fixture.take(#"[{"id":1,"name":"b"},7,{"name":"x"}]"#, at: OpenerFixture.now + 1_000)
        var source = SourceRow()
        (source.origin, source.asOf, source.due, source.failures) = ("https://there.example/", 5, 6, 3)
        (source.validators.etag, source.triedKey, source.freshUntil) = ("\"e\"", 9, 7)
        try fixture.store.record(source, of: "things")
        let number = try #require(fixture.view?.condition.row.number)
        let entries = try fixture.store.database.quarantine(of: number, limit: 10).entries
        fixture.store.close()
        let database = try Database(path: fixture.folder("state/\(StateDatabase.fileName)"), access: .update)
        try database.execute(Self.versionSeven, "prepare")
        return (fixture.folder, source, entries)
    }

    @Test(arguments: [false, true])
    func `a store of version 7 keeps its source, its quarantine and its records`(isDamaged: Bool) throws {
        let (folder, source, entries) = try olderStore()
        if isDamaged { try folder.write("state/\(StateRecovery.markName)", "") }
        let fixture = try OpenerFixture(folder)
        #expect((fixture.store.database.recovery != nil) == isDamaged)
        #expect(fixture.store.database.recovery?.incomplete ?? [] == [])
        // A recovered store asks its upstreams at once.
        var known = source
        if isDamaged { known = try #require(fixture.view?.condition.source) }
        #expect(fixture.view?.condition.source == known && fixture.view?.condition.sites == [:])
        #expect(known.origin == source.origin && known.asOf == source.asOf && known.triedKey == source.triedKey)
        #expect(fixture.documents == [#"{"id":"1","name":"b"}"#])
        let number = try #require(fixture.view?.condition.row.number)
        #expect(try fixture.store.database.quarantine(of: number, limit: 10).entries == entries)
        #expect(entries.count == 2 && fixture.view?.condition.row.quarantined == 2)
        // The next answer takes their place, and what comes again keeps its number.
        try fixture.take(#"[{"id":1,"name":"c"},7]"#, at: OpenerFixture.now + 2_000)
        let left = try fixture.store.database.quarantine(of: number, limit: 10).entries
        #expect(left.map(\.number) == [entries[0].number] && fixture.view?.condition.row.quarantined == 1)
    }

    @Test func `the sources of several sites are rows of their own, and survive a restart`() throws {
        let fixture = try OpenerFixture()
        try fixture.take(#"[{"id":1}]"#)
        var warsaw = SourceRow(site: "warsaw")
        warsaw.endedAt = 11
        warsaw.lastError = Failure(
            kind: .tls, reason: .expired, site: "warsaw", status: nil, message: Message(.other, "x"), at: 8)
        warsaw.position = .init(key: 17, value: #""2026-01-02T03:04:05Z""#)
        warsaw.full.asOf = 4
        warsaw.full.failures = 2
        warsaw.full.retryAt = 12
        warsaw.full.error = Failure(
            kind: .httpStatus, site: "warsaw", status: 410, message: Message(.other, "y"), at: 9)
        var cracow = SourceRow(site: "cracow")
        (cracow.full.isOwed, cracow.full.retryAt) = (true, 13)
        for source in [warsaw, cracow] { try fixture.store.record(source, of: "things") }
        #expect(fixture.view?.condition.sites == ["warsaw": warsaw, "cracow": cracow])
        fixture.store.close()
        let again = try OpenerFixture(fixture.folder)
        #expect(again.view?.condition.sites == ["warsaw": warsaw, "cracow": cracow])
        #expect(again.view?.condition.source(of: "warsaw") == warsaw)
        #expect(again.view?.condition.source(of: "nowhere") == SourceRow(site: "nowhere"))
        #expect(try again.rows("SELECT error_reason FROM sources WHERE site = 'warsaw'") == ["expired"])
    }

    @Test func `a recovered store knows no position, so that all records are asked for`() throws {
        let fixture = try OpenerFixture()
        try fixture.take(#"[{"id":1}]"#)
        var source = SourceRow()
        source.position = .init(key: 1, value: "7")
        try fixture.store.record(source, of: "things")
        fixture.store.close()
        try fixture.folder.write("state/\(StateRecovery.markName)", "")
        let again = try OpenerFixture(fixture.folder)
        #expect(again.store.database.recovery != nil && again.view?.condition.source.position == nil)
    }
}
