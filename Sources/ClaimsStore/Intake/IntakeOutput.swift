// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsSnapshot

/// A body that was read to its end: staged rows and finished records, none of them in force.
struct FinishedIntake: ~Copyable {
    var stage: GenerationStage
    let records: FinishedRecords
}

/// The records of a generation that is not in force yet.
struct FinishedRecords: Sendable {
    /// Where its new and changed records are.
    enum Content: Sendable {
        /// In a new file, together with the records of the files that it replaces.
        case file(FileStack.Part)
        /// A few records lie over the served files, together with the recent records of before.
        case recent(RecentRecords.Contents)
    }

    let content: Content
    /// The number of all records.
    let count: Int
    /// The shape hash of the definition that they were decoded by.
    let shapeHash: UInt64

    /// Makes finished records that are all in a new base.
    static func file(_ base: Snapshot) -> FinishedRecords {
        FinishedRecords(
            content: .file(FileStack.Part(role: .base, snapshot: base)), count: base.count,
            shapeHash: base.identity.definitionHash)
    }

    /// Whether they lie over files; then the files under way decide which ids they hide.
    var isRecent: Bool {
        if case .recent = content { true } else { false }
    }

    /// The new file; nil if there is none.
    var newFile: Snapshot? {
        if case .file(let part) = content { part.snapshot } else { nil }
    }

    /// The new file in the form in which the commit puts it in; nil if there is none.
    var stackFile: NewFile? {
        guard case .file(let part) = content else { return nil }
        return NewFile(role: part.role, identity: part.snapshot.identity, from: part.from)
    }

    /// Whether they fit what is served now: the definition is the same and, if they lie over files, the collection still
    /// has files.
    func fit(_ definition: Definition, _ row: CollectionRow, over committed: CommittedRecords?) -> Bool {
        guard definition.shapeHash == shapeHash else { return false }
        if case .file(let part) = content, part.role == .base { return true }
        guard let files = committed?.files, !row.isLocal,
            files.base.identity.definitionHash == shapeHash
        else { return false }
        guard case .file(let part) = content else { return true }
        return files.fits(part)
    }

    /// All of them, over the current files of a collection.
    ///
    /// The files may have changed since the intake compared with them: newer files hold only what was committed before,
    /// and a merge changes no record.
    ///
    /// - Parameters:
    ///   - pending: the files that are being written.
    ///   - known: a stack like the result, if it was made before.
    func committed(
        over current: CommittedRecords?, _ definition: Definition, _ pending: [CommittedRecords] = [],
        knowing known: FileStack? = nil
    ) throws(StoreError) -> CommittedRecords {
        switch content {
        case .file(let part):
            return CommittedRecords(current?.files.replacing(with: part, knowing: known) ?? FileStack(part.snapshot))
        case .recent(let contents):
            guard let files = current?.files else { throw StoreError(.mismatch, "commit a generation") }
            return CommittedRecords(
                files, recent: try RecentRecords.build(contents, over: files, definition, pending))
        }
    }
}

/// The results of an intake until its end: the rows in state.db, the records for a snapshot, and what has been seen of
/// each record. A record has one number in all of them.
struct IntakeOutput: ~Copyable {
    private let base: CommittedRecords?
    private let pendingFiles: PendingFiles?
    private let definition: Definition
    /// Whether records are stored in state.db.
    private let isStored: Bool
    private var stage: GenerationStage
    private var records: GenerationRecords
    private(set) var seen: SeenRecords

    init(
        _ plan: IntakePlan, stage: consuming GenerationStage, directory: String, identity: SnapshotIdentity
    ) throws(StoreError) {
        let isJoinLarge = plan.joined.map { $0.count > RecentBounds.maxJoined } ?? false
        let records = try GenerationRecords(
            over: plan.base, plan.definition, directory: directory, identity: identity,
            isJoinLarge ? plan.bounds.withoutRecent() : plan.bounds)
        base = plan.base
        pendingFiles = plan.pendingFiles
        definition = plan.definition
        isStored = plan.isStored
        self.stage = stage
        self.records = records
        seen = SeenRecords(rows: plan.base?.end ?? 0)
    }

    // MARK: - Quarantine

