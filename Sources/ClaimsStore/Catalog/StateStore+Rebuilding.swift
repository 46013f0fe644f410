// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsSnapshot

extension StateStore {
    /// Puts a snapshot that was built of the stored records in the place of the one there was, or should have been.
    /// Generation and clock stay. Rejected records go to quarantine.
    ///
    /// Throws `.mismatch` if another generation was committed meanwhile.
    func replace(
        _ base: CollectionRow, with view: @escaping @Sendable (CollectionRow, CollectionView) -> CollectionView,
        identity: SnapshotIdentity, records: Int, rejected: [RejectedRecord], at now: Int64
    ) throws(StoreError) {
        let catalog = catalog
        try database.perform { connection throws(StoreError) in
            let row = try connection.transaction(.synced, "commit a rebuilt snapshot") {
                connection throws(StoreError) in
                guard var row = try connection.row(base.number), row.name == base.name,
                    row.generation == base.generation, row.nextKey == base.nextKey
                else { throw StoreError(.mismatch, "commit a rebuilt snapshot") }
                row.fileID = identity.fileID
                row.definitionHash = identity.definitionHash
                row.records = records
                row.quarantined += rejected.count { $0.upstream != nil }
                try connection.reject(rejected, of: row, at: now)
                try row.write(connection)
                return row
            }
            catalog.update { $0.replacing(base.name) { view(row, $0) } }
        }
    }

    /// Forgets the bundle that was served: the collection has no data any more.
    func forgetBundle(_ base: CollectionRow) throws(StoreError) {
        let catalog = catalog
        try database.perform { connection throws(StoreError) in
            let row = try connection.transaction(.synced, "forget a bundle") { connection throws(StoreError) in
                guard var row = try connection.row(base.number), row.isBundle else {
                    throw StoreError(.mismatch, "forget a bundle")
                }
                row.fileID = 0
                row.bundleKey = 0
                row.records = 0
                row.quarantined = 0
                try row.write(connection)
                return row
            }
            catalog.update {
                $0.replacing(base.name) { view in
                    var condition = view.condition
                    condition.row = row
                    return CollectionView(
                        definition: view.definition, snapshot: nil, archive: view.archive.rebuilt(for: nil),
                        condition: condition)
                }
            }
        }
    }
}
