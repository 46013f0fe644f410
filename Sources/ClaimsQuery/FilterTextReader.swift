// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON
import ClaimsModel

/// Reads the text form of a filter: one pass over its bytes, one token ahead.
struct FilterTextReader {
    /// The token that was read last, for complaints about the next one.
    enum Token: Equatable {
        case start
        case keyword(Range<Int>)
        case openParenthesis(Int)
        /// A bare word of free text; with white space and an operator behind it, it was meant as a field.
        case word(Range<Int>)
        case operand
    }

    let bytes: [UInt8]
    let limits: FilterLimits
    var offset = 0
    var previous = Token.start
    private var weight = 0

    init(_ text: String, limits: FilterLimits) {
        bytes = Array(text.utf8)
        self.limits = limits
    }

    mutating func readFilter() throws(FilterError) -> FilterNode {
        guard bytes.count <= limits.bytes else {
            throw FilterError(
                FilterAdvice.tooLong(bytes.count, limits.bytes),
                at: FilterLocation(limits.bytes..<bytes.count))
        }
        let node = try readAlternatives(nesting: 0)
        // Only a parenthesis can end the alternatives early.
        guard offset == bytes.count else {
            throw FilterError(
                FilterAdvice.unopened, at: FilterLocation(offset..<offset + 1), hint: FilterAdvice.quoteParenthesis)
        }
        try limits.check(node, at: FilterLocation(0..<bytes.count))
        return node
    }

    /// `or`: conjunctions with `or` between them.
    private mutating func readAlternatives(nesting: Int) throws(FilterError) -> FilterNode {
        let first = try readConjunction(nesting: nesting)
        guard consumeKeyword("or") else { return first }
        var operands = [first]
        repeat { operands.append(try readConjunction(nesting: nesting)) } while consumeKeyword("or")
        return .any(operands)
    }

    /// `and`: operands with `and`, or nothing, between them.
    private mutating func readConjunction(nesting: Int) throws(FilterError) -> FilterNode {
        let first = try readUnary(nesting: nesting)
        guard consumeKeyword("and") || isAtOperand() else { return first }
        var operands = [first]
        repeat { operands.append(try readUnary(nesting: nesting)) } while consumeKeyword("and") || isAtOperand()
        return .all(operands)
    }

    private mutating func readUnary(nesting: Int) throws(FilterError) -> FilterNode {
        skipWhiteSpace()
        guard offset < bytes.count else { throw missingTerm() }
        switch bytes[offset] {
        case FilterCharacters.openParenthesis: return try readGroup(nesting: nesting + 1)
        case FilterCharacters.closeParenthesis: throw missingTerm()
        case FilterCharacters.comma: throw strayComma()
        case let byte where FilterCharacters.isQuote(byte): return try readPhrase()
        default: break
        }
        let start = offset
        if consumeKeyword("not") {
            try limits.check(nesting: nesting + 1, at: FilterLocation(start..<offset))
            return .not(try readUnary(nesting: nesting + 1))
        }
        let word = offset..<FilterCharacters.bareEnd(in: bytes, from: offset)
        if FilterCharacters.isKeyword(bytes[word]) { throw missingTerm(before: word) }
        return try readTerm(word)
    }

    private mutating func readGroup(nesting: Int) throws(FilterError) -> FilterNode {
        let start = offset
        try limits.check(nesting: nesting, at: FilterLocation(start..<start + 1))
        offset += 1
        previous = .openParenthesis(start)
        let node = try readAlternatives(nesting: nesting)
        guard offset < bytes.count else {
            throw FilterError(
                FilterAdvice.unclosed, at: FilterLocation(start..<start + 1), hint: FilterAdvice.quoteParenthesis)
        }
        offset += 1
        previous = .operand
        return node
    }

    /// A quoted phrase of free text.
    private mutating func readPhrase() throws(FilterError) -> FilterNode {
        let value = try readQuoted()
        guard FilterCharacters.isDelimiter(in: bytes, at: offset) else { throw missingSpace() }
        previous = .operand
        return .term(try text(value))
    }

    /// Reads `keyword` if it is the next word.
    private mutating func consumeKeyword(_ keyword: StaticString) -> Bool {
        skipWhiteSpace()
        guard isAt(keyword) else { return false }
        let end = offset + keyword.utf8CodeUnitCount
        previous = .keyword(offset..<end)
        offset = end
        return true
    }

    /// Whether another operand follows without a keyword: neither the end nor `)` nor `or`.
    private mutating func isAtOperand() -> Bool {
        skipWhiteSpace()
        return offset < bytes.count && bytes[offset] != FilterCharacters.closeParenthesis && !isAt("or")
    }

    /// Whether `keyword` is the word that begins here.
    private func isAt(_ keyword: StaticString) -> Bool {
        let count = keyword.utf8CodeUnitCount
        guard FilterCharacters.isDelimiter(in: bytes, at: offset + count), offset + count <= bytes.count else {
            return false
        }
        // `index` is below the keyword's length.
        for index in 0..<count where unsafe bytes[offset + index] != keyword.utf8Start[index] { return false }
        return true
    }