    /// Begins the answer of a source.
    ///
    /// - Returns: the entries of quarantine to which an answer with what has changed adds; nil for another answer.
    mutating func begin(_ scope: AnswerScope) throws(StoreError) -> EarlierQuarantine? {
        guard scope.isIncremental || scope.site != nil else {
            stage.begin(scope)
            return nil
        }
        let kept = try stage.database.earlierQuarantine(of: stage.base, scope.site)
        stage.begin(scope, keptBytes: kept.bytes)
        return scope.isIncremental ? kept : nil
    }

    /// Begins an answer with all records of the only source.
    mutating func beginWhole() { stage.begin(.whole) }

    /// Records that the answer has the element of an earlier entry, too.
    mutating func seeAgain(_ entry: Int64) { stage.seeAgain(entry) }

    /// Removes entries of earlier answers from quarantine.
    mutating func release(_ entries: [Int64]) { stage.release(entries) }

    /// Sends an element to quarantine.
    mutating func quarantine(
        _ element: RawSpan, id: [UInt8]?, pointer: String, reason: String
    ) throws(StoreError) {
        try stage.quarantine(element, id: id, pointer: pointer, reason: reason)
    }

    // MARK: - Records

    /// The number of the latest record with this id, which is not served; nil: none has come.
    func latest(_ id: RawSpan) throws(StoreError) -> Int? { try seen.latest(id, in: records) }

    /// Writes a record.
    ///
    /// - Parameter row: the row of the record; nil if it is not served.
    /// - Returns: the latest earlier record for the same row or with the same id.
    mutating func add(
        _ record: borrowing DecodedRecord, _ location: SeenRecords.Location, row: Int?, firstSeen: Int64,
        changedAt: Int64
    ) throws(StoreError) -> Int? {
        var key = SeenRecords.Record.unstored
        if isStored { key = try stage.add(record, firstSeen: firstSeen, changedAt: changedAt) }
        try records.append(
            record, firstSeen: firstSeen, changedAt: changedAt, stateKey: max(key, 0), after: seen)
        if let row { return seen.add(location.entry(key: key), row: row) }
        return try seen.add(location.entry(key: key), id: record.id.rawSpan, in: records)
    }

    /// Adds a record that has not changed.
    ///
    /// - Returns: the latest earlier record for the same row.
    mutating func carry(_ row: Int, _ location: SeenRecords.Location) throws(StoreError) -> Int? {
        try records.carry(row)
        return seen.add(location.entry(key: SeenRecords.Record.carried), row: row)
    }

    /// Records the values in which the next record differs from the served one; nil: none differs.
    mutating func noteUpdate(
        of record: borrowing DecodedRecord, _ values: [UInt8]?, differsUpstream: Bool
    ) throws(StoreError) {
        let values = values ?? Array("{}".utf8)
        let ordinal = try stage.note(
            .updated, id: record.id.rawSpan, values: values.rawSpan, differsUpstream: differsUpstream)
        seen.setChangeOfNext(ordinal)
    }

    /// Records that the next record is new.
    mutating func noteAddition(of record: borrowing DecodedRecord) throws(StoreError) {
        seen.setChangeOfNext(try stage.note(.added, id: record.id.rawSpan))
    }

    /// Records that the next record differs only in volatile members.
    mutating func restateNext() { seen.restateNext() }

    /// Withdraws a record, because a later one has its id; returns its entry and what was seen of it.
    mutating func drop(_ number: Int) throws(StoreError) -> SeenRecords.Record {
        let entry = seen[number]
        records.drop(number)
        if entry.key > 0 { try stage.withdraw(entry.key) }
        if let ordinal = seen.drop(number) { stage.withdraw(change: ordinal) }
        return entry
    }

    // MARK: - The end

    /// Finishes the records. Nothing is in force yet; after an error all that was written is removed.
    ///
    /// - Parameter kept: the served records that stay although no answer names them.
    consuming func finish(
        keeping kept: CarriedRows, _ difference: DocumentDifference
    ) throws(StoreError) -> FinishedIntake {
        do throws(StoreError) {
            let removed = try settle(kept, difference)
            let content = try content(without: removed)
            let count =
                switch content {
                case .file(let part) where part.role == .base: part.snapshot.count
                default: (base?.count ?? 0) - removed.count + seen.addedCount
                }
            return FinishedIntake(
                stage: stage,
                records: FinishedRecords(content: content, count: count, shapeHash: definition.shapeHash))
        } catch {
            stage.abandon()
            throw error
        }
    }

