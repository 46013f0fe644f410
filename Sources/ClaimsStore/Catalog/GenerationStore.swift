// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsSnapshot
import Synchronization

/// The generations of a ``StateStore``: makes what refreshes, rebuilds and folds have written current, each in one short
/// transaction, and publishes it.
///
/// Every commit that replaces a collection's snapshot is here. What it replaced stays until the last reader lets go.
final class GenerationStore: Sendable {
    private let database: StateDatabase
    private let catalog: CatalogPublisher
    private let joins: JoinCache
    /// The replaced snapshots that somebody may still read.
    private let retired = RetiredSnapshots()
    /// The files that are being made beside commits.
    let pending = PendingFiles()
    private let settlerBox = Mutex<(any OperationSettler)?>(nil)

    init(_ database: StateDatabase, _ catalog: CatalogPublisher, _ joins: JoinCache) {
        self.database = database
        self.catalog = catalog
        self.joins = joins
    }

    /// Decides what answers of upstreams make of operations; nil: nothing changes them.
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
    /// Throws `.mismatch` where the collection's data or definition has changed since the refresh began; nothing has
    /// been changed then.
    func commit(
        _ stage: inout GenerationStage, _ commit: GenerationCommit, by answer: UpstreamAnswer? = nil,
        logging refreshes: [RefreshNote] = []
    ) throws(StoreError) {
        try stage.flush()
        let name = stage.base.name
        let (catalog, joins, pending) = (catalog, joins, pending)
        guard let before = catalog.current()[name], commit.records.fit(before) else { throw Self.mismatch }
        // Looking up the ids of new files and the marks of many archived records takes time; almost always both stay as
        // they are meanwhile.
        let newFile = commit.records.newFile
        let filesBefore = pending.numbers(of: stage.base.number)
        let prepared = try commit.records.committed(
            over: before.committed, before.definition, pending.sources(of: stage.base.number))
        let preparedArchive = before.archive.rebuilt(over: prepared.files)
        let staged = stage.plan(commit)
        let settlement = Settling(settler, answer, over: prepared, from: before)
        let known = try settlement.staged(stage.target, in: database)
        let old = try database.perform { connection throws(StoreError) in
            guard let view = catalog.current()[name], commit.records.fit(view) else { throw Self.mismatch }
            var plan = staged
            plan.valuesHash = view.definition.valuesHash
            plan.refreshes = refreshes
            let isSame =
                (view.committed?.isSame(as: before.committed) ?? (before.committed == nil))
                && filesBefore == pending.numbers(of: view.condition.row.number)
            let records =
                isSame
                ? prepared
                : try commit.records.committed(
                    over: view.committed, view.definition, pending.sources(of: view.condition.row.number))
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
            condition.row = row
            if let log = plan.data?.log { condition.add(log, endingAt: connection.seq, at: plan.at) }
            condition.put(commit.sources)
            condition.isConfirmed = !row.isBundle
            if records.files.layers.count == 1, newFile != nil { condition.isVerified = true }
            condition.problem = nil
            let next = served.with(condition)
            let revision = connection.revision
            catalog.update { $0.replacing(name, revision: revision) { _ in next } }
            return view.committed.map { ($0, next.committed) }
        }
        if let old { retired.add(old.0, keeping: old.1, of: name) }
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
        let prepared = catalog.current()[name].map { Settling(settler, answer, over: $0.committed, from: $0) }
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
            let revision = connection.revision
            catalog.update { $0.replacing(name, revision: revision) { _ in next } }
        }
    }

    /// See ``StateStore/note(_:of:isConfirmed:by:logging:)``.
    func note(
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
            if served !== view {
                let revision = connection.revision
                catalog.update { $0.replacing(name, revision: revision) { served.written(over: $0) } }
            }
            catalog.show(source, of: name, isConfirmed: isConfirmed)
        }
    }

    private static var mismatch: StoreError {
        StoreError(.mismatch, "commit a generation", detail: "the collection has changed meanwhile")
    }

    // MARK: - Snapshots of the stored records

    /// Puts a snapshot that was built of the stored records in the place of the one there was, or should have been.
    /// Rejected records go to quarantine.
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
                return try Self.view(
                    of: definition, over: snapshot, row, before, at: rebuild.at,
                    joined: joins.table(of: row, definition, connection))
            }
            let revision = connection.revision
            var condition = after.condition
            if let log = rebuild.log { condition.add(log.plan, endingAt: revision.seq, at: rebuild.at) }
            let next = after.with(condition)
            catalog.update { $0.replacing(base.name, revision: revision) { _ in next } }
            if let old = before.committed { retired.add(old, keeping: next.committed, of: base.name) }
        }
    }

    /// The view of a collection with a snapshot that was built of its stored records.
    private static func view(
        of definition: Definition, over snapshot: Snapshot, _ row: CollectionRow, _ before: CollectionView,
        at now: Int64, joined: @autoclosure () throws(StoreError) -> JoinTable?
    ) throws(StoreError) -> CollectionView {
        var condition = before.condition
        condition.row = row
        condition.isVerified = true
        condition.problem = nil
        condition.lostFile = nil
        condition.unconfiguredSince = definition.source.isConfigured ? nil : condition.unconfiguredSince ?? now
        // Records that were written here are in the snapshot; operations for an upstream lie over it.
        let committed = CommittedRecords(file: snapshot)
        let entries = OverlayComposer(definition, base: committed).entries(condition.operations)
        let overlay =
            try entries.isEmpty
            ? nil : RecordOverlay.build(entries, over: committed, definition: definition, joined: joined())
        return CollectionView(
            definition: definition, committed: committed, archive: before.archive.rebuilt(for: snapshot),
            condition: condition, overlay: overlay)
    }

    /// Forgets the bundle that was served: the collection has no data any more, which is a whole commit.
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
            let revision = connection.revision
            catalog.update {
                $0.replacing(base.name, revision: revision) { view in
                    var condition = view.condition
                    condition.row = row
                    condition.changedSeq = revision.seq
                    condition.log = LogExtent()
                    return CollectionView(
                        definition: view.definition, committed: nil, archive: view.archive.rebuilt(for: nil),
                        condition: condition, overlay: view.overlay?.rebuilt(for: nil))
                }
            }
        }
    }

    /// Puts a definition into force for a collection without data, which has no snapshot to build.
    func define(_ definition: Definition) throws(StoreError) {
        let (catalog, joins) = (catalog, joins)
        // On the store's thread, so that no write comes in between.
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
            catalog.update {
                $0.replacing(definition.name) { current in
                    CollectionView(
                        definition: definition, committed: nil, archive: current.archive, condition: current.condition,
                        overlay: overlay)
                }
            }
        }
    }

    // MARK: - Collections that this host is the truth of

    /// Notes that this host is the truth of a collection. Waits until that is on disk.
    func adopt(_ name: String) throws(StoreError) {
        let catalog = catalog
        let operation = "become the truth of \(name)"
        try database.perform { connection throws(StoreError) in
            guard let view = catalog.current()[name] else { throw StoreError(.noCollection, operation, detail: name) }
            // From now on they are what was written here.
            let overlay = try view.committed.flatMap { records throws(StoreError) in
                try RecordOverlay.build(
                    records.recentEntries, over: CommittedRecords(records.files), definition: view.definition,
                    joined: nil)
            }
            let row = try connection.transaction(.synced, operation) { connection throws(StoreError) in
                guard var row = try connection.row(view.condition.row.number) else {
                    throw StoreError(.noCollection, operation, detail: name)
                }
                row.isLocal = true
                try row.write(connection)
                return row
            }
            catalog.update {
                $0.replacing(name) { view in
                    var condition = view.condition
                    condition.row = row
                    guard let overlay else { return view.with(condition) }
                    return CollectionView(
                        definition: view.definition, committed: view.committed.map { CommittedRecords($0.files) },
                        archive: view.archive, condition: condition, overlay: overlay)
                }
            }
        }
    }

    /// Serves a new file of a collection that this host is the truth of. It holds what was served before; over it lies what
    /// was written since.
    func fold(_ part: FileStack.Part, of view: CollectionView) throws(StoreError) {
        let catalog = catalog
        let (name, base) = (view.definition.name, view.condition.row)
        let operation = "fold what was written to \(name)"
        let prepared = try view.committed.map { committed throws(StoreError) in
            let files = committed.files.replacing(with: part)
            return (files, view.archive.rebuilt(over: files))
        }
        guard let (files, preparedArchive) = prepared else { throw StoreError(.mismatch, operation) }
        let (old, new) = try database.perform { connection throws(StoreError) in
            guard let current = catalog.current()[name], current.condition.row.isLocal,
                let old = current.committed, old.isSame(as: view.committed),
                current.definition.valuesHash == view.definition.valuesHash
            else { throw StoreError(.mismatch, operation, detail: "the collection has changed meanwhile") }
            let newer = current.entries(since: view)
            let committed = CommittedRecords(files)
            let overlay = try RecordOverlay.build(
                newer, over: committed, definition: current.definition, joined: nil)
            let row = try connection.transaction(.synced, operation) { connection throws(StoreError) in
                guard var row = try connection.row(base.number), row.hasSameFiles(as: base) else {
                    throw StoreError(.mismatch, operation, detail: "the collection has changed meanwhile")
                }
                row.put(NewFile(part), at: base)
                try row.write(connection)
                return row
            }
            let archive = current.archive === view.archive ? preparedArchive : current.archive.rebuilt(over: files)
            let next = CollectionView(
                definition: current.definition, committed: committed, archive: archive, condition: current.condition,
                overlay: overlay)
            catalog.update {
                $0.replacing(name) { current in
                    var condition = current.condition
                    condition.row = row
                    if part.role == .base { condition.isVerified = true }
                    condition.lostFile = nil
                    return next.with(condition)
                }
            }
            return (old, committed)
        }
        retired.add(old, keeping: new, of: name)
    }

    // MARK: - Files beside commits

    /// Begins a file that is made beside commits, of what is committed when this returns.
    ///
    /// - Parameter sources: gives the state that the file will hold, and the records that it is made of; nil: none is due.
    /// - Returns: the view, and the number to end the file by; nil where none is due.
    func begin(
        _ name: String, _ sources: @escaping @Sendable (CollectionView) -> (StackMark, CommittedRecords)?
    ) throws(StoreError) -> (view: CollectionView, number: UInt64)? {
        let (catalog, pending) = (catalog, pending)
        // On the store's thread, so that no commit comes in between.
        return try database.perform { _ throws(StoreError) in
            guard let view = catalog.current()[name], let (mark, records) = sources(view) else { return nil }
            return (view, pending.begin(view.condition.row.number, mark, of: records))
        }
    }

    /// Serves a new file with what lay over the files of a view. Clock and answers stay.
    ///
    /// - Throws: `.mismatch` where it does not fit any more; nothing has changed then.
    func put(_ part: FileStack.Part, of view: CollectionView) throws(StoreError) {
        try exchange(of: view, "put a file of \(view.definition.name) in") { current, known, row in
            let files = current.files
            guard files.fits(part), part.snapshot.identity.generation >= files.layers[files.layers.count - 1].to else {
                return nil
            }
            row.put(NewFile(part), at: view.condition.row)
            var contents = current.recent?.contents ?? RecentRecords.Contents()
            if let taken = view.committed?.recent?.contents { contents = contents.newer(than: taken) }
            return (files.replacing(with: part, knowing: known), contents)
        }
    }

    /// Serves a new base, which has the records of the base and the middle file of a view.
    ///
    /// - Throws: `.mismatch` where it does not fit any more; nothing has changed then.
    func merge(_ base: Snapshot, of view: CollectionView) throws(StoreError) {
        try exchange(of: view, "merge the files of \(view.definition.name)") { current, known, row in
            let files = current.files
            guard files.base === view.committed?.files.base, let key = view.condition.row.middle?.key else {
                return nil
            }
            row.setBase(base.identity, key: key)
            if let middle = row.middle, middle.generation <= base.identity.generation { row.middle = nil }
            return (files.replacing(base: base, knowing: known), current.recent?.contents ?? RecentRecords.Contents())
        }
    }

    /// Serves a new file in the place of those that cannot be read.
    ///
    /// - Throws: `.mismatch` where more was committed meanwhile; nothing has changed then.
    func replaceLost(_ part: FileStack.Part, _ lost: LostFiles) throws(StoreError) {
        let catalog = catalog
        let (name, operation) = (lost.view.definition.name, "make a file anew")
        let files = lost.committed.files.replacing(with: part)
        let committed = CommittedRecords(files)
        let archive = lost.view.archive.rebuilt(over: files)
        let old = try database.perform { connection throws(StoreError) in
            guard let current = catalog.current()[name], let old = current.committed,
                old.isSame(as: lost.view.committed),
                current.definition.valuesHash == lost.view.definition.valuesHash,
                current.condition.row.isLocal == lost.row.isLocal
            else { throw StoreError(.mismatch, operation) }
            let row = try connection.transaction(.synced, operation) { connection throws(StoreError) in
                guard var row = try connection.row(lost.row.number), row.hasSameFiles(as: lost.row),
                    row.generation == lost.row.generation, row.nextKey == lost.row.nextKey
                else { throw StoreError(.mismatch, operation) }
                row.put(NewFile(part), at: row)
                if part.role == .young, files[.middle] == nil { row.middle = nil }
                try row.write(connection)
                return row
            }
            let next = CollectionView(
                definition: current.definition, committed: committed,
                archive: current.archive === lost.view.archive ? archive : current.archive.rebuilt(over: files),
                condition: current.condition,
                overlay: row.isLocal ? nil : current.overlay?.rebuilt(for: committed))
            catalog.update {
                $0.replacing(name) { current in
                    var condition = current.condition
                    condition.row = row
                    condition.lostFile = nil
                    return next.with(condition)
                }
            }
            return old
        }
        retired.add(old, keeping: committed, of: name)
    }

    /// Puts other files in the place of those of a collection, with the same records.
    ///
    /// - Parameter change: gets the records as they are, files that may be the result, and the row, which it changes; returns
    ///   the files afterwards and what lies over them. nil: the files do not fit any more.
    private func exchange(
        of view: CollectionView, _ operation: String,
        _ change:
            @escaping @Sendable (CommittedRecords, FileStack?, inout CollectionRow) -> (
                FileStack, RecentRecords.Contents
            )?
    ) throws(StoreError) {
        let (catalog, pending) = (catalog, pending)
        let name = view.definition.name
        let mismatch = StoreError(.mismatch, operation, detail: "the collection has changed meanwhile")
        // Looking up ids takes time; almost always the files stay as they are meanwhile.
        var expected = view.condition.row
        let prepared = view.committed.flatMap { change($0, nil, &expected)?.0 }
        let preparedArchive = prepared.map { view.archive.rebuilt(over: $0) }
        let (old, new) = try database.perform { connection throws(StoreError) in
            guard let current = catalog.current()[name], let old = current.committed,
                current.definition.shapeHash == view.definition.shapeHash,
                current.definition.valuesHash == view.definition.valuesHash,
                current.condition.forgets == view.condition.forgets, !current.condition.row.isBundle,
                current.condition.row.isLocal == view.condition.row.isLocal
            else { throw mismatch }
            let (row, committed) = try connection.transaction(.synced, operation) { connection throws(StoreError) in
                guard var row = try connection.row(current.condition.row.number),
                    row.hasSameFiles(as: current.condition.row),
                    row.definitionHash == view.condition.row.definitionHash,
                    let (files, contents) = change(old, prepared, &row)
                else { throw mismatch }
                let recent = try RecentRecords.build(
                    contents, over: files, current.definition, pending.sources(of: row.number))
                try row.write(connection)
                return (row, CommittedRecords(files, recent: recent))
            }
            let archive =
                current.archive === view.archive ? preparedArchive ?? current.archive : current.archive
            let next = CollectionView(
                definition: current.definition, committed: committed, archive: archive.rebuilt(over: committed.files),
                condition: current.condition, overlay: current.overlay?.rebuilt(for: committed))
            catalog.update {
                $0.replacing(name) { current in
                    var condition = current.condition
                    condition.row = row
                    condition.lostFile = nil
                    return next.with(condition)
                }
            }
            return (old, committed)
        }
        retired.add(old, keeping: new, of: name)
    }

    /// Makes an upstream the truth of a collection: each record becomes a create that waits for a person.
    func release(_ name: String, maxPending: Int, at now: Int64) throws(StoreError) {
        let catalog = catalog
        let operation = "make an upstream the truth of \(name)"
        let old = try database.perform { connection throws(StoreError) in
            guard let view = catalog.current()[name], view.condition.row.isLocal else { return CommittedRecords?.none }
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
            let revision = connection.revision
            catalog.update { $0.replacing(name, revision: revision) { _ in next } }
            return view.committed
        }
        if let old { retired.add(old, keeping: nil, of: name) }
    }

    // MARK: - Records that are forgotten

    /// Takes records out, as one commit, and serves files without them. Waits until the commit is on disk.
    ///
    /// - Parameter files: those of the plan's view without the records; nil where the view has none.
    /// - Throws: `.mismatch` where the collection has changed since the view; nothing has happened then.
    func forget(_ plan: ForgetPlan, leaving files: FileStack?) throws(StoreError) -> Revision {
        let (catalog, joins, retired) = (catalog, joins, retired)
        let view = plan.view
        let (name, base) = (view.definition.name, view.condition.row)
        return try database.perform { connection throws(StoreError) in
            let step = ForgetStep(plan: plan, files: files)
            guard let current = catalog.current()[name], step.fits(current) else { throw ForgetStep.mismatch }
            try step.checkWrites(of: current)
            let sources = step.sources(of: current)
            // A refresh that has begun on another thread still has the records.
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
            (condition.row, condition.log) = (row, log)
            condition.put(sources)
            condition.forgets += 1
            condition.changedSeq = max(condition.changedSeq, connection.seq)
            condition.aliases = condition.aliases.filter { !plan.records.earlierIDs.contains($0.key) }
            let committed = try step.committed(current)
            let overlay = try step.overlay(over: committed, of: current, at: row, joins: joins, connection)
            let next = CollectionView(
                definition: current.definition, committed: committed, archive: step.archive(of: current),
                condition: condition, overlay: overlay)
            let revision = connection.revision
            catalog.update { $0.replacing(name, revision: revision) { next.noting(what: $0) } }
            if let old = current.committed { retired.add(old, keeping: committed, of: name) }
            return revision
        }
    }

    /// Removes the files of all snapshots that were replaced in a collection. Readers finish undisturbed.
    func removeRetired(of collection: String) { retired.removeNow(of: collection) }
}

