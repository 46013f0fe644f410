// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsSnapshot
import Synchronization

extension StateStore {
    /// Makes the records that an intake has read the current generation, and serves them. Waits until the commit is on disk.
    ///
    /// The commit is one short transaction. After an error nothing has changed, and the intake's rows and file are deleted;
    /// the caller may begin a new refresh.
    ///
    /// - Throws: `.mismatch` where the collection's data or definition has changed since the refresh began.
    ///
    /// - Parameters:
    ///   - sources: the states of the sources whose answers were read.
    ///   - answer: the answer of an upstream that operations are settled by; nil for a bundle.
    public func commit(
        _ intake: consuming RecordIntake, _ sources: [SourceRow], bundleKey: UInt64 = 0,
        by answer: UpstreamAnswer? = nil, logging refreshes: [RefreshNote] = []
    ) throws(StoreError) {
        var finished = try intake.finish()
        do throws(StoreError) {
            try commit(
                &finished.stage,
                GenerationCommit(snapshot: finished.snapshot, sources: sources, bundleKey: bundleKey), by: answer,
                logging: refreshes)
        } catch {
            finished.snapshot.removeWhenUnused()
            finished.stage.abandon()
            throw error
        }
    }

    /// Keeps the current generation, because an intake has read the same records. Waits until the commit is on disk.
    ///
    /// The intake's quarantine and joined values replace the earlier ones.
    public func confirm(
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
    /// Throws `.mismatch` where the collection's data or definition has changed since the refresh began; nothing has
    /// been changed then.
    func commit(
        _ stage: inout GenerationStage, _ commit: GenerationCommit, by answer: UpstreamAnswer? = nil,
        logging refreshes: [RefreshNote] = []
    ) throws(StoreError) {
        try stage.flush()
        let name = stage.base.name
        let (catalog, joins) = (catalog, joins)
        guard let before = catalog.current()[name] else { throw Self.mismatch }
        // Looking up the marks of many archived records takes time; almost always they stay as they are meanwhile.
        let prepared = before.archive.rebuilt(for: commit.snapshot)
        let staged = stage.plan(commit)
        let settlement = Settling(settler, answer, over: commit.snapshot, from: before)
        let known = try settlement.staged(stage.target, in: database)
        let old = try database.perform { connection throws(StoreError) in
            guard let view = catalog.current()[name],
                view.definition.shapeHash == commit.snapshot.identity.definitionHash
            else { throw Self.mismatch }
            var plan = staged
            plan.valuesHash = view.definition.valuesHash
            plan.refreshes = refreshes
            let archive = view.archive === before.archive ? prepared : view.archive.rebuilt(for: commit.snapshot)
            let (row, served) = try connection.transaction(.synced, "commit a generation") {
                connection throws(StoreError) in
                let served = try settlement.serve(
                    view, over: commit.snapshot, archive: archive, joins: joins, plan: &plan, staged: known,
                    connection)
                return (try plan.apply(&connection), served)
            }
            var condition = served.condition
            condition.row = row
            if let log = plan.data?.log { condition.add(log, endingAt: connection.seq, at: plan.at) }
            condition.put(commit.sources)
            condition.isConfirmed = !row.isBundle
            condition.isVerified = true
            condition.problem = nil
            let next = served.with(condition)
            let revision = Revision(epoch: connection.epoch, seq: connection.seq)
            catalog.update { $0.replacing(name, revision: revision) { _ in next } }
            return view.snapshot
        }
        retired.add(old, of: name)
    }

    /// Keeps the data as it is: the body said nothing new of any record. What it said of quarantine and join is kept.
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
        let prepared = catalog.current()[name].map { Settling(settler, answer, over: $0.snapshot, from: $0) }
        try database.perform { connection throws(StoreError) in
            guard let view = catalog.current()[name] else { throw Self.mismatch }
            let settlement = Settling(prepared, settler, answer, from: view)
            let (row, served) = try connection.transaction(.synced, "commit a refresh") {
                connection throws(StoreError) in
                let row = try plan.apply(&connection)
                return (row, try settlement.serve(view, joins, at: plan.at, &connection))
            }
            var condition = served.condition
            condition.row = row
            condition.put(sources)
            condition.isConfirmed = true
            let next = served.with(condition)
            let revision = Revision(epoch: connection.epoch, seq: connection.seq)
            catalog.update { $0.replacing(name, revision: revision) { _ in next } }
        }
    }

