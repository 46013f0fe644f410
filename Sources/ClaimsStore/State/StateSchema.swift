// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsSnapshot

/// The tables of state.db, and how a file of an older version is brought up to date.
///
/// A row of `version` is one record as one generation brought it. It is current if no `removal` of a committed
/// generation names its key. A refresh writes its rows under the next generation, in chunks; they become visible when
/// one short transaction raises `collection.generation`. Rows with a higher generation than their collection are left
/// over from a refresh that did not end.
enum StateSchema {
    /// "CLMD": the name that `file` and `PRAGMA application_id` show.
    static let applicationID: Int64 = 0x434c_4d44
    /// 2: the view `collections` shows errors in words, and the file of the snapshot. 3: `source` keeps the time until
    /// which the upstream calls its answer fresh. 4: `in_force` keeps the texts of the configuration that is in force,
    /// and `collection` keeps when its definition was removed. 5: the log keeps the values of every change, with a
    /// floor of its own for each collection. 6: operations and the ids that they replaced are kept, and a snapshot may
    /// be older than its collection's generation. 7: attempts to refresh are logged. 8: a collection may have several
    /// sources, and the quarantine several answers; positions are kept. 9: the newest generations of an upstream may
    /// lie over its file, too. 10: a collection may have up to three files, of which the newer ones hold the changes.
    /// 11: archive marks may be shared with other hosts, and have authors there.
    static let version: Int64 = 11
    /// No claimsd will ever write a version beyond this.
    private static let newest: Int64 = 1000

    /// The number of low bits of `version.key`, which is the collection's number, shifted, plus a number that is never
    /// used again.
    static let keyBits: Int64 = 40

    /// A mark in `generation.bytes`: the values were too large to be kept.
    static let bytesWithoutValues: Int64 = -1

    static func firstKey(of collection: Int64) -> Int64 { collection << keyBits }

    /// The prefix of the name of a collection that is being erased; its number follows. No definition can have such a
    /// name.
    static let erasedPrefix = "/"

    /// Makes the tables in an empty file, or brings an older file up to date.
    ///
    /// Throws `.foreign` for a file of another program, `.otherVersion` for one of a newer claimsd.
    static func prepare(_ database: borrowing Database) throws(StoreError) {
        let operation = "open \(database.path)"
        let id = try database.integer("PRAGMA application_id", operation)
        let version = try database.integer("PRAGMA user_version", operation)
        if id == 0 && version == 0 {
            guard try database.integer("SELECT count(*) FROM sqlite_schema", operation) == 0 else {
                throw try foreign(database, operation)
            }
            try database.execute("PRAGMA journal_mode = WAL", operation)
            try transaction(
                on: database,
                create + createSources + createLog + addInForce + addOperations + addRefreshLog + addQuarantineExtents
                    + indexQuarantine + indexRemovals + addSharedMarks + views, operation)
            return try copyVersion(database)
        }
        guard id == applicationID else { throw try foreign(database, operation) }
        guard 1...Self.newest ~= version else { throw StoreError(.damaged, operation, detail: "version \(version)") }
        guard version <= Self.version else {
            throw StoreError(.otherVersion, operation, detail: "version \(version), this program knows \(Self.version)")
        }
        if version < Self.version {
            var steps = try dropViews + addInForce + addOperations + addRefreshLog + renewSources(database, operation)
            for (table, column, step) in additions {
                let missing = "SELECT count(*) = 0 FROM pragma_table_info('\(table)') WHERE name = '\(column)'"
                if try database.integer(missing, operation) != 0 { steps += step }
            }
            if version < Self.firstWithValues { steps += renewLog }
            steps +=
                addQuarantineExtents + noteQuarantineExtents + indexQuarantine + indexRemovals + addSharedMarks + views
            try transaction(on: database, steps, operation)
        }
        // This is needed again after a crash between the commit and the copy.
        try copyVersion(database)
    }

    /// Copies the write-ahead log into the file if the version is in the log only: an installer of an older program
    /// reads it in the file itself, without SQLite.
    private static func copyVersion(_ database: borrowing Database) throws(StoreError) {
        if DatabaseHeader.version(database.header) != version { _ = try database.emptyLog() }
    }

