// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot

/// A body that was taken in whole: staged rows and a finished file, neither of them in force.
struct FinishedIntake: ~Copyable {
    var stage: GenerationStage
    let snapshot: Snapshot
}

extension RecordIntake {
    /// Finishes the snapshot file. Nothing is in force yet; after an error nothing is left of what was read.
    consuming func finish() throws(StoreError) -> FinishedIntake {
        do throws(StoreError) {
            beginIfNeeded()
            try settle()
            // Indexing takes memory of its own, and needs nothing of what was seen.
            seen = SeenRecords(rows: 0)
            let snapshot: Snapshot
            do throws(SnapshotError) {
                _ = try writer.finish()
                snapshot = try Snapshot.open(directory: directory, identity: identity, definition: plan.definition)
            } catch { throw StoreError(error) }
            return FinishedIntake(stage: stage, snapshot: snapshot)
        } catch {
            stage.abandon()
            throw error
        }
    }

    /// Gives up the snapshot file, and returns the rows that say what is to be kept of quarantine and join.
    consuming func confirmed() throws(StoreError) -> GenerationStage {
        beginIfNeeded()
        do throws(StoreError) { try stage.closeGaps() } catch {
            stage.abandon()
            throw error
        }
        return stage
    }

    /// Deletes the rows and the file that the intake has written. Nothing that is served changes.
    public consuming func abandon() {
        stage.abandon()
    }

    /// Sends a record to quarantine because a later one has its id. An answer with what has changed may tell several
    /// states of a record one after the other.
    mutating func drop(_ number: Int, id: [UInt8]) throws(StoreError) {
        let entry = seen[number]
        writer.drop(number)
        dropped.insert(number)
        if entry.key > 0 { try stage.withdraw(entry.key) }
        if let ordinal = Self.ordinal(of: number, in: notes) { stage.withdraw(change: ordinal) }
        if answers.last?.scope.isIncremental == true { return }
        guard let page = pages.last(where: { $0.first <= number }) else { return }
        try quarantine(entry, id: id, of: page.body)
    }

    /// The ordinal of the change that was noted for a record.
    private static func ordinal(of number: Int, in notes: ChunkedArray<Note>) -> Int64? {
        let index = (0..<notes.count).partitionPoint { Int(notes[$0].number) < number }
        return index < notes.count && Int(notes[index].number) == number ? Int64(notes[index].ordinal) : nil
    }

    private mutating func quarantine(
        _ entry: SeenRecords.Record, id: [UInt8], of body: some RecordBody
    ) throws(StoreError) {
        try body.withBytes { bytes throws(StoreError) in
            try quarantine(
                bytes.part(entry.start, Int(entry.length)), id: id, pointer: pointer(Int(entry.index)),
                reason: "a later record has the same id")
        }
    }

    /// An intake without a page had an answer without records.
    private mutating func beginIfNeeded() {
        guard answers.isEmpty else { return }
        stage.begin(.whole)
        answers.append(Answer(.whole, first: 0))
    }

    private mutating func settle() throws(StoreError) {
        guard let base = plan.base else { return }
        try stage.closeGaps()
        let carried = CarriedRows(answers, plan)
        for row in 0..<base.count {
            if let number = seen.latest(row) {
                if seen[number].key != SeenRecords.Record.carried { try stage.end(base.stateKey(row)) }
            } else if carried.contains(row, of: base) {
                do throws(SnapshotError) { _ = try writer.carry(row, from: base) } catch { throw StoreError(error) }
            } else {
                try stage.end(base.stateKey(row))
                let document = stage.keepsChanges ? difference.lasting(base.document(row)) : []
                try stage.note(
                    .removed, id: base.id(row), values: document.rawSpan, firstSeen: base.firstSeen(row))
            }
        }
    }
}