    /// Ends the versions of records that the generation changes or removes; returns the rows of the removed ones, in
    /// the order of their ids.
    private mutating func settle(_ kept: CarriedRows, _ difference: DocumentDifference) throws(StoreError) -> [Int] {
        guard let base else { return [] }
        var difference = difference
        try stage.closeGaps()
        var removed: [Int] = []
        if let named = kept.namedRows(seen) {
            for row in named { try settle(row, of: base, kept, &removed) }
        } else {
            for row in 0..<base.end where base.isCurrent(row) { try settle(row, of: base, kept, &removed) }
        }
        if !base.isPlain { base.sortByID(&removed) }
        for row in removed {
            let record = base.record(row)
            try stage.end(record.stateKey)
            let document = stage.keepsChanges ? difference.lasting(record.snapshot.document(record.row)) : []
            try stage.note(
                .removed, id: record.snapshot.id(record.row), values: document.rawSpan, firstSeen: record.firstSeen)
        }
        return removed
    }

    private mutating func settle(
        _ row: Int, of base: CommittedRecords, _ kept: CarriedRows, _ removed: inout [Int]
    ) throws(StoreError) {
        if let number = seen.latest(row) {
            if seen[number].key != SeenRecords.Record.carried { try stage.end(base.record(row).stateKey) }
        } else if !kept.contains(row, of: base) {
            removed.append(row)
        }
    }

    private mutating func content(without removed: [Int]) throws(StoreError) -> FinishedRecords.Content {
        if let contents = records.recent(removing: removed, seen) { return .recent(contents) }
        let filter = base.flatMap { pendingFiles?.goneFilter(of: stage.base.number, over: $0.files) } ?? .all
        if let part = try records.finishLayer(removing: removed, seen, keeping: filter) { return .file(part) }
        try carryOthers(without: removed)
        // Indexing takes memory of its own, and the seen records are not needed any more.
        seen = SeenRecords(rows: 0)
        return .file(FileStack.Part(role: .base, snapshot: try records.finishBase()))
    }

    /// Writes the records that no answer names to a new base, after all records that have come.
    private mutating func carryOthers(without removed: [Int]) throws(StoreError) {
        try records.fillBase(seen)
        guard let base else { return }
        var gone = RowMarks()
        for row in removed { gone.insert(row) }
        for row in 0..<base.end where base.isCurrent(row) && seen.latest(row) == nil && !gone.contains(row) {
            try records.carry(row)
        }
    }

    /// Removes the snapshot file, and returns the stage with the changes of quarantine and join.
    consuming func confirmed() throws(StoreError) -> GenerationStage {
        do throws(StoreError) { try stage.closeGaps() } catch {
            stage.abandon()
            throw error
        }
        return stage
    }

    /// Deletes the rows and the file.
    consuming func abandon() { stage.abandon() }
}

/// The parts that make a staged generation the current one.
struct GenerationCommit: Sendable {
    /// The finished records.
    var records: FinishedRecords
    /// The states of the sources whose answers were read.
    var sources: [SourceRow]
    /// The key of the bundle that the records came from; 0 for records of an upstream.
    var bundleKey: UInt64 = 0

    init(_ records: FinishedRecords, sources: [SourceRow], bundleKey: UInt64 = 0) {
        self.records = records
        self.sources = sources
        self.bundleKey = bundleKey
    }
}

extension GenerationStage {
    /// Returns the transaction of `StateStore.commit`.
    func plan(_ commit: GenerationCommit) -> CommitPlan {
        var plan = plan(commit.sources)
        let isWhole = !base.hasData || base.isBundle || commit.bundleKey != 0
        plan.data = CommitPlan.Data(
            generation: generation, file: commit.records.stackFile, records: commit.records.count,
            nextKey: nextKey, bundleKey: commit.bundleKey,
            log: isWhole
                ? .init(cause: .refresh, isWhole: true, changes: 1, valueBytes: 0) : log(cause: .refresh))
        return plan
    }
}