    /// The error about a file with another program's id. If the file has our tables, it is ours and damaged.
    private static func foreign(
        _ database: borrowing Database, _ operation: String
    ) throws(StoreError) -> StoreError {
        let ours = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('meta', 'version', 'removal')"
        let isOurs = try database.integer(ours, operation) == 3
        return isOurs ? StoreError(.damaged, operation, detail: "no id") : StoreError(.foreign, operation)
    }

    private static func transaction(
        on database: borrowing Database, _ sql: String, _ operation: String
    ) throws(StoreError) {
        try database.execute("BEGIN IMMEDIATE", operation)
        do throws(StoreError) {
            try database.execute(sql, operation)
            try database.execute("PRAGMA user_version = \(version); COMMIT", operation)
        } catch {
            try? database.execute("ROLLBACK", operation)
            throw error
        }
    }

    /// The columns that older versions lack, with the statement that adds each.
    private static let additions = [
        ("collection", "removed_at", "ALTER TABLE collection ADD COLUMN removed_at INTEGER;"),
        ("collection", "floor", "ALTER TABLE collection ADD COLUMN floor INTEGER NOT NULL DEFAULT 0;"),
        ("collection", "start_seq", "ALTER TABLE collection ADD COLUMN start_seq INTEGER NOT NULL DEFAULT 0;"),
        (
            "collection", "definition_seq",
            "ALTER TABLE collection ADD COLUMN definition_seq INTEGER NOT NULL DEFAULT 0;"
        ),
        ("collection", "values_hash", "ALTER TABLE collection ADD COLUMN values_hash INTEGER NOT NULL DEFAULT 0;"),
        (
            "quarantine", "entry",
            "ALTER TABLE quarantine ADD COLUMN entry INTEGER NOT NULL DEFAULT 0; UPDATE quarantine SET entry = number;"
        ),
        ("quarantine", "id", "ALTER TABLE quarantine ADD COLUMN id TEXT;"),
        ("quarantine", "site", "ALTER TABLE quarantine ADD COLUMN site TEXT NOT NULL DEFAULT '';"),
        (
            "quarantine", "is_incremental",
            "ALTER TABLE quarantine ADD COLUMN is_incremental INTEGER NOT NULL DEFAULT 0;"
        ),
        ("generation", "cause", "ALTER TABLE generation ADD COLUMN cause TEXT NOT NULL DEFAULT 'refresh';"),
        ("generation", "whole", "ALTER TABLE generation ADD COLUMN whole INTEGER NOT NULL DEFAULT 0;"),
        ("generation", "bytes", "ALTER TABLE generation ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;"),
        ("generation", "uid", "ALTER TABLE generation ADD COLUMN uid INTEGER;"),
        (
            "collection", "file_generation",
            """
            ALTER TABLE collection ADD COLUMN file_generation INTEGER NOT NULL DEFAULT 0;
            UPDATE collection SET file_generation = generation;
            """
        ),
        (
            "collection", "file_key",
            """
            ALTER TABLE collection ADD COLUMN file_key INTEGER NOT NULL DEFAULT 1;
            UPDATE collection SET file_key = next_key;
            """
        ),
        ("collection", "is_local", "ALTER TABLE collection ADD COLUMN is_local INTEGER NOT NULL DEFAULT 0;"),
        ("collection", "middle_id", "ALTER TABLE collection ADD COLUMN middle_id INTEGER NOT NULL DEFAULT 0;"),
        ("collection", "middle_from", "ALTER TABLE collection ADD COLUMN middle_from INTEGER NOT NULL DEFAULT 0;"),
        (
            "collection", "middle_generation",
            "ALTER TABLE collection ADD COLUMN middle_generation INTEGER NOT NULL DEFAULT 0;"
        ),
        ("collection", "middle_key", "ALTER TABLE collection ADD COLUMN middle_key INTEGER NOT NULL DEFAULT 1;"),
        ("collection", "young_id", "ALTER TABLE collection ADD COLUMN young_id INTEGER NOT NULL DEFAULT 0;"),
        ("collection", "young_from", "ALTER TABLE collection ADD COLUMN young_from INTEGER NOT NULL DEFAULT 0;"),
        (
            "collection", "young_generation",
            "ALTER TABLE collection ADD COLUMN young_generation INTEGER NOT NULL DEFAULT 0;"
        ),
        ("collection", "young_key", "ALTER TABLE collection ADD COLUMN young_key INTEGER NOT NULL DEFAULT 1;"),
        ("local_change", "cause", "ALTER TABLE local_change ADD COLUMN cause TEXT NOT NULL DEFAULT 'archive';"),
        ("local_change", "fields", "ALTER TABLE local_change ADD COLUMN fields TEXT;"),
        ("local_change", "first_seen", "ALTER TABLE local_change ADD COLUMN first_seen INTEGER;"),
        ("local_change", "bytes", "ALTER TABLE local_change ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;"),
        ("local_change", "is_silent", "ALTER TABLE local_change ADD COLUMN is_silent INTEGER NOT NULL DEFAULT 0;"),
        ("local_change", "by_user", "ALTER TABLE local_change ADD COLUMN by_user TEXT;"),
        ("archive", "by_user", "ALTER TABLE archive ADD COLUMN by_user TEXT;"),
    ]

