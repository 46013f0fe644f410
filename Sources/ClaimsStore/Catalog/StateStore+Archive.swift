// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsSnapshot

extension StateStore {
    /// Archives records or brings them back, all of them or, after an error, none.
    ///
    /// The change waits for at most one chunk of a refresh. `completion` is called on the store's thread once the change is
    /// on disk and in the catalog. It gets `.noCollection` for a collection that is not served any more.
    public func archive(
        _ change: ArchiveChange,
        completion: @escaping @Sendable (Result<ArchiveChange.Outcome, StoreError>) -> Void
    ) {
        let catalog = catalog
        database.local(
            StateQueue.LocalJob(
                weight: change.ids.count,
                apply: { connection throws(StoreError) in
                    guard let view = catalog.current()[change.collection] else {
                        throw StoreError(.noCollection, "archive records", detail: change.collection)
                    }
                    let (outcome, marks) = try Self.apply(change, to: view, &connection)
                    return {
                        if !outcome.changed.isEmpty {
                            catalog.update {
                                $0.replacing(change.collection, revision: outcome.revision) { view in
                                    let view = view.with(marks, seq: outcome.revision.seq)
                                    var condition = view.condition
                                    condition.log.add(changes: marks.count, bytes: 0, at: change.at)
                                    return view.with(condition)
                                }
                            }
                        }
                        completion(.success(outcome))
                    }
                }, fail: { completion(.failure($0)) }))
    }

    private static func apply(
        _ change: ArchiveChange, to view: CollectionView, _ connection: inout StateConnection
    ) throws(StoreError) -> (ArchiveChange.Outcome, [ArchiveMarkChange]) {
        var outcome = ArchiveChange.Outcome(revision: Revision(epoch: connection.epoch, seq: connection.seq))
        var marks: [ArchiveMarkChange] = []
        let row = view.condition.row
        var turned: Set<[UInt8]> = []
        for id in change.ids {
            let isMarked = try connection.isMarked(id, in: row.number) != turned.contains(id)
            let exists = view.served(id) != nil
            if isMarked != change.isArchiving && (exists || isMarked) {
                turned.insert(id)
                outcome.changed.append(id)
                marks.append(
                    ArchiveMarkChange(
                        id: id, mark: change.isArchiving ? ArchiveMark(at: change.at, uid: change.uid) : nil))
            } else if exists || isMarked {
                outcome.unchanged.append(id)
            } else {
                outcome.missing.append(id)
            }
        }
        try connection.mark(outcome.changed, in: row, change)
        outcome.revision.seq = connection.seq
        return (outcome, marks)
    }
}
