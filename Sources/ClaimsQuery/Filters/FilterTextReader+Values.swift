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
        let place = FilterPlace(start..<offset)
        return .comparison(field, found.comparator, values, ranges: ranges, place: place)
    }

    /// One value or one range.
    private mutating func readElement(
        _ field: FilterField, _ found: FilterOperator.Found, from start: Int
    ) throws(FilterError) -> Element {
        let first = offset
        let low = try readOperand()
        guard FilterCharacters.isRange(in: bytes, at: offset) else {
            guard let low, !low.text.isEmpty else { throw missingValue(field, found, from: start) }
            try count(at: low.place)
            return .single(low)
        }
        offset += 2
        let high = try readOperand()
        let place = FilterPlace(first..<offset)
        if FilterCharacters.isRange(in: bytes, at: offset) {
            throw FilterError(
                "a second '..' in one range", at: FilterPlace(offset..<offset + 2),
                hint: "quote a value that has '..' in it")
        }
        guard low != nil || high != nil else {
            throw FilterError(
                "a range without ends", at: place, hint: "'\(field.text).any' finds records with a value")
        }
        guard low?.text.isEmpty != true, high?.text.isEmpty != true else {
            throw FilterError("an empty end of a range", at: place, hint: "leave an open end out: 'lo..' or '..hi'")
        }
        guard found.comparator == .eq || found.comparator == .ne else {
            throw FilterError(
                "'\(spelling(found))' takes no range", at: place,
                hint: "a range follows '=' or '!='; quote a value that has '..' in it")
        }
        try count(at: place)
        return .range(FilterTerm(.range(field, low, high), place: place))
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
        return offset == start ? nil : FilterValue(string(start..<offset), place: FilterPlace(start..<offset))
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
                "a quote that is not closed", at: FilterPlace(start..<bytes.count),
                hint: "a quote inside the other kind needs no escape: \"d'Ivoire\"")
        }
        offset += 1
        return FilterValue(String(decoding: text, as: UTF8.self), place: FilterPlace(start..<offset))
    }
}