    /// The first version whose log has the values of changes.
    private static let firstWithValues: Int64 = 5

    /// Replaces the log of an older version, which lacks values, by an empty log that begins at the clock. The newest
    /// generation of each collection stays recorded.
    private static var renewLog: String {
        """
        DROP TABLE change;
        DROP TABLE local_change;
        \(createLog)
        DELETE FROM generation WHERE generation < (SELECT c.generation FROM collection c WHERE c.number = generation.collection);
        UPDATE collection SET floor = coalesce((SELECT value FROM meta WHERE key = 'seq'), 0);
        DELETE FROM meta WHERE key = 'floor';

        """
    }

    /// `file` is a name below the configuration folders; `origins` is an array of pairs of layer and path, as JSON.
    private static let addInForce = """
        CREATE TABLE IF NOT EXISTS in_force(
            file TEXT PRIMARY KEY, text TEXT NOT NULL, origins TEXT NOT NULL) STRICT, WITHOUT ROWID;

        """

    /// The operations, in the order of their commits over all collections, and the ids that records had before the
    /// upstream gave them others. A settled operation keeps its outcome and the hash of its content, but no values. An
    /// operation with uploads has a second hash after it, with the names of the uploads in place of names and SHA-256
    /// of files.
    private static let addOperations = """
        CREATE TABLE IF NOT EXISTS operation(
            number INTEGER PRIMARY KEY AUTOINCREMENT, op TEXT NOT NULL UNIQUE, collection INTEGER NOT NULL,
            id TEXT NOT NULL, action TEXT NOT NULL, state TEXT NOT NULL, submitted_at INTEGER NOT NULL,
            submitted_by INTEGER NOT NULL, content BLOB NOT NULL, seq INTEGER NOT NULL, changed TEXT NOT NULL,
            settled_at INTEGER, detail TEXT) STRICT;
        CREATE INDEX IF NOT EXISTS operation_unsettled ON operation(collection, number) WHERE settled_at IS NULL;
        CREATE INDEX IF NOT EXISTS operation_settled ON operation(collection, settled_at, number)
            WHERE settled_at IS NOT NULL;
        CREATE TABLE IF NOT EXISTS alias(
            collection INTEGER NOT NULL, id TEXT NOT NULL, target TEXT NOT NULL, since INTEGER NOT NULL,
            gone_at INTEGER, PRIMARY KEY(collection, id)) STRICT, WITHOUT ROWID;

        """

    /// The archive marks that hosts share: the last mark of each id, also if it took the record out of the archive. An
    /// empty `host` is this one, whose users have a `uid`; `user` is a name on another host. `floor` is the earliest
    /// time after the mark which this one has changed.
    private static let addSharedMarks = """
        CREATE TABLE IF NOT EXISTS shared_mark(
            collection INTEGER NOT NULL, id TEXT NOT NULL, is_archived INTEGER NOT NULL, at INTEGER NOT NULL,
            host TEXT NOT NULL, uid INTEGER, user TEXT, state INTEGER NOT NULL, floor INTEGER NOT NULL,
            PRIMARY KEY(collection, id)) STRICT, WITHOUT ROWID;
        CREATE INDEX IF NOT EXISTS shared_mark_unsent ON shared_mark(state, collection) WHERE state <> 1;

        """

