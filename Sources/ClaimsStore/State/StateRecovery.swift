// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// Makes a new state.db of what can still be read of a damaged one, which is moved aside and kept.
///
/// A crash at any moment leaves either the damaged file in place, to begin again with, or the finished new one.
public struct StateRecovery: Sendable, Equatable {
    /// Why it was necessary.
    public let reason: StoreError
    /// Where the damaged file is now.
    public let movedTo: String
    /// How many rows were saved, by table.
    public internal(set) var rows: [String: Int] = [:]
    /// Tables of which a part, or everything, could not be read.
    public internal(set) var incomplete: [String] = []

    /// A file of this name in the folder says that state.db has been found damaged, and is to be recovered at start.
    public static let markName = "state.damaged"

    private static let suffixes = ["", "-wal", "-shm"]
    private static let mended = ".mended"

    /// Puts the finished result of an earlier recovery in its place, if a crash has kept it from that.
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
            try StateConnection.renew(target, "recover \(path)")
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

    /// The file itself, or a copy of it with a header that SQLite accepts.
    private static func readable(_ path: String) -> String {
        if DatabaseHeader.isSound(path) || !Files.exists(path) { return path }
        let copy = path + mended
        do throws(SystemError) {
            try DatabaseHeader.mend(path, as: copy)
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
        let names = table.columns.joined(separator: ", ")
        let places = (1...table.columns.count).map { "?\($0)" }.joined(separator: ", ")
        let insertion = try target.prepare(
            "INSERT OR IGNORE INTO \(table.name)(\(names)) VALUES (\(places))", operation)
        var count = 0
        var isComplete = false
        try target.execute("BEGIN", operation)
        for direction in ["ASC", "DESC"] where !isComplete {
            let order = table.key.map { "\($0) \(direction)" }.joined(separator: ", ")
            isComplete = Self.read("SELECT \(names) FROM \(table.name) ORDER BY \(order)", of: source) { row in
                for column in table.columns.indices {
                    insertion.bind(Int32(column + 1), valueOf: row, Int32(column))
                }
                // What does not fit the table is damage, too.
                guard (try? insertion.run()) != nil else { return true }
                count += target.changes
                return target.changes > 0 || direction == "ASC"
            }
        }
        try target.execute("COMMIT", operation)
        rows[table.name] = count
        if !isComplete { incomplete.append(table.name) }
    }

    /// Calls `body` for rows until it returns false, or no more can be read; true if all were read.
    private static func read(
        _ sql: String, of source: borrowing Database?, _ body: (borrowing Statement) -> Bool
    ) -> Bool {
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
