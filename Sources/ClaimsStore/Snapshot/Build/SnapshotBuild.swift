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
            input = buildInput(arrivals: arrivals, rows: merge.rows.numbers)
            try writeMerged(merge, input)
        } else {
            let rows = rowOrder(arrivals)
            input = buildInput(arrivals: arrivals, rows: rows)
            try writeColumns(input)
        }
        try writeGramsAndOrders(input, rows)
        try writeHeader(input)
        return output.size
    }

    private func buildInput(arrivals: Int, rows: [UInt32]) -> BuildInput {
        BuildInput(
            definition: definition, output: output, records: records, offsets: offsets, arrivals: arrivals, rows: rows)
    }

    /// The first records to arrive, as far as they stay, in the order of their ids.
    private func rowOrder(_ count: Int) -> [UInt32] {
        RowOrder.arrivals(count: count, dropped: dropped, keys: gathered.idKeys, keyCounts: gathered.idKeyCounts)
    }

    /// Only the new records are sorted; what there was is gone through in its order.
    private func merge(_ carried: CarriedRecords) -> MergeInput {
        let fresh = rowOrder(carried.first)
        return MergeInput(
            rows: RowMerge(
                carried, dropped: dropped, fresh: fresh, keys: gathered.idKeys, keyCounts: gathered.idKeyCounts),
            fresh: buildInput(arrivals: carried.first, rows: fresh), words: WordMerge(carried.old, gathered.words))
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
            offsets: input.rows.map { offsetBytes.u64(Int($0) * 8) }, records: input.records, merge: merge)
    }

    private func writeColumns(_ input: BuildInput) throws(StoreError) {
        // What others wait for is begun before them; then the longest first, so that both threads end at about the
        // same time.
        let vocabulary = VocabularyBuilder(gathered.words, output)
        var jobs: [any BuildJob] = [vocabulary]
        for collected in columns.sorted(by: { $0.tokens.count > $1.tokens.count }) where collected.column.isSearched {
            jobs.append(TokenBuilder(input: input, collected: collected, words: gathered.words.count))
        }
        jobs.insert(ids(input, nil), at: min(2, jobs.count))
        for collected in columns.sorted(by: { $0.count > $1.count }) where !collected.column.isIdentity {
            jobs.append(ColumnBuilder(input: input, collected: collected, vocabulary: vocabulary))
        }
        try ParallelJobs.run(jobs)
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
        let file = try output.map()
        let fields = index.searched.map { index[$0] }
        let selection = GramSelection.make(
            index.vocabulary, rows: input.rows.count, counts: fields.map(\.postings.counts), file.bytes)
        try output.write(.grams, width: 4, selection.numbers.span)
        try output.write(.fewGrams, width: 4, selection.few.span)
        try output.writeTable(.fewStarts, count: selection.fewStarts.count, bound: selection.fewWords.count) {
            selection.fewStarts[$0]
        }
        try output.write(.fewWords, width: 4, selection.fewWords.span)
        let classes = JunctionClasses(index.vocabulary, rows: input.rows.count, file.bytes)
        return fields.sorted { $0.postings.size > $1.postings.size }.flatMap { column -> [any BuildJob] in
            [
                merge.flatMap { JunctionMerge(input, $0, column, classes) }
                    ?? JunctionBuilder(input: input, column: column, classes: classes),
                GramBuilder(
                    input: input, selection: selection, column: column, directory: Paths.parent(output.path),
                    merge: merge),
            ]
        }
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
