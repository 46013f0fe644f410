// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform

/// Writes the terms of each row of a searched field, then the posting lists of the terms.
struct TokenMerge {
    let input: MergeInput
    let collected: CollectedColumn

    private var columnID: Int { collected.column.columnID }

    /// - Parameter ordinals: by row: the value's ordinal, so that equal texts are written once; nil: all differ.
    func write(_ ordinals: [UInt32]?) throws(StoreError) {
        let fresh = FreshTokens(collected, input.terms)
        let starts = try writeTokens(ordinals, fresh)
        try input.output.write(.tokenStarts, id: columnID, width: 4, starts.span)
        let old = input.old.columnIndex[columnID]
        let sections = SectionIndex(input.output.sections)
        let texts = sections.blob(.tokens, columnID)
        let tokens = TokenTable(
            starts: sections.table(.tokenStarts, columnID), offset: texts.offset, size: texts.size / 2)
        let file = try input.output.map()
        try PostingMerge(
            rows: input.rows, lists: old.postings, before: TokenPostings(tokens: old.tokens),
            after: TokenPostings(tokens: tokens), keys: input.terms.count
        ).write(
            file.bytes, starts: .postingStarts, counts: .postingCounts, lists: .postings, id: columnID,
            to: input.output)
    }

    private func writeTokens(_ ordinals: [UInt32]?, _ fresh: FreshTokens) throws(StoreError) -> [UInt32] {
        let none = UInt32(TokenTable.none)
        let old = input.old
        let bytes = old.bytes
        let texts = old.column(columnID).tokens
        var starts = [UInt32](repeating: none, count: input.count)
        // The start of the text of each ordinal; `none` before it is known.
        var textStarts = [UInt32](repeating: none, count: ordinals.map { Int($0.max() ?? 0) + 1 } ?? 0)
        var size = 0
        let sources = input.rows.sources
        for row in starts.indices {
            let source = sources[row]
            let count: Int
            if source & RowMerge.fresh == 0 {
                guard texts.starts[Int(source)] != TokenTable.none else { continue }
                count = texts.units(Int(source)).count
            } else {
                guard let range = fresh.range(of: source & ~RowMerge.fresh) else { continue }
                count = range.count
            }
            if let ordinals, textStarts[Int(ordinals[row])] != none {
                starts[row] = textStarts[Int(ordinals[row])]
                continue
            }
            guard size < TokenTable.none else { throw StoreError(.tooLarge, "store the words of a field") }
            starts[row] = UInt32(size)
            if let ordinals { textStarts[Int(ordinals[row])] = UInt32(size) }
            size += TokenTable.room(count)
        }
        var section = SectionWriter(.tokens, id: columnID, width: 2, size: size * 2, to: input.output)
        var written = 0
        for row in starts.indices where starts[row] != none && Int(starts[row]) == written {
            let source = sources[row]
            if source & RowMerge.fresh == 0 {
                let units = texts.units(Int(source))
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

/// The terms of new records' texts, with the numbers that they have among all terms.
struct FreshTokens {
    private let collected: CollectedColumn
    /// The start of the units of each entry; then the end.
    private let starts: [Int]
    private(set) var units: [UInt16] = []

    init(_ collected: CollectedColumn, _ terms: TermMerge) {
        self.collected = collected
        let source = ByteKeys(collected.tokenCounts)
        let tokens = collected.tokens.bytes
        var starts = [0]
        starts.reserveCapacity(collected.count + 1)
        for entry in 0..<collected.count {
            terms.appendUnits(source.range(entry), of: tokens, to: &units)
            starts.append(units.count)
        }
        self.starts = starts
    }

    /// The range in `units` of a new record's text; nil if it has no text.
    func range(of number: UInt32) -> Range<Int>? {
        let entry = collected.codes.bytes.u32(at: Int(number) &* 4)
        guard entry != ColumnCollector.absent, Int(entry) + 1 < starts.count else { return nil }
        return starts[Int(entry)]..<starts[Int(entry) + 1]
    }
}
