// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

extension FilterTextReader {
    private enum Element {
        case single(FilterLiteral)
        case range(FilterTerm)
    }

    /// The list after an operator. `start` is where its term begins.
    mutating func readValues(
        _ field: FilterField, _ found: FilterOperator.Found, from start: Int
    ) throws(FilterError) -> FilterNode {
        var values: [FilterLiteral] = []
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
                ErrorText(en: "a second '..' in one range", pl: "drugie „..” w jednym zakresie"),
                at: FilterLocation(offset..<offset + 2),
                hint: ErrorText(
                    en: "quote a value that has '..' in it", pl: "wartość zawierającą „..” ujmij w cudzysłów"))
        }
        guard low != nil || high != nil else {
            throw FilterError(
                FilterAdvice.rangeWithoutEnds, at: location, hint: FilterAdvice.present(field.text))
        }
        guard low?.text.isEmpty != true, high?.text.isEmpty != true else {
            throw FilterError(
                ErrorText(en: "an empty end of a range", pl: "pusty początek lub koniec zakresu"), at: location,
                hint: ErrorText(
                    en: "leave an open end out: 'lo..' or '..hi'",
                    pl: "otwarty początek lub koniec po prostu pomiń: „od..” albo „..do”"))
        }
        guard found.comparator == .eq || found.comparator == .ne else {
            let used = spelling(found)
            throw FilterError(
                ErrorText(en: "'\(used)' takes no range", pl: "po „\(used)” nie może stać zakres"), at: location,
                hint: ErrorText(
                    en: "a range follows '=' or '!='; quote a value that has '..' in it",
                    pl: "zakres może stać po „=” lub „!=”; wartość zawierającą „..” ujmij w cudzysłów"))
        }
        try count(at: location)
        return .range(FilterTerm(.range(field, low, high), location: location))
    }

    /// A quoted value, or bare characters up to a delimiter or `..`; nil: there is none here.
    private mutating func readOperand() throws(FilterError) -> FilterLiteral? {
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
        return offset == start ? nil : FilterLiteral(string(start..<offset), location: FilterLocation(start..<offset))
    }

    /// Reads what is between quotes; a backslash escapes that quote and itself. Its place includes the quotes.
    mutating func readQuoted() throws(FilterError) -> FilterLiteral {
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
                ErrorText(en: "a quote that is not closed", pl: "niezamknięty cudzysłów"),
                at: FilterLocation(start..<bytes.count),
                hint: ErrorText(
                    en: "a quote inside the other kind needs no escape: \"d'Ivoire\"",
                    pl: "wewnątrz cudzysłowu drugiego rodzaju nie trzeba go poprzedzać ukośnikiem: \"d'Ivoire\""))
        }
        offset += 1
        return FilterLiteral(String(decoding: text, as: UTF8.self), location: FilterLocation(start..<offset))
    }
}

extension FilterTextReader {
    /// The error about an operand that is missing: the end or a `)` stands in its place.
    func missingTerm() -> FilterError {
        let here = FilterLocation(offset..<min(offset + 1, bytes.count))
        switch previous {
        case .keyword(let range):
            let keyword = string(range)
            return FilterError(
                ErrorText(en: "a term is missing after '\(keyword)'", pl: "po „\(keyword)” brakuje warunku"),
                at: FilterLocation(range), hint: quoteHint(range))
        case .openParenthesis(let start):
            return FilterError(
                offset < bytes.count
                    ? ErrorText(en: "nothing between '(' and ')'", pl: "pusto między „(” a „)”")
                    : FilterAdvice.unclosed,
                at: FilterLocation(start..<min(offset + 1, bytes.count)), hint: FilterAdvice.quoteParenthesis)
        case .start where offset < bytes.count:
            return FilterError(FilterAdvice.unopened, at: here, hint: FilterAdvice.quoteParenthesis)
        case .start, .word, .operand:
            return FilterError(
                ErrorText(en: "the filter is empty", pl: "filtr jest pusty"), at: here, hint: FilterAdvice.leaveOut)
        }
    }

