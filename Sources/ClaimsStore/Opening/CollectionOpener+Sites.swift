// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

extension StoredRecord {
    /// Whether the record is one of these sites'.
    func isOne(of sites: Set<String>) -> Bool {
        guard !sites.isEmpty, let end = id.firstIndex(of: SiteList.separator) else { return false }
        return sites.contains(String(decoding: id[..<end], as: UTF8.self))
    }
}

extension CollectionCondition {
    /// The sites that are known, and that the definition does not have any more.
    ///
    /// Without sites in the definition there are none: their records are served until the only source has answered.
    func removedSites(by definition: Definition) -> Set<String> {
        guard let list = definition.source.sites, !sites.isEmpty else { return [] }
        return Set(sites.keys).subtracting(list.sites.map(\.name))
    }
}

extension CollectionOpener {
    /// Forgets what is known of sites that a definition does not have any more; their records are gone. After an error
    /// the next reload or start does it.
    func forgetRemovedSites(of definition: Definition) {
        guard let view = store.catalog.current()[definition.name],
            !view.condition.removedSites(by: definition).isEmpty
        else { return }
        do throws(StoreError) {
            try store.forgetSites(of: definition.name, except: Set(definition.sources.compactMap(\.site)))
        } catch { store.database.suspect(error) }
    }
}

extension StateStore {
    /// Forgets the states and the quarantine of a collection's sites. Waits until that is on disk.
    ///
    /// - Parameter kept: the sites that stay.
    public func forgetSites(of name: String, except kept: Set<String> = []) throws(StoreError) {
        let catalog = catalog
        try database.perform { connection throws(StoreError) in
            guard let view = catalog.current()[name] else { return }
            let gone = view.condition.sites.keys.filter { !kept.contains($0) }
            guard !gone.isEmpty else { return }
            let quarantined = try connection.transaction(.synced, "forget sites") {
                connection throws(StoreError) -> Int? in
                guard var row = try connection.row(view.condition.row.number) else { return nil }
                try connection.deleteSites(gone, of: row)
                row.quarantined = try connection.countQuarantined(of: row)
                try row.write(connection)
                return row.quarantined
            }
            catalog.update {
                $0.replacing(name) { view in
                    var condition = view.condition
                    for site in gone { condition.sites[site] = nil }
                    if let quarantined { condition.row.quarantined = quarantined }
                    return view.with(condition)
                }
            }
        }
    }
}

extension StateConnection {
    /// Deletes the rows of sites in all tables but that of records; to be called in a transaction.
    fileprivate func deleteSites(_ sites: [String], of row: CollectionRow) throws(StoreError) {
        for table in [SourceColumn.table, QuarantineColumn.table, QuarantineExtentColumn.table] {
            let delete = try database.prepare(
                "DELETE FROM \(table) WHERE collection = ?1 AND site = ?2", "forget sites")
            for site in sites {
                try delete.bind(1, row.number)
                try delete.bind(2, site)
                try delete.run()
            }
        }
    }
}
