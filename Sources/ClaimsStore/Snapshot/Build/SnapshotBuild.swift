// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform

/// The last step of a build: everything that needs all records.
struct SnapshotBuild {
    let definition: Definition
    let identity: SnapshotIdentity
    let output: SnapshotOutput
    let arrivals: Int
    let offsets: SpilledElements<UInt64>
    let gathered: GatheredValues
    /// The records of an earlier snapshot whose sections are merged with the new records'; nil: all is in `gathered`.
    let carried: CarriedRecords?
    let unsupported: RowMarks
    let dropped: RowMarks
    let records: RecordPlaces
    /// The bytes of all records that stay.
    let liveBytes: Int

    private var columns: [CollectedColumn] { gathered.columns }

    /// Returns the size of the finished file.
    func run() throws(StoreError) -> Int {
        let input: BuildInput
        var rows: RowMerge?
        if let carried {
            let merge = merge(carried)
            rows = merge.rows
            input = BuildInput(arrived: arrived(arrivals), rows: merge.rows.numbers)
            try writeMerged(merge, input)
        } else {
            input = try writeColumns()
        }
        try writeGramsAndOrders(input, rows)
        try writeHeader(input)
        return output.size
    }

    /// The first records to arrive.
    private func arrived(_ count: Int) -> ArrivedRecords {
        ArrivedRecords(definition: definition, output: output, records: records, offsets: offsets, count: count)
    }

    /// Only the new records are sorted; what there was is gone through in its order.
    private func merge(_ carried: CarriedRecords) -> MergeInput {
        let arrived = arrived(carried.first)
        let fresh = RowSorter(arrived: arrived, gathered: gathered, dropped: dropped).rows(of: carried.first)
        return MergeInput(
            rows: RowMerge(
                carried, dropped: dropped, fresh: fresh, keys: gathered.idKeys, keyCounts: gathered.idKeyCounts),
            fresh: BuildInput(arrived: arrived, rows: fresh), words: WordMerge(carried.old, gathered.words))
    }

    private func writeMerged(_ merge: MergeInput, _ input: BuildInput) throws(StoreError) {
        var jobs: [any BuildJob] = []
        // The longest first, so that both threads end at about the same time.
        for collected in columns.sorted(by: { $0.tokens.count > $1.tokens.count }) where collected.column.isSearched {
            jobs.append(ColumnMerge(input: merge, collected: collected))
        }
        jobs.append(ids(input, merge.rows))
        jobs.append(VocabularyMerge(words: merge.words, output: output))
        for collected in columns where !collected.column.isSearched {
            jobs.append(ColumnMerge(input: merge, collected: collected))
        }
        try ParallelJobs.run(jobs)
    }

    private func ids(_ input: BuildInput, _ merge: RowMerge?) -> IDTableBuilder {
        let offsetBytes = offsets.bytes
        return IDTableBuilder(
            definition: definition, identity: identity, output: output,
            offsets: input.rows.map { offsetBytes.u64(Int($0) * 8) }, records: records, merge: merge)
    }

    private func writeColumns() throws(StoreError) -> BuildInput {
        let arrived = arrived(arrivals)
        let rows = RowSorter(arrived: arrived, gathered: gathered, dropped: dropped)
        let vocabulary = VocabularyBuilder(gathered.words, output)
        var sorted = columns.filter { !$0.column.isIdentity }.sorted { $0.count > $1.count }
            .map { ColumnBuilder(arrived: arrived, rows: rows.result, collected: $0, vocabulary: vocabulary) }
        // What others wait for is begun before them; then something that needs the rows late, and then the longest
        // first, so that both threads end at about the same time.
        var jobs: [any BuildJob] = [rows, vocabulary]
        if !sorted.isEmpty { jobs.append(sorted.removeFirst()) }
        var tokens: [any BuildJob] = []
        let words = gathered.words.count
        for collected in columns.sorted(by: { $0.tokens.count > $1.tokens.count }) where collected.column.isSearched {
            tokens.append(
                WaitingJob(value: rows.result) { TokenBuilder(input: $0, collected: collected, words: words) })
        }
        tokens.insert(WaitingJob(value: rows.result) { ids($0, nil) }, at: min(1, tokens.count))
        try ParallelJobs.run(jobs + tokens + sorted)
        return try rows.result.get()
    }

    private func writeGramsAndOrders(_ input: BuildInput, _ merge: RowMerge?) throws(StoreError) {
        let index = ColumnIndex(definition, SectionIndex(output.sections), rows: input.rows.count)
        var jobs: [any BuildJob] = try patternJobs(input, index, merge)
        for (number, order) in StoredOrder.orders(of: definition).enumerated() {
            jobs.append(OrderBuilder(input: input, order: order, number: number, columns: index))
        }
        try ParallelJobs.run(jobs)
    }

    private func patternJobs(
        _ input: BuildInput, _ index: ColumnIndex, _ merge: RowMerge?
    ) throws(StoreError) -> [any BuildJob] {
        guard input.rows.count >= Gram.rowsMin, !index.searched.isEmpty else { return [] }
        let selector = GramSelector(output: output, columns: index, rows: input.rows.count)
        let file = try output.map()
        let classes = JunctionClasses(index.vocabulary, rows: input.rows.count, file.bytes)
        let directory = Paths.parent(output.path)
        var jobs: [any BuildJob] = [selector]
        for column in index.searched.map({ index[$0] }).sorted(by: { $0.postings.size > $1.postings.size }) {
            jobs.append(
                merge.flatMap { JunctionMerge(input, $0, column, classes) }
                    ?? JunctionBuilder(input: input, column: column, classes: classes))
            jobs.append(
                WaitingJob(value: selector.result) { selection in
                    GramBuilder(
                        input: input, selection: selection, column: column, directory: directory, merge: merge)
                })
        }
        return jobs
    }

    private func writeHeader(_ input: BuildInput) throws(StoreError) {
        let shared = output.sharedRecords
        let sections = shared + output.sections.map { Section($0, in: output.origin) }
        var table: [UInt8] = []
        for section in sections { section.append(to: &table) }
        let checksum = Checksum.of(table.raw)
        let offset = output.reserve(table.count)
        // The file ends with its last reserved byte.
        table.append(contentsOf: repeatElement(0, count: output.size - offset - table.count))
        try output.write(table.raw, at: offset)
        var unsupportedRows = 0
        for arrival in input.rows where unsupported.contains(Int(arrival)) { unsupportedRows += 1 }
        let header = SnapshotHeader(
            identity: identity, rows: input.rows.count, unsupported: unsupportedRows, fileSize: output.size,
            tableOffset: offset, sections: sections.count, tableChecksum: checksum, parts: shared.count,
            origin: output.origin, liveBytes: liveBytes)
        try output.write(header.encoded.raw, at: 0)
        try output.sync()
        output.keep()
    }
}
