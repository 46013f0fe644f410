// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// The maximal size of a filter. A larger filter is refused with the kind `bad_filter`.
public struct FilterLimits: Sendable, Hashable {
    /// The maximal size in bytes: of a text as received, of a tree in its normal form.
    public var bytes: Int
    /// The maximal number of terms, where each value of a list counts as one term.
    public var terms: Int
    /// The maximal nesting of `and`, `or`, `not` and parentheses.
    public var depth: Int

    /// Limits with the given values; the defaults are the defaults of the configuration.
    public init(bytes: Int = 4096, terms: Int = 256, depth: Int = 32) {
        self.bytes = bytes
        self.terms = terms
        self.depth = depth
    }

    /// The limits with their default values.
    public static let standard = FilterLimits()
}

extension FilterLimits {
    func check(weight: Int, at location: FilterLocation?) throws(FilterError) {
        guard weight > terms else { return }
        throw FilterError(
            TranslatedText(
                en: "the filter has more than \(terms) terms",
                pl: "liczba warunków w filtrze przekracza \(terms)"),
            at: location,
            hint: TranslatedText(
                en: "each value of a list counts as one", pl: "każda wartość listy liczy się jako osobny warunek"))
    }

    func check(nesting: Int, at location: FilterLocation?) throws(FilterError) {
        guard nesting > depth else { return }
        throw FilterError(
            TranslatedText(
                en: "the filter nests deeper than \(depth)", pl: "filtr jest zagnieżdżony głębiej niż \(depth)"),
            at: location)
    }

    /// Checks what shows only when all is read: `and` in `or` nests without a parenthesis.
    func check(_ node: FilterNode, at location: FilterLocation?) throws(FilterError) {
        try check(nesting: node.depth, at: location)
    }
}
