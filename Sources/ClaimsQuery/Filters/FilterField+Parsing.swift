// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

extension FilterField {
    /// Reads `name` or `name.raw`.
    ///
    /// - Parameters:
    ///   - suffix: the operator or the test of presence behind it.
    ///   - term: the word of a text it is part of; nil in a tree.
    init(
        parsing text: String, at place: FilterPlace?, before suffix: String = "", of term: String? = nil
    ) throws(FilterError) {
        let dot = text.utf8.firstIndex(of: FilterCharacters.dot)
        let name = String(text[..<(dot ?? text.endIndex)])
        let rest = dot.map { String(text[text.utf8.index(after: $0)...]) }
        let shown = Excerpt.of(text)
        let quoting = term.map { "to look for this text, quote it: \(FilterTextWriter.quoted(Excerpt.of($0)))" }
        guard !name.isEmpty else {
            throw FilterError(
                text.isEmpty ? "an empty name of a field" : "a field is missing before '\(shown)\(suffix)'", at: place,
                hint: quoting)
        }
        guard Self.isWritable(name) else {
            let isNegated = term != nil && name.utf8.first == UInt8(ascii: "!")
            throw FilterError(
                "'\(shown)' is not a field", at: place,
                hint: isNegated ? "write 'not' before a term; to look for this text, quote it" : quoting)
        }
        if let rest, rest != "raw" { throw Self.complaint(about: rest, of: shown, at: place, before: suffix) }
        self.init(name, isRaw: rest != nil, place: place)
    }

    private static func complaint(
        about rest: String, of shown: String, at place: FilterPlace?, before suffix: String
    ) -> FilterError {
        if rest == "any" || rest == "none" {
            return FilterError("'.\(rest)' takes no value", at: place, hint: "write '\(shown)'")
        }
        if suffix == "=", !rest.isEmpty, !rest.utf8.contains(FilterCharacters.dot) {
            let operators = FilterOperator.allCases.map(\.rawValue)
            let near = Suggestion.nearest(rest, among: operators + ["raw"])
            return FilterError(
                "unknown operator '.\(Excerpt.of(rest))='", at: place,
                hint: near.map { "did you mean '.\($0)='?" }
                    ?? "there are no paths; the operators are .\(operators.joined(separator: "= ."))=")
        }
        return FilterError(
            "'\(shown)' is not a field", at: place,
            hint: "there are no paths: a field is one name, or a name and '.raw' for the value as it came")
    }

    /// Whether a text could name such a field, so that every filter can be written in both forms.
    private static func isWritable(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        return bytes.indices.allSatisfy { index in
            switch bytes[index] {
            case UInt8(ascii: "="), UInt8(ascii: "~"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "!"),
                UInt8(ascii: "^"):
                false
            case let byte where FilterCharacters.isQuote(byte): false
            default: !FilterCharacters.isDelimiter(in: bytes, at: index)
            }
        }
    }
}
