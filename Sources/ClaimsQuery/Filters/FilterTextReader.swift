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
        guard takeKeyword("or") else { return first }
        var operands = [first]
        repeat { operands.append(try readConjunction(nesting: nesting)) } while takeKeyword("or")
        return .any(operands)
    }

    /// `and`: operands with `and`, or nothing, between them.
    private mutating func readConjunction(nesting: Int) throws(FilterError) -> FilterNode {
        let first = try readUnary(nesting: nesting)
        guard takeKeyword("and") || isAtOperand() else { return first }
        var operands = [first]
        repeat { operands.append(try readUnary(nesting: nesting)) } while takeKeyword("and") || isAtOperand()
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
        if takeKeyword("not") {
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

    /// Takes `keyword` if it is the next word.
    private mutating func takeKeyword(_ keyword: StaticString) -> Bool {
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
/// It does not look at a definition: names, codes and types are checked when the node is typed. Its time is linear in
/// the size of the filter, and its recursion is bounded by the limits.
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
                ErrorText(en: "an empty phrase", pl: "pusta fraza"), at: value.location,
                hint: ErrorText(
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
