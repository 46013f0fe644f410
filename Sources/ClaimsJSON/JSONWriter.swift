// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Appends JSON to a buffer and sets the commas itself. Made to be reused: `removeAll()` keeps the room.
///
/// It writes what it is told: that brackets match, and that a value follows each key, is the caller's part.
package struct JSONWriter: Sendable {
    package var bytes: [UInt8] = []
    /// The next key or element needs a comma before it.
    private var needsComma = false

    package init() {}

    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    /// Begins another value after what is there, whatever that is: nothing is put between them.
    package mutating func beginValue() { needsComma = false }

    /// Takes back everything after the first `count` bytes; what follows is the beginning of a value.
    package mutating func removeAll(after count: Int) {
        bytes.removeLast(bytes.count - count)
        needsComma = false
    }

    package mutating func reserve(_ count: Int) { bytes.reserveCapacity(bytes.count + count) }

    package mutating func beginObject() { begin(ASCII.openBrace) }
    package mutating func endObject() { end(ASCII.closeBrace) }
    package mutating func beginArray() { begin(ASCII.openBracket) }
    package mutating func endArray() { end(ASCII.closeBracket) }

    /// A member's name that needs no escapes.
    package mutating func key(_ name: StaticString) {
        separate()
        bytes.append(ASCII.quote)
        let buffer = unsafe UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        unsafe bytes.append(contentsOf: buffer)
        bytes.append(ASCII.quote)
        bytes.append(ASCII.colon)
        needsComma = false
    }

    /// A literal is taken for a ``StaticString``, which needs no look at its characters.
    @_disfavoredOverload
    package mutating func key(_ name: String) {
        string(name)
        bytes.append(ASCII.colon)
        needsComma = false
    }

    package mutating func key(utf8 name: RawSpan) {
        string(utf8: name)
        bytes.append(ASCII.colon)
        needsComma = false
    }

    package mutating func string(_ text: String) {
        var text = text
        text.withUTF8 { buffer in string(utf8: unsafe RawSpan(_unsafeElements: buffer)) }
    }

    /// A string of valid UTF-8, escaped: quotes, backslashes and control characters.
    package mutating func string(utf8 text: RawSpan) {
        separate()
        bytes.append(ASCII.quote)
        appendEscaped(text)
        bytes.append(ASCII.quote)
        needsComma = true
    }

    package mutating func integer(_ value: some FixedWidthInteger) {
        separate()
        appendDigits(value)
        needsComma = true
    }

    package mutating func bool(_ value: Bool) { literal(value ? "true" : "false") }
    package mutating func null() { literal("null") }

    /// Splices a finished JSON value.
    package mutating func raw(_ value: RawSpan) {
        separate()
        bytes.append(bytes: value)
        needsComma = true
    }

    package mutating func raw(_ value: [UInt8]) { raw(value.rawSpan) }

    /// Ends a line of NDJSON; what follows is a new value.
    package mutating func newline() {
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
