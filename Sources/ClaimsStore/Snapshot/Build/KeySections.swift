// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// Writes the distinct keys of a column in their order, and where they differ, the folded values.
struct KeySections {
    let input: BuildInput
    let collected: CollectedColumn
    let entries: SortedEntries

    func write() throws(StoreError) {
        let ranges = ByteKeys(collected.keyCounts)
        let keys = collected.keys.bytes
        let owner = collected.column.owner
        var size = 0
        for entry in entries.leaders { size += ranges.range(Int(entry)).count }
        var next = 0
        try input.output.writeTable(.keyStarts, owner: owner, count: entries.leaders.count + 1, bound: size) { index in
            defer { if index < entries.leaders.count { next += ranges.range(Int(entries.leaders[index])).count } }
            return next
        }
        var section = SectionWriter(.keys, owner: owner, size: size, to: input.output)
        for entry in entries.leaders { try section.append(keys.part(ranges.range(Int(entry)))) }
        try section.finish()
        if collected.column.mayHaveFolded { try writeFolded(ranges) }
    }

    private func writeFolded(_ ranges: ByteKeys) throws(StoreError) {
        let keys = collected.keys.bytes
        let owner = collected.column.owner
        var starts = [0]
        var isFolded = true
        var folded: [UInt8] = []
        for entry in entries.leaders {
            let key = keys.part(ranges.range(Int(entry)))
            folded.removeAll(keepingCapacity: true)
            Folding.fold(key, into: &folded)
            starts.append(starts[starts.count - 1] + folded.count)
            if isFolded, !folded.raw.isEqual(key) { isFolded = false }
        }
        if isFolded { return }
        let size = starts[starts.count - 1]
        try input.output.writeTable(.foldedStarts, owner: owner, count: starts.count, bound: size) { starts[$0] }
        var section = SectionWriter(.folded, owner: owner, size: size, to: input.output)
        for entry in entries.leaders {
            folded.removeAll(keepingCapacity: true)
            Folding.fold(keys.part(ranges.range(Int(entry))), into: &folded)
            try section.append(folded.raw)
        }
        try section.finish()
    }
}
