// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsSnapshot

extension StateStore {
    /// Checks a write against what is served at its commit, and commits it.
    ///
    /// The change waits for at most one chunk of a refresh. `completion` is called on the store's thread once the change is
    /// on disk and in the catalog, or once it is refused.
    public func submit(
        _ submission: Submission, completion: @escaping @Sendable (Result<SubmitOutcome, SubmitRefusal>) -> Void
    ) {
        let (catalog, joins) = (catalog, joins)
        database.local(
            StateQueue.LocalJob(
                isAlone: true,
                apply: { connection throws(StoreError) in
                    let answer: Result<SubmitOutcome, SubmitRefusal>
                    var publish: (@Sendable () -> Void)?
                    do throws(SubmitRefusal) {
                        let step = SubmissionStep(submission: submission, catalog: catalog, joins: joins)
                        let (outcome, next) = try step.run(&connection)
                        answer = .success(outcome)
                        if let next {
                            publish = {
                                catalog.update {
                                    $0.replacing(submission.collection, revision: outcome.revision) { current in
                                        next.written(over: current)
                                    }
                                }
                            }
                        }
                    } catch {
                        // The transaction that failed must not be committed.
                        if case .store(let error) = error { throw error }
                        answer = .failure(error)
                    }
                    return { [publish] in
                        publish?()
                        completion(answer)
                    }
                }, fail: { completion(.failure(.store($0))) }))
    }
}

/// One submission within its transaction.
private struct SubmissionStep {
    let submission: Submission
    let catalog: CatalogPublisher
    let joins: JoinCache

    /// - Returns: the outcome, and the view to publish after the commit; nil: nothing changes.
    func run(_ connection: inout StateConnection) throws(SubmitRefusal) -> (SubmitOutcome, CollectionView?) {
        let current = catalog.current()
        guard let view = current[submission.collection] else { throw .noCollection }
        var check = SubmissionCheck(submission: submission, view: view, catalog: current)
        // A definition that is not in force as a whole, because operations or records stand in the way.
        guard view.definition.isLocal == view.condition.row.isLocal else { throw .notOffered([]) }
        let action = try check.offered()
        if let known = try Self.storing({ () throws(StoreError) in try connection.operation(submission.op) }) {
            return (try repeated(known, connection.epoch), nil)
        }
        check.joined = try Self.storing { () throws(StoreError) in try joins.table(of: view, connection) }
        let prepared = try check.prepare(action)
        try requireRoom(view)
        var outcome = SubmitOutcome(
            op: submission.op, id: prepared.id, action: submission.action, state: .done, changed: prepared.changed,
            record: prepared.isSame ? prepared.before?.document : prepared.document,
            revision: Revision(epoch: connection.epoch, seq: connection.seq), write: prepared.write,
            base: prepared.before?.upstream)
        if !view.definition.isLocal, !prepared.isSame { outcome.state = .queued }
        if prepared.isSame || submission.isDryRun { return (outcome, nil) }
        let next = try Self.storing { () throws(StoreError) in
            view.definition.isLocal
                ? try commit(prepared, view, &connection) : try queue(prepared, view, joined: check.joined, &connection)
        }
        outcome.revision.seq = connection.seq
        if let queued = next.condition.operations.last?.operation, queued.id == submission.op {
            outcome.state = queued.state
            outcome.record = next.served(prepared.id).map { ServedComparison.document($0, in: next) }
        }
        return (outcome, next)
    }

    private func repeated(_ known: StoredOperation, _ epoch: UInt64) throws(SubmitRefusal) -> SubmitOutcome {
        let operation = known.operation
        guard operation.submittedBy == submission.uid, submission.repeats(known) else {
            throw .knownOperation
        }
        return SubmitOutcome(
            op: operation.id, id: Array(operation.record.utf8), action: operation.action, state: operation.state,
            changed: known.changed, revision: Revision(epoch: epoch, seq: known.seq), isRepeated: true)
    }

    private func requireRoom(_ view: CollectionView) throws(SubmitRefusal) {
        guard let overlay = view.overlay else { return }
        let count = max(overlay.count, view.condition.operations.count)
        let isFull = count >= submission.limits.pending || overlay.objectBytes >= submission.limits.pendingBytes
        if isFull { throw view.definition.isLocal ? .busy : .full }
    }

