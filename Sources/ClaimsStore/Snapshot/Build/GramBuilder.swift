// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// Writes, for one searched field, the rows that have each of the chosen grams.
struct GramBuilder: BuildJob {
    let input: BuildInput
    let selection: GramSelection
    let column: Column
    let directory: String
    /// Where most rows' lists are already; nil: nowhere yet.
    let merge: RowMerge?

    /// The lists of the grams of one length.
    private struct Level {
        let first: Int
        var starts: [Int] = [0]
        var counts: [UInt32] = []
        var units: SpilledElements<UInt16>

        func range(_ gram: Int) -> Range<Int> { starts[gram - first]..<starts[gram - first + 1] }
    }

    func write() throws(StoreError) {
        let file = try input.output.map()
        var levels: [Level] = []
        var bits = [UInt64](repeating: 0, count: Bits.words(input.rows.count))
        var patch = merge.flatMap { GramPatch($0, column, selection, file.bytes) }
        var first = 0
        while first < selection.numbers.count {
            let length = Gram.length(selection.numbers[first])
            var end = first
            while end < selection.numbers.count, Gram.length(selection.numbers[end]) == length { end += 1 }
            levels.append(try level(first..<end, above: levels.last, &bits, &patch, file.bytes))
            first = end
        }
        try write(levels)
    }

    /// Makes the lists of the grams of one length, with those of one byte more at hand.
    private func level(
        _ grams: Range<Int>, above: Level?, _ bits: inout [UInt64], _ patch: inout GramPatch?, _ bytes: RawSpan
    ) throws(StoreError) -> Level {
        var level = Level(first: grams.lowerBound, units: SpilledElements([]))
        var units = SpillStream<UInt16>(directory)
        var list: [UInt16] = []
        for gram in grams {
            if patch?.make(gram) == true, let list = patch?.list {
                level.counts.append(UInt32(list.count))
                try units.append(contentsOf: list.units.span)
                level.starts.append(units.count)
                continue
            }
            for index in bits.indices { bits[index] = 0 }
            if let above {
                for place in selection.longerStarts[gram]..<selection.longerStarts[gram + 1] {
                    PostingUnion.add(above.range(Int(selection.longer[place])), above.units.bytes, to: &bits)
                }
            }
            for place in selection.wordStarts[gram]..<selection.wordStarts[gram + 1] {
                PostingUnion.add(Int(selection.words[place]), of: column.postings, bytes, to: &bits)
            }
            Bits.clearTail(&bits, rows: input.rows.count)
            list.removeAll(keepingCapacity: true)
            level.counts.append(UInt32(PostingLists.append(bits, to: &list)))
            try units.append(contentsOf: list.span)
            level.starts.append(units.count)
        }
        level.units = try units.seal()
        return level
    }

    private func write(_ levels: [Level]) throws(StoreError) {
        var starts: [UInt32] = [0]
        var counts: [UInt32] = []
        var size = 0
        for level in levels {
            for start in level.starts.dropFirst() { starts.append(UInt32(clamping: size + start)) }
            counts += level.counts
            size += level.units.count
        }
        guard size < Int(UInt32.max) else { throw StoreError(.tooLarge, "index the words") }
        let owner = column.kind.owner
        try input.output.write(.gramStarts, owner: owner, width: 4, starts.span)
        try input.output.write(.gramCounts, owner: owner, width: 4, counts.span)
        var section = SectionWriter(.gramLists, owner: owner, width: 2, size: size * 2, to: input.output)
        for level in levels { try section.append(level.units.bytes) }
        try section.finish()
    }
}
