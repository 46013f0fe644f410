// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsSnapshot

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
