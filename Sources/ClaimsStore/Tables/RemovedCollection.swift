// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform

/// A collection whose definition is gone. Its records, marks and history stay in state.db for a while.
public struct RemovedCollection: Sendable, Equatable {
    public let name: String
    /// The number of records that are kept.
    public let records: Int
    /// The time of the removal, in milliseconds since 1970.
    public let removedAt: Int64
    /// Whether it stays until a user forgets it: this host has the only copy of its records, or operations wait.
    public let isKept: Bool

    public init(name: String, records: Int, removedAt: Int64, isKept: Bool = false) {
        self.isKept = isKept
        self.name = name
        self.records = records
        self.removedAt = removedAt
    }

    /// The time at which the records are deleted, if they are kept for `span`, in milliseconds since 1970; nil: never.
    public func until(keptFor span: Duration) -> Int64? {
        if isKept { return nil }
        let sum = removedAt.addingReportingOverflow(span.wholeMilliseconds)
        return sum.overflow ? .max : sum.partialValue
    }
}

/// The collections that keep their data although no usable definition of them is in force.
public enum SparedCollections: Sendable, Equatable {
    /// The collections with these names: each has a definition, which cannot be used.
    case named(Set<String>)
    /// All collections but those with these names: a folder of definitions cannot be read, so only these are known to
    /// be gone.
    case allBut(Set<String>)

    public static let none = SparedCollections.named([])
}

/// A removed collection that has begun to be erased.
public struct ErasedCollection: Sendable, Equatable {
    public let name: String
    /// The number of records that it had.
    public let records: Int
    /// The stems of its snapshots' file names.
    let stems: [String]
}

extension StateConnection {
    /// The key in `meta` of the largest number that an erased collection had: a number is never used again, because a
    /// refresh that was under way may still write rows under it.
    static let maxNumberKey = "max_collection"

    func setRemoval(of number: Int64, at time: Int64?) throws(StoreError) {
        let statement = try database.prepare(
            "UPDATE collection SET removed_at = ?2 WHERE number = ?1", "note a removal")
        try statement.bind(1, number)
        try statement.bind(2, time)
        try statement.run()
    }

    /// Records which collections have lost their definitions, and which have one again.
    ///
    /// A collection that never had data, marks or operations is erased at once: there is nothing to keep.
    ///
    /// - Parameters:
    ///   - defined: the names of the collections with a usable definition.
    ///   - now: the time of new removals, in milliseconds since 1970.
    /// - Returns: all removed collections.
    mutating func noteRemovals(
        defined: Set<String>, _ spared: SparedCollections, at now: Int64
    ) throws(StoreError) -> [RemovedCollection] {
        // A clock that was never set must not date a removal before the data: once the clock is set, the collection
        // would be erased.
        let now = max(now, try database.integer("SELECT coalesce(max(as_of), 0) FROM source", "note a removal"))
        var rows = try CollectionRow.readAll(database).filter { !$0.isErased }
        var changed: [Int] = []
        for index in rows.indices {
            let before = rows[index].removedAt
            rows[index].removedAt = spared.removal(of: rows[index], defined: defined, at: now)
            if rows[index].removedAt != before { changed.append(index) }
        }
        if !changed.isEmpty {
            let (all, changes) = (rows, changed)
            let blank = try transaction(.synced, "note a removal") { connection throws(StoreError) in
                var blank: Set<Int64> = []
                for row in changes.map({ all[$0] }) {
                    if row.removedAt != nil, try connection.isBlank(row) {
                        try connection.detach(row.number)
                        blank.insert(row.number)
                    } else {
                        try connection.setRemoval(of: row.number, at: row.removedAt)
                    }
                }
                return blank
            }
            rows.removeAll { blank.contains($0.number) }
        }
        let waiting = try collectionsWithUnsettledOperations()
        return rows.compactMap { RemovedCollection($0, hasOperations: waiting.contains($0.number)) }
    }

    private func isBlank(_ row: CollectionRow) throws(StoreError) -> Bool {
        guard row.generation == 0, !(try collectionsWithUnsettledOperations().contains(row.number)) else {
            return false
        }
        let marks = try database.prepare("SELECT 1 FROM archive WHERE collection = ?1 LIMIT 1", "note a removal")
        try marks.bind(1, row.number)
        return try !marks.step()
    }

    /// Removes the name of a collection, so that it can only be erased; to be called in a transaction.
    func detach(_ number: Int64) throws(StoreError) {
        let statement = try database.prepare(
            "UPDATE collection SET name = ?2, removed_at = NULL WHERE number = ?1", "erase a collection")
        try statement.bind(1, number)
        try statement.bind(2, "\(StateSchema.erasedPrefix)\(number)")
        try statement.run()
        try database.execute(StateRecovery.noteNames, "erase a collection")
    }

    /// Deletes the last rows of a collection whose other rows are deleted; to be called in a transaction.
    func drop(_ number: Int64) throws(StoreError) {
        try statements.setMeta(Self.maxNumberKey, max(try statements.meta(Self.maxNumberKey), number))
        try database.execute(
            """
            DELETE FROM source WHERE collection = \(number); DELETE FROM collection WHERE number = \(number);
            DELETE FROM meta WHERE key = '\(StateRecovery.nameKey(of: number))'
            """, "erase a collection")
    }
}

extension SparedCollections {
    /// Whether the collection of that name is one of them.
    func contains(_ name: String) -> Bool {
        switch self {
        case .named(let names): names.contains(name)
        case .allBut(let names): !names.contains(name)
        }
    }

    /// The time of a collection's removal, nil if it is not removed.
    fileprivate func removal(of row: CollectionRow, defined: Set<String>, at now: Int64) -> Int64? {
        if defined.contains(row.name) { return nil }
        guard contains(row.name) else { return row.removedAt ?? now }
        if case .named = self { return nil }
        return row.removedAt
    }
}

extension CollectionRow {
    /// The number of records in state.db; records of a bundle are not in it.
    var keptRecords: Int { isBundle ? 0 : records }
}

extension RemovedCollection {
    /// nil for a collection that is not removed.
    fileprivate init?(_ row: CollectionRow, hasOperations: Bool) {
        guard let removedAt = row.removedAt else { return nil }
        self.init(
            name: row.name, records: row.keptRecords, removedAt: removedAt,
            isKept: hasOperations || row.isLocal && row.records > 0)
    }
}