    /// A keyword where an operand should be.
    func missingTerm(before keyword: Range<Int>) -> FilterError {
        let found = string(keyword)
        return FilterError(
            ErrorText(en: "a term is missing before '\(found)'", pl: "przed „\(found)” brakuje warunku"),
            at: FilterLocation(keyword), hint: quoteHint(keyword))
    }

    func strayComma() -> FilterError {
        FilterError(
            ErrorText(en: "',' outside a list", pl: "„,” poza listą"), at: FilterLocation(offset..<offset + 1),
            hint: ErrorText(
                en: "a list follows an operator, without white space: 'field=a,b'; to look for a comma, quote the text",
                pl: "lista stoi po operatorze i nie zawiera odstępów: „pole=a,b”; żeby szukać przecinka, ujmij tekst w "
                    + "cudzysłów"))
    }

    func missingSpace() -> FilterError {
        let rest = offset..<FilterCharacters.bareEnd(in: bytes, from: offset)
        let isField = FilterOperator.first(in: bytes, rest)?.range.lowerBound == offset
        return FilterError(
            ErrorText(
                en: "white space is missing after the closing quote", pl: "po cudzysłowie zamykającym brakuje odstępu"),
            at: FilterLocation(offset - 1..<offset),
            hint: isField
                ? ErrorText(en: "a field has no quotes", pl: "nazwy pola nie ujmuje się w cudzysłów")
                : ErrorText(
                    en: "a backslash escapes a quote inside quotes",
                    pl: "cudzysłów wewnątrz cudzysłowu poprzedź ukośnikiem odwrotnym"))
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
            FilterAdvice.missingField(before: spelling(found)), at: FilterLocation(found.range), hint: quoteHint(word))
    }

    /// An operator, or a comma, with no value behind it.
    func missingValue(_ field: FilterField, _ found: FilterOperator.Found, from start: Int) -> FilterError {
        if offset > found.range.upperBound, bytes[offset - 1] == FilterCharacters.comma {
            let example = "\(field.text)\(spelling(found))a,b"
            return FilterError(
                ErrorText(en: "a value is missing after ','", pl: "po „,” brakuje wartości"),
                at: FilterLocation(offset - 1..<offset),
                hint: ErrorText(
                    en: "a list has no white space: '\(example)'", pl: "lista nie zawiera odstępów: „\(example)”"))
        }
        var next = offset
        while FilterCharacters.whiteSpace(in: bytes, at: next) > 0 {
            next += FilterCharacters.whiteSpace(in: bytes, at: next)
        }
        let word = next..<FilterCharacters.bareEnd(in: bytes, from: next)
        if next > offset, !word.isEmpty, !FilterCharacters.isKeyword(bytes[word]) {
            return spaced(field.text + spelling(found), valueFrom: next, at: FilterLocation(found.range))
        }
        let name = Excerpt.of(field.text)
        let used = spelling(found)
        return FilterError(
            ErrorText(en: "'\(name)\(used)' has no value", pl: "po „\(name)\(used)” brakuje wartości"),
            at: FilterLocation(start..<max(offset, start)), hint: FilterAdvice.absent(name))
    }

    /// White space around an operator; `term` is what stands before the value.
    private func spaced(_ term: String, valueFrom start: Int, at location: FilterLocation) -> FilterError {
        var end = FilterCharacters.bareEnd(in: bytes, from: start)
        if start < bytes.count, FilterCharacters.isQuote(bytes[start]) {
            end = bytes[(start + 1)...].firstIndex(of: bytes[start]).map { $0 + 1 } ?? end
        }
        let value = start < end ? string(start..<end) : "value"
        let together = Excerpt.of(term + value)
        return FilterError(
            ErrorText(en: "white space around an operator", pl: "odstępy przy operatorze"), at: location,
            hint: ErrorText(en: "write it together: \(together)", pl: "napisz to łącznie: \(together)"))
    }

    /// How to look for what was taken for something else.
    func quoteHint(_ word: Range<Int>) -> ErrorText { FilterAdvice.quote(string(word)) }
}