    /// Commits and publishes the source state after a refresh that brought no body. Waits until the commit is on disk.
    ///
    /// - Parameter answer: the answer that says that nothing has changed; nil: there was none.
    public func note(
        _ source: SourceRow, of name: String, isConfirmed: Bool = false, by answer: UpstreamAnswer? = nil,
        logging refresh: RefreshNote? = nil
    ) throws(StoreError) {
        let (catalog, joins, settler) = (catalog, joins, settler)
        let prepared = catalog.current()[name].map { Settling(settler, answer, over: $0.snapshot, from: $0) }
        try database.perform { connection throws(StoreError) in
            guard let view = catalog.current()[name] else { return }
            let settlement = Settling(prepared, settler, answer, from: view)
            let served = try connection.transaction(.synced, "note a refresh") { connection throws(StoreError) in
                try source.write(connection, collection: view.condition.row.number)
                try refresh?.write(connection.database, collection: view.condition.row.number)
                return try settlement.serve(view, joins, at: source.endedAt ?? source.asOf ?? 0, &connection)
            }
            if served !== view {
                let revision = Revision(epoch: connection.epoch, seq: connection.seq)
                catalog.update { $0.replacing(name, revision: revision) { served.written(over: $0) } }
            }
            Self.show(source, of: name, isConfirmed: isConfirmed, in: catalog)
        }
    }

    /// Publishes the state of a source without committing it, for use while the disk is full.
    public func show(_ source: SourceRow, of name: String) {
        Self.show(source, of: name, isConfirmed: false, in: catalog)
    }

    /// Moves the due time of a source to `due`, in milliseconds since 1970, because another interval is in force.
    ///
    /// Does nothing where a refresh has replaced `known` meanwhile. A due time that cannot be committed is published all the
    /// same, because the next start computes it again.
    public func reschedule(_ name: String, from known: SourceRow, due: Int64) {
        var source = known
        source.due = due
        let (catalog, rescheduled) = (catalog, source)
        do throws(StoreError) {
            try database.perform { connection throws(StoreError) in
                guard let view = catalog.current()[name], view.condition.source(of: known.site) == known else { return }
                try connection.transaction(.synced, "reschedule a refresh") { connection throws(StoreError) in
                    try rescheduled.write(connection, collection: view.condition.row.number)
                }
                Self.show(rescheduled, of: name, isConfirmed: false, in: catalog)
            }
        } catch {
            catalog.update {
                $0.replacing(name) { view in
                    guard view.condition.source(of: known.site) == known else { return view }
                    var condition = view.condition
                    condition.put([rescheduled])
                    return view.with(condition)
                }
            }
        }
    }

    private static var mismatch: StoreError {
        StoreError(.mismatch, "commit a generation", detail: "the collection has changed meanwhile")
    }

    private static func show(
        _ source: SourceRow, of name: String, isConfirmed: Bool, in catalog: CatalogPublisher
    ) {
        catalog.update {
            $0.replacing(name) { view in
                var condition = view.condition
                condition.put([source])
                if isConfirmed { condition.isConfirmed = true }
                return view.with(condition)
            }
        }
    }
}

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

/// The snapshots that were replaced, as long as somebody reads them: a reader keeps their files until it is done.
final class RetiredSnapshots: Sendable {
    private struct Entry {
        weak var snapshot: Snapshot?
    }

    private let entries = Mutex<[String: [Entry]]>([:])

    /// Has a replaced snapshot removed once nobody reads it.
    func add(_ snapshot: Snapshot?, of collection: String) {
        guard let snapshot else { return }
        snapshot.removeWhenUnused()
        entries.withLock { entries in
            var list = entries[collection] ?? []
            list.removeAll { $0.snapshot == nil }
            list.append(Entry(snapshot: snapshot))
            entries[collection] = list
        }
    }

    /// Removes the files of all that were replaced in a collection. Readers finish undisturbed.
    func removeNow(of collection: String) {
        let list = entries.withLock { $0.removeValue(forKey: collection) } ?? []
        for entry in list { entry.snapshot?.removeNow() }
    }
}
