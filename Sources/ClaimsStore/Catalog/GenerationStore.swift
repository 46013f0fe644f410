// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsSnapshot
import Synchronization

/// The generations of a ``StateStore``: makes the rows of refreshes and rebuilds current, each in one short
/// transaction, and publishes them. Files that change no record are put in by ``FileExchange``.
///
/// A replaced snapshot stays until its last reader releases it.
final class GenerationStore: Sendable {
    private let database: StateDatabase
    private let catalog: CatalogPublisher
    private let joins: JoinCache
    /// The replaced snapshots that may still have readers.
    private let retired: RetiredSnapshots
    /// Puts in the files that are written beside commits.
    let files: FileExchange
    private let settlerBox = Mutex<(any OperationSettler)?>(nil)

    init(_ database: StateDatabase, _ catalog: CatalogPublisher, _ joins: JoinCache) {
        self.database = database
        self.catalog = catalog
        self.joins = joins
        retired = RetiredSnapshots()
        files = FileExchange(database, catalog, retired)
    }

    /// The files that are being written beside commits.
    var pending: PendingFiles { files.pending }

    /// Decides how answers of upstreams change operations; nil: answers change none.
    var settler: (any OperationSettler)? {
        get { settlerBox.withLock { $0 } }
        set { settlerBox.withLock { $0 = newValue } }
    }

    // MARK: - Refreshes

    /// See ``StateStore/commit(_:_:bundleKey:by:logging:)``.
    func commit(
        _ intake: consuming RecordIntake, _ sources: [SourceRow], bundleKey: UInt64 = 0,
        by answer: UpstreamAnswer? = nil, logging refreshes: [RefreshNote] = []
    ) throws(StoreError) {
        var finished = try intake.finish()
        do throws(StoreError) {
            try commit(
                &finished.stage, GenerationCommit(finished.records, sources: sources, bundleKey: bundleKey),
                by: answer, logging: refreshes)
        } catch {
            finished.records.newFile?.removeWhenUnused()
            finished.stage.abandon()
            throw error
        }
    }

    /// See ``StateStore/confirm(_:_:by:logging:)``.
    func confirm(
        _ intake: consuming RecordIntake, _ sources: [SourceRow], by answer: UpstreamAnswer? = nil,
        logging refreshes: [RefreshNote] = []
    ) throws(StoreError) {
        var stage = try intake.confirmed()
        do throws(StoreError) { try confirm(&stage, sources, by: answer, logging: refreshes) } catch {
            stage.abandon()
            throw error
        }
    }

    /// Makes the staged rows current in one short transaction, and serves them. Waits until that is done.
    ///
    /// Throws `.mismatch` if the collection's data or definition has changed since the refresh began; then nothing has
    /// changed.
    func commit(
        _ stage: inout GenerationStage, _ commit: GenerationCommit, by answer: UpstreamAnswer? = nil,
        logging refreshes: [RefreshNote] = []
    ) throws(StoreError) {
        try stage.flush()
        let name = stage.base.name
        let (catalog, joins, pending) = (catalog, joins, pending)
        guard let before = catalog.current()[name],
            commit.records.fit(before.definition, before.condition.row, over: before.committed)
        else { throw Self.mismatch }
        // Looking up the ids of new files and the marks of many archived records takes time, so it is done before the
        // transaction; both almost always stay the same until then.
        let newFile = commit.records.newFile
        let filesBefore = commit.records.isRecent ? pending.numbers(of: stage.base.number) : []
        let prepared = try commit.records.committed(
            over: before.committed, before.definition, pending.sources(of: stage.base.number))
        let preparedArchive = before.archive.rebuilt(over: prepared.files)
        let staged = stage.plan(commit)
        let settlement = Settling(settler, answer, over: prepared, from: before)
        let known = try settlement.staged(stage.target, in: database)
        let old = try database.perform { connection throws(StoreError) in
            guard let view = catalog.current()[name],
                commit.records.fit(view.definition, view.condition.row, over: view.committed)
            else { throw Self.mismatch }
            var plan = staged
            plan.valuesHash = view.definition.valuesHash
            plan.refreshes = refreshes
            let isSame =
                (view.committed?.isSame(as: before.committed) ?? (before.committed == nil))
                && (!commit.records.isRecent || filesBefore == pending.numbers(of: view.condition.row.number))
            let records =
                isSame
                ? prepared
                : try commit.records.committed(
                    over: view.committed, view.definition, pending.sources(of: view.condition.row.number),
                    knowing: prepared.files)
            let archive =
                isSame && view.archive === before.archive ? preparedArchive : view.archive.rebuilt(over: records.files)
            let (row, served) = try connection.transaction(.synced, "commit a generation") {
                connection throws(StoreError) in
                let served = try settlement.serve(
                    view, over: records, archive: archive, joins: joins, plan: &plan, staged: known,
                    connection)
                return (try plan.apply(&connection), served)
            }
            var condition = served.condition
            condition.generationCommitted(
                row, commit.sources, plan.data?.log, endingAt: connection.seq, at: plan.at,
                isWritten: records.files.layers.count == 1 && newFile != nil)
            let next = served.with(condition)
            catalog.publish(next, at: connection.revision)
            return view.committed.map { ($0, next.committed) }
        }
        if let old { retired.add(old.0, keeping: old.1, of: name) }
    }