    /// Commits a write that this host is the truth of, and makes the view that shows it.
    private func commit(
        _ prepared: PreparedWrite, _ view: CollectionView, _ connection: inout StateConnection
    ) throws(StoreError) -> CollectionView {
        let now = submission.calendar.now
        let firstSeen = prepared.before?.firstSeen ?? now
        let (row, key, log) = try connection.apply(
            LocalWrite(
                id: prepared.id, upstream: prepared.upstream, firstSeen: firstSeen, at: now, uid: submission.uid,
                endedKey: prepared.before?.stateKey, logged: prepared.logged, values: prepared.values,
                maxValueBytes: submission.limits.historyBytes),
            to: view.condition.row)
        var stored = StoredOperation(
            Operation(
                submission.op, submission.action, on: String(decoding: prepared.id, as: UTF8.self),
                of: submission.collection, state: .done, submittedAt: now, submittedBy: submission.uid),
            content: submission.content, uploads: submission.uploadContent, seq: connection.seq,
            changed: prepared.changed, settledAt: now)
        try connection.add(&stored, to: row)
        let entry = OverlayEntry(
            id: prepared.id, upstream: prepared.upstream, firstSeen: firstSeen, changedAt: now, stateKey: key)
        var condition = view.condition
        condition.row = row
        condition.add(log, endingAt: connection.seq, at: now)
        return CollectionView(
            definition: view.definition, snapshot: view.snapshot, archive: view.archive, condition: condition,
            overlay: try view.overlay(adding: entry))
    }

    /// Commits a write that waits for the upstream, and makes the view that shows it.
    private func queue(
        _ prepared: PreparedWrite, _ view: CollectionView, joined: JoinTable?, _ connection: inout StateConnection
    ) throws(StoreError) -> CollectionView {
        let now = submission.calendar.now
        var operation = Operation(
            submission.op, submission.action, on: String(decoding: prepared.id, as: UTF8.self),
            of: submission.collection, submittedAt: now, submittedBy: submission.uid)
        operation.values = prepared.values(in: view, submission)
        operation.delivery.waitsFor =
            prepared.write.references(in: view.definition).lazy.compactMap { reference in
                catalog.current()[reference.collection]?.condition.operations.first { stored in
                    stored.operation.action == .create && stored.operation.record == reference.id
                }?.operation.id
            }.first
        if let admit = submission.admit {
            let recent = try connection.countDeletes(in: view.condition.row, since: admit.start)
            operation = admit.decide(operation, recent)
        }
        var commit = OperationCommit(view, by: submission.uid, at: now)
        try commit.add(
            StoredOperation(
                operation, content: submission.content, uploads: submission.uploadContent, seq: connection.seq + 1,
                changed: prepared.changed),
            connection)
        return try commit.finish(joined: joined, &connection)
    }

    private static func storing<Answer>(
        _ body: () throws(StoreError) -> Answer
    ) throws(SubmitRefusal) -> Answer {
        do throws(StoreError) { return try body() } catch { throw .store(error) }
    }
}

extension PreparedWrite {
    /// The values that the operation keeps: what it gives, and what stood there before.
    fileprivate func values(in view: CollectionView, _ submission: Submission) -> OperationValues {
        var values = write.values(in: view.definition)
        values.files = submission.files
        let basis = view.basis(of: write, on: id)
        values.before = basis.before
        values.wasInSnapshot = basis.isInSnapshot
        return values
    }
}

extension StateConnection {
    /// The number of deletes of a collection that were submitted since a time and that no guard held.
    fileprivate func countDeletes(in row: CollectionRow, since start: Int64) throws(StoreError) -> Int {
        let count = try database.prepare(
            """
            SELECT count(*) FROM operation WHERE collection = ?1 AND action = 'delete' AND submitted_at >= ?2
                AND NOT (state = 'held' AND detail LIKE '%"reason":"guard"%')
            """, "count deletes")
        try count.bind(parameters: [row.number, start])
        return try count.step() ? count.count(0) : 0
    }
}

extension CollectionView {
    /// The overlay with one more entry, which replaces that of its id.
    fileprivate func overlay(adding entry: OverlayEntry) throws(StoreError) -> RecordOverlay? {
        // A record that came and went within the overlay leaves nothing to hide.
        let isNothing = entry.upstream == nil && snapshot?.row(forID: entry.id.rawSpan) == nil
        guard let overlay else {
            return try isNothing
                ? nil : RecordOverlay.build([entry], over: snapshot, definition: definition, joined: nil)
        }
        return try overlay.applying(
            isNothing ? [] : [entry], removing: isNothing ? [entry.id] : [], over: snapshot, definition: definition,
            joined: nil)
    }
}
