// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
import ClaimsSnapshot

/// The part of state.db that a start reads, which is everything but records.
public struct LoadedState: Sendable {
    public struct Collection: Sendable {
        public let row: CollectionRow
        /// The state of the collection's only source.
        public let source: SourceRow
        /// The states of the collection's sources by their sites.
        public let sites: [String: SourceRow]
        public let marks: [ArchiveMarkChange]
        /// The number of its last change by a commit of any kind.
        public let changedSeq: UInt64
        /// The part of its log that is kept.
        public let log: LogExtent
        /// Its unsettled operations, in the order of their commits.
        let operations: [StoredOperation]
        /// The current ids by the earlier ids that they replaced.
        let aliases: [[UInt8]: [UInt8]]
    }

    public let revision: Revision
    /// The secret that signs cursors. It is drawn when the database is created.
    public let cursorSecret: [UInt8]
    /// The collections in the database by name, including removed ones.
    public let collections: [String: Collection]
    /// The names of collections that were removed before this call, and are there again with it.
    public let returned: Set<String>
}

extension StateDatabase {
    /// Gives the new collections in `names` a row, and reads what is needed at start.
    ///
    /// Removed collections in `names` are there again, with all that is kept of them.
    public func load(names: [String]) throws(StoreError) -> LoadedState {
        try perform { connection throws(StoreError) in
            let known = try CollectionRow.readAll(connection.database)
            let missing = Set(names).subtracting(known.map(\.name)).sorted()
            let returning = known.filter { $0.removedAt != nil && names.contains($0.name) }
            let noted = try connection.database.integer(StateRecovery.namesNoted, "read the collections")
            if !missing.isEmpty || !returning.isEmpty || noted < known.count {
                try connection.transaction(.synced, "add a collection") { connection throws(StoreError) in
                    for row in returning { try connection.setRemoval(of: row.number, at: nil) }
                    let insertion = try connection.database.prepare(
                        """
                        INSERT INTO collection(number, name) SELECT max(coalesce(max(number), 0), coalesce(
                            (SELECT value FROM meta WHERE key = '\(StateConnection.maxNumberKey)'), 0)) + 1, ?1
                        FROM collection
                        """, "add a collection")
                    for name in missing {
                        try insertion.bind(1, name)
                        try insertion.run()
                    }
                    try connection.database.execute(StateRecovery.noteNames, "add a collection")
                }
            }
            return try connection.load(returned: Set(returning.map(\.name)))
        }
    }
}

extension StateConnection {
    /// Reads the rows that a start needs, so that damage to them is found while the file can be recovered.
    ///
    /// It reads the maximum of times: the sum of five million times exceeds SQLite's integers, which looks like damage.
    func probe() throws(StoreError) {
        for row in try CollectionRow.readAll(database) {
            _ = try newestChange(of: row.number)
            _ = try logExtent(of: row)
        }
        _ = try SourceRow.readAll(database)
        _ = try database.integer(
            "SELECT max(collection + length(id) + at + uid) FROM archive", "read the archive marks")
        _ = try database.integer(
            "SELECT max(collection + length(id) + at) FROM shared_mark", "read the shared marks")
        _ = try database.integer(
            "SELECT sum(length(file) + length(text) + length(origins)) FROM in_force", "read what is in force")
        _ = try database.integer(
            "SELECT sum(length(op) + length(detail)) FROM operation WHERE settled_at IS NULL", "read the operations")
        _ = try database.integer("SELECT sum(length(id) + length(target)) FROM alias", "read the aliases")
        guard try database.integer("SELECT count(*) FROM meta WHERE key = 'cursor_secret'", "read the secret") == 1
        else { throw StoreError(.damaged, "read the secret") }
    }

    fileprivate func load(returned: Set<String>) throws(StoreError) -> LoadedState {
        let rows = try CollectionRow.readAll(database).filter { !$0.isErased }
        let sources = try SourceRow.readAll(database)
        var marks = try readMarks()
        let secret = try database.prepare("SELECT value FROM meta WHERE key = 'cursor_secret'", "read the secret")
        guard try secret.step() else { throw StoreError(.damaged, "read the secret") }
        let waiting = try collectionsWithUnsettledOperations()
        var collections: [String: LoadedState.Collection] = [:]
        for row in rows {
            let changedSeq = max(try newestChange(of: row.number), row.floor)
            var condition = CollectionCondition(row: row)
            condition.sourcesChanged(sources[row.number] ?? [])
            collections[row.name] = LoadedState.Collection(
                row: row, source: condition.source, sites: condition.sites,
                marks: marks.removeValue(forKey: row.number) ?? [], changedSeq: changedSeq,
                log: try logExtent(of: row),
                operations: try waiting.contains(row.number) ? unsettledOperations(of: row) : [],
                aliases: try aliases(of: row))
        }
        return LoadedState(
            revision: Revision(epoch: epoch, seq: seq), cursorSecret: secret.bytes(0),
            collections: collections, returned: returned)
    }

    /// The number of the last change of a collection in the log.
    private func newestChange(of collection: Int64) throws(StoreError) -> UInt64 {
        let newest = try database.prepare(
            """
            SELECT max(coalesce((SELECT base_seq + changes FROM generation WHERE collection = ?1
                ORDER BY generation DESC LIMIT 1), 0),
                coalesce((SELECT max(seq) FROM local_change WHERE collection = ?1), 0))
            """, "find the newest changes")
        try newest.bind(1, collection)
        return try newest.step() ? newest.bits(0) : 0
    }

    private func readMarks() throws(StoreError) -> [Int64: [ArchiveMarkChange]] {
        let statement = try database.prepare(
            "SELECT \(ArchiveColumn.list) FROM archive", "read the archive marks", columns: ArchiveColumn.self)
        var marks: [Int64: [ArchiveMarkChange]] = [:]
        while try statement.step() {
            let mark = ArchiveMark(
                at: statement.integer(.at), uid: UInt32(clamping: statement.integer(.uid)),
                foreignUser: statement.optionalText(.byUser))
            marks[statement.integer(.collection), default: []].append(.init(id: statement.bytes(.id), mark: mark))
        }
        return marks
    }
}
