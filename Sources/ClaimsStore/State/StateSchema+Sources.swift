// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension StateSchema {
    /// One row a source. The site of the only source of a collection is empty.
    static let createSources = """
        CREATE TABLE source(
            collection INTEGER NOT NULL, site TEXT NOT NULL DEFAULT '', origin TEXT, as_of INTEGER, fetched_at INTEGER,
            ended_at INTEGER, due INTEGER, failures INTEGER NOT NULL DEFAULT 0, retry_after INTEGER,
            error_kind TEXT, error_reason TEXT, error_status INTEGER, error_message TEXT, error_at INTEGER,
            held_hash TEXT, held_since INTEGER, held_summary TEXT,
            body_hash TEXT, validator_key INTEGER NOT NULL DEFAULT 0, etag TEXT, last_modified TEXT, validator_url TEXT,
            join_hash TEXT, join_validator_key INTEGER NOT NULL DEFAULT 0, join_etag TEXT, join_last_modified TEXT,
            join_validator_url TEXT, drift TEXT, tried_key INTEGER NOT NULL DEFAULT 0, fresh_until INTEGER,
            position TEXT, position_key INTEGER NOT NULL DEFAULT 0, full_as_of INTEGER,
            full_failures INTEGER NOT NULL DEFAULT 0, full_retry_at INTEGER, full_error TEXT,
            PRIMARY KEY(collection, site)) STRICT, WITHOUT ROWID;

        """

    /// The steps that give the sources of an older version the key and the columns of this one; none where they have
    /// them. The table has a row a collection, whatever the number of records.
    static func renewSources(_ database: borrowing Database, _ operation: String) throws(StoreError) -> String {
        let columns = try database.prepare("SELECT name FROM pragma_table_info('source')", operation)
        var known: Set<String> = []
        while try columns.step() { known.insert(columns.text(0)) }
        if known.isSuperset(of: SourceColumn.names) { return "" }
        let kept = SourceColumn.names.filter { known.contains($0) }.joined(separator: ", ")
        return """
            ALTER TABLE source RENAME TO earlier_source;
            \(createSources)
            INSERT INTO source(\(kept)) SELECT \(kept) FROM earlier_source;
            DROP TABLE earlier_source;

            """
    }

    /// The batches of `quarantine` that are in force, for each source: a full answer begins anew, an incremental one
    /// adds. `counted` has also the elements for which there was no room.
    static let addQuarantineExtents = """
        CREATE TABLE IF NOT EXISTS quarantine_extent(
            collection INTEGER NOT NULL, site TEXT NOT NULL DEFAULT '', floor INTEGER NOT NULL,
            counted INTEGER NOT NULL DEFAULT 0, PRIMARY KEY(collection, site)) STRICT, WITHOUT ROWID;

        """

    /// Of an older version one batch is in force.
    static let noteQuarantineExtents = """
        INSERT OR IGNORE INTO quarantine_extent(collection, floor, counted)
            SELECT number, quarantine_batch, quarantined FROM collection;

        """

    /// Entries keep their number over batches as long as the same bytes come.
    static let indexQuarantine = """
        DROP INDEX IF EXISTS quarantine_digest;
        DROP INDEX IF EXISTS quarantine_entry;
        DROP INDEX IF EXISTS quarantine_id;
        CREATE INDEX quarantine_digest ON quarantine(collection, digest, batch, entry);
        CREATE INDEX quarantine_entry ON quarantine(collection, entry);
        CREATE INDEX quarantine_id ON quarantine(collection, id) WHERE id IS NOT NULL;

        """

    /// The first batch in force of the source of an entry `q` of the collection `c`. Of a source of which nothing is
    /// known only the newest batch is.
    static let quarantineFloor = """
        coalesce((SELECT x.floor FROM quarantine_extent x WHERE x.collection = q.collection AND x.site = q.site),
            c.quarantine_batch)
        """

    /// The entries `q` in force with their collections `c` and sources `s`.
    static let quarantineInForce = """
        quarantine q JOIN collection c ON c.number = q.collection
            AND q.batch BETWEEN \(quarantineFloor) AND c.quarantine_batch
            LEFT JOIN source s ON s.collection = q.collection AND s.site = q.site
        """

    /// The time of the last answer with an entry `q`: a full answer that changed nothing had it, too.
    static let quarantineLastSeen =
        "max(q.last_seen, iif(q.is_incremental, 0, coalesce(s.full_as_of, s.as_of, 0)))"
}