    /// Keeps the data, because the body changed no record. The body's quarantine and joined values are kept.
    func confirm(
        _ stage: inout GenerationStage, _ sources: [SourceRow], by answer: UpstreamAnswer? = nil,
        logging refreshes: [RefreshNote] = []
    ) throws(StoreError) {
        try stage.flush()
        var planned = stage.plan(sources)
        planned.refreshes = refreshes
        let plan = planned
        let name = stage.base.name
        let (catalog, joins, settler) = (catalog, joins, settler)
        let prepared = catalog.current()[name].map { Settling(settler, answer, over: $0.committed, from: $0) }
        try database.perform { connection throws(StoreError) in
            guard let view = catalog.current()[name] else { throw Self.mismatch }
            let settlement = Settling(prepared, settler, answer, from: view)
            let (row, served) = try connection.transaction(.synced, "commit a refresh") {
                connection throws(StoreError) in
                let row = try plan.apply(&connection)
                return (row, try settlement.serve(view, joins, at: plan.at, &connection))
            }
            let next = served.changing { $0.generationConfirmed(row, sources) }
            catalog.publish(next, at: connection.revision)
        }
    }

    /// See ``StateStore/record(_:of:isConfirmed:by:logging:)``.
    func record(
        _ source: SourceRow, of name: String, isConfirmed: Bool = false, by answer: UpstreamAnswer? = nil,
        logging refresh: RefreshNote? = nil
    ) throws(StoreError) {
        let (catalog, joins, settler) = (catalog, joins, settler)
        let prepared = catalog.current()[name].map { Settling(settler, answer, over: $0.committed, from: $0) }
        try database.perform { connection throws(StoreError) in
            guard let view = catalog.current()[name] else { return }
            let settlement = Settling(prepared, settler, answer, from: view)
            let served = try connection.transaction(.synced, "note a refresh") { connection throws(StoreError) in
                try source.write(connection, collection: view.condition.row.number)
                try refresh?.write(connection.database, collection: view.condition.row.number)
                return try settlement.serve(view, joins, at: source.endedAt ?? source.asOf ?? 0, &connection)
            }
            if served !== view { catalog.publish(written: [served], at: connection.revision) }
            catalog.show(source, of: name, isConfirmed: isConfirmed)
        }
    }

    private static var mismatch: StoreError {
        StoreError(.mismatch, "commit a generation", detail: "the collection has changed meanwhile")
    }

    // MARK: - Snapshots of the stored records

