// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// Writes the distinct keys of a merged column in their order, and where they differ, the folded values.
struct KeyMerge {
    let input: MergeInput
    let collected: CollectedColumn
    /// The new records' values: the first entry of each.
    let leaders: [UInt32]
    let merge: ValueMerge

    func write() throws(StoreError) {
        try write(.keyStarts, .keys) { key, out in out.append(copying: key) }
        guard collected.column.mayHaveFolded else { return }
        var folded: [UInt8] = []
        var isFolded = true
        try forEachKey { key throws(StoreError) in
            guard isFolded else { return }
            folded.removeAll(keepingCapacity: true)
            Folding.fold(key, into: &folded)
            if !folded.raw.isEqual(key) { isFolded = false }
        }
        if isFolded { return }
        try write(.foldedStarts, .folded) { key, out in Folding.fold(key, into: &out) }
    }

    /// Writes what `form` makes of each key, end to end, and where each begins.
    @inline(__always)
    private func write(
        _ table: SectionKind, _ kind: SectionKind, _ form: (RawSpan, inout [UInt8]) -> Void
    ) throws(StoreError) {
        let owner = collected.column.owner
        var formed: [UInt8] = []
        var starts = [0]
        starts.reserveCapacity(merge.distinct + 1)
        try forEachKey { key throws(StoreError) in
            formed.removeAll(keepingCapacity: true)
            form(key, &formed)
            starts.append(starts[starts.count - 1] + formed.count)
        }
        let size = starts[starts.count - 1]
        try input.output.writeTable(table, owner: owner, count: starts.count, bound: size) { starts[$0] }
        var section = SectionWriter(kind, owner: owner, size: size, to: input.output)
        try forEachKey { key throws(StoreError) in
            formed.removeAll(keepingCapacity: true)
            form(key, &formed)
            try section.append(formed.raw)
        }
        try section.finish()
    }

    @inline(__always)
    private func forEachKey(_ body: (RawSpan) throws(StoreError) -> Void) throws(StoreError) {
        let old = input.old
        let bytes = old.bytes
        let column = old.column(collected.column.owner)
        let ranges = ByteKeys(collected.keyCounts)
        let keys = collected.keys.bytes
        for source in merge.sources {
            if source & ValueMerge.fresh == 0 {
                try body(column.key(Int(source), bytes))
            } else {
                try body(keys.part(ranges.range(Int(leaders[Int(source & ~ValueMerge.fresh)]))))
            }
        }
    }
}
