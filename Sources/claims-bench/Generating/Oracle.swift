// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Counts the records that queries must find, by a scan of all records. The answers are checked against it.
struct Oracle {
    let generator: RecordGenerator

    /// The maximum number of queries that share a pass over the records: one bit each.
    private static let maxBatch = 64

    /// The number of records that each query matches.
    func totals(of queries: [Query]) -> [Int] {
        var totals: [Int] = []
        var rest = queries[...]
        while !rest.isEmpty {
            totals += pass(Array(rest.prefix(Self.maxBatch)))
            rest = rest.dropFirst(Self.maxBatch)
        }
        return totals
    }

    /// For each rank of a term, a bit for each query.
    private struct Masks {
        var contains: [UInt64]
        var containsOther: [UInt64]
        var ends: [UInt64]
        var equals: [UInt64]
        var starts: [UInt64]
        var none: UInt64 = 0
        var single: UInt64 = 0
        var pairs: UInt64 = 0
        var twoTermPhrases: UInt64 = 0
        var threeTermPhrases: UInt64 = 0
        var phases = [UInt64](repeating: 0, count: RecordGenerator.phases.count)

        init(_ queries: [Query], _ terms: [String]) {
            let empty = [UInt64](repeating: 0, count: terms.count)
            (contains, containsOther, ends, equals, starts) = (empty, empty, empty, empty, empty)
            for (index, query) in queries.enumerated() {
                let bit: UInt64 = 1 << UInt64(index)
                for phase in phases.indices where query.phase == nil || query.phase == phase { phases[phase] |= bit }
                switch query.pattern {
                case .none: none |= bit
                case .term(let term):
                    single |= bit
                    Self.mark(&contains, bit, in: terms) { $0.utf8Contains(term) }
                case .terms(let one, let other):
                    pairs |= bit
                    Self.mark(&contains, bit, in: terms) { $0.utf8Contains(one) }
                    Self.mark(&containsOther, bit, in: terms) { $0.utf8Contains(other) }
                case .phrase(let parts):
                    if parts.count == 2 { twoTermPhrases |= bit } else { threeTermPhrases |= bit }
                    Self.mark(&ends, bit, in: terms) { $0.hasSuffix(parts[0]) }
                    Self.mark(&equals, bit, in: terms) { $0 == parts[1] }
                    Self.mark(&starts, bit, in: terms) { $0.hasPrefix(parts[parts.count - 1]) }
                }
            }
        }

        private static func mark(
            _ masks: inout [UInt64], _ bit: UInt64, in terms: [String], where test: (String) -> Bool
        ) {
            for (rank, term) in terms.enumerated() where test(term) { masks[rank] |= bit }
        }
    }

    private func pass(_ queries: [Query]) -> [Int] {
        let masks = Masks(queries, generator.lexicon.folded)
        var totals = [Int](repeating: 0, count: queries.count)
        var text = RecordGenerator.Text()
        let prices = queries.map { ($0.priceFrom ?? 0) * 100 }
        for record in 0..<generator.shape.records {
            generator.text(of: record, into: &text)
            var found = matches(text, masks) & masks.phases[generator.phase(record)]
            let price = generator.price(record)
            while found != 0 {
                let index = found.trailingZeroBitCount
                found &= found - 1
                if price >= prices[index] { totals[index] += 1 }
            }
        }
        return totals
    }

    private func matches(_ text: RecordGenerator.Text, _ masks: Masks) -> UInt64 {
        var any: UInt64 = 0
        var other: UInt64 = 0
        var phrases: UInt64 = 0
        let tokens = text.tokens
        for index in tokens.indices {
            let rank = Int(tokens[index].rank)
            any |= masks.contains[rank]
            other |= masks.containsOther[rank]
            let end = index < text.headingCount ? text.headingCount : tokens.count
            guard tokens[index].mark == nil, index + 1 < end else { continue }
            let next = Int(tokens[index + 1].rank)
            phrases |= masks.ends[rank] & masks.starts[next] & masks.twoTermPhrases
            guard tokens[index + 1].mark == nil, index + 2 < end else { continue }
            let last = Int(tokens[index + 2].rank)
            phrases |= masks.ends[rank] & masks.equals[next] & masks.starts[last] & masks.threeTermPhrases
        }
        return masks.none | any & masks.single | any & other & masks.pairs | phrases
    }
}

extension String {
    /// Whether the bytes of `other` occur among this text's; faster than comparing characters.
    func utf8Contains(_ other: String) -> Bool {
        let bytes = Array(utf8)
        let wanted = Array(other.utf8)
        guard wanted.count <= bytes.count else { return false }
        return (0...(bytes.count - wanted.count)).contains { start in
            bytes[start] == wanted[0] && bytes[start..<(start + wanted.count)].elementsEqual(wanted)
        }
    }
}
