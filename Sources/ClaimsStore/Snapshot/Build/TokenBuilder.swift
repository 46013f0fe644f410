// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform

/// Writes the words of each row of a searched field, then the posting lists of the words.
struct TokenBuilder: BuildJob {
    /// Texts lie in the order of arrival: so many are asked for before they are read.
    private static let readAhead = 8

    let input: BuildInput
    let collected: CollectedColumn
    /// How many words there are.
    let words: Int

    func write() throws(StoreError) {
        let owner = collected.column.owner
        let starts = try writeTokens(owner)
        try input.output.write(.tokenStarts, owner: owner, width: 4, starts.span)
        let sections = input.output.sections
        guard let tokens = sections.first(where: { $0.kind == SectionKind.tokens.rawValue && $0.owner == owner }),
            let table = sections.first(where: { $0.kind == SectionKind.tokenStarts.rawValue && $0.owner == owner })
        else { return }
        let source = TokenPostings(
            tokens: TokenTable(
                starts: Table(offset: table.offset, count: starts.count, width: 4), offset: tokens.offset,
                size: tokens.size / 2))
        let file = try input.output.map()
        try PostingBuilder(items: starts.count, keys: words, source: source).write(
            file.bytes, starts: .postingStarts, counts: .postingCounts, lists: .postings, owner: owner,
            to: input.output)
    }

    /// Writes the texts in the order of the rows, equal ones once, and returns where each row's begins.
    private func writeTokens(_ owner: Int) throws(StoreError) -> [UInt32] {
        let bytes = collected.tokens.bytes
        let codes = collected.codes.bytes
        let source = ByteKeys(collected.tokenCounts)
        // By entry: where its text begins; `none` before it has been written.
        var places = [UInt32](repeating: UInt32(TokenTable.none), count: collected.count)
        var starts = [UInt32](repeating: UInt32(TokenTable.none), count: input.rows.count)
        var size = 0
        for row in starts.indices {
            let entry = codes.u32(Int(input.rows[row]) &* 4)
            guard entry != ColumnCollector.absent else { continue }
            if places[Int(entry)] == TokenTable.none {
                guard size < TokenTable.none else { throw StoreError(.tooLarge, "store the words of a field") }
                places[Int(entry)] = UInt32(size)
                size += TokenTable.room(source.range(Int(entry)).count)
            }
            starts[row] = places[Int(entry)]
        }
        var section = SectionWriter(.tokens, owner: owner, width: 2, size: size * 2, to: input.output)
        var written = 0
        for row in starts.indices where starts[row] != TokenTable.none && Int(starts[row]) == written {
            let ahead = row &+ Self.readAhead
            if ahead < starts.count, starts[ahead] != TokenTable.none {
                let range = source.range(Int(codes.u32(Int(input.rows[ahead]) &* 4)))
                Prefetch.read(bytes, at: range.lowerBound &* 2, count: range.count &* 2)
            }
            let range = source.range(Int(codes.u32(Int(input.rows[row]) &* 4)))
            try section.append(min(range.count, 0xFFFF), width: 2)
            if range.count >= 0xFFFF { try section.append(range.count, width: 4) }
            try section.append(bytes.part(range.lowerBound &* 2, range.count &* 2))
            written += TokenTable.room(range.count)
        }
        try section.finish()
        return starts
    }
}
