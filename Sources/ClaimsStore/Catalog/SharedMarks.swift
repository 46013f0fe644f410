// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
import Synchronization

/// The archive marks that a store shares with other hosts: it queues the marks that the others may lack, and commits
/// the marks of the others.
///
///     store.marks.configure(host: "desk-a", collections: ["books"]) { thread.wake() }
///     let queue = try store.marks.queued(in: "books", limit: 1000, until: clock)
///     try store.marks.merge(theirs, in: "books")
///
/// Every call may be made on any thread; calls that throw wait for the store's thread, and do not belong on a serving
/// loop.
public final class SharedMarks: Sendable {
    private struct Configuration {
        var host = ""
        var collections: Set<String> = []
        var onOwn: (@Sendable () -> Void)?
    }

    /// The marks that have not been settled with the others.
    public struct Counts: Sendable, Equatable {
        /// The number of marks that the other hosts may lack.
        public var queued = 0
        /// The number of marks that stay here, because their ids are too long.
        public var unshared = 0

        public init() {}
    }

    private let database: StateDatabase
    private let catalog: CatalogPublisher
    private let configuration = Mutex(Configuration())

    init(_ database: StateDatabase, _ catalog: CatalogPublisher) {
        self.database = database
        self.catalog = catalog
    }

    /// Shares the marks of these collections from now on.
    ///
    /// - Parameters:
    ///   - host: the name of this host.
    ///   - onOwn: called on the store's thread after a mark was set here; it must be quick.
    public func configure(host: String, collections: Set<String>, onOwn: (@Sendable () -> Void)?) {
        configuration.withLock { $0 = Configuration(host: host, collections: collections, onOwn: onOwn) }
    }

    private var host: String { configuration.withLock { $0.host } }

    func shares(_ collection: String) -> Bool { configuration.withLock { $0.collections.contains(collection) } }

    /// Reports that marks were set here.
    func reportOwn() { configuration.withLock { $0.onOwn }?() }

    /// The position up to which this host knows the marks of the others, given to ``keep(position:)``.
    public func position() throws(StoreError) -> String? {
        try database.perform { connection throws(StoreError) in
            let select = try connection.database.prepare(
                "SELECT value FROM meta WHERE key = '\(StateConnection.markPositionKey)'", "read the position of marks")
            return try select.step() ? select.text(0) : nil
        }
    }

    public func keep(position: String) throws(StoreError) {
        try database.perform { connection throws(StoreError) in
            try connection.transaction(.synced, "keep the position of marks") { connection throws(StoreError) in
                let insert = try connection.database.prepare(
                    "INSERT OR REPLACE INTO meta(key, value) VALUES ('\(StateConnection.markPositionKey)', ?1)",
                    "keep the position of marks")
                try insert.bind(1, position)
                try insert.run()
            }
        }
    }

    /// Queues the marks of a collection that were set before it was shared, and forgets marks by which records left the
    /// archive before a time. It works in pieces that are short enough not to delay other work.
    ///
    /// - Parameter oldest: milliseconds since 1970.
    public func adopt(_ name: String, forgettingBefore oldest: Int64) throws(StoreError) {
        try forEachPiece(
            of: ArchiveColumn.table, in: name,
            """
            INSERT OR IGNORE INTO shared_mark(collection, id, is_archived, at, host, uid, state, floor)
                SELECT collection, id, 1, at, '', uid,
                    iif(length(CAST(id AS BLOB)) > \(SharedMark.maxIDSize), 2, 0), 0
                FROM archive WHERE PIECE AND by_user IS NULL
            """)
        try forEachPiece(
            of: SharedMarkColumn.table, in: name,
            "DELETE FROM shared_mark WHERE PIECE AND is_archived = 0 AND state <> 0 AND at < ?4", oldest)
    }

    /// Queues all marks of a collection from a time on again, unless the others turn out to have them.
    ///
    /// - Parameter oldest: milliseconds since 1970.
    public func requeue(_ name: String, from oldest: Int64) throws(StoreError) {
        try forEachPiece(
            of: SharedMarkColumn.table, in: name,
            "UPDATE shared_mark SET state = 0 WHERE PIECE AND state = 1 AND at >= ?4", oldest)
    }

    private func forEachPiece(
        of table: String, in name: String, _ sql: String, _ time: Int64 = 0
    ) throws(StoreError) {
        guard let number = catalog.current()[name]?.condition.row.number else { return }
        var last: [UInt8]? = []
        while let start = last {
            last = try database.perform { connection throws(StoreError) in
                try connection.transaction(.buffered, "go through marks") { connection throws(StoreError) in
                    let end = try connection.endOfPiece(of: table, in: number, after: start)
                    try connection.run(sql, in: number, after: start, through: end, time)
                    return end
                }
            }
        }
    }

