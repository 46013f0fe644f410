// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// The change of the quarantine by one answer of one source.
struct QuarantineChange: Sendable, Equatable {
    /// nil for the only source of the collection.
    var site: String?
    /// Whether the entries of earlier answers stay, because the answer has only what has changed.
    var isIncremental: Bool
    /// The number of new entries, including those for which there was no room.
    var added = 0
    /// The entries of earlier answers that this answer has, too.
    var seenAgain: [Int64] = []

    /// Runs the statement that records the extent of the source's entries.
    fileprivate func run(
        _ statement: borrowing Statement<StatementPosition>, of collection: Int64, from floor: Int64
    ) throws(StoreError) {
        let name = site ?? ""
        try statement.bind(1, collection)
        try statement.bind(2, name)
        try statement.bind(3, floor)
        try statement.bind(4, Int64(added))
        try statement.run()
    }
}

/// Each of these must be called in a transaction.
extension StateConnection {
    /// Puts the entries of staged answers in force.
    ///
    /// - Parameters:
    ///   - row: the collection with its new batch.
    ///   - base: the collection before.
    func change(
        _ answers: [QuarantineChange], of row: CollectionRow, after base: CollectionRow, at now: Int64
    ) throws(StoreError) {
        guard !answers.isEmpty else { return }
        let renew = try database.prepare(
            "INSERT OR REPLACE INTO quarantine_extent(collection, site, floor, counted) VALUES (?1, ?2, ?3, ?4)",
            "change the quarantine")
        let extend = try database.prepare(
            """
            INSERT INTO quarantine_extent(collection, site, floor, counted) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT DO UPDATE SET counted = counted + excluded.counted
            """, "change the quarantine")
        for answer in answers {
            if answer.isIncremental {
                try answer.run(extend, of: row.number, from: base.quarantineBatch)
            } else {
                try answer.run(renew, of: row.number, from: row.quarantineBatch)
            }
            try record(seenAgain: answer.seenAgain, of: row, at: now)
        }
        if answers.contains(where: { $0.isIncremental || $0.site != nil }) { try dropOldest(of: row) }
    }

    private func record(seenAgain entries: [Int64], of row: CollectionRow, at now: Int64) throws(StoreError) {
        guard !entries.isEmpty else { return }
        let update = try database.prepare(
            "UPDATE quarantine SET last_seen = ?3 WHERE collection = ?1 AND entry = ?2", "change the quarantine")
        for entry in entries {
            try update.bind(parameters: [row.number, entry, now])
            try update.run()
        }
    }

    /// Drops the oldest entries beyond the number that is kept.
    private func dropOldest(of row: CollectionRow) throws(StoreError) {
        let entries = try quarantinedEntries(of: row)
        let surplus = entries.count - GenerationStage.quarantinedEntries
        if surplus > 0 { try deleteQuarantined(Array(entries.prefix(surplus)), of: row, through: row.quarantineBatch) }
    }

    /// The number of elements of a collection in quarantine, including those for which there was no room.
    func countQuarantined(of row: CollectionRow) throws(StoreError) -> Int {
        Int(
            clamping: try database.integer(
                "SELECT coalesce(sum(counted), 0) FROM quarantine_extent WHERE collection = \(row.number)",
                "count the quarantine"))
    }

    /// Counts rejected records of a collection, whose entries are in the newest batch.
    func countRejected(_ records: [RejectedRecord], of row: CollectionRow) throws(StoreError) {
        var counts: [String?: Int] = [:]
        for record in records where record.upstream != nil { counts[record.site, default: 0] += 1 }
        let changes = counts.map { QuarantineChange(site: $0.key, isIncremental: true, added: $0.value) }
        try change(changes, of: row, after: row, at: 0)
    }

    /// Resets the count of the elements for which there was no room.
    func forgetUnkept(of row: CollectionRow) throws(StoreError) {
        try database.execute(
            "UPDATE quarantine_extent SET counted = 0 WHERE collection = \(row.number)", "drop quarantined elements")
    }

    /// Begins the quarantine of a collection with one source anew.
    func clearQuarantine(of row: CollectionRow) throws(StoreError) {
        try change([QuarantineChange(isIncremental: false)], of: row, after: row, at: 0)
    }

    /// Deletes entries of a collection's quarantine.
    ///
    /// - Parameter batch: the newest batch in force.
    func deleteQuarantined(
        _ entries: [Int64], of row: CollectionRow, through batch: Int64
    ) throws(StoreError) {
        guard !entries.isEmpty else { return }
        let delete = try database.prepare(
            "DELETE FROM quarantine WHERE collection = ?1 AND batch <= ?2 AND entry = ?3 RETURNING site",
            "drop quarantined elements")
        let discount = try database.prepare(
            "UPDATE quarantine_extent SET counted = max(0, counted - 1) WHERE collection = ?1 AND site = ?2",
            "drop quarantined elements")
        for entry in entries {
            try delete.bind(parameters: [row.number, batch, entry])
            var sites: Set<String> = []
            while try delete.step() { sites.insert(delete.text(0)) }
            delete.reset()
            for site in sites {
                try discount.bind(1, row.number)
                try discount.bind(2, site)
                try discount.run()
            }
        }
    }

    /// The entries of a collection's quarantine that are in force, ascending.
    func quarantinedEntries(of row: CollectionRow) throws(StoreError) -> [Int64] {
        let select = try database.prepare(
            """
            SELECT q.entry FROM quarantine q WHERE q.collection = ?1 AND q.batch <= ?2 AND q.batch >= coalesce((
                SELECT x.floor FROM quarantine_extent x WHERE x.collection = ?1 AND x.site = q.site), ?2)
            ORDER BY q.entry
            """, "read the quarantine")
        try select.bind(parameters: [row.number, row.quarantineBatch])
        var entries: [Int64] = []
        while try select.step() { entries.append(select.integer(0)) }
        return entries
    }

    /// Whether an element of an answer that would be the record with this id is in quarantine.
    ///
    /// - Parameters:
    ///   - batch: the newest batch in force.
    ///   - isRenewed: whether only that batch is in force.
    func isQuarantined(
        _ id: [UInt8], in collection: Int64, through batch: Int64, isRenewed: Bool
    ) throws(StoreError) -> Bool {
        let floor =
            isRenewed
            ? "?2"
            : "coalesce((SELECT x.floor FROM quarantine_extent x WHERE x.collection = ?1 AND x.site = q.site), ?2)"
        let select = try database.prepare(
            """
            SELECT 1 FROM quarantine q WHERE q.collection = ?1 AND q.id = ?3 AND q.batch BETWEEN \(floor) AND ?2 LIMIT 1
            """, "look into quarantine")
        try select.bind(parameters: [collection, batch])
        try select.bind(3, text: id)
        return try select.step()
    }
}
