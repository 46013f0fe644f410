// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsQuery
import ClaimsTestSupport
import Testing

/// Filters that nobody would write: the reader returns or throws, whatever it is given, and never traps.
struct FilterMutationTests {
    private static let pieces = [
        "(", ")", ",", "..", ".", "=", "!=", "!~", "~", "^=", ">=", "<", "'", "\"", "\\", " ", "\u{3000}", "and", "or",
        "not ", ".any",
        ".none", ".raw", ".has=", ".eq=", "state", "title", "water", "lost", "é", "\u{301}", "\u{600}", "\u{0}", "𝄞",
        "2026-11-20", "-3d",
        "1e9", "99999999999999999999d", "+", "-", "1", "\u{FFFD}",
    ]

    @Test(arguments: 1...8 as ClosedRange<UInt64>) func `mutated filters do no harm`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<1500 {
            var bytes = Array(random.pick(FilterLine.all).text.utf8)
            for _ in 0..<Int.random(in: 1...5, using: &random) { mutate(&bytes, &random) }
            try check(String(decoding: bytes, as: UTF8.self))
        }
    }

    @Test(arguments: 11...14 as ClosedRange<UInt64>) func `heaps of pieces do no harm`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<1500 {
            let count = Int.random(in: 0...16, using: &random)
            try check((0..<count).map { _ in random.pick(Self.pieces) }.joined())
        }
    }

    private func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
        case 1: if place < bytes.count { bytes.remove(at: place) }
        case 2: bytes.insert(contentsOf: Array(random.pick(Self.pieces).utf8), at: place)
        default: bytes.removeSubrange(place..<Int.random(in: place...bytes.count, using: &random))
        }
    }

    /// A filter that is read can be written and read again, and an error has its position inside the text.
    private func check(_ text: String) throws {
        let node: FilterNode
        do {
            node = try FilterParser.parse(text)
        } catch {
            return try check(error, in: text)
        }
        #expect(try FilterParser.parse(node.text) == node, "\(text) → \(node.text)")
        #expect(try FilterParser.parse(tree: node.tree) == node, "\(text)")
        do {
            let predicate = try node.typed(in: Library.context)
            #expect(predicate.simplified == predicate, "\(text)")
            _ = Library.ids(predicate)
        } catch {
            try check(error, in: text)
        }
    }

    private func check(_ error: FilterError, in text: String) throws {
        let position = try #require(error.position)
        let length = try #require(error.length)
        #expect(position >= 0 && length >= 0 && position + length <= text.utf8.count, "\(text): \(error)")
        #expect(!error.message.isEmpty)
    }
}
