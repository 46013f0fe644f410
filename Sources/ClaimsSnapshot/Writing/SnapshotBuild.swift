// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform

/// The last step of building a snapshot: everything that needs all records.
///
/// Jobs on two threads write the sections. The same input gives the same sections; their order in the file may differ.
struct SnapshotBuild {
    let identity: SnapshotIdentity
    let arrived: ArrivedRecords
    let gathered: GatheredValues
    /// The records that hold a value which a vocabulary does not know, in the order of arrival.
    let unsupported: RowMarks
    /// The records that the snapshot does not get, in the order of arrival.
    let dropped: RowMarks
    /// The bytes of all records that stay.
    let liveBytes: Int
    /// The files over which the new one is made, and the ids that are gone since; none for a base.
    let below: [Snapshot]
    let gone: [[UInt8]]

    private var definition: Definition { arrived.definition }
    private var output: SnapshotOutput { arrived.output }

    /// Writes all sections from the gathered values, and returns the size of the finished file in bytes.
    func run() throws(StoreError) -> Int {
        let input = try writeColumns()
        try writeSearchIndex(input, jobs: GatheredSearchJobs(input: input))
        return try finish(input)
    }

    /// The searched columns, beginning with the most tokens. Long jobs are begun first, so that both threads end at
    /// about the same time.
    var searchedColumns: [CollectedColumn] {
        gathered.columns.filter(\.column.isSearched).sorted { $0.tokens.count > $1.tokens.count }
    }

    /// The job that writes the id table.
    func idTable(of input: BuildInput, ids: any RowIDs) -> IDTableBuilder {
        IDTableBuilder(
            definition: definition, identity: identity, output: output, offsets: arrived.offsets(of: input.rows),
            ids: ids)
    }

    private func recordIDs(of input: BuildInput) -> RecordIDs {
        RecordIDs(offsets: arrived.offsets(of: input.rows), records: arrived.records)
    }

    private func writeColumns() throws(StoreError) -> BuildInput {
        let rows = RowSorter(arrived: arrived, gathered: gathered, dropped: dropped)
        let dictionary = TermDictionaryBuilder(gathered.terms, output)
        var sorted = gathered.columns.filter { !$0.column.isIdentity }.sorted { $0.count > $1.count }
            .map { ColumnBuilder(arrived: arrived, rows: rows.result, collected: $0, dictionary: dictionary) }
        // A job begins after the jobs that it waits for. A job that needs the rows late comes next, then the long ones.
        var jobs: [any BuildJob] = [rows, dictionary]
        if !sorted.isEmpty { jobs.append(sorted.removeFirst()) }
        let terms = gathered.terms.count
        var waiting: [any BuildJob] = searchedColumns.map { collected in
            WaitingJob(value: rows.result) { TokenBuilder(input: $0, collected: collected, terms: terms) }
        }
        let ids = WaitingJob(value: rows.result) { input in
            idTable(of: input, ids: recordIDs(of: input))
        }
        waiting.insert(ids, at: min(1, waiting.count))
        if !below.isEmpty {
            let coverage = WaitingJob(value: rows.result) { input in
                CoverageBuilder(
                    output: output, files: below,
                    ids: recordIDs(of: input), gone: gone)
            }
            waiting.insert(coverage, at: 0)
        }
        try ParallelJobs.run(jobs + waiting + sorted, onlyHere: output.medium.isMemory)
        return try rows.result.get()
    }

    /// Writes the lists that searches for parts of terms and for phrases use, and the stored orders.
    func writeSearchIndex(_ input: BuildInput, jobs makers: any SearchIndexJobs) throws(StoreError) {
        let index = ColumnIndex(definition, SectionIndex(output.sections), rows: input.rows.count)
        var jobs = try searchIndexJobs(input, index, makers)
        for (number, order) in StoredOrder.orders(of: definition).enumerated() {
            jobs.append(OrderBuilder(input: input, order: order, number: number, columns: index))
        }
        try ParallelJobs.run(jobs, onlyHere: output.medium.isMemory)
    }

    private func searchIndexJobs(
        _ input: BuildInput, _ index: ColumnIndex, _ makers: any SearchIndexJobs
    ) throws(StoreError) -> [any BuildJob] {
        let minRows = output.medium.isMemory ? NGram.minRowsInMemory : NGram.minRows
        guard input.rows.count >= minRows, !index.searched.isEmpty else { return [] }
        let selector = NGramSelector(output: output, columns: index, rows: input.rows.count)
        let file = try output.map()
        let frequent =
            makers.frequentTerms
            ?? WordBoundaryClasses.frequent(
                index.searched.map { index[$0].postings.counts }, terms: index.dictionary.count, rows: input.rows.count,
                file.bytes)
        let classes = WordBoundaryClasses(
            index.dictionary.view(file.bytes), rows: input.rows.count, frequent: frequent)
        try output.write(.frequentTerms, width: 4, classes.frequent.span)
        var jobs: [any BuildJob] = [selector]
        for column in index.searched.map({ index[$0] }).sorted(by: { $0.postings.size > $1.postings.size }) {
            jobs.append(makers.boundaries(of: column, classes: classes))
            jobs.append(
                WaitingJob(value: selector.result) { selection throws(StoreError) in
                    try makers.nGrams(of: column, selection: selection)
                })
        }
        return jobs
    }

    /// Writes the section table and the header, syncs the file and its folder, and returns the file's size in bytes.
    func finish(_ input: BuildInput) throws(StoreError) -> Int {
        let shared = output.sharedRecords
        let sections = shared + output.sections.map { Section($0, in: output.origin) }
        var table: [UInt8] = []
        for section in sections { section.append(to: &table) }
        let checksum = Checksum.of(table.rawSpan)
        let offset = output.reserve(table.count)
        // The file ends with its last reserved byte.
        table.append(contentsOf: repeatElement(0, count: output.size - offset - table.count))
        try output.write(table.rawSpan, at: offset)
        var unsupportedRows = 0
        for arrival in input.rows where unsupported.contains(Int(arrival)) { unsupportedRows += 1 }
        let header = SnapshotHeader(
            identity: identity, rows: input.rows.count, unsupported: unsupportedRows, fileSize: output.size,
            tableOffset: offset, sections: sections.count, tableChecksum: checksum, parts: shared.count,
            origin: output.origin, liveBytes: liveBytes)
        try output.write(header.encoded.rawSpan, at: 0)
        try output.sync()
        output.keep()
        return output.size
    }
}

/// Makes the jobs that write the search index of one column.
protocol SearchIndexJobs: Sendable {
    /// The frequent terms of an earlier snapshot whose lists are used; nil if they are to be chosen.
    var frequentTerms: [UInt32]? { get }
    /// Writes which rows have which boundaries between terms.
    func boundaries(of column: Column, classes: WordBoundaryClasses) -> any BuildJob
    /// Writes which rows have which of the chosen n-grams.
    func nGrams(of column: Column, selection: NGramSelection) throws(StoreError) -> any BuildJob
}

/// Indexes all rows by the terms that were written for them.
struct GatheredSearchJobs: SearchIndexJobs {
    let input: BuildInput

    var frequentTerms: [UInt32]? { nil }

    func boundaries(of column: Column, classes: WordBoundaryClasses) -> any BuildJob {
        WordBoundaryBuilder(input: input, column: column, classes: classes)
    }

    func nGrams(of column: Column, selection: NGramSelection) -> any BuildJob {
        NGramBuilder(input: input, selection: selection, column: column, maker: nil)
    }
}
