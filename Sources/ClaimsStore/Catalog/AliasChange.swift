// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot

/// A change of one alias.
struct AliasChange: Sendable {
    /// The time for which the old id of a record that is gone still leads to its new one.
    static let keep = Duration.seconds(30 * 86_400)

    var id: [UInt8]
    /// The time at which its record was found to be gone, in milliseconds since 1970; nil: it is there.
    var goneAt: Int64?
    var isForgotten: Bool

    static func all(
        of view: CollectionView, at now: Int64, in database: borrowing Database
    ) throws(StoreError) -> [AliasChange] {
        let select = try database.prepare(
            "SELECT id, target, gone_at FROM alias WHERE collection = ?1", "read the aliases")
        try select.bind(1, view.condition.row.number)
        let oldest = now - Self.keep.wholeMilliseconds
        var changes: [AliasChange] = []
        while try select.step() {
            let (target, goneAt) = (select.bytes(1), select.optionalInteger(2))
            let isServed = view.served(target) != nil
            if isServed, goneAt != nil {
                changes.append(AliasChange(id: select.bytes(0), goneAt: nil, isForgotten: false))
            } else if !isServed {
                let isForgotten = goneAt.map { $0 < oldest } ?? false
                guard goneAt == nil || isForgotten else { continue }
                changes.append(AliasChange(id: select.bytes(0), goneAt: goneAt ?? now, isForgotten: isForgotten))
            }
        }
        return changes
    }
}

extension StateConnection {
    func apply(_ change: AliasChange, in collection: Int64) throws(StoreError) {
        let sql =
            change.isForgotten
            ? "DELETE FROM alias WHERE collection = ?1 AND id = ?2"
            : "UPDATE alias SET gone_at = ?3 WHERE collection = ?1 AND id = ?2"
        let statement = try database.prepare(sql, "forget old ids")
        try statement.bind(1, collection)
        try statement.bind(2, text: change.id)
        if !change.isForgotten { try statement.bind(3, change.goneAt) }
        try statement.run()
    }

    /// Records that a record has another id, and moves its archive mark; to be called in a transaction.
    func rename(
        _ old: [UInt8], to new: [UInt8], in collection: Int64, at now: Int64
    ) throws(StoreError) {
        let operation = "rename a record"
        let statements = [
            "UPDATE alias SET target = ?3 WHERE collection = ?1 AND target = ?2",
            "INSERT OR REPLACE INTO alias(collection, id, target, since) VALUES (?1, ?2, ?3, ?4)",
            "UPDATE OR IGNORE archive SET id = ?3 WHERE collection = ?1 AND id = ?2",
            "DELETE FROM archive WHERE collection = ?1 AND id = ?2",
            "UPDATE OR IGNORE shared_mark SET id = ?3, state = 0 WHERE collection = ?1 AND id = ?2 AND state <> 2",
            "DELETE FROM shared_mark WHERE collection = ?1 AND id = ?2",
        ]
        for sql in statements {
            let statement = try database.prepare(sql, operation)
            try statement.bind(1, collection)
            try statement.bind(2, text: old)
            if sql.contains("?3") { try statement.bind(3, text: new) }
            if sql.contains("?4") { try statement.bind(4, now) }
            try statement.run()
        }
    }

    /// The aliases of a collection.
    func aliases(of row: CollectionRow) throws(StoreError) -> [[UInt8]: [UInt8]] {
        let select = try database.prepare("SELECT id, target FROM alias WHERE collection = ?1", "read the aliases")
        try select.bind(1, row.number)
        var aliases: [[UInt8]: [UInt8]] = [:]
        while try select.step() { aliases[select.bytes(0)] = select.bytes(1) }
        return aliases
    }
}
