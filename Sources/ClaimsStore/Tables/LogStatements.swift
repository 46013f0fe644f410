// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// The statements that read the log, compiled once. They belong to their connection.
final class LogStatements {
    /// The columns of `generations` and `wholeCommit`.
    enum Commit: Int32, StatementColumn {
        case baseSeq, changes, at, generation, cause, whole, uid, bytes

        var column: Int32 { rawValue }
        var parameter: Int32 { rawValue + 1 }
    }

    /// The columns of all statements that read changes.
    enum Change: Int32, StatementColumn {
        /// The ordinal of a change of a generation; the number of a mark.
        case number
        case id, op, fields, upstream, firstSeen
        /// The user of a mark or a write.
        case uid
        case at, generation
        case baseSeq, changes, cause, whole, bytes
        /// The user of another host's mark.
        case byUser

        var column: Int32 { rawValue }
        /// Parameters by number come first; only an id is bound by this name.
        var parameter: Int32 { 5 }
    }

    /// The columns of `refreshes` and `refreshesOfCollection`.
    enum Refresh: Int32, StatementColumn {
        case number, collection, at, duration, outcome, kind, site, bytes, records, added, updated, removed
        case quarantined

        var column: Int32 { rawValue }
        var parameter: Int32 { rawValue + 1 }
    }

    let floor: Statement<StatementPosition>
    /// The parameters: collection, after, through.
    let generations: Statement<Commit>
    /// The parameters: collection, time.
    let wholeCommit: Statement<Commit>
    /// The parameters: collection, generation, first and last ordinal, limit.
    let changes: Statement<Change>
    /// The same without the large columns.
    let changedIDs: Statement<Change>
    /// The parameters: collection, first and last number, limit.
    let marks: Statement<Change>
    /// The parameters: collection, floor, before. The newest generation comes first, with the number of rows in place
    /// of `changes`; the generation at the floor whose values were not kept comes last.
    let generationsBackwards: Statement<Commit>
    /// The parameters: collection, oldest and newest generation, before, id.
    let changesOfID: Statement<Change>
    /// The parameters: collection, generation, first and last ordinal, id.
    let changesOfIDInGeneration: Statement<Change>
    /// The parameters: collection, floor, before, limit, id.
    let marksOfID: Statement<Change>
    /// The parameters: collection, id.
    let quarantined: Statement<StatementPosition>

    /// The parameters: collection, time, id.
    let writes: Statement<StatementPosition>
    /// The parameter: limit. The newest attempt comes first.
    let refreshes: Statement<Refresh>
    /// The parameters: collection, limit.
    let refreshesOfCollection: Statement<Refresh>

    private static let operation = "read the log"

    init(_ database: borrowing Database) throws(StoreError) {
        floor = try database.prepare("SELECT floor FROM collection WHERE number = ?1", Self.operation)
        generations = try database.prepare(
            """
            SELECT base_seq, changes, at, generation, cause, whole, uid, bytes FROM generation
            WHERE collection = ?1 AND base_seq < ?3 AND base_seq >= coalesce((
                SELECT max(base_seq) FROM generation WHERE collection = ?1 AND base_seq <= ?2), 0)
            ORDER BY base_seq, generation
            """, Self.operation, columns: Commit.self)
        wholeCommit = try database.prepare(
            """
            SELECT base_seq, changes, at, generation, cause, whole, uid, bytes FROM generation
            WHERE collection = ?1 AND at = ?2 AND whole <> 0 ORDER BY generation DESC LIMIT 1
            """, Self.operation, columns: Commit.self)
        let range = "FROM change WHERE collection = ?1 AND generation = ?2 AND ordinal BETWEEN ?3 AND ?4"
        changes = try database.prepare(
            "SELECT ordinal, id, op, fields, upstream, first_seen \(range) ORDER BY ordinal LIMIT ?5",
            Self.operation, columns: Change.self)
        changedIDs = try database.prepare(
            "SELECT ordinal, id \(range) ORDER BY ordinal LIMIT ?5", Self.operation, columns: Change.self)
        let marked = "FROM local_change WHERE collection = ?1 AND seq BETWEEN ?2 AND ?3"
        marks = try database.prepare(
            """
            SELECT seq, id, op, fields, 0, first_seen, uid, at, generation, 0, 0, cause, 0, 0, by_user \(marked)
            ORDER BY seq LIMIT ?4
            """, Self.operation, columns: Change.self)
        generationsBackwards = try database.prepare(
            """
            SELECT base_seq, iif(whole, (
                    SELECT max(ordinal) FROM change h WHERE h.collection = g.collection AND h.generation = g.generation
                ), changes), at, generation, cause, whole, uid, bytes
            FROM generation g WHERE collection = ?1 AND base_seq + 1 < ?3 AND (base_seq >= ?2
                OR base_seq + changes = ?2 AND bytes = \(StateSchema.bytesWithoutValues))
            ORDER BY base_seq DESC, generation DESC
            """, Self.operation, columns: Commit.self)
        // The generations are looked up only for the rows of the id.
        changesOfID = try database.prepare(
            """
            SELECT h.ordinal, h.id, h.op, h.fields, h.upstream, h.first_seen, g.uid, g.at, g.generation,
                g.base_seq, g.changes, g.cause, g.whole, g.bytes
            FROM change h CROSS JOIN generation g ON g.collection = h.collection AND g.generation = h.generation
            WHERE h.collection = ?1 AND h.generation BETWEEN ?2 AND ?3 AND h.id = ?5
                AND g.base_seq + iif(g.whole, 1, h.ordinal) < ?4
            ORDER BY h.generation DESC, h.ordinal DESC
            """, Self.operation, columns: Change.self)
        changesOfIDInGeneration = try database.prepare(
            "SELECT ordinal, id, op, fields, upstream, first_seen \(range) AND id = ?5 ORDER BY ordinal DESC",
            Self.operation, columns: Change.self)
        quarantined = try database.prepare(
            """
            SELECT 1 FROM collection c JOIN quarantine q ON q.collection = c.number
                AND q.batch BETWEEN \(StateSchema.quarantineFloor) AND c.quarantine_batch
            WHERE c.number = ?1 AND q.id = ?2 LIMIT 1
            """, Self.operation)
        writes = try database.prepare(
            """
            SELECT op, submitted_by FROM operation WHERE collection = ?1 AND settled_at = ?2 AND id = ?3
            ORDER BY number DESC LIMIT 1
            """, Self.operation)
        let logged = """
            SELECT r.number, c.name, r.at, r.duration_ms, r.outcome, r.kind, r.site, r.bytes, r.records, r.added,
                r.updated, r.removed, r.quarantined
            FROM refresh_log r JOIN collection c ON c.number = r.collection
            """
        refreshes = try database.prepare(
            """
            \(logged) WHERE c.removed_at IS NULL AND c.name NOT LIKE '\(StateSchema.erasedPrefix)%'
            ORDER BY r.number DESC LIMIT ?1
            """, Self.operation, columns: Refresh.self)
        refreshesOfCollection = try database.prepare(
            "\(logged) WHERE r.collection = ?1 ORDER BY r.number DESC LIMIT ?2", Self.operation,
            columns: Refresh.self)
        marksOfID = try database.prepare(
            """
            SELECT seq, id, op, fields, 0, first_seen, uid, at, generation, 0, 0, cause, 0, 0, by_user FROM local_change
            WHERE is_silent = 0 AND collection = ?1 AND id = ?5 AND seq > ?2 AND seq < ?3 ORDER BY seq DESC LIMIT ?4
            """, Self.operation, columns: Change.self)
    }
}

