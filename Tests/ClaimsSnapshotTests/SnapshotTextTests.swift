// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsQuery
import ClaimsTestSupport
import Testing

@testable import ClaimsSnapshot

/// Searches for pieces of texts: what is in a text is found, whatever way leads there.
struct SnapshotTextTests {
    /// One collection, and the searched texts of its records.
    private struct Texts {
        let fixture: SnapshotFixture
        /// By row: the folded texts of the searched fields.
        let texts: [[[UInt8]]]
        let scratch = QueryScratch()

        init(_ count: Int, seed: UInt64, hasOwnWords: Bool) throws {
            var objects = ShelfObjects(seed: seed)
            objects.ids = 10_000_000
            objects.hasOwnWords = hasOwnWords
            let fixture = try SnapshotFixture(objects.objects(count))
            self.fixture = fixture
            let searched = fixture.definition.fields.indices.filter { fixture.definition.fields[$0].isSearched }
            texts = fixture.records.map { record in searched.map { record.foldedText($0).array } }
        }

        func rows(with pattern: [UInt8]) -> [Int] {
            texts.indices.filter { row in
                texts[row].contains { ByteSearchReference.isIn($0, pattern) }
            }
        }

        func check(_ pattern: [UInt8]) throws {
            let expected = rows(with: pattern)
            var query = PageQuery(predicate: .text(pattern), order: Shelf.order())
            query.limit = 40
            let page = try fixture.snapshot.execute(
                query, archive: RowBitmap(), scratch: scratch, budget: .unlimited)
            let shown = String(decoding: pattern, as: UTF8.self)
            #expect(page.total == expected.count, "\(shown)")
            #expect(page.rows.map(Int.init) == Array(expected.prefix(40)), "\(shown)")
        }
    }

    /// Folded already, and not empty.
    private static func piece(of texts: Texts, _ chance: inout SeededGenerator) -> [UInt8]? {
        let text = chance.pick(chance.pick(texts.texts))
        guard !text.isEmpty else { return nil }
        let start = Int.random(in: text.indices, using: &chance)
        let length = chance.pick([1, 2, 3, 3, 4, 5, 7, 8, 9, 12, 16, 30])
        var piece = Array(text[start..<min(start + length, text.count)])
        if chance.oneIn(6) { piece[piece.count - 1] ^= 1 }
        if chance.oneIn(12) { piece.insert(UInt8(ascii: " "), at: piece.count / 2) }
        // Half a letter is no pattern, nor is white space at an end.
        guard String(validating: piece, as: UTF8.self) != nil else { return nil }
        var folded: [UInt8] = []
        Folding.fold(piece.rawSpan, into: &folded)
        return folded.isEmpty ? nil : folded
    }

    @Test(arguments: [511, 600, 6000], [false, true])
    func `random pieces of texts are found where they are and nowhere else`(count: Int, hasOwnWords: Bool) throws {
        let texts = try Texts(count, seed: UInt64(count), hasOwnWords: hasOwnWords)
        var chance = SeededGenerator(seed: UInt64(count) + 1)
        var checked = 0
        while checked < RandomRounds.count(count > 1000 ? 60 : 200) {
            guard let piece = Self.piece(of: texts, &chance) else { continue }
            try texts.check(piece)
            checked += 1
        }
    }

    @Test func `every pattern of one or two bytes is found where it is and nowhere else`() throws {
        let texts = try Texts(RandomRounds.count(700), seed: 41, hasOwnWords: true)
        var patterns: Set<[UInt8]> = []
        for text in texts.texts.joined() {
            for index in text.indices {
                patterns.insert([text[index]])
                if index + 1 < text.count { patterns.insert([text[index], text[index + 1]]) }
            }
        }
        for byte in UInt8(0x21)...0x7E { patterns.insert([byte, 0x7A]) }
        for pattern in patterns where String(validating: pattern, as: UTF8.self) != nil {
            var folded: [UInt8] = []
            Folding.fold(pattern.rawSpan, into: &folded)
            if folded == pattern { try texts.check(pattern) }
        }
    }

    @Test func `what all words of a collection begin with is found in all of its records`() throws {
        let texts = try Texts(3000, seed: 43, hasOwnWords: true)
        for pattern in ["r", "re", "ref", "ref-", "ref-2", "ref-20", "ref-200", "f-2", "/1", "ref-2/", "ref-200007/"] {
            try texts.check(Array(pattern.utf8))
        }
    }

    @Test func `collections of more than one chunk are searched whole for pieces of texts`() throws {
        // A chunk has 65,536 rows.
        let texts = try Texts(66_000, seed: 44, hasOwnWords: true)
        #expect(texts.fixture.snapshot.count > 65_536)
        for pattern in [
            "e", "zz", "qu", "the", "er", "ref-2", "ref-69", "ref-200007/1", "ter dam", "e a w", "of the", "s", "ß",
            "日本", "a the water p", "water ref-", "longer", "t r",
        ] {
            try texts.check(Array(pattern.utf8))
        }
    }
}

/// Looks for bytes in bytes the slow way.
private enum ByteSearchReference {
    static func isIn(_ text: [UInt8], _ pattern: [UInt8]) -> Bool {
        guard let first = pattern.first, pattern.count <= text.count else { return pattern.isEmpty }
        return unsafe text.withUnsafeBytes { text in
            unsafe pattern.withUnsafeBytes { pattern in
                for start in 0...(text.count - pattern.count) where unsafe text[start] == first {
                    var index = 1
                    while index < pattern.count, unsafe text[start + index] == pattern[index] { index += 1 }
                    if index == pattern.count { return true }
                }
                return false
            }
        }
    }
}
