// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot

/// A request to erase records of a collection.
public struct ForgetOrder: Sendable {
    public var collection: String
    /// Each id once.
    public var ids: [[UInt8]]
    public var isDryRun: Bool
    /// The user who asked for it.
    public var uid: UInt32
    /// Milliseconds since 1970.
    public var at: Int64
    /// Whether another host has erased the records. Then shared archive marks stay as they are: that host has removed
    /// them, and a user may have set them again since.
    public var isTaken = false
    /// Decides which records of the collection the user sees. Records that the user does not see are missing, as
    /// records that are gone are.
    public var sight: RecordSight.Judge = { _ in .all }

    public init(collection: String, ids: [[UInt8]], isDryRun: Bool, uid: UInt32, at: Int64) {
        self.collection = collection
        self.ids = ids
        self.isDryRun = isDryRun
        self.uid = uid
        self.at = at
    }
}

/// The outcome of a request to erase records. Each id is in one of the first three lists.
public struct ForgetOutcome: Sendable, Equatable {
    /// The ids of which nothing is left.
    public var forgotten: [[UInt8]] = []
    /// The ids of which there was nothing.
    public var missing: [[UInt8]] = []
    /// The ids that have unsettled operations.
    public var refused: [[UInt8]] = []
    /// The forgotten ids that were in the upstream's last answer; its next answer brings them as new.
    public var returns: [[UInt8]] = []
    /// The SHA-256 of the files that the records listed.
    public var files: Set<String> = []
    public var revision: Revision

    public init(revision: Revision) {
        self.revision = revision
    }
}

/// The parts of a view that are to be erased, and the changes that report it.
struct ForgetPlan: Sendable {
    let view: CollectionView
    private(set) var outcome: ForgetOutcome
    var records: ForgottenRecords
    /// The committed rows of the records.
    private(set) var rows: Set<Int> = []

    /// Finds what is to be erased. It reads state.db on the calling thread.
    ///
    /// - Parameter revision: the revision of the catalog that has the view.
    init(
        _ order: ForgetOrder, in view: CollectionView, at revision: Revision, _ database: StateDatabase
    ) throws(StoreError) {
        let number = view.condition.row.number
        let unsettled = Set(view.condition.operations.map { Array($0.operation.record.utf8) })
        let traces = try database.traces(of: order.ids, in: number)
        self.view = view
        outcome = ForgetOutcome(revision: revision)
        records = ForgottenRecords()
        (records.uid, records.at) = (order.uid, order.at)
        var scan = DigestScan()
        let sight = order.sight(view.definition)
        guard sight.seesCollection else {
            outcome.missing = order.ids
            return
        }
        for id in order.ids {
            let earlier = view.condition.aliases.filter { $0.value == id }.map(\.key)
            let record = view.served(id)
            if case .limited = sight, !(record.map(sight.sees) ?? false) {
                outcome.missing.append(id)
                continue
            }
            if unsettled.contains(id) || earlier.contains(where: { unsettled.contains($0) }) {
                outcome.refused.append(id)
                continue
            }
            let row = view.committed?.row(forID: id.rawSpan)
            let isOverBase = view.committed?.isOverBase(id) == true
            guard record != nil || row != nil || isOverBase || view.archive.mark(id) != nil || traces.contains(id)
            else {
                outcome.missing.append(id)
                continue
            }
            outcome.forgotten.append(id)
            records.ids.append(id)
            records.earlierIDs += earlier
            if let row, let committed = view.committed {
                rows.insert(row)
                records.keys.append(committed.record(row).stateKey)
                if !view.isLocal { outcome.returns.append(id) }
            }
            if let record {
                records.served += 1
                let object = record.upstream
                scan.read(object.rawSpan)
            }
        }
        outcome.files = scan.digests
        if order.isTaken { records.sharedMarks = try database.sharedMarks(of: records.all, in: number) }
        // A record that was written here, or that lies over the base, may have several versions, and some of them may
        // not be served.
        if view.condition.row.isLocal || view.committed?.isPlain == false, !records.ids.isEmpty {
            records.keys = try database.versions(of: records.all, in: number)
        }
    }
}

/// The parts of the commit that removes records.
struct ForgetStep {
    let plan: ForgetPlan
    /// The files of the plan's view without the records; nil if it has none.
    let files: FileStack?

    static let mismatch = StoreError(.mismatch, "forget records", detail: "the collection has changed meanwhile")

