// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Appends JSON to a buffer and sets the commas itself. Made to be reused: `removeAll()` keeps the room.
///
/// It writes what it is told: that brackets match, and that a value follows each key, is the caller's part.
public struct JSONWriter: Sendable {
    public var bytes: [UInt8] = []
    /// The next key or element needs a comma before it.
    private var needsComma = false

    public init() {}

    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    /// Begins another value after what is there, whatever that is: nothing is put between them.
    public mutating func beginValue() { needsComma = false }

    /// Takes back everything after the first `count` bytes; what follows is the beginning of a value.
    public mutating func removeAll(after count: Int) {
        bytes.removeLast(bytes.count - count)
        needsComma = false
    }

    public mutating func reserve(_ count: Int) { bytes.reserveCapacity(bytes.count + count) }

    public mutating func beginObject() { begin(ASCII.openBrace) }
    public mutating func endObject() { end(ASCII.closeBrace) }
    public mutating func beginArray() { begin(ASCII.openBracket) }
    public mutating func endArray() { end(ASCII.closeBracket) }

    /// A member's name that needs no escapes.
    public mutating func key(_ name: StaticString) {
        bytes.append(addingCapacity: name.utf8CodeUnitCount + 4) { out in
            if needsComma { out.append(ASCII.comma) }
            out.append(ASCII.quote)
            out.append(name)
            out.append(ASCII.quote)
            out.append(ASCII.colon)
        }
        needsComma = false
    }

    /// A key and its finished value, with room made once.
    mutating func member(before name: StaticString, _ value: RawSpan) {
        bytes.append(addingCapacity: name.utf8CodeUnitCount + value.byteCount + 4) { out in
            if needsComma { out.append(ASCII.comma) }
            out.append(ASCII.quote)
            out.append(name)
            out.append(ASCII.quote)
            out.append(ASCII.colon)
            out.append(bytes: value)
        }
        needsComma = true
    }

    /// A literal is taken for a ``StaticString``, which needs no look at its characters.
    @_disfavoredOverload
    public mutating func key(_ name: String) {
        string(name)
        bytes.append(ASCII.colon)
        needsComma = false
    }

    public mutating func key(utf8 name: RawSpan) {
        string(utf8: name)
        bytes.append(ASCII.colon)
        needsComma = false
    }

    public mutating func string(_ text: String) {
        var text = text
        text.withUTF8 { buffer in string(utf8: unsafe RawSpan(_unsafeElements: buffer)) }
    }

    /// A string of valid UTF-8, escaped: quotes, backslashes and control characters.
    public mutating func string(utf8 text: RawSpan) {
        separate()
        bytes.append(ASCII.quote)
        appendEscaped(text)
        bytes.append(ASCII.quote)
        needsComma = true
    }

    public mutating func integer(_ value: some FixedWidthInteger) {
        separate()
        appendDigits(value)
        needsComma = true
    }

    public mutating func bool(_ value: Bool) { literal(value ? "true" : "false") }
    public mutating func null() { literal("null") }

    /// Splices a finished JSON value.
    public mutating func raw(_ value: RawSpan) {
        let comma = needsComma ? 1 : 0
        bytes.append(addingCapacity: value.byteCount + comma) { out in
            if comma == 1 { out.append(ASCII.comma) }
            out.append(bytes: value)
        }
        needsComma = true
    }

    public mutating func raw(_ value: [UInt8]) { raw(value.rawSpan) }

    /// Splices finished members up to the value of the last key.
    public mutating func fragment(_ text: [UInt8]) {
        raw(text)
        needsComma = false
    }

    /// Splices a finished value with an integer, or null, in its middle.
    public mutating func raw(_ head: [UInt8], _ middle: Int64?, _ tail: [UInt8]) {
        separate()
        let head = head.rawSpan
        let tail = tail.rawSpan
        bytes.append(addingCapacity: head.byteCount + tail.byteCount + 20) { out in
            out.append(bytes: head)
            if let middle {
                if middle < 0 { out.append(ASCII.minus) }
                out.append(digitsOf: middle.magnitude)
            } else {
                out.append("null")
            }
            out.append(bytes: tail)
        }
        needsComma = true
    }

    /// Appends pieces that are no values of their own, as they are; what follows is the beginning of a value.
    public mutating func frame(_ before: StaticString, _ middle: RawSpan, _ after: StaticString) {
        bytes.append(
            addingCapacity: before.utf8CodeUnitCount + middle.byteCount + after.utf8CodeUnitCount
        ) { out in
            out.append(before)
            out.append(bytes: middle)
            out.append(after)
        }
        needsComma = false
    }

    /// Splices a finished value that `write` puts together in room for `count` bytes.
    @inline(__always)
    public mutating func raw(addingCapacity count: Int, _ write: (inout OutputSpan<UInt8>) -> Void) {
        separate()
        bytes.append(addingCapacity: count, initializingWith: write)
        needsComma = true
    }

    /// Splices a finished line of NDJSON, newline included, that `write` puts together in room for `count` bytes.
    @inline(__always)
    public mutating func line(addingCapacity count: Int, _ write: (inout OutputSpan<UInt8>) -> Void) {
        bytes.append(addingCapacity: count, initializingWith: write)
        needsComma = false
    }

    /// Ends an object, and the line of NDJSON that it is the last of.
    public mutating func endLine() {
        bytes.append(addingCapacity: 2) { out in
            out.append(ASCII.closeBrace)
            out.append(ASCII.newline)
        }
        needsComma = false
    }

    /// Ends a line of NDJSON; what follows is a new value.
    public mutating func newline() {
        bytes.append(ASCII.newline)
        needsComma = false
    }

    private mutating func literal(_ text: StaticString) {
        separate()
        let buffer = unsafe UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        unsafe bytes.append(contentsOf: buffer)
        needsComma = true
    }

    private mutating func begin(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func end(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    @inline(__always)
    private mutating func separate() {
        if needsComma { bytes.append(ASCII.comma) }
    }
}
