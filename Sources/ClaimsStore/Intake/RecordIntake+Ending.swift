// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform

extension RecordIntake {
    /// What the pages say, if they are all there are.
    public var counts: IntakeCounts {
        var counts = IntakeCounts()
        counts.quarantined = stage.quarantined
        counts.records = seen.count - dropped.count
        var kept = 0
        for number in 0..<seen.count where !dropped.contains(number) {
            let entry = seen[number]
            if entry.isNew {
                counts.added += 1
            } else {
                kept += 1
                if entry.key != SeenRecords.Record.carried { counts.updated += 1 }
            }
        }
        counts.removed = (plan.base?.count ?? 0) - kept
        return counts
    }

    /// Makes what was read the current generation, and serves it.
    ///
    /// Throws `.mismatch` where the collection has changed since the refresh began. After an error nothing has changed.
    public consuming func commit(_ source: SourceRow, bundleKey: UInt64 = 0) throws(StoreError) {
        let snapshot: Snapshot
        do throws(StoreError) {
            try settle()
            // Indexing takes memory of its own, and needs nothing of what was seen.
            seen = SeenRecords(rows: 0)
            _ = try writer.finish()
            snapshot = try Snapshot.open(directory: directory, identity: identity, definition: plan.definition)
        } catch {
            stage.abandon()
            throw error
        }
        do throws(StoreError) {
            try stage.commit(GenerationCommit(snapshot: snapshot, source: source, bundleKey: bundleKey))
        } catch {
            snapshot.removeWhenUnused()
            stage.abandon()
            throw error
        }
    }

    /// Keeps the current generation, which says the same; what was said of quarantine and of the join is kept.
    public consuming func confirm(_ source: SourceRow) throws(StoreError) {
        do throws(StoreError) { try stage.confirm(source) } catch {
            stage.abandon()
            throw error
        }
    }

    /// Forgets what was read.
    public consuming func abandon() {
        stage.abandon()
    }

    /// Sends a record to quarantine because a later one has its id.
    mutating func drop(_ number: Int) throws(StoreError) {
        let entry = seen[number]
        writer.drop(number)
        dropped.insert(number)
        if entry.key > 0 { try stage.withdraw(entry.key) }
        if let ordinal = noted(number) { try stage.withdraw(change: ordinal) }
        guard let page = pages.last(where: { $0.first <= number }) else { return }
        try quarantine(entry, of: page.body)
    }

    /// The ordinal of the change that was noted for a record.
    private func noted(_ number: Int) -> Int64? {
        var range = notes.indices
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            let note = notes[middle]
            if Int(note.number) == number { return Int64(note.ordinal) }
            range = Int(note.number) < number ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }

    private mutating func quarantine(_ entry: SeenRecords.Record, of body: some RecordBody) throws(StoreError) {
        try body.withBytes { bytes throws(StoreError) in
            try stage.quarantine(
                bytes.part(entry.start, Int(entry.length)), pointer: pointer(Int(entry.index)),
                reason: "a later record has the same id")
        }
    }

    private mutating func settle() throws(StoreError) {
        guard let base = plan.base else { return }
        // 0: not in the body, 1: another version of it, 2: as it was.
        var fates = [UInt8](repeating: 0, count: base.count)
        for number in 0..<seen.count where !seen[number].isNew && !dropped.contains(number) {
            let entry = seen[number]
            fates[Int(entry.row)] = entry.key == SeenRecords.Record.carried ? 2 : 1
        }
        for row in 0..<base.count where fates[row] != 2 {
            try stage.end(base.stateKey(row))
            if fates[row] == 0 { try stage.note(.remove, id: base.id(row)) }
        }
    }
}
