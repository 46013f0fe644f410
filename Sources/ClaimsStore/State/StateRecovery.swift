// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot

/// Makes a new state.db from the readable parts of a damaged one, which is moved aside and kept.
///
/// A crash at any moment leaves either the damaged file in place, so that the recovery begins again, or the finished
/// new one.
public struct StateRecovery: Sendable, Equatable {
    /// The failure that made the recovery necessary.
    public let reason: StoreError
    /// The path that the damaged file was moved to.
    public let movedTo: String
    /// The number of rows saved, by table.
    public internal(set) var rows: [String: Int] = [:]
    /// The tables that could not be read completely.
    public internal(set) var incomplete: [String] = []

    /// The name of a file that marks state.db as damaged. A start that finds it recovers state.db.
    public static let markName = "state.damaged"

    private static let suffixes = ["", "-wal", "-shm"]
    private static let mended = ".mended"

    /// Puts the finished result of an earlier recovery in place, if a crash has prevented that.
    static func resume(_ path: String) throws(StoreError) {
        let finished = path + ".recovered"
        guard Files.exists(finished) else { return }
        if Files.exists(path) {
            Files.remove(finished)
        } else {
            try rename(finished, to: path)
        }
    }

    /// Recovers the file at `path`.
    static func run(_ path: String, because reason: StoreError, at now: Int64) throws(StoreError) -> StateRecovery {
        var recovery = StateRecovery(reason: reason, movedTo: "\(path).damaged-\(now)")
        let working = path + ".recovering"
        for suffix in suffixes { Files.remove(working + suffix) }
        do {
            let target = try Database(path: working, access: .create)
            try StateSchema.prepare(target)
            try target.execute("PRAGMA synchronous = OFF", "recover \(path)")
            let readable = readable(path)
            let source = try? Database(path: readable, access: .salvage)
            for table in StateSchema.tables { try recovery.copy(table, from: source, to: target) }
            try recovery.mend(target)
            try StateConnection.renew(target, keepsLog: try recovery.keepsLog(source), "recover \(path)")
            // One file is simpler to move than three.
            try target.execute("PRAGMA journal_mode = DELETE", "recover \(path)")
        }
        for suffix in suffixes { Files.remove(path + mended + suffix) }
        try sync(working)
        let finished = path + ".recovered"
        try rename(working, to: finished)
        for suffix in suffixes where Files.exists(path + suffix) {
            try rename(path + suffix, to: recovery.movedTo + suffix)
        }
        try rename(finished, to: path)
        Files.remove(Paths.join(Paths.parent(path), markName))
        return recovery
    }

    /// Whether the whole log was saved, so that every change can be sent.
    private func keepsLog(_ source: borrowing Database?) throws(StoreError) -> Bool {
        var isOfThisVersion = false
        let isRead = try Self.read("PRAGMA user_version", of: source) { row in
            isOfThisVersion = row.integer(0) == StateSchema.version
            return true
        }
        let tables = ["meta", "collection", "generation", "change", "local_change"]
        return isRead && isOfThisVersion && !incomplete.contains { tables.contains($0) }
    }

    /// The file itself, or a copy of it with a header that SQLite accepts.
    private static func readable(_ path: String) -> String {
        if DatabaseHeader.isSound(path) || !Files.exists(path) { return path }
        let copy = path + mended
        do throws(SystemError) {
            try DatabaseHeader.mend(
                path, as: copy, version: StateSchema.version, id: StateSchema.applicationID)
            if Files.exists(path + "-wal") {
                try Files.writeAtomically(copy + "-wal", Files.readAll(path + "-wal", cap: 256 << 20))
            }
        } catch {
            Files.remove(copy)
            return path
        }
        return copy
    }

    private init(reason: StoreError, movedTo: String) {
        self.reason = reason
        self.movedTo = movedTo
    }

    /// Copies the rows of a table from its beginning until something cannot be read, then from its end.
    private mutating func copy(
        _ table: StateSchema.TableShape, from source: borrowing Database?, to target: borrowing Database
    ) throws(StoreError) {
        let operation = "recover \(table.name)"
        // A file of an older version may lack some columns.
        var present: Set<String> = []
        _ = try Self.read("SELECT name FROM pragma_table_info('\(table.name)')", of: source) { row in
            present.insert(row.text(0))
            return true
        }
        if present.isEmpty, try Self.isReadable(source) {
            rows[table.name] = 0
            return
        }
        let columns = table.columns.filter { present.isEmpty || present.contains($0) }
        let names = columns.joined(separator: ", ")
        let parameters = (1...columns.count).map { "?\($0)" }.joined(separator: ", ")
        let insertion = try target.prepare(
            "INSERT OR IGNORE INTO \(table.name)(\(names)) VALUES (\(parameters))", operation)
        var count = 0
        var isComplete = false
        try target.execute("BEGIN", operation)
        for direction in ["ASC", "DESC"] where !isComplete {
            let key = table.key.filter { present.isEmpty || present.contains($0) }
            let order = key.map { "\($0) \(direction)" }.joined(separator: ", ")
            isComplete = try Self.read("SELECT \(names) FROM \(table.name) ORDER BY \(order)", of: source) { row in
                // A value that does not fit the table is a sign of damage, too.
                guard (try? Self.copy(row, to: insertion, columns: columns.count)) != nil else { return true }
                count += target.changes
                return target.changes > 0 || direction == "ASC"
            }
        }
        try target.execute("COMMIT", operation)
        rows[table.name] = count
        if !isComplete { incomplete.append(table.name) }
    }

    /// Whether the list of tables can be read, so that a table that is not in it never existed.
    private static func isReadable(_ source: borrowing Database?) throws(StoreError) -> Bool {
        var count = 0
        let isComplete = try read(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name = 'collection'", of: source
        ) {
            _ in
            count += 1
            return true
        }
        return isComplete && count == 1
    }