/// A collection without the files over its base that cannot be read.
struct LostFiles: Sendable {
    /// As it is served.
    let view: CollectionView
    let row: CollectionRow
    /// The records of the other files, and over them what state.db has beside; of a collection that this host is the
    /// truth of, that is in ``overlay``.
    var committed: CommittedRecords
    /// What was written here.
    var overlay: RecordOverlay?
}

extension NewFile {
    init(_ part: FileStack.Part) {
        self.init(role: part.role, identity: part.snapshot.identity, from: part.from)
    }
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

/// The snapshots that were replaced, as long as somebody reads them: a reader keeps their files until it is done.
private final class RetiredSnapshots: Sendable {
    private struct Entry {
        weak var snapshot: Snapshot?
    }

    private let entries = Mutex<[String: [Entry]]>([:])

    /// Has the files of replaced records removed once nobody reads them.
    ///
    /// - Parameter kept: the records that took their place; nil where there are none.
    func add(_ replaced: CommittedRecords, keeping kept: CommittedRecords?, of collection: String) {
        let gone = replaced.files.snapshots.filter { old in
            kept?.files.snapshots.contains { $0 === old } != true
        }
        guard !gone.isEmpty else { return }
        for snapshot in gone { snapshot.removeWhenUnused() }
        entries.withLock { entries in
            var list = entries[collection] ?? []
            list.removeAll { $0.snapshot == nil }
            list += gone.map { Entry(snapshot: $0) }
            entries[collection] = list
        }
    }

    /// Removes the files of all that were replaced in a collection. Readers finish undisturbed.
    func removeNow(of collection: String) {
        let list = entries.withLock { $0.removeValue(forKey: collection) } ?? []
        for entry in list { entry.snapshot?.removeNow() }
    }
}
