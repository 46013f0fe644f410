// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension FilterTextReader {
    private enum Element {
        case single(FilterValue)
        case range(FilterTerm)
    }

    /// The list after an operator. `start` is where its term begins.
    mutating func readValues(
        _ field: FilterField, _ found: FilterOperator.Found, from start: Int
    ) throws(FilterError) -> FilterNode {
        var values: [FilterValue] = []
        var ranges: [FilterTerm] = []
        while true {
            switch try readElement(field, found, from: start) {
            case .single(let value): values.append(value)
            case .range(let term): ranges.append(term)
            }
            guard offset < bytes.count, bytes[offset] == FilterCharacters.comma else { break }
            offset += 1
        }
        let location = FilterLocation(start..<offset)
        return .comparison(field, found.comparator, values, ranges: ranges, location: location)
    }

    /// One value or one range.
    private mutating func readElement(
        _ field: FilterField, _ found: FilterOperator.Found, from start: Int
    ) throws(FilterError) -> Element {
        let first = offset
        let low = try readOperand()
        guard FilterCharacters.isRange(in: bytes, at: offset) else {
            guard let low, !low.text.isEmpty else { throw missingValue(field, found, from: start) }
            try count(at: low.location)
            return .single(low)
        }
        offset += 2
        let high = try readOperand()
        let location = FilterLocation(first..<offset)
        if FilterCharacters.isRange(in: bytes, at: offset) {
            throw FilterError(
                "a second '..' in one range", at: FilterLocation(offset..<offset + 2),
                hint: "quote a value that has '..' in it")
        }
        guard low != nil || high != nil else {
            throw FilterError(
                "a range without ends", at: location, hint: "'\(field.text).any' finds records with a value")
        }
        guard low?.text.isEmpty != true, high?.text.isEmpty != true else {
            throw FilterError("an empty end of a range", at: location, hint: "leave an open end out: 'lo..' or '..hi'")
        }
        guard found.comparator == .eq || found.comparator == .ne else {
            throw FilterError(
                "'\(spelling(found))' takes no range", at: location,
                hint: "a range follows '=' or '!='; quote a value that has '..' in it")
        }
        try count(at: location)
        return .range(FilterTerm(.range(field, low, high), location: location))
    }

    /// A quoted value, or bare characters up to a delimiter or `..`; nil: there is none here.
    private mutating func readOperand() throws(FilterError) -> FilterValue? {
        let start = offset
        if start < bytes.count, FilterCharacters.isQuote(bytes[start]) {
            let value = try readQuoted()
            guard FilterCharacters.isDelimiter(in: bytes, at: offset) || FilterCharacters.isRange(in: bytes, at: offset)
            else { throw missingSpace() }
            return value
        }
        while !FilterCharacters.isDelimiter(in: bytes, at: offset), !FilterCharacters.isRange(in: bytes, at: offset) {
            offset += 1
        }
        return offset == start ? nil : FilterValue(string(start..<offset), location: FilterLocation(start..<offset))
    }

    /// Reads what is between quotes; a backslash escapes that quote and itself. Its place includes the quotes.
    mutating func readQuoted() throws(FilterError) -> FilterValue {
        let start = offset
        let quote = bytes[start]
        var text: [UInt8] = []
        offset += 1
        while offset < bytes.count, bytes[offset] != quote {
            if bytes[offset] == FilterCharacters.backslash, offset + 1 < bytes.count,
                bytes[offset + 1] == quote || bytes[offset + 1] == FilterCharacters.backslash
            {
                offset += 1
            }
            text.append(bytes[offset])
            offset += 1
        }
        guard offset < bytes.count else {
            throw FilterError(
                "a quote that is not closed", at: FilterLocation(start..<bytes.count),
                hint: "a quote inside the other kind needs no escape: \"d'Ivoire\"")
        }
        offset += 1
        return FilterValue(String(decoding: text, as: UTF8.self), location: FilterLocation(start..<offset))
    }
}

