// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

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
            guard length > 0 else { throw badUTF8(at: offset) }
            offset &+= length
        } while bytes.byte(at: offset) >= 0x80
        return offset
    }

    private func badUTF8(at offset: Int) -> JSONError {
        // A sequence that is right as far as it goes and then meets the end is an early end.
        let first = bytes.byte(at: offset)
        let wanted = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        let isCut = first >= 0xC2 && first <= 0xF4 && bytes.byteCount &- offset < wanted
        return isCut ? JSONError(.unexpectedEnd, at: bytes.byteCount) : JSONError(.badUTF8, at: offset)
    }

    /// The offset after the escape whose backslash is at `start`, or after both escapes of a surrogate pair.
    func escape(from start: Int) throws(JSONError) -> Int {
        switch bytes.byte(at: start &+ 1) {
        case ASCII.quote, ASCII.backslash, ASCII.slash, 0x62, 0x66, 0x6E, 0x72, 0x74:
            return start &+ 2
        case 0x75:
            let unit = try codeUnit(from: start &+ 2)
            guard unit & 0xF800 == 0xD800 else { return start &+ 6 }
            guard unit < 0xDC00 else { throw JSONError(.loneSurrogate, at: start) }
            let next = start &+ 6
            if next >= bytes.byteCount { throw JSONError(.unexpectedEnd, at: bytes.byteCount) }
            guard bytes.byte(at: next) == ASCII.backslash else { throw JSONError(.loneSurrogate, at: start) }
            guard bytes.byte(at: next &+ 1) == 0x75 else { throw failure(.loneSurrogate, at: next &+ 1) }
            let low = try codeUnit(from: next &+ 2)
            guard low & 0xFC00 == 0xDC00 else { throw JSONError(.loneSurrogate, at: start) }
            return start &+ 12
        default:
            throw failure(.badEscape, at: start &+ 1)
        }
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
