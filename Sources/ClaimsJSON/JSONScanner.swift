// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The tokens of RFC 8259, each read from one offset to the next. It keeps no position and allocates nothing.
struct JSONScanner: ~Escapable {
    let bytes: RawSpan

    @_lifetime(copy bytes)
    init(_ bytes: RawSpan) { self.bytes = bytes }

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

    /// The error for a byte that does not fit: `code`, or `unexpectedEnd` where there is no byte.
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
