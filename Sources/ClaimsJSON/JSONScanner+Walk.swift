// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension JSONScanner {
    /// Reads the one value at `start` (leading white space is skipped) and returns the offset after it.
    ///
    /// `depth` is how many containers may be open at once. The grammar is RFC 8259's; nothing recurses, so any depth
    /// is safe. Whoever wants a whole document asks `end(of:)` afterwards.
    @inline(__always)
    func walk<Sink: JSONSink>(from start: Int, depth: Int, into sink: inout Sink) throws(JSONError) -> Int {
        var offset = skipWhiteSpace(start)
        var level = 0
        var isInObject = false
        value: while true {
            let first = bytes.byte(at: offset)
            switch first {
            case ASCII.quote:
                offset = try string(at: offset, into: &sink)
            case ASCII.openBrace, ASCII.openBracket:
                guard level < depth else { throw JSONError(.tooDeep, at: offset) }
                level &+= 1
                isInObject = first == ASCII.openBrace
                sink.begin(isInObject ? .object : .array, at: offset)
                offset = skip(offset &+ 1, into: &sink)
                // The closing bracket of either is its opening one plus two.
                if bytes.byte(at: offset) == first &+ 2 {
                    offset &+= 1
                    level &-= 1
                    isInObject = sink.finish(before: offset)
                    break
                }
                if isInObject { offset = try key(at: offset, into: &sink) }
                continue value
            case ASCII.minus, ASCII.zero...ASCII.nine:
                let end = try number(from: offset)
                sink.leaf(.number, from: offset, to: end, hasEscapes: false)
                offset = end
            case 0x74:
                offset = try literal("true", .true, at: offset, into: &sink)
            case 0x66:
                offset = try literal("false", .false, at: offset, into: &sink)
            case 0x6E:
                offset = try literal("null", .null, at: offset, into: &sink)
            default:
                throw failure(.expectedValue, at: offset)
            }
            while level > 0 {
                offset = skip(offset, into: &sink)
                let next = bytes.byte(at: offset)
                if next == ASCII.comma {
                    if sink.isFull { throw JSONError(.tooLarge, at: offset) }
                    offset = skip(offset &+ 1, into: &sink)
                    if isInObject { offset = try key(at: offset, into: &sink) }
                    continue value
                }
                guard next == (isInObject ? ASCII.closeBrace : ASCII.closeBracket) else {
                    throw failure(isInObject ? .expectedCommaOrBrace : .expectedCommaOrBracket, at: offset)
                }
                offset &+= 1
                level &-= 1
                isInObject = sink.finish(before: offset)
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
    private func skip<Sink: JSONSink>(_ offset: Int, into sink: inout Sink) -> Int {
        let next = skipWhiteSpace(offset)
        if next != offset { sink.space() }
        return next
    }

    @inline(__always)
    private func string<Sink: JSONSink>(at start: Int, into sink: inout Sink) throws(JSONError) -> Int {
        var hasEscapes = false
        let end = try string(from: start, hasEscapes: &hasEscapes)
        sink.leaf(.string, from: start, to: end, hasEscapes: hasEscapes)
        return end
    }

    /// A member's name, the colon and the white space around it: the offset of the member's value.
    @inline(__always)
    private func key<Sink: JSONSink>(at start: Int, into sink: inout Sink) throws(JSONError) -> Int {
        guard bytes.byte(at: start) == ASCII.quote else { throw failure(.expectedKey, at: start) }
        let colon = skip(try string(at: start, into: &sink), into: &sink)
        guard bytes.byte(at: colon) == ASCII.colon else { throw failure(.expectedColon, at: colon) }
        return skip(colon &+ 1, into: &sink)
    }

    @inline(__always)
    private func literal<Sink: JSONSink>(
        _ text: StaticString, _ kind: JSONKind, at start: Int, into sink: inout Sink
    ) throws(JSONError) -> Int {
        let end = try literal(text, from: start)
        sink.leaf(kind, from: start, to: end, hasEscapes: false)
        return end
    }
}
