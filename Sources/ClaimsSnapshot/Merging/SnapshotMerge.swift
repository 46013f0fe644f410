// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel

/// The last step of building a snapshot that takes most of its records from an earlier one.
///
/// Only the new records are sorted and indexed. The sections of the earlier snapshot are read in order and merged with
/// them.
struct SnapshotMerge {
    let build: SnapshotBuild
    let carried: CarriedRecords

    /// Writes all sections, and returns the size of the finished file in bytes.
    func run() throws(SnapshotError) -> Int {
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

    private func writeColumns(_ merge: MergeInput, _ input: BuildInput) throws(SnapshotError) {
        let ids = MergedIDs(rows: merge.rows, fresh: build.arrived)
        // Jobs that take long are begun first, so that both threads end at about the same time.
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

    func forEach(_ body: (RawSpan) throws(SnapshotError) -> Void) throws(SnapshotError) {
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
