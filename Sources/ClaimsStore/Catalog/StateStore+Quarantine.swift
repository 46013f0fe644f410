// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension StateStore {
    /// Drops entries of a collection's quarantine. The next changed answer that has their bytes brings them back.
    ///
    /// Waits until that is on disk; never on a serving loop.
    ///
    /// - Parameter entry: the number of an entry; nil for all.
    /// - Returns: the numbers of the entries that were there, ascending.
    public func dropQuarantined(_ entry: Int64?, of name: String) throws(StoreError) -> [Int64] {
        let catalog = catalog
        return try database.perform { connection throws(StoreError) in
            guard let view = catalog.current()[name] else {
                throw StoreError(.noCollection, "drop quarantined elements", detail: name)
            }
            let (row, dropped) = try connection.transaction(.synced, "drop quarantined elements") {
                connection throws(StoreError) in
                guard var row = try connection.row(view.condition.row.number) else {
                    throw StoreError(.noCollection, "drop quarantined elements", detail: name)
                }
                let all = try connection.quarantinedEntries(of: row)
                let dropped = all.filter { entry == nil || $0 == entry }
                try connection.deleteQuarantined(dropped, of: row, through: row.quarantineBatch)
                // More may have been counted than were kept.
                if entry == nil { try connection.forgetUnkept(of: row) }
                row.quarantined = try connection.countQuarantined(of: row)
                if !dropped.isEmpty { try row.write(connection) }
                return (row, dropped)
            }
            guard !dropped.isEmpty else { return [] }
            catalog.update {
                $0.replacing(name) { view in
                    var condition = view.condition
                    condition.row.quarantined = row.quarantined
                    return view.with(condition)
                }
            }
            return dropped
        }
    }
}
