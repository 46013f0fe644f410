// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension FilterTextReader {
    /// What an operand should be, and the end or a `)` is.
    func missingTerm() -> FilterError {
        let here = FilterPlace(offset..<min(offset + 1, bytes.count))
        switch previous {
        case .keyword(let range):
            return FilterError(
                "a term is missing after '\(string(range))'", at: FilterPlace(range), hint: quoteHint(range))
        case .openParenthesis(let start):
            return FilterError(
                offset < bytes.count ? "nothing between '(' and ')'" : "'(' without a ')' after it",
                at: FilterPlace(start..<min(offset + 1, bytes.count)), hint: "to look for a parenthesis, quote the text"
            )
        case .start where offset < bytes.count:
            return FilterError(
                "')' without a '(' before it", at: here, hint: "to look for a parenthesis, quote the text")
        case .start, .word, .operand:
            return FilterError("the filter is empty", at: here, hint: "leave it out to find every record")
        }
    }

    /// A keyword where an operand should be.
    func missingTerm(before keyword: Range<Int>) -> FilterError {
        FilterError(
            "a term is missing before '\(string(keyword))'", at: FilterPlace(keyword), hint: quoteHint(keyword))
    }

    func strayComma() -> FilterError {
        FilterError(
            "',' outside a list", at: FilterPlace(offset..<offset + 1),
            hint: "a list follows an operator, without white space: 'field=a,b'; to look for a comma, quote the text")
    }

    func missingSpace() -> FilterError {
        let rest = offset..<FilterCharacters.bareEnd(in: bytes, from: offset)
        let isField = FilterOperator.first(in: bytes, rest)?.range.lowerBound == offset
        return FilterError(
            "white space is missing after the closing quote", at: FilterPlace(offset - 1..<offset),
            hint: isField ? "a field has no quotes" : "a backslash escapes a quote inside quotes")
    }

    /// An operator with no field before it.
    func misplaced(_ found: FilterOperator.Found) -> FilterError {
        if case .word(let word) = previous {
            var next = found.range.upperBound
            while FilterCharacters.whiteSpace(in: bytes, at: next) > 0 {
                next += FilterCharacters.whiteSpace(in: bytes, at: next)
            }
            return spaced(string(word) + spelling(found), valueFrom: next, at: FilterPlace(found.range))
        }
        let word = found.range.lowerBound..<FilterCharacters.bareEnd(in: bytes, from: found.range.lowerBound)
        return FilterError(
            "a field is missing before '\(spelling(found))'", at: FilterPlace(found.range), hint: quoteHint(word))
    }

    /// An operator, or a comma, with no value behind it.
    func missingValue(_ field: FilterField, _ found: FilterOperator.Found, from start: Int) -> FilterError {
        if offset > found.range.upperBound, bytes[offset - 1] == FilterCharacters.comma {
            return FilterError(
                "a value is missing after ','", at: FilterPlace(offset - 1..<offset),
                hint: "a list has no white space: '\(field.text)\(spelling(found))a,b'")
        }
        var next = offset
        while FilterCharacters.whiteSpace(in: bytes, at: next) > 0 {
            next += FilterCharacters.whiteSpace(in: bytes, at: next)
        }
        let word = next..<FilterCharacters.bareEnd(in: bytes, from: next)
        if next > offset, !word.isEmpty, !FilterCharacters.isKeyword(bytes[word]) {
            return spaced(field.text + spelling(found), valueFrom: next, at: FilterPlace(found.range))
        }
        return FilterError(
            "'\(Excerpt.of(field.text))\(spelling(found))' has no value", at: FilterPlace(start..<max(offset, start)),
            hint: "'\(Excerpt.of(field.text)).none' finds records without a value")
    }

    /// White space around an operator; `term` is what stands before the value.
    private func spaced(_ term: String, valueFrom start: Int, at place: FilterPlace) -> FilterError {
        var end = FilterCharacters.bareEnd(in: bytes, from: start)
        if start < bytes.count, FilterCharacters.isQuote(bytes[start]) {
            end = bytes[(start + 1)...].firstIndex(of: bytes[start]).map { $0 + 1 } ?? end
        }
        let value = start < end ? string(start..<end) : "value"
        return FilterError(
            "white space around an operator", at: place, hint: "write it together: \(Excerpt.of(term + value))")
    }

    /// How to look for what was taken for something else.
    func quoteHint(_ word: Range<Int>) -> String {
        "to look for this text, quote it: \(FilterTextWriter.quoted(Excerpt.of(string(word))))"
    }
}
