// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// Sorts one column's values, and writes its ordinals, permutation, runs, keys and bitmaps.
struct ColumnBuilder: BuildJob {
    let arrived: ArrivedRecords
    /// Its job has been begun before.
    let rows: JobResult<BuildInput>
    let collected: CollectedColumn
    /// Tells how the words order; its job has been begun before.
    let vocabulary: VocabularyBuilder

    private var owner: Int { collected.column.owner }

    func write() throws(StoreError) {
        let column = collected.column
        let ranks = column.isText && column.isSearched ? try vocabulary.ranks.get() : nil
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
            let entry = codes.u32(Int(input.rows[row]) &* 4)
            ordinals[row] = entry == ColumnCollector.absent ? UInt32(absent) : entries.ordinal(Int(entry))
        }
        try OrdinalSections(output: input.output, owner: owner).write(ordinals, distinct: absent)
        if column.storesKeys {
            try KeySections(input: input, collected: collected, entries: entries).write()
        }
    }
}
