// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// Writes, for one searched field, the rows that have each junction of words: as `JunctionBuilder` does, but of the lists
/// of an earlier snapshot.
struct JunctionMerge: BuildJob {
    let input: BuildInput
    let rows: RowMerge
    /// In the new snapshot.
    let column: Column
    /// Of all words; those of the earlier snapshot have the same numbers.
    let classes: JunctionClasses

    /// nil where the earlier snapshot has no such lists, or others.
    init?(_ input: BuildInput, _ rows: RowMerge, _ column: Column, _ classes: JunctionClasses) {
        guard rows.old.column(column.kind.owner).junctions.counts.count == classes.junction.keys else { return nil }
        self.input = input
        self.rows = rows
        self.column = column
        self.classes = classes
    }

    func write() throws(StoreError) {
        let file = try input.output.map()
        let old = rows.old.column(column.kind.owner)
        try PostingMerge(
            rows: rows, lists: old.junctions, before: JunctionPostings(tokens: old.tokens, classes: classes),
            after: JunctionPostings(tokens: column.tokens, classes: classes), keys: classes.junction.keys
        ).write(
            file.bytes, starts: .junctionStarts, counts: .junctionCounts, lists: .junctions, owner: column.kind.owner,
            to: input.output)
    }
}
