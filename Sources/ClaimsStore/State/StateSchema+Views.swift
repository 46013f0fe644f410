// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsSnapshot

extension StateSchema {
    /// Deletes the views. A table can be renamed only while no view reads it.
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
                SELECT c.name AS collection, a.id, \(time("a.at")) AS at, a.uid
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

    /// The first line of what is kept of an error: the sentence for people.
    private static func message(_ column: String) -> String {
        "substr(\(column), 1, coalesce(nullif(instr(\(column), char(10)), 0) - 1, length(\(column))))"
    }

    private static func time(_ column: String) -> String {
        "strftime('%Y-%m-%dT%H:%M:%fZ', \(column) / 1000.0, 'unixepoch')"
    }
}