extension LogCommit {
    init(_ row: borrowing Statement<LogStatements.Commit>) throws(StoreError) {
        self.init(
            base: row.bits(.baseSeq), changes: row.count(.changes), at: row.integer(.at),
            generation: row.bits(.generation), cause: try Self.cause(row.text(.cause)),
            isWhole: row.integer(.whole) != 0, hasValues: row.integer(.bytes) != StateSchema.bytesWithoutValues,
            uid: Self.user(row.optionalInteger(.uid)))
    }

    /// The commit of a change that `changesOfID` has read.
    init(of row: borrowing Statement<LogStatements.Change>) throws(StoreError) {
        self.init(
            base: row.bits(.baseSeq), changes: row.count(.changes), at: row.integer(.at),
            generation: row.bits(.generation), cause: try Self.cause(row.text(.cause)),
            isWhole: row.integer(.whole) != 0, hasValues: row.integer(.bytes) != StateSchema.bytesWithoutValues,
            uid: Self.user(row.optionalInteger(.uid)))
    }

    private static func user(_ uid: Int64?) -> UInt32? { uid.map { UInt32(clamping: $0) } }

    /// The cause of a change without a generation of its own.
    static func cause(_ row: borrowing Statement<LogStatements.Change>) throws(StoreError) -> ChangeCause {
        try cause(row.text(.cause))
    }

    private static func cause(_ text: String) throws(StoreError) -> ChangeCause {
        guard let cause = ChangeCause(rawValue: text) else {
            throw StoreError(.damaged, "read the log", detail: "unknown cause")
        }
        return cause
    }
}

extension LoggedChange {
    /// A change of a generation.
    init(_ row: borrowing Statement<LogStatements.Change>, of commit: LogCommit) throws(StoreError) {
        self.init(
            seq: commit.base + (commit.isWhole ? 1 : row.bits(.number)), at: commit.at,
            generation: commit.generation, cause: commit.cause, operation: try Self.operation(row),
            id: row.bytes(.id), values: commit.hasValues ? row.bytes(.fields) : [], hasValues: commit.hasValues,
            differsUpstream: row.integer(.upstream) != 0, uid: commit.uid,
            firstSeen: row.optionalInteger(.firstSeen))
    }

    /// An archive mark, or a visible effect of a write to an upstream.
    init(mark row: borrowing Statement<LogStatements.Change>) throws(StoreError) {
        self.init(
            seq: row.bits(.number), at: row.integer(.at), generation: row.bits(.generation),
            cause: try LogCommit.cause(row), operation: try Self.operation(row), id: row.bytes(.id),
            values: row.bytes(.fields), uid: UInt32(clamping: row.integer(.uid)),
            firstSeen: row.optionalInteger(.firstSeen))
        foreignUser = row.optionalText(.byUser)
    }

    private static func operation(
        _ row: borrowing Statement<LogStatements.Change>
    ) throws(StoreError) -> LoggedOperation {
        var operation: LoggedOperation?
        row.withBytes(.op) { operation = LoggedOperation(name: $0) }
        guard let operation else { throw StoreError(.damaged, "read the log", detail: "unknown operation") }
        return operation
    }
}