    /// The attempts to refresh, in the order of their outcomes over all collections.
    private static let addRefreshLog = """
        CREATE TABLE IF NOT EXISTS refresh_log(
            number INTEGER PRIMARY KEY AUTOINCREMENT, collection INTEGER NOT NULL, at INTEGER NOT NULL,
            duration_ms INTEGER NOT NULL, outcome TEXT NOT NULL, kind TEXT, site TEXT, bytes INTEGER NOT NULL,
            records INTEGER, added INTEGER NOT NULL DEFAULT 0, updated INTEGER NOT NULL DEFAULT 0,
            removed INTEGER NOT NULL DEFAULT 0, quarantined INTEGER NOT NULL DEFAULT 0) STRICT;
        CREATE INDEX IF NOT EXISTS refresh_log_collection ON refresh_log(collection, number);

        """

    /// Times are milliseconds since 1970, UTC. Hashes and ids of 64 bits are kept as their signed twins.
    private static let create = """
        PRAGMA application_id = \(applicationID);
        CREATE TABLE meta(
            key TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID;
        CREATE TABLE collection(
            number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
            generation INTEGER NOT NULL DEFAULT 0, file_id INTEGER NOT NULL DEFAULT 0,
            definition_hash INTEGER NOT NULL DEFAULT 0, records INTEGER NOT NULL DEFAULT 0,
            next_key INTEGER NOT NULL DEFAULT 1, bundle_key INTEGER NOT NULL DEFAULT 0,
            quarantine_batch INTEGER NOT NULL DEFAULT 0, quarantined INTEGER NOT NULL DEFAULT 0,
            join_batch INTEGER NOT NULL DEFAULT 0, removed_at INTEGER, floor INTEGER NOT NULL DEFAULT 0,
            start_seq INTEGER NOT NULL DEFAULT 0, definition_seq INTEGER NOT NULL DEFAULT 0,
            values_hash INTEGER NOT NULL DEFAULT 0, file_generation INTEGER NOT NULL DEFAULT 0,
            file_key INTEGER NOT NULL DEFAULT 1, is_local INTEGER NOT NULL DEFAULT 0,
            middle_id INTEGER NOT NULL DEFAULT 0, middle_from INTEGER NOT NULL DEFAULT 0,
            middle_generation INTEGER NOT NULL DEFAULT 0, middle_key INTEGER NOT NULL DEFAULT 1,
            young_id INTEGER NOT NULL DEFAULT 0, young_from INTEGER NOT NULL DEFAULT 0,
            young_generation INTEGER NOT NULL DEFAULT 0, young_key INTEGER NOT NULL DEFAULT 1) STRICT;
        CREATE TABLE version(
            key INTEGER PRIMARY KEY, generation INTEGER NOT NULL, id TEXT NOT NULL, upstream TEXT NOT NULL,
            first_seen INTEGER NOT NULL, changed_at INTEGER NOT NULL) STRICT;
        CREATE TABLE removal(
            key INTEGER PRIMARY KEY, generation INTEGER NOT NULL) STRICT;
        CREATE TABLE generation(
            collection INTEGER NOT NULL, generation INTEGER NOT NULL, base_seq INTEGER NOT NULL,
            changes INTEGER NOT NULL, at INTEGER NOT NULL, cause TEXT NOT NULL DEFAULT 'refresh',
            whole INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0, uid INTEGER,
            PRIMARY KEY(collection, generation)) STRICT, WITHOUT ROWID;
        CREATE TABLE archive(
            collection INTEGER NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, uid INTEGER NOT NULL, by_user TEXT,
            PRIMARY KEY(collection, id)) STRICT, WITHOUT ROWID;
        CREATE TABLE quarantine(
            number INTEGER PRIMARY KEY AUTOINCREMENT, collection INTEGER NOT NULL, batch INTEGER NOT NULL,
            pointer TEXT NOT NULL, reason TEXT NOT NULL, bytes BLOB NOT NULL, size INTEGER NOT NULL,
            digest INTEGER NOT NULL, first_seen INTEGER NOT NULL, last_seen INTEGER NOT NULL,
            entry INTEGER NOT NULL DEFAULT 0, id TEXT, site TEXT NOT NULL DEFAULT '',
            is_incremental INTEGER NOT NULL DEFAULT 0) STRICT;
        CREATE TABLE join_value(
            collection INTEGER NOT NULL, batch INTEGER NOT NULL, number INTEGER NOT NULL, value TEXT NOT NULL,
            PRIMARY KEY(collection, batch, number)) STRICT, WITHOUT ROWID;

        """