    mutating func skipWhiteSpace() {
        while true {
            let count = FilterCharacters.whiteSpace(in: bytes, at: offset)
            if count == 0 { return }
            offset += count
        }
    }

    /// Counts a term, or one more value of one.
    mutating func count(at location: FilterLocation?) throws(FilterError) {
        weight += 1
        try limits.check(weight: weight, at: location)
    }

    func string(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }
}

/// The parser of filters in both forms, text and tree.
///
/// It uses no definition: names, codes and types are checked when the node is typed. Its time is linear in the size of
/// the filter, and its recursion is bounded by the limits.
public enum FilterParser {
    /// Parses the text form of a filter.
    ///
    /// Throws `bad_filter` for a text that is malformed or over a limit; positions are bytes of `text`.
    public static func parse(
        _ text: String, limits: FilterLimits = .standard
    ) throws(FilterError) -> FilterNode {
        var reader = FilterTextReader(text, limits: limits)
        return try reader.readFilter()
    }

    /// Parses the tree form of a filter, such as `["and", ["ne","status","ok"], ["has","title","water"]]`.
    ///
    /// A string is parsed as the text form. Throws `bad_filter` for a tree that is malformed or over a limit; locations
    /// are JSON Pointers into `tree`.
    public static func parse(
        tree: JSONValue, limits: FilterLimits = .standard
    ) throws(FilterError) -> FilterNode {
        if case .string(let text) = tree { return try parse(text, limits: limits) }
        var reader = FilterTreeReader(limits: limits)
        return try reader.readFilter(tree)
    }
}

extension FilterTextReader {
    /// A term that begins with the bare word at `word`: a comparison, a test of presence or free text.
    mutating func readTerm(_ word: Range<Int>) throws(FilterError) -> FilterNode {
        if let found = FilterOperator.first(in: bytes, word) {
            guard found.range.lowerBound > word.lowerBound else { throw misplaced(found) }
            let name = word.lowerBound..<found.range.lowerBound
            let field = try FilterField(
                parsing: string(name), at: FilterLocation(name), before: spelling(found), of: string(word))
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
        return .term(try text(FilterLiteral(string(word), location: FilterLocation(word))))
    }

    /// Free text of which something must be left once quotes are gone.
    mutating func text(_ value: FilterLiteral) throws(FilterError) -> FilterTerm {
        try count(at: value.location)
        guard !value.text.isEmpty else {
            throw FilterError(
                TranslatedText(en: "an empty phrase", pl: "pusta fraza"), at: value.location,
                hint: TranslatedText(
                    en: "leave it out to find every record", pl: "pomiń ją, żeby znaleźć wszystkie rekordy"))
        }
        return FilterTerm(.text(value), location: value.location)
    }

    /// `field.any` or `field.none`; nil: the word is neither.
    private mutating func presence(_ word: Range<Int>) throws(FilterError) -> FilterTerm? {
        let isAny = bytes[word].ends(with: ".any")
        guard isAny || bytes[word].ends(with: ".none") else { return nil }
        let suffix = isAny ? ".any" : ".none"
        let name = word.lowerBound..<word.upperBound - suffix.utf8.count
        let location = FilterLocation(word)
        guard !name.isEmpty else {
            throw FilterError(FilterAdvice.missingField(before: suffix), at: location, hint: quoteHint(word))
        }
        let field = try FilterField(
            parsing: string(name), at: FilterLocation(name), before: suffix, of: string(word))
        try count(at: location)
        return FilterTerm(isAny ? .any(field) : .none(field), location: location)
    }

    func spelling(_ found: FilterOperator.Found) -> String { string(found.range) }
}

extension ArraySlice<UInt8> {
    fileprivate func ends(with suffix: String) -> Bool {
        self.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    }
}

extension FilterTextReader {
    private enum Element {
        case single(FilterLiteral)
        case range(FilterTerm)
    }

