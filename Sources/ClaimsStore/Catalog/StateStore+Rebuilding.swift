// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsSnapshot

/// A snapshot that was built of the stored records, and what it means.
struct RebuildCommit: Sendable {
    /// The collection as it was when the records were read.
    var base: CollectionRow
    var identity: SnapshotIdentity
    /// Of the definition that it was built by.
    var valuesHash: UInt64
    var records: Int
    var rejected: [RejectedRecord]
    /// Milliseconds since 1970.
    var at: Int64
    /// The commit of a new generation and its stage; nil: the values that are served stay, and so do generation and clock.
    var log: (plan: CommitPlan.Log, stage: UInt64)?
}

extension CollectionCondition {
    /// Takes note of the commit of a generation.
    mutating func add(_ log: CommitPlan.Log, endingAt seq: UInt64, at now: Int64) {
        if log.changes > 0 { changedSeq = seq }
        self.log.add(changes: log.changes, bytes: log.valueBytes, at: now)
    }
}

extension StateStore {
    /// Puts a snapshot that was built of the stored records in the place of the one there was, or should have been.
    /// Rejected records go to quarantine.
    ///
    /// Throws `.mismatch` if another generation was committed meanwhile.
    func replace(
        _ rebuild: RebuildCommit,
        with view:
            @escaping @Sendable (CollectionRow, CollectionView, borrowing StateConnection) throws(StoreError)
            -> CollectionView
    ) throws(StoreError) {
        let (catalog, retired) = (catalog, retired)
        let base = rebuild.base
        try database.perform { connection throws(StoreError) in
            guard let before = catalog.current()[base.name] else {
                throw StoreError(.mismatch, "commit a rebuilt snapshot")
            }
            let after = try connection.transaction(.synced, "commit a rebuilt snapshot") {
                connection throws(StoreError) in
                guard var row = try connection.row(base.number), row.name == base.name,
                    row.generation == base.generation, row.nextKey == base.nextKey
                else { throw StoreError(.mismatch, "commit a rebuilt snapshot") }
                row.setFile(rebuild.identity, at: base)
                row.valuesHash = rebuild.valuesHash
                row.records = rebuild.records
                if row.isLocal {
                    // The rows stay, so that the quarantine begins anew with each snapshot.
                    row.quarantineBatch += 1
                    try connection.clearQuarantine(of: row)
                }
                try connection.countRejected(rebuild.rejected, of: row)
                row.quarantined = try connection.countQuarantined(of: row)
                if let log = rebuild.log {
                    try connection.check(log.stage, of: row.number)
                    row.generation = rebuild.identity.generation
                    try connection.addGeneration(log.plan, to: &row, at: rebuild.at)
                }
                try connection.reject(rebuild.rejected, of: row, at: rebuild.at)
                try row.write(connection)
                return try view(row, before, connection)
            }
            let revision = Revision(epoch: connection.epoch, seq: connection.seq)
            var condition = after.condition
            if let log = rebuild.log { condition.add(log.plan, endingAt: revision.seq, at: rebuild.at) }
            let next = after.with(condition)
            catalog.update { $0.replacing(base.name, revision: revision) { _ in next } }
            retired.add(before.snapshot, of: base.name)
        }
    }

    /// Notes by which definition the values are served that are not known to have another one.
    func nameValues(of view: CollectionView) throws(StoreError) {
        let (catalog, name, number) = (catalog, view.definition.name, view.condition.row.number)
        let hash = view.definition.valuesHash
        try database.perform { connection throws(StoreError) in
            let isNamed = try connection.transaction(.buffered, "note a definition") { connection throws(StoreError) in
                guard var row = try connection.row(number), row.valuesHash == 0 else { return false }
                row.valuesHash = hash
                try row.write(connection)
                return true
            }
            guard isNamed else { return }
            catalog.update {
                $0.replacing(name) { view in
                    var condition = view.condition
                    condition.row.valuesHash = hash
                    return view.with(condition)
                }
            }
        }
    }

    /// Forgets the bundle that was served: the collection has no data any more, which is a whole commit.
    func forgetBundle(_ base: CollectionRow) throws(StoreError) {
        let catalog = catalog
        try database.perform { connection throws(StoreError) in
            let row = try connection.transaction(.synced, "forget a bundle") { connection throws(StoreError) in
                guard var row = try connection.row(base.number), row.isBundle else {
                    throw StoreError(.mismatch, "forget a bundle")
                }
                connection.seq += 1
                row.fileID = 0
                row.bundleKey = 0
                row.records = 0
                row.quarantined = 0
                row.quarantineBatch += 1
                try connection.clearQuarantine(of: row)
                row.definitionSeq = connection.seq
                row.floor = connection.seq
                try row.write(connection)
                return row
            }
            let revision = Revision(epoch: connection.epoch, seq: connection.seq)
            catalog.update {
                $0.replacing(base.name, revision: revision) { view in
                    var condition = view.condition
                    condition.row = row
                    condition.changedSeq = revision.seq
                    condition.log = LogExtent()
                    return CollectionView(
                        definition: view.definition, snapshot: nil, archive: view.archive.rebuilt(for: nil),
                        condition: condition, overlay: view.overlay?.rebuilt(for: nil))
                }
            }
        }
    }
}
