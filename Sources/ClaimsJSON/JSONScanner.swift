// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// The tokens of RFC 8259, each read from one offset to the next. It keeps no position and allocates nothing.
struct JSONScanner: ~Escapable {
    let bytes: RawSpan
    /// The range in which text may be bad (``JSONError/isBadText``). It is checked only for bad text, so good text
    /// costs nothing.
    private let lenientRange: Range<Int>

    @_lifetime(copy bytes)
    init(_ bytes: RawSpan, lenientRange: Range<Int> = 0..<0) {
        self.bytes = bytes
        self.lenientRange = lenientRange
    }

    /// The first byte at or after `offset` that is not white space.
    @inline(__always)
    func skipWhiteSpace(_ offset: Int) -> Int {
        if bytes.byte(at: offset) > ASCII.space { return offset }
        return skipWhiteSpaceRun(offset)
    }

    @inline(never)
    private func skipWhiteSpaceRun(_ start: Int) -> Int {
        var offset = start
        while true {
            // Indentation is mostly spaces: eight at a time.
            while bytes.hasWord(at: offset), bytes.word(at: offset) == 0x2020_2020_2020_2020 { offset &+= 8 }
            guard ASCII.isWhiteSpace(bytes.byte(at: offset)) else { return offset }
            offset &+= 1
        }
    }

    /// The error for a byte that does not fit: `code`, or `unexpectedEnd` if there is no byte.
    func failure(_ code: JSONError.Code, at offset: Int) -> JSONError {
        offset >= bytes.byteCount ? JSONError(.unexpectedEnd, at: bytes.byteCount) : JSONError(code, at: offset)
    }

    /// The offset after the literal `text` at `offset`.
    func literal(_ text: StaticString, from offset: Int) throws(JSONError) -> Int {
        if bytes.matches(text, at: offset) { return offset &+ text.utf8CodeUnitCount }
        var end = offset
        for index in 0..<text.utf8CodeUnitCount {
            guard unsafe bytes.byte(at: end) == text.utf8Start[index] else { break }
            end &+= 1
        }
        throw failure(.expectedValue, at: end)
    }

    /// The offset after the number that begins at `start`.
    @inline(__always)
    func number(from start: Int) throws(JSONError) -> Int {
        var offset = start
        if bytes.byte(at: offset) == ASCII.minus { offset &+= 1 }
        if bytes.byte(at: offset) == ASCII.zero {
            offset &+= 1
            if ASCII.isDigit(bytes.byte(at: offset)) { throw JSONError(.badNumber, at: offset) }
        } else {
            offset = try digits(from: offset)
        }
        if bytes.byte(at: offset) == ASCII.point { offset = try digits(from: offset &+ 1) }
        if bytes.byte(at: offset) | 0x20 == 0x65 {
            offset &+= 1
            let sign = bytes.byte(at: offset)
            if sign == ASCII.plus || sign == ASCII.minus { offset &+= 1 }
            offset = try digits(from: offset)
        }
        return offset
    }

    /// The offset after one or more digits.
    @inline(__always)
    private func digits(from start: Int) throws(JSONError) -> Int {
        var offset = start
        while ASCII.isDigit(bytes.byte(at: offset)) { offset &+= 1 }
        guard offset > start else { throw failure(.badNumber, at: offset) }
        return offset
    }
}

extension JSONScanner {
    /// The offset after the closing quote of the string whose opening quote is at `start`.
    ///
    /// Sets `hasEscapes` if there is a backslash in it. Checked: UTF-8 (RFC 3629: no overlong forms, no surrogates,
    /// nothing above U+10FFFF), no unescaped control characters, known escapes, surrogate escapes in pairs.
    @inline(__always)
    func string(from start: Int, hasEscapes: inout Bool) throws(JSONError) -> Int {
        var offset = start &+ 1
        while true {
            offset = plainEnd(from: offset)
            switch bytes.byte(at: offset) {
            case ASCII.quote:
                return offset &+ 1
            case ASCII.backslash:
                hasEscapes = true
                offset = try escape(from: offset)
            case 0x80...:
                offset = try multibyte(from: offset)
            default:
                throw failure(.controlCharacter, at: offset)
            }
        }
    }