    /// The log: rows of `change` belong to `generation`, and count only with it. The number of a change is `base_seq +
    /// ordinal`; in a whole commit, which moves the clock by 1, all rows have the number of the commit. `local_change`
    /// has the changes beside the generations: archive marks, and the visible effects of writes to an upstream. The
    /// rows of one commit have the same `commit_end`, the number of its last change, and the first one has the size of
    /// all values. In a silent change nothing but `pending` differs. For a generation with `bytesWithoutValues` the log
    /// has only the changed records, not their changes: the values were too large.
    private static let createLog = """
        CREATE TABLE change(
            collection INTEGER NOT NULL, generation INTEGER NOT NULL, ordinal INTEGER NOT NULL,
            op TEXT NOT NULL, id TEXT NOT NULL, fields TEXT, upstream INTEGER NOT NULL DEFAULT 0, first_seen INTEGER,
            PRIMARY KEY(collection, generation, ordinal)) STRICT, WITHOUT ROWID;
        CREATE TABLE local_change(
            collection INTEGER NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL, op TEXT NOT NULL,
            id TEXT NOT NULL, uid INTEGER NOT NULL, generation INTEGER NOT NULL, commit_end INTEGER NOT NULL,
            cause TEXT NOT NULL DEFAULT 'archive', fields TEXT, first_seen INTEGER, bytes INTEGER NOT NULL DEFAULT 0,
            is_silent INTEGER NOT NULL DEFAULT 0, by_user TEXT, PRIMARY KEY(collection, seq)) STRICT, WITHOUT ROWID;
        CREATE INDEX IF NOT EXISTS generation_seq ON generation(collection, base_seq);

        """
}

extension StateSchema {
    /// A table with one row per source. The site of the only source of a collection is empty.
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

    /// The steps that give the sources of an older version the key and the columns of this one; none if they have them.
    /// The table has one row per collection, whatever the number of records.
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
    /// adds. `counted` includes the elements for which there was no room.
    static let addQuarantineExtents = """
        CREATE TABLE IF NOT EXISTS quarantine_extent(
            collection INTEGER NOT NULL, site TEXT NOT NULL DEFAULT '', floor INTEGER NOT NULL,
            counted INTEGER NOT NULL DEFAULT 0, PRIMARY KEY(collection, site)) STRICT, WITHOUT ROWID;

        """

    /// The extents of a file of an older version: one batch is in force.
    static let noteQuarantineExtents = """
        INSERT OR IGNORE INTO quarantine_extent(collection, floor, counted)
            SELECT number, quarantine_batch, quarantined FROM collection;

        """

    /// An index of the superseded records of a collection by the generations that ended them.
    static let indexRemovals = """
        CREATE INDEX IF NOT EXISTS removal_generation ON removal(key >> \(keyBits), generation);

        """

    /// An index of entries. They keep their number over batches as long as the same bytes come.
    static let indexQuarantine = """
        DROP INDEX IF EXISTS quarantine_digest;
        DROP INDEX IF EXISTS quarantine_entry;
        DROP INDEX IF EXISTS quarantine_id;
        CREATE INDEX quarantine_digest ON quarantine(collection, digest, batch, entry);
        CREATE INDEX quarantine_entry ON quarantine(collection, entry);
        CREATE INDEX quarantine_id ON quarantine(collection, id) WHERE id IS NOT NULL;

        """

    /// The first batch in force of the source of an entry `q` of the collection `c`. Only the newest batch of an
    /// unknown source is in force.
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

extension StateSchema {
    /// Deletes the views. A table can be renamed only if no view reads it.
    static let dropViews = """
        DROP VIEW IF EXISTS record;
        DROP VIEW IF EXISTS changes;
        DROP VIEW IF EXISTS archived;
        DROP VIEW IF EXISTS quarantined;
        DROP VIEW IF EXISTS collections;
        DROP VIEW IF EXISTS operations;
        DROP VIEW IF EXISTS refreshes;
        DROP VIEW IF EXISTS sources;

        """

