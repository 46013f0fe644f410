// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsSnapshot

extension GenerationStage {
    /// Deletes the staged rows. Where it is not called, the collection's next refresh deletes them.
    public mutating func abandon() {
        try? flush()
        try? database.discardLeftovers(of: base.number, stage: target.stage)
    }

    /// The part of a commit that the log has, of the changes that were noted.
    func log(cause: ChangeCause) -> CommitPlan.Log {
        .init(cause: cause, isWhole: false, changes: changes, valueBytes: keepsChanges ? valueBytes : nil)
    }

    /// Returns the transaction of `StateStore.confirm`.
    func plan(_ sources: [SourceRow]) -> CommitPlan {
        CommitPlan(
            base: base, sources: sources,
            quarantineBatch: quarantine.isEmpty ? base.quarantineBatch : target.quarantineBatch,
            quarantine: quarantine, released: released, joinBatch: hasJoinValues ? target.joinBatch : base.joinBatch,
            at: target.at, stage: target.stage)
    }

    /// Returns the transaction of `StateStore.commit`.
    func plan(_ commit: GenerationCommit) -> CommitPlan {
        var plan = plan(commit.sources)
        let isWhole = !base.hasData || base.isBundle || commit.bundleKey != 0
        plan.data = CommitPlan.Data(
            generation: generation, fileID: commit.snapshot.identity.fileID,
            definitionHash: commit.snapshot.identity.definitionHash, records: commit.snapshot.count, nextKey: nextKey,
            bundleKey: commit.bundleKey,
            log: isWhole
                ? .init(cause: .refresh, isWhole: true, changes: 1, valueBytes: 0) : log(cause: .refresh))
        return plan
    }
}

extension StateDatabase {
    /// Begins the next generation of a collection, after deleting the rows that an earlier attempt has left.
    ///
    /// - Parameter historyBytes: the size up to which the values of the changes are kept.
    public func stage(
        _ collection: Int64, at now: Int64, historyBytes: Int
    ) throws(StoreError) -> GenerationStage {
        let number = try perform { connection throws(StoreError) in connection.beginStage(of: collection) }
        try discardLeftovers(of: collection, stage: number)
        let row = try perform { connection throws(StoreError) in
            try CollectionRow.readAll(connection.database).first { $0.number == collection }
        }
        guard let row else { throw StoreError(.missing, "begin a refresh", detail: "no such collection") }
        return GenerationStage(database: self, base: row, number: number, at: now, historyBytes: historyBytes)
    }
}