    /// The first byte at or after `start` that is not plain: a quote, a backslash, a control character, not ASCII, or
    /// the end.
    @inline(__always)
    func plainEnd(from start: Int) -> Int {
        var offset = start
        while bytes.hasWord(at: offset) {
            let special = Self.specialBytes(bytes.word(at: offset))
            if special != 0 { return offset &+ special.trailingZeroBitCount / 8 }
            offset &+= 8
        }
        while true {
            let byte = bytes.byte(at: offset)
            if byte < ASCII.space || byte >= 0x80 || byte == ASCII.quote || byte == ASCII.backslash { return offset }
            offset &+= 1
        }
    }

    /// The top bit of each byte of `word` that is a quote, a backslash, a control character or not ASCII.
    ///
    /// A borrow can set bits above the lowest one, so only the lowest is to be believed.
    @inline(__always)
    static func specialBytes(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = word ^ (ones &* UInt64(ASCII.quote))
        let backslashes = word ^ (ones &* UInt64(ASCII.backslash))
        let found =
            ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes)
            | ((word &- ones &* 0x20) & ~word) | word
        return found & (ones &* 0x80)
    }

    /// The offset after the run of multibyte UTF-8 sequences at `start`.
    func multibyte(from start: Int) throws(JSONError) -> Int {
        var offset = start
        repeat {
            let length = bytes.multibyteLength(at: offset)
            offset &+= length > 0 ? length : try pass(badUTF8(at: offset), length: 1)
        } while bytes.byte(at: offset) >= 0x80
        return offset
    }

    private func badUTF8(at offset: Int) -> JSONError {
        // A sequence that is right as far as it goes and then meets the end is an early end.
        let first = bytes.byte(at: offset)
        let wanted = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        let isCut =
            first >= 0xC2 && first <= 0xF4 && bytes.byteCount &- offset < wanted
            && (offset &+ 1..<bytes.byteCount).allSatisfy { bytes.byte(at: $0) & 0xC0 == 0x80 }
        return isCut ? JSONError(.unexpectedEnd, at: bytes.byteCount) : JSONError(.badUTF8, at: offset)
    }

    /// The length to skip if bad text is allowed here; throws the error anywhere else, and any other error.
    private func pass(_ error: JSONError, length: Int) throws(JSONError) -> Int {
        guard error.isBadText, lenientRange.contains(error.offset) else { throw error }
        return length
    }

    /// The offset after the escape whose backslash is at `start`, or after both escapes of a surrogate pair.
    func escape(from start: Int) throws(JSONError) -> Int {
        switch bytes.byte(at: start &+ 1) {
        case ASCII.quote, ASCII.backslash, ASCII.slash, 0x62, 0x66, 0x6E, 0x72, 0x74:
            return start &+ 2
        case 0x75:
            let unit = try codeUnit(from: start &+ 2)
            guard unit & 0xF800 == 0xD800 else { return start &+ 6 }
            do throws(JSONError) { return try secondHalf(of: unit, from: start) } catch {
                return start &+ (try pass(error, length: 6))
            }
        default:
            throw failure(.badEscape, at: start &+ 1)
        }
    }

    /// The offset after both escapes of a surrogate pair, of which the first, at `start`, is `unit`.
    private func secondHalf(of unit: UInt32, from start: Int) throws(JSONError) -> Int {
        guard unit < 0xDC00 else { throw JSONError(.loneSurrogate, at: start) }
        let next = start &+ 6
        if next >= bytes.byteCount { throw JSONError(.unexpectedEnd, at: bytes.byteCount) }
        guard bytes.byte(at: next) == ASCII.backslash else { throw JSONError(.loneSurrogate, at: start) }
        guard bytes.byte(at: next &+ 1) == 0x75 else { throw failure(.loneSurrogate, at: next &+ 1) }
        let low = try codeUnit(from: next &+ 2)
        guard low & 0xFC00 == 0xDC00 else { throw JSONError(.loneSurrogate, at: start) }
        return start &+ 12
    }

    /// Four hexadecimal digits.
    func codeUnit(from start: Int) throws(JSONError) -> UInt32 {
        var unit: UInt32 = 0
        for offset in start..<start &+ 4 {
            guard let digit = ASCII.hexValue(bytes.byte(at: offset)) else { throw failure(.badEscape, at: offset) }
            unit = unit << 4 | digit
        }
        return unit
    }
}

