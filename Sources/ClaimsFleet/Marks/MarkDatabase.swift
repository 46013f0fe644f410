// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsStore

/// The tables of shared marks in a database, as one connection reads and writes them.
struct MarkDatabase: ~Copyable {
    /// A mark with its place in the order in which marks are read.
    struct Row {
        var collection: String
        /// nil for a mark that is not needed, and for an invalid one: a writer of the table may write anything.
        var mark: SharedMark?
        var revision: Int64
        /// The id in base64.
        var key: String
    }

    private var connection: PostgresConnection
    private let schema: String
    /// The name of this host.
    private let host: String

    /// The number of marks that are read, or sent, at once.
    static let pageSize = 1000
    /// The maximal time by which a mark may be later than the clock of the database, in milliseconds. A later mark does
    /// not count.
    private static let maxLead: Int64 = 86_400_000
    /// The size of the longest name of a collection that is read, in bytes; a name is part of a file name.
    private static let maxNameSize = 255
    /// The time for which the numbers of transactions are kept.
    private static let retainedRevisions = Duration.seconds(30 * 86_400)
    private static let clock = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
    private static let columns = """
        collection, translate(encode(id, 'base64'), E'\\n', ''), archived, at, left(host, 256), left("by", 256), revision
        """

    init(_ connection: consuming PostgresConnection, schema: String, host: String) {
        self.connection = connection
        self.schema = "\"\(schema)\""
        self.host = host
    }

    /// Reads the state of the database.
    ///
    /// - Parameter position: the position that this host has; nil before the first reading.
    mutating func readState(_ position: MarkPosition?) throws(DatabaseError) -> MarkDatabaseState {
        let rows = try connection.run(
            """
            SELECT name, version, revision, \(Self.clock),
                pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean,
                EXISTS (SELECT FROM \(schema).revision r WHERE r.revision = $1::bigint)
                    AND ($2::bigint < 0 OR pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean
                        OR EXISTS (SELECT FROM \(schema).revision r WHERE r.revision = $2::bigint))
            FROM \(schema).fleet
            """, ["\(position?.revision ?? -1)", "\(position?.sent ?? -1)"])
        guard let row = rows.first, row.count == 6, let name = row[0], let version = row[1].flatMap({ Int64($0) }),
            let revision = row[2].flatMap({ Int64($0) }), let clock = row[3].flatMap({ Int64($0) }),
            Self.times.contains(clock)
        else { throw DatabaseError(kind: .refused, message: "the table fleet of the schema \(schema) is empty") }
        return MarkDatabaseState(
            name: name, version: version, revision: revision, clock: clock, isReadOnly: row[4] == "t",
            knowsPosition: row[5] == "t")
    }

    /// The next marks, in the order of their numbers. Marks of other collections are nil.
    ///
    /// - Parameters:
    ///   - floor: only marks above this number.
    ///   - last: only marks after this one; nil for the first ones.
    ///   - end: only marks up to this number.
    ///   - clock: the clock of the database; marks later than a day after it are nil, too, because no user can have set
    ///     them.
    mutating func page(
        of collections: [String], above floor: Int64, after last: Row?, through end: Int64, clock: Int64
    ) throws(DatabaseError) -> [Row] {
        // Nothing that picks fewer: before the table is analysed the planner would read and sort all of it for each page.
        let rows = try connection.run(
            """
            SELECT \(Self.columns) FROM \(schema).mark
            WHERE (revision, collection, id) > ($1::bigint, $2::text, decode($3, 'base64')) AND revision <= $4::bigint
                AND octet_length(collection) <= \(Self.maxNameSize)
            ORDER BY revision, collection, id LIMIT \(Self.pageSize)
            """, ["\(last?.revision ?? floor + 1)", last?.collection ?? "", last?.key ?? "", "\(end)"])
        return try rows.map { fields throws(DatabaseError) in
            var row = try Self.row(fields)
            let isLeftOut = row.mark.map { $0.at > clock + Self.maxLead } ?? true
            if isLeftOut || !collections.contains(row.collection) { row.mark = nil }
            return row
        }
    }

    /// Sends marks of a collection in one transaction, and answers its number, and the marks that the database has of their ids
    /// after it.
    ///
    /// - Parameter marks: called with the clock of the database; returns the marks, at most ``pageSize``.
    mutating func send(
        _ collection: String, of fleet: String, _ marks: (Int64) throws(StoreError) -> [SharedMark]
    ) throws(MarkFailure) -> (revision: Int64?, rows: [Row]) {
        let (schema, host) = (schema, host)
        return try connection.transaction(
            { connection throws(MarkFailure) in
                let (revision, clock) = try Self.begin(&connection, schema, fleet)
                let list: [SharedMark]
                do throws(StoreError) { list = try marks(clock) } catch { throw .store(error) }
                do throws(DatabaseError) {
                    let rows = try Self.put(
                        Self.text(of: list, own: host), of: collection, as: revision, at: clock, in: schema, &connection
                    )
                    return (Int64(revision), rows)
                } catch { throw .database(error) }
            }, failing: { .database($0) })
    }

