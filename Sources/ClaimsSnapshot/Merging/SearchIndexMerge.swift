// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// Writes, for one searched field, the rows that have each boundary between terms: as `WordBoundaryBuilder` does, but
/// of the lists of an earlier snapshot.
struct WordBoundaryMerge: BuildJob {
    let input: BuildInput
    let rows: RowMerge
    /// In the new snapshot.
    let column: Column
    /// The classes of all terms; the terms of the earlier snapshot have the same numbers there and here.
    let classes: WordBoundaryClasses

    /// nil where the earlier snapshot has no such lists, or others.
    init?(of column: Column, classes: WordBoundaryClasses, input: BuildInput, rows: RowMerge) {
        guard rows.old.column(column.kind.columnID).wordBoundaries.counts.count == classes.wordBoundary.keys else {
            return nil
        }
        self.input = input
        self.rows = rows
        self.column = column
        self.classes = classes
    }

    func write() throws(SnapshotError) {
        let file = try input.output.map()
        let old = rows.old.columnIndex[column.kind.columnID]
        try PostingMerge(
            rows: rows, lists: old.wordBoundaries, before: WordBoundaryPostings(tokens: old.tokens, classes: classes),
            after: WordBoundaryPostings(tokens: column.tokens, classes: classes), keys: classes.wordBoundary.keys
        ).write(
            file.bytes, starts: .wordBoundaryStarts, counts: .wordBoundaryCounts, lists: .wordBoundaries,
            id: column.kind.columnID,
            to: input.output)
    }
}

/// Indexes rows by the lists of an earlier snapshot, where it has them and they can be used.
struct MergedSearchJobs: SearchIndexJobs {
    let input: BuildInput
    let rows: RowMerge

    func boundaries(of column: Column, classes: WordBoundaryClasses) -> any BuildJob {
        WordBoundaryMerge(of: column, classes: classes, input: input, rows: rows)
            ?? GatheredSearchJobs(input: input).boundaries(of: column, classes: classes)
    }

    func nGrams(of column: Column, selection: NGramSelection) throws(SnapshotError) -> any BuildJob {
        let file = try input.output.map()
        return NGramBuilder(
            input: input, selection: selection, column: column,
            maker: NGramPatch(column, in: file.bytes, selection: selection, rows: rows))
    }
}