extension FilterTextReader {
    /// What an operand should be, and the end or a `)` is.
    func missingTerm() -> FilterError {
        let here = FilterLocation(offset..<min(offset + 1, bytes.count))
        switch previous {
        case .keyword(let range):
            return FilterError(
                "a term is missing after '\(string(range))'", at: FilterLocation(range), hint: quoteHint(range))
        case .openParenthesis(let start):
            return FilterError(
                offset < bytes.count ? "nothing between '(' and ')'" : "'(' without a ')' after it",
                at: FilterLocation(start..<min(offset + 1, bytes.count)),
                hint: "to look for a parenthesis, quote the text"
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
            "a term is missing before '\(string(keyword))'", at: FilterLocation(keyword), hint: quoteHint(keyword))
    }

    func strayComma() -> FilterError {
        FilterError(
            "',' outside a list", at: FilterLocation(offset..<offset + 1),
            hint: "a list follows an operator, without white space: 'field=a,b'; to look for a comma, quote the text")
    }

    func missingSpace() -> FilterError {
        let rest = offset..<FilterCharacters.bareEnd(in: bytes, from: offset)
        let isField = FilterOperator.first(in: bytes, rest)?.range.lowerBound == offset
        return FilterError(
            "white space is missing after the closing quote", at: FilterLocation(offset - 1..<offset),
            hint: isField ? "a field has no quotes" : "a backslash escapes a quote inside quotes")
    }

    /// An operator with no field before it.
    func misplaced(_ found: FilterOperator.Found) -> FilterError {
        if case .word(let word) = previous {
            var next = found.range.upperBound
            while FilterCharacters.whiteSpace(in: bytes, at: next) > 0 {
                next += FilterCharacters.whiteSpace(in: bytes, at: next)
            }
            return spaced(string(word) + spelling(found), valueFrom: next, at: FilterLocation(found.range))
        }
        let word = found.range.lowerBound..<FilterCharacters.bareEnd(in: bytes, from: found.range.lowerBound)
        return FilterError(
            "a field is missing before '\(spelling(found))'", at: FilterLocation(found.range), hint: quoteHint(word))
    }

    /// An operator, or a comma, with no value behind it.
    func missingValue(_ field: FilterField, _ found: FilterOperator.Found, from start: Int) -> FilterError {
        if offset > found.range.upperBound, bytes[offset - 1] == FilterCharacters.comma {
            return FilterError(
                "a value is missing after ','", at: FilterLocation(offset - 1..<offset),
                hint: "a list has no white space: '\(field.text)\(spelling(found))a,b'")
        }
        var next = offset
        while FilterCharacters.whiteSpace(in: bytes, at: next) > 0 {
            next += FilterCharacters.whiteSpace(in: bytes, at: next)
        }
        let word = next..<FilterCharacters.bareEnd(in: bytes, from: next)
        if next > offset, !word.isEmpty, !FilterCharacters.isKeyword(bytes[word]) {
            return spaced(field.text + spelling(found), valueFrom: next, at: FilterLocation(found.range))
        }
        return FilterError(
            "'\(Excerpt.of(field.text))\(spelling(found))' has no value",
            at: FilterLocation(start..<max(offset, start)),
            hint: "'\(Excerpt.of(field.text)).none' finds records without a value")
    }

    /// White space around an operator; `term` is what stands before the value.
    private func spaced(_ term: String, valueFrom start: Int, at location: FilterLocation) -> FilterError {
        var end = FilterCharacters.bareEnd(in: bytes, from: start)
        if start < bytes.count, FilterCharacters.isQuote(bytes[start]) {
            end = bytes[(start + 1)...].firstIndex(of: bytes[start]).map { $0 + 1 } ?? end
        }
        let value = start < end ? string(start..<end) : "value"
        return FilterError(
            "white space around an operator", at: location, hint: "write it together: \(Excerpt.of(term + value))")
    }

    /// How to look for what was taken for something else.
    func quoteHint(_ word: Range<Int>) -> String {
        "to look for this text, quote it: \(FilterTextWriter.quoted(Excerpt.of(string(word))))"
    }
}
