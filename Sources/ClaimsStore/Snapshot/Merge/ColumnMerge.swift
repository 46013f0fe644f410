// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Writes one column: the values that go on, and those of new records between them.
struct ColumnMerge: BuildJob {
    let input: MergeInput
    let collected: CollectedColumn

    private var column: ColumnKind { collected.column }

    func write() throws(StoreError) {
        guard !column.isIdentity else {
            if column.isSearched { try writeTokens(ordinals: nil) }
            return
        }
        let entries = try SortedEntries.make(input.fresh.arrived, collected, input.words.ranks) { input.fresh.rows }
        var merge: ValueMerge?
        if !column.isCoded {
            let comparison = ValueComparison(input.old, input.fresh.arrived, collected, input.words)
            merge = ValueMerge(
                input.rows, input.old.column(column.owner), fresh: entries.leaders, comparison)
        }
        let distinct = merge?.distinct ?? column.codes
        let ordinals = ordinals(entries, merge, absent: distinct)
        if distinct > 0 {
            try OrdinalSections(output: input.output, owner: column.owner).write(ordinals, distinct: distinct)
        }
        if let merge, column.storesKeys, distinct > 0 {
            try KeyMerge(input: input, collected: collected, leaders: entries.leaders, merge: merge).write()
        }
        if column.isSearched { try writeTokens(ordinals: ordinals) }
    }

    private func writeTokens(ordinals: [UInt32]?) throws(StoreError) {
        try TokenMerge(input: input, collected: collected).write(ordinals)
    }

    /// By row: the value's ordinal.
    private func ordinals(_ entries: SortedEntries, _ merge: ValueMerge?, absent: Int) -> [UInt32] {
        let old = input.old.column(column.owner)
        let bytes = input.old.bytes
        let codes = collected.codes.bytes
        let sources = input.rows.sources
        let ofOld = merge?.ofOld ?? (0..<UInt32(old.distinct)).map { min($0, UInt32(absent)) }
        var ordinals = [UInt32](repeating: UInt32(absent), count: sources.count)
        for row in ordinals.indices {
            let source = sources[row]
            if source & RowMerge.fresh == 0 {
                let ordinal = old.ordinal(Int(source), bytes)
                if ordinal < ofOld.count { ordinals[row] = ofOld[ordinal] }
            } else {
                let entry = codes.u32(Int(source & ~RowMerge.fresh) &* 4)
                guard entry != ColumnCollector.absent else { continue }
                let ordinal = entries.ordinal(Int(entry))
                ordinals[row] = merge.map { $0.ofFresh[Int(ordinal)] } ?? ordinal
            }
        }
        return ordinals
    }
}
