// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Chooses the queries of each class for one collection; the same for the same collection.
struct QueryMaker {
    let generator: RecordGenerator

    /// The maximum number of queries of a class.
    private static let maxPerClass = 16
    private static let termSetSize = 40
    /// The number of words, of whose pairs the phrases of the commonest words are made.
    private static let commonest = 4

    private var terms: [String] { generator.lexicon.folded }
    private var records: Double { Double(generator.shape.records) }
    /// The average number of terms of a record, both texts together.
    private static let termsPerRecord = 31.0

    /// The queries of every class that this collection is large enough for, with their exact totals.
    func sets() -> [QuerySet] {
        var random = Randomness(seed: 4)
        var sets: [QuerySet] = []
        for kind in QueryClass.allCases {
            let queries = candidates(kind, &random)
            guard !queries.isEmpty else { continue }
            if kind == .uniqueTerm {
                sets.append(QuerySet(kind: kind, queries: queries, totals: queries.map { _ in 1 }))
                continue
            }
            let totals = Oracle(generator: generator).totals(of: queries)
            let chosen = choose(kind, Array(zip(queries, totals)))
            guard !chosen.isEmpty else { continue }
            sets.append(QuerySet(kind: kind, queries: chosen.map(\.0), totals: chosen.map(\.1)))
        }
        return sets
    }

    /// Keeps the queries that find the number of records of their class.
    private func choose(_ kind: QueryClass, _ found: [(Query, Int)]) -> [(Query, Int)] {
        let wanted: ClosedRange<Double>? =
            switch kind {
            case .tenHits: 4...30
            case .thousandHits: 400...2500
            case .tenPercent: (0.04 * records)...(0.25 * records)
            default: nil
            }
        guard let wanted else { return found }
        return Array(found.filter { wanted.contains(Double($0.1)) }.prefix(Self.maxPerClass))
    }

    private func candidates(_ kind: QueryClass, _ random: inout Randomness) -> [Query] {
        switch kind {
        case .terms:
            // Evenly over the logarithm of the rank: as many common words as rare ones.
            return (0..<Self.termSetSize).map { index in
                var rank = 1.0
                for _ in 0..<index { rank *= 1.3 }
                return Query(pattern: .term(terms[min(Int(rank), terms.count - 1)]))
            }
        case .tenHits: return around(hits: 10, &random)
        case .thousandHits: return records >= 10_000 ? around(hits: 1000, &random) : []
        case .tenPercent: return around(hits: records / 10, &random)
        case .commonest: return [Query(pattern: .term(terms[0]))]
        case .twoLetters:
            return ["qu", "st", "er", "ou", "io", "zo", "ch", "br", "um", "vi"].map { Query(pattern: .term($0)) }
        case .phrase: return phrases(&random)
        case .commonPhrase:
            return (0..<Self.commonest).flatMap { first in
                (0..<Self.commonest).map { Query(pattern: .phrase([terms[first], terms[$0]])) }
            }
        case .noHit:
            return ["qzxvk", "thequx", "jjjj", "inginginging", "xyzzyx", "qqu", "ofthe", "zzzzzzzz"]
                .map { Query(pattern: .term($0)) }
        case .uniqueTerm:
            guard generator.shape.hasUniqueTerms else { return [] }
            return (0..<Self.maxPerClass).map { _ in
                Query(pattern: .term(RecordGenerator.uniqueTerm(random.below(generator.shape.records))))
            }
        case .twoTerms:
            return (0..<Self.maxPerClass).map { _ in
                Query(pattern: .terms(terms[random.below(200)], terms[random.below(1000)]))
            }
        case .filter: return RecordGenerator.phases.indices.map { Query(phase: $0) }
        case .filterSort: return RecordGenerator.phases.indices.map { Query(phase: $0, sort: "-price") }
        case .range: return [5, 500, 1500, 1990].map { Query(priceFrom: $0, sort: "-moment") }
        case .termFilter:
            return (0..<Self.maxPerClass).map { _ in
                Query(pattern: .term(terms[random.below(1000)]), phase: random.below(RecordGenerator.phases.count))
            }
        case .facets:
            return (0..<Self.maxPerClass).map { _ in Query(pattern: .term(terms[random.below(1000)]), facets: "phase") }
        case .order: return ["-price", "moment"].map { Query(sort: $0) }
        }
    }

    /// Queries for terms that should be in about `hits` records: six letters and more, seldom part of other terms.
    private func around(hits: Double, _ random: inout Randomness) -> [Query] {
        let share = min(hits / records, 0.9)
        let ranks = terms.indices.filter { rank in
            guard terms[rank].utf8.count >= 6 || rank < 60 else { return false }
            let expected = 1 - power(1 - generator.lexicon.probability(rank: rank), Self.termsPerRecord)
            return expected > share * 0.4 && expected < share * 2.5
        }
        guard !ranks.isEmpty else { return [] }
        return (0..<(Self.maxPerClass * 2)).map { _ in Query(pattern: .term(terms[random.pick(ranks)])) }
    }

    private func power(_ base: Double, _ exponent: Double) -> Double {
        var result = 1.0
        for _ in 0..<Int(exponent) { result *= base }
        return result
    }

    /// The queries of the class `phrase`, without their totals.
    func phrases() -> [Query] {
        var random = Randomness(seed: 5)
        return phrases(&random)
    }

    /// Two or three neighbouring terms of a random record; and two pairs that many records have.
    private func phrases(_ random: inout Randomness) -> [Query] {
        var result = [Query(pattern: .phrase(["of", "the"])), Query(pattern: .phrase(["in", "the"]))]
        var text = RecordGenerator.Text()
        while result.count < Self.maxPerClass {
            generator.text(of: random.below(generator.shape.records), into: &text)
            let length = 2 + result.count % 2
            let start = text.headingCount + random.below(text.tokens.count - text.headingCount - length)
            let tokens = text.tokens[start..<(start + length)]
            guard tokens.dropLast().allSatisfy({ $0.mark == nil }) else { continue }
            result.append(Query(pattern: .phrase(tokens.map { terms[Int($0.rank)] })))
        }
        return result
    }
}
