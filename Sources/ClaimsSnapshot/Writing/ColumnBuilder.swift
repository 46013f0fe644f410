// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel

/// Sorts one column's values, and writes its ordinals, permutation, runs, keys and bitmaps.
struct ColumnBuilder: BuildJob {
    let arrived: ArrivedRecords
    /// The order of the rows, made by a job that is begun before this one.
    let rows: JobResult<BuildInput>
    let collected: CollectedColumn
    /// Makes the ranks of the terms; its job is begun before this one.
    let dictionary: TermDictionaryBuilder

    private var columnID: Int { collected.column.columnID }

    func write() throws(StoreError) {
        let column = collected.column
        let ranks = column.isText && column.isSearched ? try dictionary.ranks.get() : nil
        // The values can be sorted before the rows are known.
        let entries = try SortedEntries.make(arrived, collected, ranks) { () throws(StoreError) in
            try rows.get().rows
        }
        let absent = entries.distinct
        // A column without a value is known by having no sections.
        if absent == 0 { return }
        let input = try rows.get()
        let codes = collected.codes.bytes
        var ordinals = [UInt32](repeating: 0, count: input.rows.count)
        for row in ordinals.indices {
            let entry = codes.u32(at: Int(input.rows[row]) &* 4)
            ordinals[row] = entry == ColumnCollector.absent ? UInt32(absent) : entries.ordinal(Int(entry))
        }
        try OrdinalSections(output: input.output, columnID: columnID).write(ordinals, distinct: absent)
        if column.storesKeys {
            try KeySections(input: input, collected: collected, entries: entries).write()
        }
    }
}

/// Writes the sections that follow from the ordinals of a column's rows: ordinals, permutation, runs and bitmaps.
struct OrdinalSections {
    /// The maximal number of values, including absence, of a column that has a bitmap for each value.
    static let maxBitmaps = 48
    /// The number of rows below which bitmaps save nothing.
    static let minBitmapRows = 1 << 10

    let output: SnapshotOutput
    let columnID: Int

    /// - Parameter ordinals: the ordinal of each row's value; `distinct` if the value is absent.
    func write(_ ordinals: [UInt32], distinct: Int) throws(StoreError) {
        var runs = [UInt32](repeating: 0, count: distinct + 2)
        for ordinal in ordinals { runs[Int(ordinal) &+ 1] &+= 1 }
        for ordinal in 0...distinct { runs[ordinal + 1] += runs[ordinal] }
        try SectionWriter.writeTable(.ordinals, id: columnID, count: ordinals.count, bound: distinct, to: output) {
            Int(ordinals[$0])
        }
        try output.write(.runs, id: columnID, width: 4, runs.span)
        try writePermutation(ordinals, runs)
        try writeBitmaps(ordinals, distinct + 1)
    }

    private func writePermutation(_ ordinals: [UInt32], _ runs: [UInt32]) throws(StoreError) {
        var next = runs
        var permutation = [UInt32](repeating: 0, count: ordinals.count)
        for row in ordinals.indices {
            let ordinal = Int(ordinals[row])
            permutation[Int(next[ordinal])] = UInt32(row)
            next[ordinal] &+= 1
        }
        try output.write(.permutation, id: columnID, width: 4, permutation.span)
    }

    private func writeBitmaps(_ ordinals: [UInt32], _ count: Int) throws(StoreError) {
        guard count <= Self.maxBitmaps, ordinals.count >= Self.minBitmapRows else { return }
        let length = (ordinals.count + 63) / 64
        var bitmaps = [UInt64](repeating: 0, count: length * count)
        for row in ordinals.indices {
            bitmaps[Int(ordinals[row]) &* length &+ row >> 6] |= 1 << UInt64(row & 63)
        }
        try output.write(.bitmaps, id: columnID, width: 8, bitmaps.span)
    }
}

/// Writes the distinct keys of a column in their order, and the folded values if they differ from the keys.
struct KeySections {
    let input: BuildInput
    let collected: CollectedColumn
    let entries: SortedEntries

    func write() throws(StoreError) {
        let ranges = ByteKeys(collected.keyCounts)
        let keys = collected.keys.bytes
        let columnID = collected.column.columnID
        var size = 0
        for entry in entries.leaders { size += ranges.range(Int(entry)).count }
        var next = 0
        try SectionWriter.writeTable(
            .keyStarts, id: columnID, count: entries.leaders.count + 1, bound: size, to: input.output
        ) { index in
            defer { if index < entries.leaders.count { next += ranges.range(Int(entries.leaders[index])).count } }
            return next
        }
        var section = SectionWriter(.keys, id: columnID, size: size, to: input.output)
        for entry in entries.leaders { try section.append(keys.part(ranges.range(Int(entry)))) }
        try section.finish()
        if collected.column.mayHaveFolded { try writeFolded(ranges) }
    }

    private func writeFolded(_ ranges: ByteKeys) throws(StoreError) {
        let keys = collected.keys.bytes
        let columnID = collected.column.columnID
        var starts = [0]
        var isFolded = true
        var folded: [UInt8] = []
        for entry in entries.leaders {
            let key = keys.part(ranges.range(Int(entry)))
            folded.removeAll(keepingCapacity: true)
            Folding.fold(key, into: &folded)
            starts.append(starts[starts.count - 1] + folded.count)
            if isFolded, !folded.rawSpan.equals(key) { isFolded = false }
        }
        if isFolded { return }
        let size = starts[starts.count - 1]
        try SectionWriter.writeTable(.foldedStarts, id: columnID, count: starts.count, bound: size, to: input.output) {
            starts[$0]
        }
        var section = SectionWriter(.folded, id: columnID, size: size, to: input.output)
        for entry in entries.leaders {
            folded.removeAll(keepingCapacity: true)
            Folding.fold(keys.part(ranges.range(Int(entry))), into: &folded)
            try section.append(folded.rawSpan)
        }
        try section.finish()
    }
}