    /// Serves a snapshot that was built of the stored records in place of the earlier or missing one. Rejected records
    /// go to quarantine.
    ///
    /// Throws `.mismatch` if another generation was committed meanwhile.
    func replace(
        _ rebuild: RebuildCommit, _ snapshot: Snapshot, _ definition: Definition
    ) throws(StoreError) {
        let (catalog, joins, retired) = (catalog, joins, retired)
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
                    // The rejected rows stay, so each snapshot begins a new quarantine.
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
                return try Self.view(
                    of: definition, over: snapshot, row, before, at: rebuild.at,
                    joined: joins.table(of: row, definition, connection))
            }
            let revision = connection.revision
            let next = after.changing { condition in
                if let log = rebuild.log { condition.logged(log.plan, endingAt: revision.seq, at: rebuild.at) }
            }
            catalog.publish(next, at: revision)
            if let old = before.committed { retired.add(old, keeping: next.committed, of: base.name) }
        }
    }

    /// The view of a collection with a snapshot that was built of its stored records. It uses the rules of access that
    /// are in force, which may have changed during the build.
    private static func view(
        of definition: Definition, over snapshot: Snapshot, _ row: CollectionRow, _ before: CollectionView,
        at now: Int64, joined: @autoclosure () throws(StoreError) -> JoinTable?
    ) throws(StoreError) -> CollectionView {
        var condition = before.condition
        condition.rebuilt(row, by: definition, at: now)
        // Records that were written here are in the snapshot; operations for an upstream lie over it.
        let committed = CommittedRecords(file: snapshot)
        let entries = OverlayComposer(definition, base: committed).entries(condition.operations)
        let overlay =
            try entries.isEmpty
            ? nil : RecordOverlay.build(entries, over: committed, definition: definition, joined: joined())
        return CollectionView(
            definition: definition.with(before.definition.access), committed: committed,
            archive: before.archive.rebuilt(for: snapshot),
            condition: condition, overlay: overlay)
    }

    /// Removes the bundle that was served: the collection has no data any more. The commit is whole.
    func forgetBundle(_ base: CollectionRow) throws(StoreError) {
        let catalog = catalog
        try database.perform { connection throws(StoreError) in
            let row = try connection.transaction(.synced, "forget a bundle") { connection throws(StoreError) in
                guard var row = try connection.row(base.number), row.isBundle else {
                    throw StoreError(.mismatch, "forget a bundle")
                }
                connection.advance()
                row.fileID = 0
                (row.middle, row.young) = (nil, nil)
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
            catalog.forgetBundle(of: base.name, row, at: connection.revision)
        }
    }

    /// Puts a definition into force for a collection without data, for which no snapshot is built.
    func define(_ definition: Definition) throws(StoreError) {
        let (catalog, joins) = (catalog, joins)
        // This runs on the store's thread, so that no write comes in between.
        try database.perform { connection throws(StoreError) in
            guard let view = catalog.current()[definition.name], !view.condition.row.hasData else {
                // The first data has come meanwhile, in the shape of the old definition.
                throw StoreError(.mismatch, "build a snapshot")
            }
            let entries = OverlayComposer(definition, base: nil).entries(view.condition.operations)
            let overlay =
                try entries.isEmpty
                ? nil
                : RecordOverlay.build(
                    entries, over: nil, definition: definition,
                    joined: joins.table(of: view.condition.row, definition, connection))
            catalog.define(definition, overlay)
        }
    }

    // MARK: - Collections that this host is the truth of

    /// Records that this host is the truth of a collection. Waits until that is on disk.
    func adopt(_ name: String) throws(StoreError) {
        let catalog = catalog
        let operation = "become the truth of \(name)"
        try database.perform { connection throws(StoreError) in
            guard let view = catalog.current()[name] else { throw StoreError(.noCollection, operation, detail: name) }
            // The collection's records become records that were written here.
            let overlay = try view.committed.flatMap { records throws(StoreError) in
                try RecordOverlay.build(
                    records.recentEntries, over: CommittedRecords(records.files), definition: view.definition,
                    joined: nil)
            }
            // No answer of an upstream concerns these records any more.
            var source = view.condition.source
            source.askForAll()
            (source.lastError, source.failures) = (nil, 0)
            (source.due, source.retryAfter) = (nil, nil)
            let row = try connection.transaction(.synced, operation) { connection throws(StoreError) in
                guard var row = try connection.row(view.condition.row.number) else {
                    throw StoreError(.noCollection, operation, detail: name)
                }
                row.isLocal = true
                try row.write(connection)
                try source.write(connection, collection: row.number)
                return row
            }
            catalog.adopt(name, row, source, overlay: overlay)
        }
    }

    /// Makes an upstream the truth of a collection: each record becomes a create that waits for a person.
    func release(_ name: String, maxPending: Int, at now: Int64) throws(StoreError) {
        let catalog = catalog
        let operation = "make an upstream the truth of \(name)"
        let old = try database.perform { connection throws(StoreError) in
            guard let view = catalog.current()[name], view.isReleased else { return CommittedRecords?.none }
            let records = view.servedRecords
            guard records.count <= maxPending else {
                throw StoreError(
                    .tooLarge, operation, detail: "it has \(records.count) records, and \(maxPending) may wait")
            }
            let next = try connection.transaction(.synced, operation) { connection throws(StoreError) in
                guard var row = try connection.row(view.condition.row.number) else {
                    throw StoreError(.noCollection, operation, detail: name)
                }
                try connection.endRecords(of: &row, at: now)
                var commit = OperationCommit(view, by: 0, at: now)
                for record in records {
                    let stored = record.adopted(by: view.definition, at: now, seq: connection.seq)
                    try commit.add(stored, connection)
                }
                return try commit.release(row, &connection)
            }
            catalog.publish(next, at: connection.revision)
            return view.committed
        }
        if let old { retired.add(old, keeping: nil, of: name) }
    }

    // MARK: - Records that are forgotten

    /// Removes records, as one commit, and serves files without them. Waits until the commit is on disk.
    ///
    /// - Parameter files: the files of the plan's view without the records; nil if the view has no files.
    /// - Throws: `.mismatch` if the collection has changed since the view; then nothing has happened.
    func forget(_ plan: ForgetPlan, leaving files: FileStack?) throws(StoreError) -> Revision {
        let (catalog, joins, retired) = (catalog, joins, retired)
        let view = plan.view
        let (name, base) = (view.definition.name, view.condition.row)
        return try database.perform { connection throws(StoreError) in
            let step = ForgetStep(plan: plan, files: files)
            guard let current = catalog.current()[name], step.fits(current) else { throw ForgetStep.mismatch }
            try step.checkWrites(of: current)
            let sources = step.sources(of: current)
            // The new stage invalidates a refresh that has begun on another thread and still has the records.
            _ = connection.beginStage(of: base.number)
            let (row, log) = try connection.transaction(.synced, "forget records") { connection throws(StoreError) in
                guard var row = try connection.row(base.number), row.hasSameFiles(as: base),
                    row.joinBatch == base.joinBatch,
                    row.isLocal || row.generation == base.generation
                else { throw ForgetStep.mismatch }
                step.name(&row)
                try connection.forget(plan.records, of: &row)
                try row.write(connection)
                for source in sources { try source.write(connection, collection: row.number) }
                return (row, try connection.logExtent(of: row))
            }
            joins.drop(row.number)
            var condition = current.condition
            condition.recordsForgotten(plan.records, row, sources, leaving: log, endingAt: connection.seq)
            let committed = try step.committed(current)
            let overlay = try step.overlay(over: committed, of: current, at: row, joins: joins, connection)
            let next = CollectionView(
                definition: current.definition, committed: committed, archive: step.archive(of: current),
                condition: condition, overlay: overlay)
            let revision = connection.revision
            catalog.publish(forgetting: next, at: revision)
            if let old = current.committed { retired.add(old, keeping: committed, of: name) }
            return revision
        }
    }

    /// Removes the files of all snapshots that were replaced in a collection. Readers finish undisturbed.
    func removeRetired(of collection: String) { retired.removeNow(of: collection) }
}

extension CommittedRecords {
    /// The recent records as entries of an overlay.
    fileprivate var recentEntries: [OverlayEntry] {
        guard let recent else { return [] }
        let gone = recent.contents.gone.compactMap { id in
            files.newest(id.rawSpan).map { below in
                OverlayEntry(
                    id: id, upstream: nil, firstSeen: below.firstSeen, changedAt: below.changedAt,
                    stateKey: below.stateKey)
            }
        }
        return gone
            + recent.contents.records.values.map { entry in
                OverlayEntry(
                    id: entry.record.id, upstream: entry.record.upstream, firstSeen: entry.firstSeen,
                    changedAt: entry.changedAt, stateKey: entry.stateKey)
            }
    }
}

/// A snapshot that was built of the stored records, and its commit.
struct RebuildCommit: Sendable {
    /// The collection as it was when the records were read.
    var base: CollectionRow
    var identity: SnapshotIdentity
    /// The values hash of the definition that it was built by.
    var valuesHash: UInt64
    var records: Int
    var rejected: [RejectedRecord]
    /// Milliseconds since 1970.
    var at: Int64
    /// The commit of a new generation and its stage; nil: served values, generation and clock stay the same.
    var log: (plan: CommitPlan.Log, stage: UInt64)?
}
