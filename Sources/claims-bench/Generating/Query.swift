// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A kind of search: what its queries have in common, and what is reported together.
enum QueryClass: String, CaseIterable {
    case words = "words of any frequency"
    case tenHits = "about 10 hits"
    case thousandHits = "about 1,000 hits"
    case tenPercent = "10 % of the records"
    case commonest = "the commonest word"
    case twoLetters = "two letters"
    case phrase = "phrase"
    case noHit = "no hit"
    case uniqueWord = "word of one record"
    case twoWords = "two words"
    case filter = "filter"
    case filterSort = "filter, other order"
    case range = "range, other order"
    case wordFilter = "word and filter"
    case facets = "word, with facets"
    case order = "all, other order"

    /// Those that search text and nothing else: what full-text engines are asked too.
    static let text: [QueryClass] = [
        .words, .tenHits, .thousandHits, .tenPercent, .commonest, .twoLetters, .phrase, .noHit,
    ]

    /// One word each: what may grow at most fivefold from a thousand to a million records.
    static let singleWords: [QueryClass] = [.words, .tenHits, .thousandHits, .tenPercent, .commonest, .noHit]
}

/// One search, and what it must find.
struct Query {
    /// What some field's text must contain.
    enum Pattern: Hashable {
        case none
        case word(String)
        case words(String, String)
        case phrase([String])
    }

    var pattern = Pattern.none
    var phase: Int?
    /// In whole units: at least so much.
    var priceFrom: Int?
    var sort: String?
    var facets: String?

    /// In the filter grammar.
    var filter: String {
        var terms: [String] = []
        switch pattern {
        case .none: break
        case .word(let word): terms.append(word)
        case .words(let one, let other): terms += [one, other]
        case .phrase(let words): terms.append("'\(words.joined(separator: " "))'")
        }
        if let phase { terms.append("phase=\(RecordGenerator.phases[phase])") }
        if let priceFrom { terms.append("price>=\(priceFrom)") }
        return terms.joined(separator: " ")
    }

    /// The text to look for where there is only text; nil for other queries.
    var text: String? {
        guard phase == nil, priceFrom == nil, sort == nil, facets == nil else { return nil }
        switch pattern {
        case .word(let word): return word
        case .phrase(let words): return words.joined(separator: " ")
        default: return nil
        }
    }
}

/// Queries of one class over one collection, and how many records each of them finds.
struct QuerySet {
    let kind: QueryClass
    var queries: [Query]
    var totals: [Int]
}
