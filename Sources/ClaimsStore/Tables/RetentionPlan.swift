// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// The part of a collection's log that is kept.
public struct RetentionLimits: Sendable, Hashable {
    /// The time before which commits are too old, in milliseconds since 1970.
    public var oldest: Int64
    /// The number of later changes at which a commit is dropped.
    public var changes: Int
    /// The number of bytes of later values at which a commit is dropped.
    public var bytes: Int

    public init(oldest: Int64, changes: Int, bytes: Int) {
        self.oldest = oldest
        self.changes = changes
        self.bytes = bytes
    }
}

/// The extent of a collection's log.
public struct LogExtent: Sendable, Equatable {
    /// The number of changes that the log has.
    public var changes: Int
    /// The size of their values.
    public var bytes: Int
    /// The time of the oldest commit, in milliseconds since 1970; nil if there is none.
    public var oldest: Int64?

    public init(changes: Int = 0, bytes: Int = 0, oldest: Int64? = nil) {
        self.changes = changes
        self.bytes = bytes
        self.oldest = oldest
    }

    /// Adds a commit.
    ///
    /// - Parameter bytes: the size of its values; nil if they are not kept, so that the log begins after the commit.
    mutating func add(changes: Int, bytes: Int?, at now: Int64) {
        guard let bytes else { return self = LogExtent() }
        guard changes > 0 else { return }
        self.changes += changes
        self.bytes += bytes
        oldest = oldest ?? now
    }
}

/// Decides which commits of a collection are dropped. Commits are dropped whole, the oldest first, and the plan gets
/// them in that order.
///
/// The size of a commit itself does not matter, only the size of later ones.
struct RetentionPlan {
    /// A commit of the log.
    struct Commit: Equatable {
        /// The number of its last change.
        var end: UInt64
        var changes: Int
        var bytes: Int
        /// Milliseconds since 1970.
        var at: Int64
        /// Whether it is the newest generation, which is not dropped because of its age alone.
        var isNewestGeneration: Bool
    }

    private let limits: RetentionLimits
    /// The extent of the log from the next commit on.
    private(set) var extent: LogExtent
    /// The end of the last dropped commit; nil: none is dropped.
    private(set) var floor: UInt64?

    /// - Parameter extent: the extent of the whole log; its time is not used.
    init(_ limits: RetentionLimits, _ extent: LogExtent) {
        self.limits = limits
        self.extent = extent
    }

    /// Whether the commit is dropped. The caller stops after the first commit that is not.
    mutating func drops(_ commit: Commit) -> Bool {
        let (changes, bytes) = (extent.changes - commit.changes, extent.bytes - commit.bytes)
        let isOld = commit.at < limits.oldest && !commit.isNewestGeneration
        guard isOld || changes >= limits.changes || bytes >= limits.bytes else {
            extent.oldest = commit.at
            return false
        }
        extent = LogExtent(changes: changes, bytes: bytes)
        floor = commit.end
        return true
    }
}

/// Trimming the log of a collection.
extension StateConnection {
    /// Deletes one piece of the commits that are beyond the limits; to be called in a transaction.
    ///
    /// The floor rises with the first row that is deleted.
    func trimLog(of collection: Int64, _ limits: RetentionLimits) throws(StoreError) -> Bool {
        guard var row = try row(collection) else { return false }
        if let floor = try retained(row, limits).floor {
            try dropWithoutValues(row)
            row.floor = floor
            try row.write(self)
        }
        return try deleteBelowFloor(row)
    }

    /// Deletes the commit at the floor, whose values were not kept, like the commits below the floor.
    private func dropWithoutValues(_ row: CollectionRow) throws(StoreError) {
        let update = try database.prepare(
            "UPDATE generation SET bytes = 0 WHERE \(Self.isWithoutValues)", "drop old changes")
        try update.bind(parameters: [row.number, Int64(bitPattern: row.floor)])
        try update.run()
    }

    /// A condition for the commit at the floor of a collection whose values were too large. The log begins at its end,
    /// but still has the records that it changed.
    private static let isWithoutValues =
        "collection = ?1 AND base_seq + changes = ?2 AND bytes = \(StateSchema.bytesWithoutValues)"

    /// Decides which commits are dropped. It reads them from the oldest on, up to the first that stays.
    func retained(_ row: CollectionRow, _ limits: RetentionLimits) throws(StoreError) -> RetentionPlan {
        let (extent, first) = (try extent(of: row), try commitWithoutValues(row))
        var plan = RetentionPlan(
            limits, LogExtent(changes: extent.changes + (first?.changes ?? 0), bytes: extent.bytes))
        if let first, !plan.drops(first) { return plan }
        let generations = try database.prepare(
            """
            SELECT base_seq + changes, changes, bytes, at, generation = (
                SELECT max(generation) FROM generation WHERE collection = ?1 AND changes > 0)
            FROM generation WHERE collection = ?1 AND base_seq >= ?2 AND changes > 0 ORDER BY base_seq
            """, "find old changes")
        let marks = try database.prepare(
            "SELECT seq, commit_end, at, bytes FROM local_change WHERE collection = ?1 AND seq > ?2 ORDER BY seq",
            "find old changes")
        try generations.bind(parameters: [row.number, Int64(bitPattern: row.floor)])
        try marks.bind(parameters: [row.number, Int64(bitPattern: row.floor)])
        var generation = try Self.nextGeneration(generations)
        var call = try Self.nextCall(marks, after: row.floor)
        while let commit = Self.first(generation, call) {
            guard plan.drops(commit) else { break }
            if commit == generation {
                generation = try Self.nextGeneration(generations)
            } else {
                call = try Self.nextCall(marks, after: commit.end)
            }
        }
        return plan
    }

