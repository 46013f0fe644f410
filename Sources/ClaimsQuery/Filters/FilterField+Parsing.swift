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
        parsing text: String, at place: FilterPlace?, before suffix: @autoclosure () -> String = "",
        of term: @autoclosure () -> String? = nil
    ) throws(FilterError) {
        let dot = text.utf8.firstIndex(of: FilterCharacters.dot)
        let name = dot.map { String(text[..<$0]) } ?? text
        if Self.isWritable(name) {
            let rest = dot.map { text[text.utf8.index(after: $0)...] }
            guard rest == nil || rest == "raw" else {
                throw Self.complaint(about: String(rest ?? ""), of: text, at: place, before: suffix())
            }
            self.init(name, isRaw: rest != nil, place: place)
            return
        }
        let shown = Excerpt.of(text)
        let quoting = term().map { "to look for this text, quote it: \(FilterTextWriter.quoted(Excerpt.of($0)))" }
        guard !name.isEmpty else {
            throw FilterError(
                text.isEmpty ? "an empty name of a field" : "a field is missing before '\(shown)\(suffix())'",
                at: place, hint: quoting)
        }
        let isNegated = quoting != nil && name.utf8.first == UInt8(ascii: "!")
        throw FilterError(
            "'\(shown)' is not a field", at: place,
            hint: isNegated ? "write 'not' before a term; to look for this text, quote it" : quoting)
    }

    private static func complaint(
        about rest: String, of text: String, at place: FilterPlace?, before suffix: String
    ) -> FilterError {
        let shown = Excerpt.of(text)
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
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                continue
            case UInt8(ascii: "="), UInt8(ascii: "~"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "!"),
                UInt8(ascii: "^"):
                return false
            case let byte where FilterCharacters.isQuote(byte): return false
            default: return isWritableSlowly(name)
            }
        }
        return !name.isEmpty
    }

    /// Whether it is one bare word.
    private static func isWritableSlowly(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        return FilterCharacters.bareEnd(in: bytes, from: 0) == bytes.count
            && !bytes.contains { "=~<>!^'\"".utf8.contains($0) }
    }
}
