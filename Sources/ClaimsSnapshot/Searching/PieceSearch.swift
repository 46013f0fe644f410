// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsPlatform

extension TermDictionaryView {
    /// The terms that have `pattern` in them, which has no space; in ascending order of their numbers.
    func terms(
        containing pattern: [UInt8], scratch: QueryScratch, steps: inout QuerySteps
    ) throws(QueryInterruption) -> [Int] {
        pattern.count >= 3 && buckets > 0
            ? try lookUp(pattern, scratch: scratch, steps: &steps) : try scan(pattern, &steps)
    }

    /// The terms that end with `suffix`, which has no space; in ascending order of their numbers.
    func terms(
        withSuffix suffix: [UInt8], scratch: QueryScratch, steps: inout QuerySteps
    ) throws(QueryInterruption) -> [Int] {
        // A space follows each term.
        guard suffix.count >= 3, buckets > 0 else {
            return try scan(suffix + [UInt8(ascii: " ")], &steps)
        }
        return try lookUp(suffix, scratch: scratch, steps: &steps).filter {
            term($0).hasSuffix(suffix.rawSpan)
        }
    }

    private func scan(_ pattern: [UInt8], _ steps: inout QuerySteps) throws(QueryInterruption)
        -> [Int]
    {
        var found: [Int] = []
        let text = text
        var search = PieceSearch(pattern)
        while let match = try search.next(in: text, &steps) {
            let number = starts.last(notAbove: match, from: found.last ?? 0)
            guard number < count else { break }
            if found.last != number { found.append(number) }
            search.skip(to: starts[number + 1])
        }
        return found
    }

    /// The maximal number of buckets that are read for one pattern; their common terms are checked one by one.
    private static var maxBuckets: Int { 4 }

    private func lookUp(
        _ pattern: [UInt8], scratch: QueryScratch, steps: inout QuerySteps
    ) throws(QueryInterruption) -> [Int] {
        var lists: [(bucket: Int, count: Int)] = []
        for offset in 0...pattern.count - 3 {
            let bucket = Trigram.bucket(pattern.rawSpan, at: offset, of: buckets)
            if !lists.contains(where: { $0.bucket == bucket }) { lists.append((bucket, trigrams.count(bucket))) }
        }
        lists.sort { $0.count < $1.count }
        var found: [Int] = []
        if lists[0].count == 0 { return found }
        var terms = scratch.bitmap(Bits.wordCount(count))
        for (index, list) in lists.prefix(Self.maxBuckets).enumerated() {
            try steps.spend(min(list.count, terms.count) / 4 + 1)
            if index == 0 {
                PostingUnion.add(list.bucket, of: trigrams, to: &terms)
                if list.count < 64 { break }
            } else {
                var other = scratch.bitmap(terms.count)
                PostingUnion.add(list.bucket, of: trigrams, to: &other)
                Bits.intersect(&terms, other)
                scratch.keep(other)
            }
        }
        Bits.clearTail(&terms, rows: count)
        // A pattern that many terms have is mostly at the same offset in them.
        var offset = 0
        try Bits.forEach(terms) { number throws(QueryInterruption) in
            try steps.spend(8)
            let term = term(number)
            if term.part(offset, pattern.count).equals(pattern.rawSpan) {
                found.append(number)
            } else if let match = ByteSearch.firstIndex(of: pattern.rawSpan, in: term) {
                offset = match
                found.append(number)
            }
            return true
        }
        scratch.keep(terms)
        return found
    }
}

/// Finds the matches of a pattern in a long text, one after the other: by pieces, so that it can be interrupted.
struct PieceSearch {
    /// The size of a piece, in bytes.
    private static let pieceSize = 1 << 17

    private let pattern: [UInt8]
    private var offset = 0

    /// - Parameter pattern: not empty.
    init(_ pattern: [UInt8]) {
        self.pattern = pattern
    }

    /// The start of the next match; nil after the last. Matches may overlap.
    mutating func next(in text: RawSpan, _ steps: inout QuerySteps) throws(QueryInterruption) -> Int? {
        while offset < text.byteCount {
            // Pieces overlap, so that no match is missed at the end of a piece.
            let piece = text.part(offset, min(text.byteCount - offset, Self.pieceSize + pattern.count))
            if let found = ByteSearch.firstIndex(of: pattern.rawSpan, in: piece) {
                try steps.spend(16 + found / 64)
                offset += found + 1
                return offset - 1
            }
            if piece.byteCount < Self.pieceSize + pattern.count { return nil }
            offset += Self.pieceSize
            try steps.spend(Self.pieceSize / 64)
        }
        return nil
    }

    /// Leaves out matches that begin before `start`.
    mutating func skip(to start: Int) { offset = max(offset, start) }
}