    private static func copy(
        _ row: borrowing Statement<StatementPosition>, to insertion: borrowing Statement<StatementPosition>,
        columns: Int
    ) throws(StoreError) {
        for column in 0..<columns {
            try insertion.bind(StatementPosition(column + 1), valueOf: row, StatementPosition(column))
        }
        try insertion.run()
    }

    /// Calls `body` for rows until it returns false, or no more can be read; true if all were read.
    ///
    /// Throws `.unreadable` if the disk has failed: it may read the rows later.
    private static func read(
        _ sql: String, of source: borrowing Database?, _ body: (borrowing Statement<StatementPosition>) -> Bool
    ) throws(StoreError) -> Bool {
        switch source {
        case .none: return false
        case .some(let source):
            do throws(StoreError) {
                let select = try source.prepare(sql, "recover")
                while try select.step() {
                    if !body(select) { return false }
                }
                return true
            } catch {
                if error.code == .unreadable { throw error }
                return false
            }
        }
    }

    private static func rename(_ path: String, to other: String) throws(StoreError) {
        do throws(SystemError) {
            try Files.rename(path, to: other)
            try Directory.sync(Paths.parent(path))
        } catch { throw StoreError(error) }
    }

    private static func sync(_ path: String) throws(StoreError) {
        do throws(SystemError) { try FileDescriptor.open(path, .update).sync() } catch { throw StoreError(error) }
    }
}

extension StateRecovery {
    /// The prefix of the keys of `meta` that keep the names of collections a second time: without its name, nothing
    /// could be said about the other rows of a collection.
    private static let namePrefix = "collection."

    static func nameKey(of number: Int64) -> String { "\(namePrefix)\(number)" }

    /// The number of collections whose names are in `meta`.
    static let namesNoted = "SELECT count(*) FROM meta WHERE key GLOB '\(namePrefix)*'"
    static let noteNames = """
        INSERT OR REPLACE INTO meta(key, value) SELECT '\(namePrefix)' || number, name FROM collection
        """

    /// Makes the saved rows of the tables agree. Rows without a collection, or of an unknown generation, would be
    /// mistaken for rows of another collection or would disturb the next refresh.
    func mend(_ target: borrowing Database) throws(StoreError) {
        // The newest generation of a lost collection decides which records are current. If it is uncertain, the records
        // are given up, because they may be of several generations.
        let isSure = incomplete.allSatisfy { !["generation", "version", "removal"].contains($0) }
        let records = "key BETWEEN (number << \(StateSchema.keyBits)) AND ((number + 1) << \(StateSchema.keyBits)) - 1"
        let collection = "(SELECT generation FROM collection WHERE number ="
        try target.execute(
            """
            BEGIN;
            CREATE TEMP TABLE lost AS
                SELECT CAST(substr(key, \(Self.namePrefix.count + 1)) AS INTEGER) AS number, CAST(value AS TEXT) AS name
                FROM main.meta WHERE key GLOB '\(Self.namePrefix)*';
            DELETE FROM lost WHERE number <= 0 OR number IN (SELECT number FROM collection)
                OR name IN (SELECT name FROM collection);
            INSERT OR IGNORE INTO collection(number, name, generation)
                SELECT number, name, coalesce((
                    SELECT max(generation) FROM generation g WHERE g.collection = lost.number), 0) FROM lost;
            UPDATE collection SET file_id = 1 WHERE number IN (SELECT number FROM lost) AND \(isSure)
                AND EXISTS (SELECT 1 FROM version WHERE \(records) AND generation <= collection.generation);
            DELETE FROM version WHERE generation > coalesce(\(collection) key >> \(StateSchema.keyBits)), -1)
                OR \(!isSure) AND key >> \(StateSchema.keyBits) IN (SELECT number FROM lost);
            DELETE FROM removal WHERE generation > coalesce(\(collection) key >> \(StateSchema.keyBits)), -1)
                OR \(!isSure) AND key >> \(StateSchema.keyBits) IN (SELECT number FROM lost);
            DELETE FROM generation WHERE generation > coalesce(\(collection) generation.collection), -1);
            DELETE FROM change WHERE generation > coalesce(\(collection) change.collection), -1);
            DELETE FROM archive WHERE collection NOT IN (SELECT number FROM collection);
            DELETE FROM shared_mark WHERE collection NOT IN (SELECT number FROM collection);
            DELETE FROM source WHERE collection NOT IN (SELECT number FROM collection);
            DELETE FROM local_change WHERE collection NOT IN (SELECT number FROM collection);
            DELETE FROM operation WHERE collection NOT IN (SELECT number FROM collection);
            DELETE FROM alias WHERE collection NOT IN (SELECT number FROM collection);
            DELETE FROM refresh_log WHERE collection NOT IN (SELECT number FROM collection);
            UPDATE collection SET next_key = max(next_key, 1,
                coalesce((SELECT max(key) FROM version WHERE \(records)) - (number << \(StateSchema.keyBits)) + 1, 1),
                coalesce((SELECT max(key) FROM removal WHERE \(records)) - (number << \(StateSchema.keyBits)) + 1, 1));
            UPDATE quarantine SET entry = number WHERE entry = 0;
            DELETE FROM quarantine_extent WHERE collection NOT IN (SELECT number FROM collection);
            \(StateSchema.noteQuarantineExtents)
            UPDATE source SET position = NULL;
            DELETE FROM meta WHERE key = '\(StateConnection.markPositionKey)'
                OR \(StateDatabase.FleetText.published.rows) OR \(StateDatabase.FleetText.continued.rows);
            DROP TABLE lost;
            COMMIT
            """, "recover the collections")
    }
}
