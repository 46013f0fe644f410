// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsSnapshot

/// A body that was taken in whole: staged rows and a finished file, neither of them in force.
struct FinishedIntake: ~Copyable {
    var stage: GenerationStage
    let snapshot: Snapshot
}

/// The results of an intake until its end: the rows in state.db, the snapshot file, and what has been seen of each record.
/// A record is written to both, and has one number in both.
struct IntakeOutput: ~Copyable {
    private let base: Snapshot?
    private let definition: Definition
    /// Whether records are stored in state.db.
    private let isStored: Bool
    private let directory: String
    private let identity: SnapshotIdentity
    private var stage: GenerationStage
    private var writer: SnapshotWriter
    private(set) var seen: SeenRecords

    init(
        _ plan: RecordIntake.Plan, stage: consuming GenerationStage, directory: String, identity: SnapshotIdentity
    ) throws(StoreError) {
        let writer = try StoreError.translating { () throws(SnapshotError) in
            try SnapshotWriter(
                directory: directory, definition: plan.definition, identity: identity, base: plan.base)
        }
        base = plan.base
        definition = plan.definition
        isStored = plan.isStored
        self.directory = directory
        self.identity = identity
        self.stage = stage
        self.writer = writer
        seen = SeenRecords(rows: plan.base?.count ?? 0)
    }

    // MARK: - Quarantine

    /// Begins the answer of a source.
    ///
    /// - Returns: the entries of quarantine that an answer which has only what has changed adds to; nil for another one.
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

    /// Notes that the answer has the element of an earlier entry, too.
    mutating func seeAgain(_ entry: Int64) { stage.seeAgain(entry) }

    /// Takes entries of earlier answers out of quarantine.
    mutating func release(_ entries: [Int64]) { stage.release(entries) }

    /// Sends an element to quarantine.
    mutating func quarantine(
        _ element: RawSpan, id: [UInt8]?, pointer: String, reason: String
    ) throws(StoreError) {
        try stage.quarantine(element, id: id, pointer: pointer, reason: reason)
    }

    // MARK: - Records

    /// The number of the latest record with this id, which is not being served; nil: none has come.
    func latest(_ id: RawSpan) throws(StoreError) -> Int? { try seen.latest(id, in: writer) }

    /// Writes a record.
    ///
    /// - Parameter row: the record as it is served; nil where it is not.
    /// - Returns: the latest earlier record for the same row or with the same id.
    mutating func add(
        _ record: borrowing DecodedRecord, _ location: SeenRecords.Location, row: Int?, firstSeen: Int64,
        changedAt: Int64
    ) throws(StoreError) -> Int? {
        var key = SeenRecords.Record.unstored
        if isStored { key = try stage.add(record, firstSeen: firstSeen, changedAt: changedAt) }
        do throws(SnapshotError) {
            _ = try writer.append(record, firstSeen: firstSeen, changedAt: changedAt, stateKey: max(key, 0))
        } catch { throw StoreError(error) }
        if let row { return seen.add(location.entry(key: key), row: row) }
        return try seen.add(location.entry(key: key), id: record.id.rawSpan, in: writer)
    }

    /// Takes over a record that is as it was.
    ///
    /// - Returns: the latest earlier record for the same row.
    mutating func carry(
        _ row: Int, from base: Snapshot, _ location: SeenRecords.Location
    ) throws(StoreError) -> Int? {
        do throws(SnapshotError) { _ = try writer.carry(row, from: base) } catch { throw StoreError(error) }
        return seen.add(location.entry(key: SeenRecords.Record.carried), row: row)
    }

    /// Notes in which values the record that comes next differs from the one being served; nil: in none.
    mutating func noteUpdate(
        of record: borrowing DecodedRecord, _ values: [UInt8]?, differsUpstream: Bool
    ) throws(StoreError) {
        let values = values ?? Array("{}".utf8)
        let ordinal = try stage.note(
            .updated, id: record.id.rawSpan, values: values.rawSpan, differsUpstream: differsUpstream)
        seen.noteChangeOfNext(ordinal)
    }

    /// Notes that the record that comes next is new.
    mutating func noteAddition(of record: borrowing DecodedRecord) throws(StoreError) {
        seen.noteChangeOfNext(try stage.note(.added, id: record.id.rawSpan))
    }

    /// Remembers that the record that comes next differs in nothing that is told.
    mutating func restateNext() { seen.restateNext() }

    /// Takes a record back, because a later one has its id; what was seen of it.
    mutating func drop(_ number: Int) throws(StoreError) -> SeenRecords.Record {
        let entry = seen[number]
        writer.drop(number)
        if entry.key > 0 { try stage.withdraw(entry.key) }
        if let ordinal = seen.drop(number) { stage.withdraw(change: ordinal) }
        return entry
    }

    // MARK: - The end

    /// Finishes the snapshot file. Nothing is in force yet; after an error nothing is left of what was written.
    ///
    /// - Parameter kept: the records being served that stay although no answer names them.
    consuming func finish(
        keeping kept: CarriedRows, _ difference: DocumentDifference
    ) throws(StoreError) -> FinishedIntake {
        do throws(StoreError) {
            try settle(kept, difference)
            // Indexing takes memory of its own, and needs nothing of what was seen.
            seen = SeenRecords(rows: 0)
            let snapshot: Snapshot
            do throws(SnapshotError) {
                _ = try writer.finish()
                snapshot = try Snapshot.open(directory: directory, identity: identity, definition: definition)
            } catch { throw StoreError(error) }
            return FinishedIntake(stage: stage, snapshot: snapshot)
        } catch {
            stage.abandon()
            throw error
        }
    }

    private mutating func settle(_ kept: CarriedRows, _ difference: DocumentDifference) throws(StoreError) {
        guard let base else { return }
        var difference = difference
        try stage.closeGaps()
        for row in 0..<base.count {
            if let number = seen.latest(row) {
                if seen[number].key != SeenRecords.Record.carried { try stage.end(base.stateKey(row)) }
            } else if kept.contains(row, of: base) {
                do throws(SnapshotError) { _ = try writer.carry(row, from: base) } catch { throw StoreError(error) }
            } else {
                try stage.end(base.stateKey(row))
                let document = stage.keepsChanges ? difference.lasting(base.document(row)) : []
                try stage.note(
                    .removed, id: base.id(row), values: document.rawSpan, firstSeen: base.firstSeen(row))
            }
        }
    }

    /// Gives up the snapshot file, and returns the rows that say what is to be kept of quarantine and join.
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