extension JSONScanner {
    /// Reads the one value at `start` (leading white space is skipped) and returns the offset after it.
    ///
    /// `depth` is the maximal number of open containers. The grammar is RFC 8259's; nothing recurses, so any depth is
    /// safe. To check a whole document, call `end(of:)` afterwards.
    @inline(__always)
    func walk<Visitor: JSONVisitor>(from start: Int, depth: Int, into visitor: inout Visitor) throws(JSONError) -> Int {
        var offset = skipWhiteSpace(start)
        var level = 0
        var isInObject = false
        value: while true {
            let first = bytes.byte(at: offset)
            switch first {
            case ASCII.quote:
                offset = try string(at: offset, into: &visitor)
            case ASCII.openBrace, ASCII.openBracket:
                guard level < depth else { throw JSONError(.tooDeep, at: offset) }
                level &+= 1
                isInObject = first == ASCII.openBrace
                visitor.begin(isInObject ? .object : .array, at: offset)
                offset = skip(offset &+ 1, into: &visitor)
                // The closing bracket of either is its opening one plus two.
                if bytes.byte(at: offset) == first &+ 2 {
                    offset &+= 1
                    level &-= 1
                    isInObject = visitor.finish(before: offset)
                    break
                }
                if isInObject { offset = try key(at: offset, into: &visitor) }
                continue value
            case ASCII.minus, ASCII.zero...ASCII.nine:
                let end = try number(from: offset)
                visitor.leaf(.number, from: offset, to: end, hasEscapes: false)
                offset = end
            case 0x74:
                offset = try literal("true", .true, at: offset, into: &visitor)
            case 0x66:
                offset = try literal("false", .false, at: offset, into: &visitor)
            case 0x6E:
                offset = try literal("null", .null, at: offset, into: &visitor)
            default:
                throw failure(.expectedValue, at: offset)
            }
            while level > 0 {
                offset = skip(offset, into: &visitor)
                let next = bytes.byte(at: offset)
                if next == ASCII.comma {
                    if visitor.isFull { throw JSONError(.tooLarge, at: offset) }
                    offset = skip(offset &+ 1, into: &visitor)
                    if isInObject { offset = try key(at: offset, into: &visitor) }
                    continue value
                }
                guard next == (isInObject ? ASCII.closeBrace : ASCII.closeBracket) else {
                    throw failure(isInObject ? .expectedCommaOrBrace : .expectedCommaOrBracket, at: offset)
                }
                offset &+= 1
                level &-= 1
                isInObject = visitor.finish(before: offset)
            }
            return offset
        }
    }

    /// Demands that nothing but white space follows.
    func end(of offset: Int) throws(JSONError) -> Int {
        let end = skipWhiteSpace(offset)
        guard end >= bytes.byteCount else { throw JSONError(.trailingBytes, at: end) }
        return end
    }

    @inline(__always)
    private func skip<Visitor: JSONVisitor>(_ offset: Int, into visitor: inout Visitor) -> Int {
        let next = skipWhiteSpace(offset)
        if next != offset { visitor.space() }
        return next
    }

    @inline(__always)
    private func string<Visitor: JSONVisitor>(at start: Int, into visitor: inout Visitor) throws(JSONError) -> Int {
        var hasEscapes = false
        let end = try string(from: start, hasEscapes: &hasEscapes)
        visitor.leaf(.string, from: start, to: end, hasEscapes: hasEscapes)
        return end
    }

    /// A member's name, the colon and the white space around it: the offset of the member's value.
    @inline(__always)
    private func key<Visitor: JSONVisitor>(at start: Int, into visitor: inout Visitor) throws(JSONError) -> Int {
        guard bytes.byte(at: start) == ASCII.quote else { throw failure(.expectedKey, at: start) }
        let colon = skip(try string(at: start, into: &visitor), into: &visitor)
        guard bytes.byte(at: colon) == ASCII.colon else { throw failure(.expectedColon, at: colon) }
        return skip(colon &+ 1, into: &visitor)
    }

    @inline(__always)
    private func literal<Visitor: JSONVisitor>(
        _ text: StaticString, _ kind: JSONKind, at start: Int, into visitor: inout Visitor
    ) throws(JSONError) -> Int {
        let end = try literal(text, from: start)
        visitor.leaf(kind, from: start, to: end, hasEscapes: false)
        return end
    }
}
