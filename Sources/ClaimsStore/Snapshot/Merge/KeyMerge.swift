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
        let fresh = ByteKeys(collected.keyCounts)
        try write(
            .keyStarts, .keys, fresh, count: { key, _ in key.byteCount },
            append: { key, _, section throws(StoreError) in try section.append(key) })
        guard collected.column.mayHaveFolded else { return }
        var folded: [UInt8] = []
        var isFolded = true
        forEach(fresh) { key in
            folded.removeAll(keepingCapacity: true)
            Folding.fold(key, into: &folded)
            if !folded.raw.isEqual(key) { isFolded = false }
            return isFolded
        }
        if isFolded { return }
        try write(
            .foldedStarts, .folded, fresh,
            count: { key, folded in
                folded.removeAll(keepingCapacity: true)
                Folding.fold(key, into: &folded)
                return folded.count
            },
            append: { key, folded, section throws(StoreError) in
                folded.removeAll(keepingCapacity: true)
                Folding.fold(key, into: &folded)
                try section.append(folded.raw)
            })
    }

    /// Calls `body` with each key until it returns false.
    private func forEach(_ fresh: ByteKeys, _ body: (RawSpan) -> Bool) {
        for ordinal in merge.sources.indices {
            guard body(key(ordinal, fresh)) else { return }
        }
    }

    private func write(
        _ table: SectionKind, _ kind: SectionKind, _ fresh: ByteKeys, count: (RawSpan, inout [UInt8]) -> Int,
        append: (RawSpan, inout [UInt8], inout SectionWriter) throws(StoreError) -> Void
    ) throws(StoreError) {
        let owner = collected.column.owner
        var scratch: [UInt8] = []
        var starts = [0]
        starts.reserveCapacity(merge.distinct + 1)
        for ordinal in merge.sources.indices {
            starts.append(starts[starts.count - 1] + count(key(ordinal, fresh), &scratch))
        }
        let size = starts[starts.count - 1]
        try input.output.writeTable(table, owner: owner, count: starts.count, bound: size) { starts[$0] }
        var section = SectionWriter(kind, owner: owner, size: size, to: input.output)
        for ordinal in merge.sources.indices { try append(key(ordinal, fresh), &scratch, &section) }
        try section.finish()
    }

    @_lifetime(borrow self)
    private func key(_ ordinal: Int, _ fresh: ByteKeys) -> RawSpan {
        let source = merge.sources[ordinal]
        if source & ValueMerge.fresh != 0 {
            let entry = Int(leaders[Int(source & ~ValueMerge.fresh)])
            let span = collected.keys.bytes.part(fresh.range(entry))
            return unsafe _overrideLifetime(span, borrowing: self)
        }
        let old = input.old
        let span = old.column(collected.column.owner).key(Int(source), old.bytes)
        return unsafe _overrideLifetime(span, borrowing: self)
    }
}
