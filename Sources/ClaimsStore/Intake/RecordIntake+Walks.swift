// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsSnapshot

/// Two walks over the pages of one answer: the records of the second count, and of the first those that it lacks.
extension RecordIntake {
    /// The records that are not taken from the first walk: those that the second one names, or this host has deleted.
    struct Filled {
        /// Of the records being served.
        let rows: RowMarks
        /// Ids of no record being served, in quarantine or told as gone.
        let ids: Set<[UInt8]>
        /// The number of records of the second walk, and of answers before it.
        let count: Int
    }

    /// Begins the pages of the walk that was made first. They follow those of the second one.
    public mutating func beginEarlierWalk() {
        let ids = answers[answers.count - 1].unservedIDs.union(plan.ownDeletions)
        filled = Filled(rows: tally.filledRows, ids: ids, count: seen.count)
        if seam != nil { seam = PageSeam() }
    }

    /// Whether the pages are those of a walk that was made before the one that has been read.
    var isFilling: Bool { filled != nil }

    /// The number of elements of the last answer that are kept, as records or in quarantine.
    var keptElements: Int { seen.count + (answers.last?.quarantined ?? 0) }

    /// Whether nothing is to be taken of the decoded record, which is served as `row`, if at all.
    func isFilled(_ row: Int?) throws(StoreError) -> Bool {
        guard let filled else { return false }
        if let row { return filled.rows.contains(row) }
        if filled.ids.contains(record.id) { return true }
        guard let number = try seen.latest(record.id.rawSpan, in: writer) else { return false }
        return number < filled.count
    }

    /// Notes that the second of two walks has a record in quarantine, or says that it is gone, though it is not served.
    mutating func noteUnserved(_ id: [UInt8]) {
        let last = answers.count - 1
        if answers[last].isSecondWalk, !isFilling { answers[last].unservedIDs.insert(id) }
    }
}