    /// The first marks of a collection that the other hosts may lack.
    ///
    /// A mark with a date after a time gets that time, on this host too: otherwise a host whose clock is ahead would
    /// win for that long. The mark stays later than the mark that it has changed.
    ///
    /// - Parameter latest: milliseconds since 1970.
    public func queued(in name: String, limit: Int, until latest: Int64) throws(StoreError) -> [SharedMark] {
        let catalog = catalog
        return try database.perform { connection throws(StoreError) in
            guard let number = catalog.current()[name]?.condition.row.number else { return [] }
            var rows = try connection.queuedMarks(of: number, limit: limit)
            let early = rows.indices.filter { rows[$0].mark.at > max(latest, rows[$0].floor) }
            guard !early.isEmpty else { return rows.map(\.mark) }
            for index in early { rows[index].mark.at = max(latest, rows[index].floor) }
            let changed = early.map { rows[$0] }
            try connection.transaction(.buffered, "date marks") { connection throws(StoreError) in
                for row in changed {
                    try connection.write(row, in: number)
                    if row.mark.isArchived { try connection.setMark(row.mark.shown, of: row.mark.id, in: number) }
                }
            }
            let shown = changed.map { ArchiveMarkChange(id: $0.mark.id, mark: $0.mark.shown) }
            catalog.show(shown, of: name)
            return rows.map(\.mark)
        }
    }

    /// Commits the marks that the other hosts have for a collection, if they are later than the ones here, and serves
    /// them. Waits until that is on disk.
    ///
    /// - Returns: the number of marks of this host that no other host has seen, and that do not count now.
    @discardableResult
    public func merge(_ marks: [SharedMark], in name: String, at now: Int64) throws(StoreError) -> Int {
        let (catalog, own) = (catalog, host)
        return try database.perform { connection throws(StoreError) in
            guard !marks.isEmpty, let view = catalog.current()[name] else { return 0 }
            let row = view.condition.row
            let (shown, changes, overruled) = try connection.transaction(.synced, "take marks of other hosts") {
                connection throws(StoreError) in
                try connection.merge(marks, in: row, of: own, at: now)
            }
            guard !shown.isEmpty else { return overruled }
            catalog.publish(shown, of: name, changes: changes, at: now, connection.revision)
            return overruled
        }
    }

    /// Counts marks of the collections that are shared.
    public func counts() throws(StoreError) -> Counts {
        let catalog = catalog.current()
        let names = configuration.withLock { $0.collections }
        let numbers = Set(names.compactMap { catalog[$0]?.condition.row.number })
        // There may be many, and commits must not wait for the count.
        let reader = try database.reader()
        let select = try reader.prepare(
            "SELECT state, collection, count(*) FROM shared_mark WHERE state <> 1 GROUP BY state, collection",
            "count marks")
        var counts = Counts()
        while try select.step() {
            guard numbers.contains(select.integer(1)) else { continue }
            if select.integer(0) == SharedMarkRow.State.queued.rawValue {
                counts.queued += select.count(2)
            } else {
                counts.unshared += select.count(2)
            }
        }
        return counts
    }
}

extension StateConnection {
    /// Adopts marks that are later than the ones here, as one commit, which counts each record that enters or leaves
    /// the archive; to be called in a transaction.
    ///
    /// - Parameter own: the name of this host.
    /// - Returns: the marks that are shown from then on, the number of changes in the log, and the number of queued
    ///   marks of this host that do not count now.
    fileprivate mutating func merge(
        _ marks: [SharedMark], in row: CollectionRow, of own: String, at now: Int64
    ) throws(StoreError) -> (shown: [ArchiveMarkChange], changes: Int, overruled: Int) {
        var overruled = 0
        var taken: [(mark: SharedMark, isChange: Bool)] = []
        for mark in marks {
            let known = try sharedMark(mark.id, in: row.number)
            switch SharedMark.meeting(known?.mark, mark, at: own) {
            case .stays: continue
            case .same:
                guard var known, known.state == .queued else { continue }
                known.state = .shared
                try write(known, in: row.number)
            case .yields:
                if let known, known.state == .queued, known.mark.isArchived != mark.isArchived { overruled += 1 }
                let isChange = try isMarked(mark.id, in: row.number) != mark.isArchived
                try write(SharedMarkRow(mark, floor: 0, isShared: true), in: row.number)
                try setMark(mark.shown, of: mark.id, in: row.number)
                taken.append((mark, isChange))
            }
        }
        let changes = taken.filter(\.isChange).map(\.mark)
        let end = seq + UInt64(changes.count)
        for mark in changes {
            try log(
                mark.isArchived, of: mark.id, by: SharedMark.foreignUID, foreignUser: mark.foreignUser, at: now,
                commitEnd: end, in: row)
        }
        return (taken.map { ArchiveMarkChange(id: $0.mark.id, mark: $0.mark.shown) }, changes.count, overruled)
    }
}