    /// The views for people with the sqlite3 shell: committed rows only, with names and readable times.
    static let views =
        dropViews + """
            CREATE VIEW record AS
                SELECT c.name AS collection, v.id, v.upstream, v.generation,
                    \(time("v.first_seen")) AS first_seen, \(time("v.changed_at")) AS changed_at
                FROM collection c JOIN version v
                    ON v.key BETWEEN (c.number << \(keyBits)) AND ((c.number + 1) << \(keyBits)) - 1
                WHERE v.generation <= c.generation AND NOT EXISTS (
                    SELECT 1 FROM removal r WHERE r.key = v.key AND r.generation <= c.generation);
            CREATE VIEW changes AS
                SELECT g.base_seq + iif(g.whole, 1, h.ordinal) AS seq, \(time("g.at")) AS at, c.name AS collection,
                    g.cause, h.op, h.id, h.fields, g.uid
                FROM change h JOIN generation g ON g.collection = h.collection AND g.generation = h.generation
                    JOIN collection c ON c.number = h.collection
                UNION ALL
                SELECT l.seq, \(time("l.at")), c.name, l.cause, l.op, l.id, l.fields, l.uid
                FROM local_change l JOIN collection c ON c.number = l.collection;
            CREATE VIEW operations AS
                SELECT o.number, o.op, c.name AS collection, o.id, o.action, o.state, \(time("o.submitted_at")) AS submitted_at,
                    o.submitted_by, \(time("o.settled_at")) AS settled_at
                FROM operation o JOIN collection c ON c.number = o.collection;
            CREATE VIEW refreshes AS
                SELECT r.number, c.name AS collection, \(time("r.at")) AS at, r.duration_ms, r.outcome, r.kind, r.site, r.bytes,
                    r.records, r.added, r.updated, r.removed, r.quarantined
                FROM refresh_log r JOIN collection c ON c.number = r.collection;
            CREATE VIEW archived AS
                SELECT c.name AS collection, a.id, \(time("a.at")) AS at, a.uid, a.by_user
                FROM archive a JOIN collection c ON c.number = a.collection;
            CREATE VIEW quarantined AS
                SELECT q.entry AS number, c.name AS collection, nullif(q.site, '') AS site, q.id, q.pointer, q.reason,
                    CAST(q.bytes AS TEXT) AS bytes, q.size, \(time("q.first_seen")) AS first_seen,
                    \(time(quarantineLastSeen)) AS last_seen
                FROM \(quarantineInForce);
            CREATE VIEW collections AS
                SELECT c.name, c.generation, c.records, c.quarantined, c.bundle_key <> 0 AS bundle, s.origin,
                    \(time("s.as_of")) AS as_of, \(time("s.fetched_at")) AS fetched_at, \(time("s.due")) AS due,
                    s.failures, s.error_kind, s.error_status, \(message("s.error_message")) AS error_message,
                    \(time("s.error_at")) AS error_at, \(time("s.held_since")) AS held_since,
                    CASE WHEN c.file_id <> 0 THEN printf('%016llx\(SnapshotIdentity.fileExtension)', c.file_id) END
                        AS snapshot, \(time("c.removed_at")) AS removed_at
                FROM collection c LEFT JOIN source s ON s.collection = c.number AND s.site = '';
            CREATE VIEW sources AS
                SELECT c.name AS collection, nullif(s.site, '') AS site, s.origin, \(time("s.as_of")) AS as_of,
                    \(time("s.full_as_of")) AS full_as_of, \(time("s.due")) AS due, s.failures, s.error_kind,
                    s.error_reason, s.error_status, \(message("s.error_message")) AS error_message,
                    \(time("s.error_at")) AS error_at, \(time("s.held_since")) AS held_since, s.position
                FROM source s JOIN collection c ON c.number = s.collection;

            """

    /// The first line of a stored error: the sentence for people.
    private static func message(_ column: String) -> String {
        "substr(\(column), 1, coalesce(nullif(instr(\(column), char(10)), 0) - 1, length(\(column))))"
    }

    private static func time(_ column: String) -> String {
        "strftime('%Y-%m-%dT%H:%M:%fZ', \(column) / 1000.0, 'unixepoch')"
    }
}
