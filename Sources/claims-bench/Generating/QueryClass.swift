// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A kind of search; its queries are reported together.
enum QueryClass: String, CaseIterable {
    case terms = "words of any frequency"
    case tenHits = "about 10 hits"
    case thousandHits = "about 1,000 hits"
    case tenPercent = "10 % of the records"
    case commonest = "the commonest word"
    case twoLetters = "two letters"
    case phrase = "phrase"
    case commonPhrase = "phrase of the commonest words"
    case noHit = "no hit"
    case uniqueTerm = "word of one record"
    case twoTerms = "two words"
    case filter = "filter"
    case filterSort = "filter, other order"
    case range = "range, other order"
    case termFilter = "word and filter"
    case facets = "word, with facets"
    case order = "all, other order"

    /// The name of its measurements in `Results`.
    var seriesName: String { "search: \(rawValue)" }

    /// The classes that search text only; full-text engines are asked these too.
    static let text: [QueryClass] = [
        .terms, .tenHits, .thousandHits, .tenPercent, .commonest, .twoLetters, .phrase, .commonPhrase, .noHit,
    ]

    /// The classes with one term a query; their latency may grow fivefold from a thousand to a million records.
    static let singleTerms: [QueryClass] = [.terms, .tenHits, .thousandHits, .tenPercent, .commonest, .noHit]
}

/// One search.
struct Query {
    /// The text that some field must contain.
    enum Pattern: Hashable {
        case none
        case term(String)
        case terms(String, String)
        case phrase([String])
    }

    var pattern = Pattern.none
    var phase: Int?
    /// The lowest price, in whole units.
    var priceFrom: Int?
    var sort: String?
    var facets: String?

    /// The search in the filter grammar (claims-filters(7)).
    var filter: String {
        var conditions: [String] = []
        switch pattern {
        case .none: break
        case .term(let term): conditions.append(term)
        case .terms(let one, let other): conditions += [one, other]
        case .phrase(let terms): conditions.append("'\(terms.joined(separator: " "))'")
        }
        if let phase { conditions.append("phase=\(RecordGenerator.phases[phase])") }
        if let priceFrom { conditions.append("price>=\(priceFrom)") }
        return conditions.joined(separator: " ")
    }

    /// The text to search for if the query has only text; nil for other queries.
    var text: String? {
        guard phase == nil, priceFrom == nil, sort == nil, facets == nil else { return nil }
        switch pattern {
        case .term(let term): return term
        case .phrase(let terms): return terms.joined(separator: " ")
        default: return nil
        }
    }
}

/// Queries of one class over one collection, and the number of records that each finds.
struct QuerySet {
    let kind: QueryClass
    var queries: [Query]
    var totals: [Int]
}