    private func commitWithoutValues(_ row: CollectionRow) throws(StoreError) -> RetentionPlan.Commit? {
        let commit = try database.prepare(
            """
            SELECT base_seq + changes, changes, 0, at, generation = (
                SELECT max(generation) FROM generation WHERE collection = ?1 AND changes > 0)
            FROM generation WHERE \(Self.isWithoutValues)
            """, "find old changes")
        try commit.bind(parameters: [row.number, Int64(bitPattern: row.floor)])
        return try Self.nextGeneration(commit)
    }

    private static func first(
        _ one: RetentionPlan.Commit?, _ other: RetentionPlan.Commit?
    ) -> RetentionPlan.Commit? {
        guard let one, let other else { return one ?? other }
        return one.end < other.end ? one : other
    }

    private static func nextGeneration(
        _ rows: borrowing Statement<StatementPosition>
    ) throws(StoreError) -> RetentionPlan.Commit? {
        guard try rows.step() else { return nil }
        return RetentionPlan.Commit(
            end: rows.bits(0), changes: rows.count(1), bytes: rows.count(2), at: rows.integer(3),
            isNewestGeneration: rows.integer(4) != 0)
    }

    /// The next commit beside the generations, whose changes have consecutive numbers.
    private static func nextCall(
        _ rows: borrowing Statement<StatementPosition>, after end: UInt64
    ) throws(StoreError) -> RetentionPlan.Commit? {
        while try rows.step() {
            let (first, last) = (rows.bits(0), rows.bits(1))
            guard first > end, last >= first else { continue }
            return RetentionPlan.Commit(
                end: last, changes: Int(clamping: last - first + 1), bytes: rows.count(3), at: rows.integer(2),
                isNewestGeneration: false)
        }
        return nil
    }

    /// The extent of the log of a collection.
    func logExtent(of row: CollectionRow) throws(StoreError) -> LogExtent {
        var extent = try extent(of: row)
        if let first = try commitWithoutValues(row) {
            extent.oldest = first.at
            return extent
        }
        let oldest = try database.prepare(
            """
            SELECT at FROM (
                SELECT * FROM (SELECT base_seq + 1 AS seq, at FROM generation
                    WHERE collection = ?1 AND base_seq >= ?2 AND changes > 0 ORDER BY base_seq LIMIT 1)
                UNION ALL
                SELECT * FROM (SELECT seq, at FROM local_change
                    WHERE collection = ?1 AND seq > ?2 ORDER BY seq LIMIT 1))
            ORDER BY seq LIMIT 1
            """, "measure the log")
        try oldest.bind(1, row.number)
        try oldest.bind(2, bits: row.floor)
        if try oldest.step() { extent.oldest = oldest.integer(0) }
        return extent
    }

    /// The same without the time of the oldest commit.
    private func extent(of row: CollectionRow) throws(StoreError) -> LogExtent {
        let sums = try database.prepare(
            """
            SELECT coalesce(sum(changes), 0) + (SELECT count(*) FROM local_change WHERE collection = ?1 AND seq > ?2),
                coalesce(sum(bytes), 0) + (
                    SELECT coalesce(sum(bytes), 0) FROM local_change WHERE collection = ?1 AND seq > ?2)
            FROM generation WHERE collection = ?1 AND base_seq >= ?2
            """, "measure the log")
        try sums.bind(1, row.number)
        try sums.bind(2, bits: row.floor)
        guard try sums.step() else { return LogExtent() }
        return LogExtent(changes: sums.count(0), bytes: sums.count(1))
    }

    private func deleteBelowFloor(_ row: CollectionRow) throws(StoreError) -> Bool {
        let floor = Int64(bitPattern: row.floor)
        let marks = try database.prepare(
            """
            DELETE FROM local_change WHERE collection = ?1 AND seq IN (
                SELECT seq FROM local_change WHERE collection = ?1 AND seq <= ?2 LIMIT \(Self.rowsPerPiece))
            """, "drop old changes")
        try marks.bind(1, row.number)
        try marks.bind(2, floor)
        try marks.run()
        if database.changes > 0 { return true }
        // The newest generation stays recorded: recovery may have no other source.
        let old = try database.prepare(
            """
            SELECT generation, generation < ?3 FROM generation g WHERE collection = ?1
                AND (base_seq + changes <= ?2 OR changes = 0) AND NOT (\(Self.isWithoutValues))
                AND (generation < ?3 OR EXISTS (
                    SELECT 1 FROM change h WHERE h.collection = g.collection AND h.generation = g.generation))
            ORDER BY generation LIMIT 1
            """, "find old changes")
        try old.bind(1, row.number)
        try old.bind(2, floor)
        try old.bind(3, bits: row.generation)
        guard try old.step() else { return false }
        let (generation, isSuperseded) = (old.integer(0), old.integer(1) != 0)
        old.reset()
        let count = try deleteChanges(where: "collection = ?1 AND generation = ?2", row.number, generation)
        if count == 0, isSuperseded {
            let end = try database.prepare(
                "DELETE FROM generation WHERE collection = ?1 AND generation = ?2", "drop old changes")
            try end.bind(1, row.number)
            try end.bind(2, generation)
            try end.run()
        }
        return true
    }
}
