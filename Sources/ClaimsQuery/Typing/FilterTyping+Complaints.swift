// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

extension FilterTyping {
    /// The field of that name.
    func resolve(_ name: FilterField, in term: FilterTerm) throws(FilterError) -> Int {
        guard let field = context.definition.fieldIndex(name.name) else { throw unknown(name, in: term) }
        guard !name.isRaw || type(of: field) == .enum else {
            throw FilterError(
                "'\(name.name)' has no raw value", at: name.place,
                hint: "only an enum has one, where its value is none of the codes")
        }
        return field
    }

    private func unknown(_ name: FilterField, in term: FilterTerm) -> FilterError {
        let names = context.definition.fields.map(\.name)
        let isText = if case .text? = name.place { true } else { false }
        let quoting =
            isText ? "; to look for this text, quote it: \(FilterTextWriter.quoted(Excerpt.of(term.text)))" : ""
        return FilterError(
            "unknown field '\(Excerpt.of(name.name))'", at: name.place,
            hint: Suggestion.hint(name.name, among: names)
                ?? "the fields are \(names.joined(separator: ", "))\(quoting)")
    }

    /// An operator, or a range, that the field's type does not have.
    func notApplicable(_ what: String?, to name: FilterField, field: Int, in term: FilterTerm) -> FilterError {
        let type = type(of: field)
        let operators = name.isRaw ? FilterOperator.ofRaw : type.operators
        var symbols = operators.map(\.symbol)
        if !name.isRaw, type.hasRanges { symbols.append("lo..hi") }
        symbols += [".any", ".none"]
        var comparator = what ?? "an operator"
        if what == nil, case .compare(_, let used, _) = term.condition { comparator = "'\(used.symbol)'" }
        return FilterError(
            "\(comparator) does not apply to '\(name.text)'\(name.isRaw ? "" : ", \(type.phrase)")", at: term.place,
            hint: "it takes \(symbols.joined(separator: " "))")
    }

    /// A value that is not of the field's type.
    func mismatch(_ value: FilterValue, _ field: Int, in term: FilterTerm) -> FilterError {
        let type = type(of: field)
        let name = context.definition.fields[field].name
        let form: String? =
            switch type {
            case .integer: "a number such as \(name)=12"
            case .decimal: "a number such as \(name)=12.50"
            case .bool: "true or false"
            case .instant, .date: DateValue.forms
            case .id, .text, .enum, .url, .json: nil
            }
        return FilterError(
            "'\(Excerpt.of(value.text))' is not a value for '\(name)', \(type.phrase)", at: value.place,
            hint: operatorHint(value, in: term) ?? form)
    }

    /// `==` and its like: an operator that there is not leaves its end on the value.
    func operatorHint(_ value: FilterValue, in term: FilterTerm) -> String? {
        guard case .compare(_, let comparator, _) = term.condition, let first = value.text.unicodeScalars.first,
            "=~<>!^".unicodeScalars.contains(first)
        else { return nil }
        return "there is no operator '\(comparator.symbol)\(first)'; did you mean '\(comparator.symbol)'?"
    }
}
