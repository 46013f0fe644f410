// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// All that is needed at start: no record is read.
public struct LoadedState: Sendable {
    public struct Collection: Sendable {
        public let row: CollectionRow
        public let source: SourceRow
        public let marks: [ArchiveOverlay.Change]
    }

    public let clock: Clock
    /// Signs cursors; as old as the database.
    public let cursorSecret: [UInt8]
    /// Changes up to this one are no longer all there.
    public let floor: UInt64
    /// All that the database knows, by name, configured or not.
    public let collections: [String: Collection]
}

extension StateStore {
    /// Reads what is needed at start, after giving the collections in `names` that are new a row.
    public func load(names: [String]) throws(StoreError) -> LoadedState {
        try perform { connection throws(StoreError) in
            let known = try CollectionRow.readAll(connection.database)
            let missing = Set(names).subtracting(known.map(\.name)).sorted()
            let noted = try connection.database.integer(StateRecovery.namesNoted, "read the collections")
            if !missing.isEmpty || noted < known.count {
                try connection.transaction(.synced, "add a collection") { connection throws(StoreError) in
                    let insertion = try connection.database.prepare(
                        "INSERT INTO collection(number, name) SELECT coalesce(max(number), 0) + 1, ?1 FROM collection",
                        "add a collection")
                    for name in missing {
                        insertion.bind(1, name)
                        try insertion.run()
                    }
                    try connection.database.execute(StateRecovery.noteNames, "add a collection")
                }
            }
            return try connection.load()
        }
    }
}

extension StateConnection {
    /// Reads what cannot be done without at start, so that damage to it is found while the file can be recovered.
    func probe() throws(StoreError) {
        _ = try CollectionRow.readAll(database)
        _ = try SourceRow.readAll(database)
        _ = try database.integer(
            "SELECT sum(collection + length(id) + at + uid) FROM archive", "read the archive marks")
        guard try database.integer("SELECT count(*) FROM meta WHERE key = 'cursor_secret'", "read the secret") == 1
        else { throw StoreError(.damaged, "read the secret") }
    }

    fileprivate func load() throws(StoreError) -> LoadedState {
        let rows = try CollectionRow.readAll(database)
        let sources = try SourceRow.readAll(database)
        var marks = try readMarks()
        let secret = try database.prepare("SELECT value FROM meta WHERE key = 'cursor_secret'", "read the secret")
        guard try secret.step() else { throw StoreError(.damaged, "read the secret") }
        var collections: [String: LoadedState.Collection] = [:]
        for row in rows {
            collections[row.name] = LoadedState.Collection(
                row: row, source: sources[row.number] ?? SourceRow(),
                marks: marks.removeValue(forKey: row.number) ?? [])
        }
        return LoadedState(
            clock: Clock(epoch: epoch, seq: seq), cursorSecret: secret.bytes(0), floor: floor, collections: collections)
    }

    private func readMarks() throws(StoreError) -> [Int64: [ArchiveOverlay.Change]] {
        let statement = try database.prepare(
            "SELECT collection, id, at, uid FROM archive", "read the archive marks")
        var marks: [Int64: [ArchiveOverlay.Change]] = [:]
        while try statement.step() {
            let mark = ArchiveOverlay.Mark(at: statement.integer(2), uid: UInt32(clamping: statement.integer(3)))
            marks[statement.integer(0), default: []].append(.init(id: statement.bytes(1), mark: mark))
        }
        return marks
    }
}
