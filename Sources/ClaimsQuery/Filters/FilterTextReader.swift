// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Reads the text form of a filter: one pass over its bytes, one token ahead.
struct FilterTextReader {
    /// What was read last, for complaints about what comes next.
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
                "the filter has \(bytes.count) bytes, of at most \(limits.bytes)",
                at: FilterPlace(limits.bytes..<bytes.count))
        }
        let node = try readAlternatives(nesting: 0)
        // Only a parenthesis can end the alternatives early.
        guard offset == bytes.count else {
            throw FilterError(
                "')' without a '(' before it", at: FilterPlace(offset..<offset + 1),
                hint: "to look for a parenthesis, quote the text")
        }
        try limits.check(node, at: FilterPlace(0..<bytes.count))
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
            try limits.check(nesting: nesting + 1, at: FilterPlace(start..<offset))
            return .not(try readUnary(nesting: nesting + 1))
        }
        let word = offset..<FilterCharacters.bareEnd(in: bytes, from: offset)
        if FilterCharacters.isKeyword(bytes[word]) { throw missingTerm(before: word) }
        return try readTerm(word)
    }

    private mutating func readGroup(nesting: Int) throws(FilterError) -> FilterNode {
        let start = offset
        try limits.check(nesting: nesting, at: FilterPlace(start..<start + 1))
        offset += 1
        previous = .openParenthesis(start)
        let node = try readAlternatives(nesting: nesting)
        guard offset < bytes.count else {
            throw FilterError(
                "'(' without a ')' after it", at: FilterPlace(start..<start + 1),
                hint: "to look for a parenthesis, quote the text")
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
    mutating func count(at place: FilterPlace?) throws(FilterError) {
        weight += 1
        try limits.check(weight: weight, at: place)
    }

    func string(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }
}
