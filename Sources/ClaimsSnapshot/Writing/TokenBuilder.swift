// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform

/// Writes the terms of each row of a searched field, then the posting lists of the terms.
struct TokenBuilder: BuildJob {
    /// The number of rows ahead whose texts are fetched: they lie in the order of arrival, not of the rows.
    private static let readAhead = 8

    let input: BuildInput
    let collected: CollectedColumn
    /// The number of terms.
    let terms: Int

    func write() throws(StoreError) {
        let columnID = collected.column.columnID
        let starts = try writeTokens(columnID)
        try input.output.write(.tokenStarts, id: columnID, width: 4, starts.span)
        let sections = input.output.sections
        guard let tokens = sections.first(where: { $0.kind == SectionKind.tokens.rawValue && $0.id == columnID }),
            let table = sections.first(where: { $0.kind == SectionKind.tokenStarts.rawValue && $0.id == columnID })
        else { return }
        let source = TokenPostings(
            tokens: TokenTable(
                starts: Table(offset: table.offset, count: starts.count, width: 4), offset: tokens.offset,
                size: tokens.size / 2))
        let file = try input.output.map()
        try PostingBuilder(items: starts.count, keys: terms, source: source).write(
            file.bytes, starts: .postingStarts, counts: .postingCounts, lists: .postings, id: columnID,
            to: input.output)
    }

    /// Writes the texts in the order of the rows, equal ones once. Returns the start of each row's text, in units.
    private func writeTokens(_ columnID: Int) throws(StoreError) -> [UInt32] {
        let bytes = collected.tokens.bytes
        let codes = collected.codes.bytes
        let source = ByteKeys(collected.tokenCounts)
        // The start of each entry's text; `none` before it has been written.
        var textStarts = [UInt32](repeating: UInt32(TokenTable.none), count: collected.count)
        var starts = [UInt32](repeating: UInt32(TokenTable.none), count: input.rows.count)
        var size = 0
        for row in starts.indices {
            let entry = codes.u32(at: Int(input.rows[row]) &* 4)
            guard entry != ColumnCollector.absent else { continue }
            if textStarts[Int(entry)] == TokenTable.none {
                guard size < TokenTable.none else { throw StoreError(.tooLarge, "store the words of a field") }
                textStarts[Int(entry)] = UInt32(size)
                size += TokenTable.room(source.range(Int(entry)).count)
            }
            starts[row] = textStarts[Int(entry)]
        }
        var section = SectionWriter(.tokens, id: columnID, width: 2, size: size * 2, to: input.output)
        var written = 0
        for row in starts.indices where starts[row] != TokenTable.none && Int(starts[row]) == written {
            let ahead = row &+ Self.readAhead
            if ahead < starts.count, starts[ahead] != TokenTable.none {
                let range = source.range(Int(codes.u32(at: Int(input.rows[ahead]) &* 4)))
                Prefetch.read(bytes, at: range.lowerBound &* 2, count: range.count &* 2)
            }
            let range = source.range(Int(codes.u32(at: Int(input.rows[row]) &* 4)))
            try section.append(min(range.count, 0xFFFF), width: 2)
            if range.count >= 0xFFFF { try section.append(range.count, width: 4) }
            try section.append(bytes.part(range.lowerBound &* 2, range.count &* 2))
            written += TokenTable.room(range.count)
        }
        try section.finish()
        return starts
    }
}

/// The terms of each row of one field, read from the tokens in the file.
struct TokenPostings: PostingSource {
    let tokens: TokenTable

    @inline(__always)
    func forEachKey(of item: Int, _ bytes: RawSpan, _ body: (Int) -> Void) {
        let units = tokens.view(bytes).units(item)
        var index = 0
        while index < units.count {
            body(TokenUnits.next(&index) { units[$0] })
        }
    }
}