    /// Whether the plan fits what is served now.
    func fits(_ current: CollectionView) -> Bool {
        let view = plan.view
        let isSame = current.committed?.isSame(as: view.committed) ?? (view.committed == nil)
        return isSame && current.definition.valuesHash == view.definition.valuesHash
            && current.definition.shapeHash == view.definition.shapeHash
            && current.condition.row.isLocal == view.condition.row.isLocal
            && !current.condition.operations.contains { operation in
                plan.records.all.contains(Array(operation.operation.record.utf8))
            }
    }

    /// Checks the writes to this host's own collection since the plan was made.
    ///
    /// - Throws: `.mismatch` if they changed one of the records.
    func checkWrites(of current: CollectionView) throws(StoreError) {
        guard current.condition.row.isLocal else { return }
        let newer = current.entries(since: plan.view)
        if newer.contains(where: { plan.records.all.contains($0.id) }) { throw Self.mismatch }
    }

    /// Puts the new files into the row.
    func name(_ row: inout CollectionRow) {
        guard let files else { return }
        row.setBase(files.base.identity, key: row.fileKey)
        if let middle = files[.middle] { row.middle?.fileID = middle.snapshot.identity.fileID }
        if let young = files[.young] { row.young?.fileID = young.snapshot.identity.fileID }
    }

    /// The committed records without the ones that are removed.
    func committed(_ current: CollectionView) throws(StoreError) -> CommittedRecords? {
        guard let files else { return nil }
        guard var contents = current.committed?.recent?.contents else { return CommittedRecords(files) }
        for id in plan.records.all {
            contents.records[id] = nil
            contents.gone.remove(id)
        }
        return CommittedRecords(files, recent: try RecentRecords.build(contents, over: files, current.definition))
    }

    func overlay(
        over committed: CommittedRecords?, of current: CollectionView, at row: CollectionRow, joins: JoinCache,
        _ connection: borrowing StateConnection
    ) throws(StoreError) -> RecordOverlay? {
        let definition = current.definition
        guard !current.condition.row.isLocal else {
            return try current.overlay?.applying(
                [], removing: plan.records.all, over: committed, definition: definition, joined: nil)
        }
        let entries = OverlayComposer(definition, base: committed).entries(current.condition.operations)
        guard !entries.isEmpty else { return nil }
        return try RecordOverlay.build(
            entries, over: committed, definition: definition, joined: joins.table(of: row, definition, connection))
    }

    /// The states of the sources after the commit, so that the right ones are asked for all records.
    ///
    /// In a collection with sites the ids begin with the name of the site: only the sites of the records are asked for
    /// everything.
    func sources(of current: CollectionView) -> [SourceRow] {
        let ids = plan.records.all.map { String(decoding: $0, as: UTF8.self) }
        let sites = Set(ids.compactMap { $0.split(separator: ":", maxSplits: 1).first.map(String.init) })
        let condition = current.condition
        let sources = condition.sites.isEmpty ? [condition.source] : Array(condition.sites.values)
        return sources.map { source in
            var source = source
            if source.site.map({ sites.contains($0) }) ?? true { source.askForAll() }
            source.drift.forget(Set(ids))
            return source
        }
    }

    func archive(of current: CollectionView) -> ArchiveOverlay {
        let marks = plan.records.unmarked.filter { current.archive.mark($0) != nil }
        let changes = marks.map { ArchiveMarkChange(id: $0, mark: nil) }
        let archive =
            changes.isEmpty ? current.archive : current.archive.applying(changes, over: current.committed?.files)
        return archive.rebuilt(over: files)
    }
}

extension DriftReport {
    /// Removes the examples that have one of these ids, and the findings that were seen only in such a record.
    fileprivate mutating func forget(_ ids: Set<String>) {
        func isExample(_ sight: DriftSight) -> Bool { sight.example.map { ids.contains($0) } ?? false }
        func isOnly(_ sight: DriftSight) -> Bool { sight.count <= 1 && isExample(sight) }
        newValues.removeAll { isOnly($0.sight) }
        newMembers.removeAll { isOnly($0.sight) }
        typeChanges.removeAll { isOnly($0.sight) }
        for index in newValues.indices where isExample(newValues[index].sight) { newValues[index].sight.example = nil }
        for index in newMembers.indices where isExample(newMembers[index].sight) {
            newMembers[index].sight.example = nil
        }
        for index in typeChanges.indices where isExample(typeChanges[index].sight) {
            typeChanges[index].sight.example = nil
        }
    }
}
