// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// Writes the words of each row of a searched field, then the posting lists of the words.
struct TokenMerge {
    let input: MergeInput
    let collected: CollectedColumn

    private var owner: Int { collected.column.owner }

    /// - Parameter ordinals: by row: the value's ordinal, so that equal texts are written once; nil: all differ.
    func write(_ ordinals: [UInt32]?) throws(StoreError) {
        let fresh = FreshTokens(collected, input.words)
        let starts = try writeTokens(ordinals, fresh)
        try input.output.write(.tokenStarts, owner: owner, width: 4, starts.span)
        let old = input.old.column(owner)
        let sections = SectionIndex(input.output.sections)
        let texts = sections.blob(.tokens, owner)
        let tokens = TokenTable(
            starts: sections.table(.tokenStarts, owner), offset: texts.offset, size: texts.size / 2)
        let file = try input.output.map()
        try PostingMerge(
            rows: input.rows, lists: old.postings, before: TokenPostings(tokens: old.tokens),
            after: TokenPostings(tokens: tokens), keys: input.words.count
        ).write(
            file.bytes, starts: .postingStarts, counts: .postingCounts, lists: .postings, owner: owner,
            to: input.output)
    }

    private func writeTokens(_ ordinals: [UInt32]?, _ fresh: FreshTokens) throws(StoreError) -> [UInt32] {
        let none = UInt32(TokenTable.none)
        let bytes = input.old.bytes
        let texts = input.old.column(owner).tokens
        var starts = [UInt32](repeating: none, count: input.count)
        // By ordinal: where its text begins; `none` before it has been placed.
        var places = [UInt32](repeating: none, count: ordinals.map { Int($0.max() ?? 0) + 1 } ?? 0)
        var size = 0
        let sources = input.rows.sources
        for row in starts.indices {
            let source = sources[row]
            let count: Int
            if source & RowMerge.fresh == 0 {
                guard texts.starts[Int(source), bytes] != TokenTable.none else { continue }
                count = texts.units(Int(source), bytes).count
            } else {
                guard let range = fresh.range(of: source & ~RowMerge.fresh) else { continue }
                count = range.count
            }
            if let ordinals, places[Int(ordinals[row])] != none {
                starts[row] = places[Int(ordinals[row])]
                continue
            }
            guard size < TokenTable.none else { throw StoreError(.tooLarge, "store the words of a field") }
            starts[row] = UInt32(size)
            if let ordinals { places[Int(ordinals[row])] = UInt32(size) }
            size += TokenTable.room(count)
        }
        var section = SectionWriter(.tokens, owner: owner, width: 2, size: size * 2, to: input.output)
        var written = 0
        for row in starts.indices where starts[row] != none && Int(starts[row]) == written {
            let source = sources[row]
            if source & RowMerge.fresh == 0 {
                let units = texts.units(Int(source), bytes)
                try append(bytes.part(units.offset, units.count &* 2), &section, &written)
            } else if let range = fresh.range(of: source & ~RowMerge.fresh) {
                let units = unsafe fresh.units.span.bytes
                try append(units.part(range.lowerBound &* 2, range.count &* 2), &section, &written)
            }
        }
        try section.finish()
        return starts
    }

    private func append(_ units: RawSpan, _ section: inout SectionWriter, _ written: inout Int) throws(StoreError) {
        let count = units.byteCount / 2
        try section.append(min(count, 0xFFFF), width: 2)
        if count >= 0xFFFF { try section.append(count, width: 4) }
        try section.append(units)
        written += TokenTable.room(count)
    }
}
