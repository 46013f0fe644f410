// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import Synchronization

/// The joined values of the collection that was last written to, so that the next write does not read them again.
final class JoinCache: Sendable {
    private struct Contents {
        var collection: Int64
        var batch: Int64
        var valuesHash: UInt64
        var table: JoinTable?
    }

    private let contents = Mutex<Contents?>(nil)

    /// The values of a collection's second request; nil where its definition has none.
    func table(of view: CollectionView, _ connection: borrowing StateConnection) throws(StoreError) -> JoinTable? {
        try table(of: view.condition.row, view.definition, connection)
    }

    /// Forgets the values of a collection, of which some were deleted.
    func drop(_ collection: Int64) {
        contents.withLock { if $0?.collection == collection { $0 = nil } }
    }

    func table(
        of row: CollectionRow, _ definition: Definition, _ connection: borrowing StateConnection
    ) throws(StoreError) -> JoinTable? {
        guard definition.source.join != nil else { return nil }
        let known = contents.withLock { $0 }
        if let known, known.collection == row.number, known.batch == row.joinBatch,
            known.valuesHash == definition.valuesHash
        {
            return known.table
        }
        let table = JoinTable(definition: definition, stored: try connection.joined(of: row))
        contents.withLock {
            $0 = Contents(
                collection: row.number, batch: row.joinBatch, valuesHash: definition.valuesHash, table: table)
        }
        return table
    }
}
