// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

extension FilterTyping {
    /// Whether a name means the unsettled operations of a record.
    func isPending(_ name: FilterField) -> Bool {
        context.definition.hasPendingField && name.name == PendingState.fieldName
    }

    /// A test of the state of a record's unsettled operations.
    func pending(_ name: FilterField, in term: FilterTerm) throws(FilterError) -> Predicate {
        if name.isRaw {
            throw FilterError(
                ErrorText(en: "'pending' has no raw value", pl: "pole „pending” nie ma wartości w postaci otrzymanej"),
                at: name.location, hint: ErrorText(en: "write 'pending'", pl: "napisz „pending”"))
        }
        switch term.condition {
        case .any: return .pending(PendingState.allCases)
        case .none: return .not(.pending(PendingState.allCases))
        case .compare(_, .eq, let values): return .pending(try states(values, in: term))
        case .compare(_, .ne, let values): return .not(.pending(try states(values, in: term)))
        case .compare(_, let comparator, _):
            let symbol = comparator.symbol
            throw notApplicable(ErrorText(en: "'\(symbol)'", pl: "„\(symbol)”"), in: term)
        case .range, .text: throw notApplicable(ErrorText(en: "a range", pl: "zakres"), in: term)
        }
    }

    /// The states that values name, each once, in the order of their kinds.
    private func states(_ values: [FilterLiteral], in term: FilterTerm) throws(FilterError) -> [PendingState] {
        var states: Set<PendingState> = []
        for value in values {
            guard let state = PendingState(rawValue: value.text.lowercased()) else {
                let codes = PendingState.allCases.map(\.rawValue)
                let shown = Excerpt.of(value.text)
                let list = codes.joined(separator: ", ")
                throw FilterError(
                    ErrorText(en: "unknown code '\(shown)' of 'pending'", pl: "nieznany kod „\(shown)” pola „pending”"),
                    at: value.location,
                    hint: operatorHint(value, in: term) ?? Suggestion.question(value.text, among: codes)
                        ?? ErrorText(en: "its codes are \(list)", pl: "jego kody to \(list)"))
            }
            states.insert(state)
        }
        return PendingState.allCases.filter(states.contains)
    }

    private func notApplicable(_ comparator: ErrorText, in term: FilterTerm) -> FilterError {
        FilterError(
            ErrorText(
                en: "\(comparator.english) does not apply to 'pending'",
                pl: "\(comparator.polish) nie ma zastosowania do pola „pending”"),
            at: term.location, hint: ErrorText(en: "it takes = != .any .none", pl: "można użyć: = != .any .none"))
    }
}
