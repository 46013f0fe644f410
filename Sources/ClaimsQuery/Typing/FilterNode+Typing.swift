// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension FilterNode {
    /// The filter as a predicate on records of the context's definition, simplified.
    ///
    /// Unknown fields and codes, operators that a type does not have, and values that are not of a field's type are
    /// errors with their place and, where there is one, a hint. Relative dates become moments here.
    public func typed(in context: FilterContext) throws(FilterError) -> Predicate {
        try FilterTyping(context: context).predicate(self).simplified
    }
}
