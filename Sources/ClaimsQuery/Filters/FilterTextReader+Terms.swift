// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension FilterTextReader {
    /// A term that begins with the bare word at `word`: a comparison, a test of presence or free text.
    mutating func readTerm(_ word: Range<Int>) throws(FilterError) -> FilterNode {
        if let found = FilterOperator.first(in: bytes, word) {
            guard found.range.lowerBound > word.lowerBound else { throw misplaced(found) }
            let name = word.lowerBound..<found.range.lowerBound
            let field = try FilterField(
                parsing: string(name), at: FilterPlace(name), before: spelling(found), of: string(word))
            offset = found.range.upperBound
            let node = try readValues(field, found, from: word.lowerBound)
            previous = .operand
            return node
        }
        offset = word.upperBound
        if let term = try presence(word) {
            previous = .operand
            return .term(term)
        }
        previous = .word(word)
        return .term(try text(FilterValue(string(word), place: FilterPlace(word))))
    }

    /// Free text of which something must be left once quotes are gone.
    mutating func text(_ value: FilterValue) throws(FilterError) -> FilterTerm {
        try count(at: value.place)
        guard !value.text.isEmpty else {
            throw FilterError("an empty phrase", at: value.place, hint: "leave it out to find every record")
        }
        return FilterTerm(.text(value), place: value.place)
    }

    /// `field.any` or `field.none`; nil: the word is neither.
    private mutating func presence(_ word: Range<Int>) throws(FilterError) -> FilterTerm? {
        let isAny = bytes[word].ends(with: ".any")
        guard isAny || bytes[word].ends(with: ".none") else { return nil }
        let suffix = isAny ? ".any" : ".none"
        let name = word.lowerBound..<word.upperBound - suffix.utf8.count
        let place = FilterPlace(word)
        guard !name.isEmpty else {
            throw FilterError("a field is missing before '\(suffix)'", at: place, hint: quoteHint(word))
        }
        let field = try FilterField(
            parsing: string(name), at: FilterPlace(name), before: suffix, of: string(word))
        try count(at: place)
        return FilterTerm(isAny ? .any(field) : .none(field), place: place)
    }

    func spelling(_ found: FilterOperator.Found) -> String { string(found.range) }
}

extension ArraySlice<UInt8> {
    fileprivate func ends(with suffix: String) -> Bool {
        self.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    }
}
