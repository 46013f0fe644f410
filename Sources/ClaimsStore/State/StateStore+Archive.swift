// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON

extension StateStore {
    /// Archives records or brings them back. `completion` is called on the store's thread once the change is on disk
    /// and in the catalog; all of it is done or, after an error, nothing.
    ///
    /// Never waits for more than one chunk of a refresh. Throws `.missing` for a collection that is not served.
    public func archive(
        _ change: ArchiveChange,
        completion: @escaping @Sendable (Result<ArchiveChange.Outcome, StoreError>) -> Void
    ) {
        let catalog = catalog
        local(
            StateQueue.LocalJob(
                weight: change.ids.count,
                apply: { connection throws(StoreError) in
                    guard let view = catalog.current()[change.collection] else {
                        throw StoreError(.missing, "archive records", detail: "no such collection")
                    }
                    let (outcome, marks) = try Self.apply(change, to: view, &connection)
                    return {
                        if !outcome.changed.isEmpty {
                            catalog.update { $0.replacing(change.collection, clock: outcome.clock) { $0.with(marks) } }
                        }
                        completion(.success(outcome))
                    }
                }, fail: { completion(.failure($0)) }))
    }

    private static func apply(
        _ change: ArchiveChange, to view: CollectionView, _ connection: inout StateConnection
    ) throws(StoreError) -> (ArchiveChange.Outcome, [ArchiveOverlay.Change]) {
        var outcome = ArchiveChange.Outcome(clock: Clock(epoch: connection.epoch, seq: connection.seq))
        var marks: [ArchiveOverlay.Change] = []
        let number = view.condition.row.number
        for id in change.ids {
            let isMarked = try connection.isMarked(id, in: number)
            let exists = view.snapshot?.row(forID: id.rawSpan) != nil
            if isMarked != change.isArchiving && (exists || isMarked) {
                try connection.mark(id, in: number, change)
                outcome.changed.append(id)
                marks.append(
                    ArchiveOverlay.Change(
                        id: id, mark: change.isArchiving ? ArchiveOverlay.Mark(at: change.at, uid: change.uid) : nil))
            } else if exists || isMarked {
                outcome.unchanged.append(id)
            } else {
                outcome.missing.append(id)
            }
        }
        outcome.clock.seq = connection.seq
        return (outcome, marks)
    }
}

extension StateConnection {
    fileprivate func isMarked(_ id: [UInt8], in collection: Int64) throws(StoreError) -> Bool {
        statements.findMark.bind(1, collection)
        statements.findMark.bind(2, text: id)
        defer { statements.findMark.reset() }
        return try statements.findMark.step()
    }

    /// Sets or removes a mark, and counts it as a change.
    fileprivate mutating func mark(_ id: [UInt8], in collection: Int64, _ change: ArchiveChange) throws(StoreError) {
        if change.isArchiving {
            statements.addMark.bind(1, collection)
            statements.addMark.bind(2, text: id)
            statements.addMark.bind(3, change.at)
            statements.addMark.bind(4, Int64(change.uid))
            try statements.addMark.run()
        } else {
            statements.removeMark.bind(1, collection)
            statements.removeMark.bind(2, text: id)
            try statements.removeMark.run()
        }
        seq += 1
        statements.addLocalChange.bind(1, bits: seq)
        statements.addLocalChange.bind(2, change.at)
        statements.addLocalChange.bind(3, collection)
        statements.addLocalChange.bind(4, change.isArchiving ? "archive" : "unarchive")
        statements.addLocalChange.bind(5, text: id)
        statements.addLocalChange.bind(6, Int64(change.uid))
        try statements.addLocalChange.run()
    }
}
