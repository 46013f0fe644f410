// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// The texts that several errors of filters share.
enum FilterAdvice {
    /// The advice to quote a text that was taken for something else.
    static func quote(_ text: String) -> ErrorText {
        let quoted = FilterTextWriter.quoted(Excerpt.of(text))
        return ErrorText(
            en: "to look for this text, quote it: \(quoted)",
            pl: "żeby szukać tego tekstu, ujmij go w cudzysłów: \(quoted)")
    }

    static let quoteParenthesis = ErrorText(
        en: "to look for a parenthesis, quote the text",
        pl: "żeby szukać nawiasu, ujmij tekst w cudzysłów")

    static let leaveOut = ErrorText(
        en: "leave it out to find every record", pl: "pomiń go, żeby znaleźć wszystkie rekordy")

    static let unopened = ErrorText(en: "')' without a '(' before it", pl: "„)” bez poprzedzającego „(”")
    static let unclosed = ErrorText(en: "'(' without a ')' after it", pl: "„(” bez zamykającego „)”")

    static let rangeWithoutEnds = ErrorText(en: "a range without ends", pl: "zakres bez początku i końca")

    static func missingField(before text: String) -> ErrorText {
        ErrorText(en: "a field is missing before '\(text)'", pl: "przed „\(text)” brakuje pola")
    }

    static func unknownOperator(_ name: String) -> ErrorText {
        ErrorText(en: "unknown operator '\(name)'", pl: "nieznany operator „\(name)”")
    }

    static func tooLong(_ count: Int, _ limit: Int) -> ErrorText {
        ErrorText(
            en: "the filter has \(count) bytes, of at most \(limit)",
            pl: "filtr jest za długi: liczba bajtów to \(count), a limit \(limit)")
    }

    /// The test that finds records with a value of that field.
    static func present(_ field: String) -> ErrorText {
        ErrorText(
            en: "'\(field).any' finds records with a value", pl: "„\(field).any” znajduje rekordy z wartością")
    }

    /// The test that finds records without a value of that field.
    static func absent(_ field: String) -> ErrorText {
        ErrorText(
            en: "'\(field).none' finds records without a value", pl: "„\(field).none” znajduje rekordy bez wartości")
    }

    /// The same in a tree.
    static func presentInTree(_ field: String) -> ErrorText {
        ErrorText(
            en: "[\"any\",\"\(field)\"] finds records with a value",
            pl: "[\"any\",\"\(field)\"] znajduje rekordy z wartością")
    }

    /// The same in a tree.
    static let absentInTree = ErrorText(
        en: "[\"none\",\"field\"] finds records without a value",
        pl: "[\"none\",\"pole\"] znajduje rekordy bez wartości")

    /// The use of the states of unsettled operations, which are no field of the definition.
    static let filterPending = ErrorText(
        en: "it filters: pending=stuck, pending.any", pl: "służy do filtrowania: pending=stuck, pending.any")

    /// Names to choose from.
    static func oneOf(_ names: [String]) -> ErrorText {
        let list = names.joined(separator: ", ")
        return ErrorText(en: "one of \(list)", pl: "do wyboru: \(list)")
    }
}
