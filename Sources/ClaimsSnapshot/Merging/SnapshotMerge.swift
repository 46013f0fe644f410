// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform

/// The last step of building a snapshot that takes most of its records from an earlier one.
///
/// Only the new records are sorted and indexed. The sections of the earlier snapshot are read in order and merged with
/// them.
struct SnapshotMerge {
    let build: SnapshotBuild
    let carried: CarriedRecords

    /// Writes all sections, and returns the size of the finished file in bytes.
    func run() throws(StoreError) -> Int {
        let merge = input()
        let input = BuildInput(arrived: build.arrived, rows: merge.rows.numbers)
        try writeColumns(merge, input)
        try build.writeSearchIndex(input, jobs: MergedSearchJobs(input: input, rows: merge.rows))
        return try build.finish(input)
    }

    private func input() -> MergeInput {
        let arrived = build.arrived.prefix(carried.first)
        let gathered = build.gathered
        let fresh = RowSorter(arrived: arrived, gathered: gathered, dropped: build.dropped).rows(of: carried.first)
        return MergeInput(
            rows: RowMerge(
                carried, dropped: build.dropped, fresh: fresh, keys: gathered.idKeys, keyCounts: gathered.idKeyCounts),
            fresh: BuildInput(arrived: arrived, rows: fresh), terms: TermMerge(carried.old, gathered.terms))
    }

    private func writeColumns(_ merge: MergeInput, _ input: BuildInput) throws(StoreError) {
        let ids = MergedIDs(rows: merge.rows, fresh: build.arrived)
        // Long jobs are begun first, so that both threads end at about the same time.
        var jobs: [any BuildJob] = build.searchedColumns.map { ColumnMerge(input: merge, collected: $0) }
        jobs.append(build.idTable(of: input, ids: ids))
        jobs.append(TermDictionaryMerge(terms: merge.terms, output: merge.output))
        for collected in build.gathered.columns where !collected.column.isSearched {
            jobs.append(ColumnMerge(input: merge, collected: collected))
        }
        try ParallelJobs.run(jobs)
    }
}

/// The ids of merged rows. Most of them are read in order from an earlier snapshot.
struct MergedIDs: RowIDs {
    let rows: RowMerge
    /// The new records.
    let fresh: ArrivedRecords

    func forEach(_ body: (RawSpan) throws(StoreError) -> Void) throws(StoreError) {
        let old = rows.old
        let column = old.column(fresh.definition.idField)
        let offsets = fresh.offsets.bytes
        for source in rows.sources {
            if source & RowMerge.fresh == 0 {
                try body(column.key(Int(source)))
            } else {
                try body(fresh.records.id(at: Int(offsets.u64(at: Int(source & ~RowMerge.fresh) * 8))))
            }
        }
    }
}

/// Writes, for one searched field, the rows that have each boundary between terms: as `WordBoundaryBuilder` does, but
/// of the lists of an earlier snapshot.
struct WordBoundaryMerge: BuildJob {
    let input: BuildInput
    let rows: RowMerge
    /// The column in the new snapshot.
    let column: Column
    /// The classes of all terms; the terms of the earlier snapshot have the same numbers there and here.
    let classes: WordBoundaryClasses

    /// nil if the earlier snapshot has no such lists, or lists of another kind or of other frequent terms.
    init?(of column: Column, classes: WordBoundaryClasses, input: BuildInput, rows: RowMerge) {
        let old = rows.old
        guard old.column(column.kind.columnID).wordBoundaries.counts.count == classes.wordBoundary.keys,
            old.columns.frequentTerms.elementsEqual(classes.frequent.lazy.map { Int($0) })
        else { return nil }
        self.input = input
        self.rows = rows
        self.column = column
        self.classes = classes
    }

    func write() throws(StoreError) {
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

/// Indexes rows by the lists of an earlier snapshot, if it has them and they can be used.
struct MergedSearchJobs: SearchIndexJobs {
    let input: BuildInput
    let rows: RowMerge

    /// Those of the earlier snapshot, if the word boundaries of a searched field have the keys that they have here.
    var frequentTerms: [UInt32]? {
        let old = rows.old
        let frequent = old.columns.frequentTerms
        // A file of before has none: they are chosen as soon as it is merged.
        if frequent.isEmpty { return nil }
        let keys = WordBoundary(rows: input.rows.count, frequent: frequent.count).keys
        let isUsed = old.columnIndex.searched.contains { old.column($0).wordBoundaries.counts.count == keys }
        return isUsed ? frequent.map { UInt32($0) } : nil
    }

    func boundaries(of column: Column, classes: WordBoundaryClasses) -> any BuildJob {
        WordBoundaryMerge(of: column, classes: classes, input: input, rows: rows)
            ?? GatheredSearchJobs(input: input).boundaries(of: column, classes: classes)
    }

    func nGrams(of column: Column, selection: NGramSelection) throws(StoreError) -> any BuildJob {
        let file = try input.output.map()
        return NGramBuilder(
            input: input, selection: selection, column: column,
            maker: NGramPatch(column, in: file.bytes, selection: selection, rows: rows))
    }
}