    /// The list after an operator. `start` is the start of its term.
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
                TranslatedText(en: "a second '..' in one range", pl: "drugie „..” w jednym zakresie"),
                at: FilterLocation(offset..<offset + 2),
                hint: TranslatedText(
                    en: "quote a value that has '..' in it", pl: "wartość zawierającą „..” ujmij w cudzysłów"))
        }
        guard low != nil || high != nil else {
            throw FilterError(
                FilterAdvice.rangeWithoutEnds, at: location, hint: FilterAdvice.present(field.text))
        }
        guard low?.text.isEmpty != true, high?.text.isEmpty != true else {
            throw FilterError(
                TranslatedText(en: "an empty end of a range", pl: "pusty początek lub koniec zakresu"), at: location,
                hint: TranslatedText(
                    en: "leave an open end out: 'lo..' or '..hi'",
                    pl: "otwarty początek lub koniec po prostu pomiń: „od..” albo „..do”"))
        }
        guard found.comparator == .eq || found.comparator == .ne else {
            let used = spelling(found)
            throw FilterError(
                TranslatedText(en: "'\(used)' takes no range", pl: "po „\(used)” nie może stać zakres"), at: location,
                hint: TranslatedText(
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

    /// Reads the text between quotes; a backslash escapes that quote and itself. The range includes the quotes.
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
                TranslatedText(en: "a quote that is not closed", pl: "niezamknięty cudzysłów"),
                at: FilterLocation(start..<bytes.count),
                hint: TranslatedText(
                    en: "a quote inside the other kind needs no escape: \"d'Ivoire\"",
                    pl: "wewnątrz cudzysłowu drugiego rodzaju nie trzeba go poprzedzać ukośnikiem: \"d'Ivoire\""))
        }
        offset += 1
        return FilterLiteral(String(decoding: text, as: UTF8.self), location: FilterLocation(start..<offset))
    }
}

extension FilterTextReader {
    /// The error about a missing operand: there is the end or a `)`.
    func missingTerm() -> FilterError {
        let here = FilterLocation(offset..<min(offset + 1, bytes.count))
        switch previous {
        case .keyword(let range):
            let keyword = string(range)
            return FilterError(
                TranslatedText(en: "a term is missing after '\(keyword)'", pl: "po „\(keyword)” brakuje warunku"),
                at: FilterLocation(range), hint: quoteHint(range))
        case .openParenthesis(let start):
            return FilterError(
                offset < bytes.count
                    ? TranslatedText(en: "nothing between '(' and ')'", pl: "pusto między „(” a „)”")
                    : FilterAdvice.unclosed,
                at: FilterLocation(start..<min(offset + 1, bytes.count)), hint: FilterAdvice.quoteParenthesis)
        case .start where offset < bytes.count:
            return FilterError(FilterAdvice.unopened, at: here, hint: FilterAdvice.quoteParenthesis)
        case .start, .word, .operand:
            return FilterError(
                TranslatedText(en: "the filter is empty", pl: "filtr jest pusty"), at: here, hint: FilterAdvice.leaveOut
            )
        }
    }

    /// A keyword in place of an operand.
    func missingTerm(before keyword: Range<Int>) -> FilterError {
        let found = string(keyword)
        return FilterError(
            TranslatedText(en: "a term is missing before '\(found)'", pl: "przed „\(found)” brakuje warunku"),
            at: FilterLocation(keyword), hint: quoteHint(keyword))
    }

    func strayComma() -> FilterError {
        FilterError(
            TranslatedText(en: "',' outside a list", pl: "„,” poza listą"), at: FilterLocation(offset..<offset + 1),
            hint: TranslatedText(
                en: "a list follows an operator, without white space: 'field=a,b'; to look for a comma, quote the text",
                pl: "lista stoi po operatorze i nie zawiera odstępów: „pole=a,b”; żeby szukać przecinka, ujmij tekst w "
                    + "cudzysłów"))
    }

    func missingSpace() -> FilterError {
        let rest = offset..<FilterCharacters.bareEnd(in: bytes, from: offset)
        let isField = FilterOperator.first(in: bytes, rest)?.range.lowerBound == offset
        return FilterError(
            TranslatedText(
                en: "white space is missing after the closing quote", pl: "po cudzysłowie zamykającym brakuje odstępu"),
            at: FilterLocation(offset - 1..<offset),
            hint: isField
                ? TranslatedText(en: "a field has no quotes", pl: "nazwy pola nie ujmuje się w cudzysłów")
                : TranslatedText(
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
                TranslatedText(en: "a value is missing after ','", pl: "po „,” brakuje wartości"),
                at: FilterLocation(offset - 1..<offset),
                hint: TranslatedText(
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
            TranslatedText(en: "'\(name)\(used)' has no value", pl: "po „\(name)\(used)” brakuje wartości"),
            at: FilterLocation(start..<max(offset, start)), hint: FilterAdvice.absent(name))
    }

    /// White space around an operator; `term` is the text before the value.
    private func spaced(_ term: String, valueFrom start: Int, at location: FilterLocation) -> FilterError {
        var end = FilterCharacters.bareEnd(in: bytes, from: start)
        if start < bytes.count, FilterCharacters.isQuote(bytes[start]) {
            end = bytes[(start + 1)...].firstIndex(of: bytes[start]).map { $0 + 1 } ?? end
        }
        let value = start < end ? string(start..<end) : "value"
        let together = Excerpt.of(term + value)
        return FilterError(
            TranslatedText(en: "white space around an operator", pl: "odstępy przy operatorze"), at: location,
            hint: TranslatedText(en: "write it together: \(together)", pl: "napisz to łącznie: \(together)"))
    }

    /// The hint how to search for a word that was read as something else.
    func quoteHint(_ word: Range<Int>) -> TranslatedText { FilterAdvice.quote(string(word)) }
}