    /// Takes the next number. Until the transaction ends no other host gets one, so that numbers are in the order of commits.
    private static func begin(
        _ connection: inout PostgresConnection, _ schema: String, _ fleet: String
    ) throws(MarkFailure) -> (revision: String, clock: Int64) {
        let rows: PostgresConnection.Rows
        do throws(DatabaseError) {
            rows = try connection.run(
                """
                UPDATE \(schema).fleet SET revision = greatest(
                    revision + 1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)
                WHERE name = $1 AND version = \(MarkDatabaseState.version) RETURNING revision, \(clock)
                """, [fleet])
        } catch { throw .database(error) }
        guard let row = rows.first, row.count == 2, let revision = row[0], let clock = row[1].flatMap({ Int64($0) }),
            times.contains(clock)
        else { throw .database(DatabaseError(kind: .refused, message: "the database is of another fleet by now")) }
        return (revision, clock)
    }

    /// Writes marks, given as an array in JSON, if the database has no later ones.
    private static func put(
        _ text: String, of collection: String, as revision: String, at clock: Int64, in schema: String,
        _ connection: inout PostgresConnection
    ) throws(DatabaseError) -> [Row] {
        try connection.run(
            "INSERT INTO \(schema).revision(revision, at) VALUES ($1::bigint, $2::bigint)", [revision, "\(clock)"])
        try connection.run(
            """
            INSERT INTO \(schema).mark AS m (collection, id, archived, at, host, "by", revision)
                SELECT $1, decode(t.id, 'base64'), t.archived, t.at, t.host, t."user", $2::bigint
                FROM json_to_recordset($3::json) AS t(id text, archived boolean, at bigint, host text, "user" text)
            ON CONFLICT (collection, id) DO UPDATE SET archived = excluded.archived, at = excluded.at,
                host = excluded.host, "by" = excluded."by", revision = excluded.revision
            WHERE (m.at, m.host) < (excluded.at, excluded.host) OR m.at > $4::bigint
            """, [collection, revision, text, "\(clock + maxLead)"])
        let rows = try connection.run(
            """
            SELECT \(columns) FROM \(schema).mark
            WHERE collection = $1
                AND id IN (SELECT decode(t.id, 'base64') FROM json_to_recordset($2::json) AS t(id text))
            """, [collection, text])
        return try rows.map { row throws(DatabaseError) in try Self.row(row) }
    }

    /// Deletes expired rows.
    ///
    /// - Parameter clock: the clock of the database, in milliseconds since 1970.
    mutating func tidy(_ clock: Int64) throws(DatabaseError) {
        try connection.run(
            """
            DELETE FROM \(schema).revision
            WHERE at < $1::bigint AND revision < (SELECT f.revision FROM \(schema).fleet f)
            """, ["\(clock - Self.retainedRevisions.wholeMilliseconds)"])
        try connection.run(
            "DELETE FROM \(schema).mark WHERE NOT archived AND at < $1::bigint",
            ["\(clock - SharedMark.keep.wholeMilliseconds)"])
    }

    private static func row(_ row: [String?]) throws(DatabaseError) -> Row {
        guard row.count == 7, let collection = row[0], let key = row[1], let revision = row[6].flatMap({ Int64($0) })
        else { throw DatabaseError(kind: .refused, message: "the table mark is not that of fleet.sql") }
        return Row(collection: collection, mark: mark(row, key: key), revision: revision, key: key)
    }

    private static func mark(_ row: [String?], key: String) -> SharedMark? {
        guard let id = Base64.decode(key.utf8), (1...SharedMark.maxIDSize).contains(id.count),
            String(validating: id, as: UTF8.self) != nil, let at = row[3].flatMap({ Int64($0) }), times.contains(at),
            let host = row[4], !host.isEmpty, let user = row[5]
        else { return nil }
        return SharedMark(id: id, isArchived: row[2] == "t", at: at, author: .remote(user: user, host: host))
    }

    /// The times that numbers of JavaScript hold.
    private static let times: ClosedRange<Int64> = 0...9_007_199_254_740_991

    private static func text(of marks: [SharedMark], own: String) -> String {
        // Looking up a name takes longer than the rest, and few users have set many marks.
        var names: [UInt32: String] = [:]
        var writer = JSONWriter()
        writer.beginArray()
        for mark in marks {
            let user =
                switch mark.author {
                case .local(let uid): names[uid] ?? Accounts.userName(uid) ?? "\(uid)"
                case .remote(let user, _): user
                }
            if case .local(let uid) = mark.author { names[uid] = user }
            writer.beginObject()
            writer.member("id", Base64.encode(mark.id))
            writer.member("archived", mark.isArchived)
            writer.member("at", mark.at)
            writer.member("host", mark.host(own))
            writer.member("user", user)
            writer.endObject()
        }
        writer.endArray()
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
