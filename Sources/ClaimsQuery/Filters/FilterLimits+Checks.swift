// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension FilterLimits {
    func check(weight: Int, at place: FilterPlace?) throws(FilterError) {
        guard weight > terms else { return }
        throw FilterError(
            "the filter has more than \(terms) terms", at: place, hint: "each value of a list counts as one")
    }

    func check(nesting: Int, at place: FilterPlace?) throws(FilterError) {
        guard nesting > depth else { return }
        throw FilterError("the filter nests deeper than \(depth)", at: place)
    }

    /// Checks what shows only when all is read: `and` in `or` nests without a parenthesis.
    func check(_ node: FilterNode, at place: FilterPlace?) throws(FilterError) {
        try check(nesting: node.depth, at: place)
    }
}
