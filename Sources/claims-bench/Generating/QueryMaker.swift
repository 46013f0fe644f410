// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Chooses the queries of each class for one collection; the same for the same collection.
struct QueryMaker {
    let generator: RecordGenerator

    /// Queries of a class are at most so many.
    private static let perClass = 16
    private static let wordSet = 40

    private var words: [String] { generator.words.folded }
    private var records: Double { Double(generator.shape.records) }
    /// Words of a record, both texts together.
    private static let wordsPerRecord = 31.0

    /// The classes that this collection is large enough for, with their exact totals.
    func sets() -> [QuerySet] {
        var random = Randomness(seed: 4)
        var sets: [QuerySet] = []
        for kind in QueryClass.allCases {
            let queries = candidates(kind, &random)
            guard !queries.isEmpty else { continue }
            if kind == .uniqueWord {
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

    /// Keeps those that find what their class says.
    private func choose(_ kind: QueryClass, _ found: [(Query, Int)]) -> [(Query, Int)] {
        let wanted: ClosedRange<Double>? =
            switch kind {
            case .tenHits: 4...30
            case .thousandHits: 400...2500
            case .tenPercent: (0.04 * records)...(0.25 * records)
            default: nil
            }
        guard let wanted else { return found }
        return Array(found.filter { wanted.contains(Double($0.1)) }.prefix(Self.perClass))
    }

    private func candidates(_ kind: QueryClass, _ random: inout Randomness) -> [Query] {
        switch kind {
        case .words:
            // Evenly over the logarithm of the rank: as many common words as rare ones.
            return (0..<Self.wordSet).map { index in
                var rank = 1.0
                for _ in 0..<index { rank *= 1.3 }
                return Query(pattern: .word(words[min(Int(rank), words.count - 1)]))
            }
        case .tenHits: return around(hits: 10, &random)
        case .thousandHits: return records >= 10_000 ? around(hits: 1000, &random) : []
        case .tenPercent: return around(hits: records / 10, &random)
        case .commonest: return [Query(pattern: .word(words[0]))]
        case .twoLetters:
            return ["qu", "st", "er", "ou", "io", "zo", "ch", "br", "um", "vi"].map { Query(pattern: .word($0)) }
        case .phrase: return phrases(&random)
        case .noHit:
            return ["qzxvk", "thequx", "jjjj", "inginginging", "xyzzyx", "qqu", "ofthe", "zzzzzzzz"]
                .map { Query(pattern: .word($0)) }
        case .uniqueWord:
            guard generator.shape.hasUniqueWords else { return [] }
            return (0..<Self.perClass).map { _ in
                Query(pattern: .word(RecordGenerator.uniqueWord(random.below(generator.shape.records))))
            }
        case .twoWords:
            return (0..<Self.perClass).map { _ in
                Query(pattern: .words(words[random.below(200)], words[random.below(1000)]))
            }
        case .filter: return RecordGenerator.phases.indices.map { Query(phase: $0) }
        case .filterSort: return RecordGenerator.phases.indices.map { Query(phase: $0, sort: "-price") }
        case .range: return [5, 500, 1500, 1990].map { Query(priceFrom: $0, sort: "-moment") }
        case .wordFilter:
            return (0..<Self.perClass).map { _ in
                Query(pattern: .word(words[random.below(1000)]), phase: random.below(RecordGenerator.phases.count))
            }
        case .facets:
            return (0..<Self.perClass).map { _ in Query(pattern: .word(words[random.below(1000)]), facets: "phase") }
        case .order: return ["-price", "moment"].map { Query(sort: $0) }
        }
    }

    /// Words of six letters and more, which other words seldom contain, that should be in so many records.
    private func around(hits: Double, _ random: inout Randomness) -> [Query] {
        let share = min(hits / records, 0.9)
        let ranks = words.indices.filter { rank in
            guard words[rank].utf8.count >= 6 || rank < 60 else { return false }
            let expected = 1 - power(1 - generator.words.probability(rank: rank), Self.wordsPerRecord)
            return expected > share * 0.4 && expected < share * 2.5
        }
        guard !ranks.isEmpty else { return [] }
        return (0..<(Self.perClass * 2)).map { _ in Query(pattern: .word(words[random.pick(ranks)])) }
    }

    private func power(_ base: Double, _ exponent: Double) -> Double {
        var result = 1.0
        for _ in 0..<Int(exponent) { result *= base }
        return result
    }

    /// The phrases alone, without their totals.
    func phrases() -> [Query] {
        var random = Randomness(seed: 5)
        return phrases(&random)
    }

    /// Two or three words that stand beside each other in some record; and two that stand so in many.
    private func phrases(_ random: inout Randomness) -> [Query] {
        var result = [Query(pattern: .phrase(["of", "the"])), Query(pattern: .phrase(["in", "the"]))]
        var text = RecordGenerator.Text()
        while result.count < Self.perClass {
            generator.text(of: random.below(generator.shape.records), into: &text)
            let length = 2 + result.count % 2
            let start = text.headingCount + random.below(text.tokens.count - text.headingCount - length)
            let tokens = text.tokens[start..<(start + length)]
            guard tokens.dropLast().allSatisfy({ $0.mark == nil }) else { continue }
            result.append(Query(pattern: .phrase(tokens.map { words[Int($0.rank)] })))
        }
        return result
    }
}
