// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
public import ClaimsModel
import ClaimsSnapshot

/// The operations that were changed, and the revision after the commit.
public struct OperationsUpdate: Sendable {
    public var changed: [Operation]
    public var revision: Revision
}

/// The operations of a ``StateStore``: commits what users submit, and the later changes of the operations.
final class OperationStore: Sendable {
    private let database: StateDatabase
    private let catalog: CatalogPublisher
    private let joins: JoinCache

    init(_ database: StateDatabase, _ catalog: CatalogPublisher, _ joins: JoinCache) {
        self.database = database
        self.catalog = catalog
        self.joins = joins
    }

    /// See ``StateStore/submit(_:completion:)``.
    func submit(
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
                            publish = { catalog.publish(written: [next], at: outcome.revision) }
                        }
                    } catch {
                        // The failed transaction must not be committed.
                        if case .store(let error) = error { throw error }
                        answer = .failure(error)
                    }
                    return { [publish] in
                        publish?()
                        completion(answer)
                    }
                }, fail: { completion(.failure(.store($0))) }))
    }

    /// See ``StateStore/submit(_:with:completion:)``.
    func submit(
        _ submission: Submission, with attachments: AttachmentStore,
        completion: @escaping @Sendable (Result<SubmitOutcome, SubmitRefusal>) -> Void
    ) {
        let uploads = submission.uploads
        guard !uploads.isEmpty else { return submit(submission, completion: completion) }
        var claimed = submission
        do throws(AttachmentError) {
            // A preview does not claim the uploads.
            let find =
                submission.isDryRun ? attachments.files(of:uid:collection:) : attachments.claim(_:uid:collection:)
            claimed.files = try find(uploads, submission.uid, submission.collection)
        } catch {
            return refuse(submission, completion: completion)
        }
        if submission.isDryRun { return submit(claimed, completion: completion) }
        submit(claimed) { result in
            if case .success(let outcome) = result, outcome.hasCommitted {
                attachments.consume(uploads)
            } else {
                attachments.release(uploads)
            }
            completion(result)
        }
    }

    /// Refuses a submission with an unusable upload, and reports its other problems too.
    ///
    /// A known operation is answered nevertheless: its uploads ended when it was first submitted.
    private func refuse(
        _ submission: Submission, completion: @escaping @Sendable (Result<SubmitOutcome, SubmitRefusal>) -> Void
    ) {
        let whole = catalog.current()[submission.collection]?.definition
        let definition = whole.map { submission.sight($0).definition($0) }
        let index = definition?.writes?.attachments?.field
        let field = index.flatMap { definition?.fields[$0].name } ?? "attachments"
        var trial = submission
        trial.isDryRun = true
        submit(trial) { result in
            switch result {
            case .success(let outcome) where outcome.isRepeated: completion(result)
            case .failure(.noCollection), .failure(.notOffered), .failure(.knownOperation), .failure(.store):
                completion(result)
            case .failure(.invalid(let problems)):
                // The number of files is unknown without the upload.
                let others = problems.filter { $0.field != field || $0.kind != .count }
                completion(.failure(.invalid(others + [Self.unusableUpload(field)])))
            default: completion(.failure(.invalid([Self.unusableUpload(field)])))
            }
        }
    }

    private static func unusableUpload(_ field: String) -> FieldProblem {
        FieldProblem(
            field, .unknown,
            TranslatedText(
                en: "there is no such upload, or it is not whole",
                pl: "nie ma takiego przesłanego pliku lub nie jest cały"),
            hint: TranslatedText(
                en: "an upload ends with its connection until it is whole, when it is submitted, and after an hour",
                pl: "niedokończone przesyłanie kończy się wraz z połączeniem, a każde po użyciu pliku i po godzinie"))
    }

    /// See ``StateStore/updateOperations(by:at:_:completion:)``.
    func update(
        by uid: UInt32? = nil, at now: Int64, comparedBy settler: (any OperationSettler)?,
        _ change: @escaping @Sendable ([Operation]) -> [Operation],
        completion: @escaping @Sendable (Result<OperationsUpdate, StoreError>) -> Void
    ) {
        let (catalog, joins) = (catalog, joins)
        database.local(
            StateQueue.LocalJob(
                isAlone: true,
                apply: { connection throws(StoreError) in
                    let views = catalog.current().views.filter { !$0.condition.operations.isEmpty }
                    let all = views.flatMap { $0.condition.operations.map(\.operation) }
                    var changed = change(all.sorted { $0.number < $1.number })
                    let attempt = changed.map(\.delivery.lastNumber).max() ?? 0
                    if attempt > (try connection.statements.meta(AttemptMark.key)) {
                        try connection.statements.setMeta(AttemptMark.key, attempt)
                    }
                    var next: [CollectionView] = []
                    for view in views {
                        var own = changed.filter { $0.collection == view.definition.name }
                        guard let first = own.first else { continue }
                        own = try Settling.compare(own, with: view, by: settler, at: now, connection)
                        changed = changed.map { operation in own.first { $0.id == operation.id } ?? operation }
                        var commit = OperationCommit(view, by: uid ?? first.submittedBy, at: now)
                        try commit.apply(own, connection)
                        next.append(try commit.finish(joined: joins.table(of: view, connection), &connection))
                    }
                    let update = OperationsUpdate(
                        changed: changed, revision: connection.revision)
                    return { [next] in
                        if !next.isEmpty { catalog.publish(written: next, at: update.revision) }
                        completion(.success(update))
                    }
                }, fail: { completion(.failure($0)) }))
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
        guard let view = current[submission.collection], submission.sight(view.definition).seesCollection else {
            throw .noCollection
        }
        var check = SubmissionCheck(submission: submission, view: view, catalog: current)
        // A definition may be in force only in part, because operations or records prevent the rest.
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
            revision: connection.revision, write: prepared.write,
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
        condition.recordWritten(row, log, endingAt: connection.seq, at: now)
        return CollectionView(
            definition: view.definition, committed: view.committed, archive: view.archive, condition: condition,
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
            // Counting reads all operations that are kept, so it is done only for deletes.
            let isDelete = operation.action == .delete
            let recent = isDelete ? try connection.countDeletes(in: view.condition.row, since: admit.start) : 0
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
    /// The values that the operation keeps: the given ones, and the ones before.
    fileprivate func values(in view: CollectionView, _ submission: Submission) -> OperationValues {
        var values = write.values(in: view.definition)
        values.files = submission.files
        let basis = view.basis(of: write, on: id)
        values.before = basis.before
        values.wasInSnapshot = basis.isInSnapshot
        return values
    }
}

extension CollectionView {
    /// The overlay with one more entry, which replaces the entry of the same id.
    fileprivate func overlay(adding entry: OverlayEntry) throws(StoreError) -> RecordOverlay? {
        // A record that came and went within the overlay needs no entry.
        let isNothing = entry.upstream == nil && committed?.row(forID: entry.id.rawSpan) == nil
        guard let overlay else {
            return try isNothing
                ? nil : RecordOverlay.build([entry], over: committed, definition: definition, joined: nil)
        }
        return try overlay.applying(
            isNothing ? [] : [entry], removing: isNothing ? [entry.id] : [], over: committed, definition: definition,
            joined: nil)
    }
}

extension SubmitOutcome {
    /// Whether a commit has the files: false if nothing changed.
    fileprivate var hasCommitted: Bool { isRepeated || state != .done || !changed.isEmpty }
}
