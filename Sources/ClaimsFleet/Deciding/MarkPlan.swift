// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsStore

/// The position up to which a host knows the marks of a database. It is kept in state.db.
struct MarkPosition: Equatable {
    /// The database, its schema and the fleet.
    var database: String
    /// The collections that were read, ascending.
    var collections: [String]
    /// All marks of a lower or the same number are known.
    var revision: Int64
    /// The number of the last transaction that this host has sent, until a poll has read it: a server that replaces
    /// this one may lack it.
    var sent: Int64?
    /// The time at which that was so, by the clock of the database in milliseconds since 1970.
    var readAt: Int64

    init(database: String, collections: [String], revision: Int64, readAt: Int64) {
        self.database = database
        self.collections = collections
        self.revision = revision
        self.readAt = readAt
    }

    /// nil for a text of another kind.
    init?(_ text: String) {
        guard let value = try? JSONValue.parse(text), let database = value["database"]?.string,
            let collections = value["collections"]?.array?.compactMap(\.string),
            let revision = value["revision"]?.integer, let readAt = FleetTime.read(value["read_at"])
        else { return nil }
        self.init(database: database, collections: collections, revision: revision, readAt: readAt)
        sent = value["sent"]?.integer
    }

    var text: String {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("database", database)
        writer.key("collections")
        writer.beginArray()
        for name in collections { writer.string(name) }
        writer.endArray()
        writer.member("revision", revision)
        writer.member("read_at", readAt)
        writer.member("sent", sent)
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// The database that a definition names, with schema and fleet.
    static func database(_ marks: FleetMarksDefinition, fleet: String) -> String {
        "\(marks.address.text) \(marks.schema) \(fleet)"
    }
}

/// The state of a database of marks, as one poll reads it.
struct MarkDatabaseState: Equatable {
    var name: String
    var version: Int64
    var revision: Int64
    /// In milliseconds since 1970.
    var clock: Int64
    var isReadOnly: Bool
    /// Whether the database has the number of the position and, if it is writable, the number of the last sent marks.
    var knowsPosition: Bool

    /// The version of the tables that this program knows.
    static let version: Int64 = 1
}

/// The work of one poll. Pure.
enum MarkPlan: Equatable {
    /// The marks above a number are read.
    case above(Int64)
    /// All marks are read. Marks of this host from a time on are sent if the database lacks them or has earlier ones.
    case all(from: Int64)

    /// - Parameters:
    ///   - position: the stored position; nil before the first reading.
    ///   - database: the database that the definition names now.
    ///   - collections: the collections that are shared now, ascending.
    static func of(
        _ found: MarkDatabaseState, after position: MarkPosition?, database: String, collections: [String]
    ) -> MarkPlan {
        guard let position else { return .all(from: 0) }
        let isSame = position.database == database && position.collections == collections
        if isSame, found.knowsPosition { return .above(position.revision) }
        // The database forgets records that left the archive longer ago: an old mark would bring them back.
        let oldest = found.clock - SharedMark.keep.wholeMilliseconds
        return .all(from: position.readAt < oldest ? oldest : 0)
    }

    /// Whether a position is to be written: after news, and once an hour, so that its time shows how long a host was
    /// away.
    static func keeps(_ next: MarkPosition, after position: MarkPosition?) -> Bool {
        guard let position else { return true }
        return position.revision != next.revision || position.sent != next.sent || position.database != next.database
            || position.collections != next.collections || next.readAt - position.readAt >= 3_600_000
    }
}

/// The time for which marks have been waiting without a pause. Pure. Times are in nanoseconds since the boot.
struct MarkWait {
    /// The longest time that is not worth a line of the journal.
    static let limit: UInt64 = 600_000_000_000

    private var since: UInt64?
    private var isReported = false

    /// Records a count.
    ///
    /// - Returns: whether marks have been waiting for long; returned once until none wait.
    mutating func update(hasMarks: Bool, at now: UInt64) -> Bool {
        guard hasMarks else {
            self = MarkWait()
            return false
        }
        let begin = since ?? now
        since = begin
        guard !isReported, now - begin > Self.limit else { return false }
        isReported = true
        return true
    }
}

/// The search for a writable server while the current one is read-only: another one may have replaced it. Pure. Times
/// are in nanoseconds since the boot.
struct WritableSearch {
    private var searches = 0
    /// The time of the next search; nil: the server may be written.
    private var next: UInt64?

    /// Records the result of a poll.
    mutating func record(isReadOnly: Bool, at now: UInt64) {
        guard isReadOnly else {
            self = WritableSearch()
            return
        }
        guard next == nil else { return }
        schedule(at: now)
    }

    /// Whether to search now. The searches come after longer and longer waits.
    mutating func isDue(at now: UInt64) -> Bool {
        guard let next, next <= now else { return false }
        schedule(at: now)
        return true
    }

    private mutating func schedule(at now: UInt64) {
        searches += 1
        next = now + UInt64(FleetRetry.wait(after: searches)) * 1_000_000
    }
}
