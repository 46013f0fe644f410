// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel

/// Writes one column: the values that are taken over, with the values of new records between them.
struct ColumnMerge: BuildJob {
    let input: MergeInput
    let collected: CollectedColumn

    private var column: ColumnKind { collected.column }

    func write() throws(StoreError) {
        guard !column.isIdentity else {
            if column.isSearched { try writeTokens(ordinals: nil) }
            return
        }
        let entries = try SortedEntries.make(input.fresh.arrived, collected, input.terms.ranks) { input.fresh.rows }
        var merge: ValueMerge?
        if !column.isCoded {
            let comparison = ValueComparison(
                of: collected, in: input.fresh.arrived, with: input.old, terms: input.terms)
            let old = input.old
            merge = ValueMerge(
                input.rows, old.column(column.columnID), fresh: entries.leaders, comparison: comparison)
        }
        let distinct = merge?.distinct ?? column.codes
        let ordinals = ordinals(entries, merge, absent: distinct)
        if distinct > 0 {
            try OrdinalSections(output: input.output, columnID: column.columnID).write(ordinals, distinct: distinct)
        }
        if let merge, column.storesKeys, distinct > 0 {
            try KeyMerge(input: input, collected: collected, leaders: entries.leaders, merge: merge).write()
        }
        if column.isSearched { try writeTokens(ordinals: ordinals) }
    }

    private func writeTokens(ordinals: [UInt32]?) throws(StoreError) {
        try TokenMerge(input: input, collected: collected).write(ordinals)
    }

    /// The ordinal of each row's value.
    private func ordinals(_ entries: SortedEntries, _ merge: ValueMerge?, absent: Int) -> [UInt32] {
        let snapshot = input.old
        let old = snapshot.column(column.columnID)
        let codes = collected.codes.bytes
        let sources = input.rows.sources
        let ofOld = merge?.ofOld ?? (0..<UInt32(old.distinct)).map { min($0, UInt32(absent)) }
        var ordinals = [UInt32](repeating: UInt32(absent), count: sources.count)
        for row in ordinals.indices {
            let source = sources[row]
            if source & RowMerge.fresh == 0 {
                let ordinal = old.ordinal(Int(source))
                if ordinal < ofOld.count { ordinals[row] = ofOld[ordinal] }
            } else {
                let entry = codes.u32(at: Int(source & ~RowMerge.fresh) &* 4)
                guard entry != ColumnCollector.absent else { continue }
                let ordinal = entries.ordinal(Int(entry))
                ordinals[row] = merge.map { $0.ofFresh[Int(ordinal)] } ?? ordinal
            }
        }
        return ordinals
    }
}

/// Writes the distinct keys of a merged column in their order, and the folded values if they differ from the keys.
struct KeyMerge {
    let input: MergeInput
    let collected: CollectedColumn
    /// The new records' values: the first entry of each.
    let leaders: [UInt32]
    let merge: ValueMerge

    func write() throws(StoreError) {
        try write(.keyStarts, .keys) { key, out in out.append(bytes: key) }
        guard collected.column.mayHaveFolded else { return }
        var folded: [UInt8] = []
        var isFolded = true
        try forEachKey { key throws(StoreError) in
            guard isFolded else { return }
            folded.removeAll(keepingCapacity: true)
            Folding.fold(key, into: &folded)
            if !folded.rawSpan.equals(key) { isFolded = false }
        }
        if isFolded { return }
        try write(.foldedStarts, .folded) { key, out in Folding.fold(key, into: &out) }
    }

    /// Writes the result of `form` for each key, end to end, and its start.
    @inline(__always)
    private func write(
        _ table: SectionKind, _ kind: SectionKind, _ form: (RawSpan, inout [UInt8]) -> Void
    ) throws(StoreError) {
        let columnID = collected.column.columnID
        var formed: [UInt8] = []
        var starts = [0]
        starts.reserveCapacity(merge.distinct + 1)
        try forEachKey { key throws(StoreError) in
            formed.removeAll(keepingCapacity: true)
            form(key, &formed)
            starts.append(starts[starts.count - 1] + formed.count)
        }
        let size = starts[starts.count - 1]
        try SectionWriter.writeTable(table, id: columnID, count: starts.count, bound: size, to: input.output) {
            starts[$0]
        }
        var section = SectionWriter(kind, id: columnID, size: size, to: input.output)
        try forEachKey { key throws(StoreError) in
            formed.removeAll(keepingCapacity: true)
            form(key, &formed)
            try section.append(formed.rawSpan)
        }
        try section.finish()
    }

    @inline(__always)
    private func forEachKey(_ body: (RawSpan) throws(StoreError) -> Void) throws(StoreError) {
        let old = input.old
        let column = old.column(collected.column.columnID)
        let ranges = ByteKeys(collected.keyCounts)
        let keys = collected.keys.bytes
        for source in merge.sources {
            if source & ValueMerge.fresh == 0 {
                try body(column.key(Int(source)))
            } else {
                try body(keys.part(ranges.range(Int(leaders[Int(source & ~ValueMerge.fresh)]))))
            }
        }
    }
}
