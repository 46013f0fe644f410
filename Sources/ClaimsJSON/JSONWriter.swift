// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// Appends JSON to a buffer and sets the commas itself. Made to be reused: `removeAll()` keeps the capacity.
///
/// The caller must close each bracket and write a value after each key; the writer does not check that.
///
/// ```swift
/// var writer = JSONWriter()
/// writer.beginObject()
/// writer.member("id", 7)
/// writer.endObject()              // writer.bytes is {"id":7}
/// ```
public struct JSONWriter: Sendable {
    /// The JSON written so far, in UTF-8. It is complete only once each bracket is closed.
    public var bytes: [UInt8] = []
    /// The next key or element needs a comma before it.
    private var needsComma = false

    /// A writer without any bytes.
    public init() {}

    /// Removes all bytes and keeps the capacity; the next call begins a value.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    /// Makes the next call begin a value directly after the bytes so far, without a comma.
    public mutating func beginValue() { needsComma = false }

    /// Removes all bytes after the first `count`; the next call begins a value, without a comma.
    public mutating func removeAll(after count: Int) {
        bytes.removeLast(bytes.count - count)
        needsComma = false
    }

    /// Makes room for `count` more bytes.
    public mutating func reserve(_ count: Int) { bytes.reserveCapacity(bytes.count + count) }

    /// Opens an object, which ``endObject()`` closes.
    public mutating func beginObject() { begin(ASCII.openBrace) }
    /// Closes the innermost object.
    public mutating func endObject() { end(ASCII.closeBrace) }
    /// Opens an array, which ``endArray()`` closes.
    public mutating func beginArray() { begin(ASCII.openBracket) }
    /// Closes the innermost array.
    public mutating func endArray() { end(ASCII.closeBracket) }

    /// Writes a member's name that needs no escapes; a value must follow.
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

    /// Writes a member's name with the necessary escapes; a value must follow.
    ///
    /// The overload is disfavoured, so that a literal becomes a ``StaticString``, whose characters need no check.
    @_disfavoredOverload
    public mutating func key(_ name: String) {
        string(name)
        bytes.append(ASCII.colon)
        needsComma = false
    }

    /// Writes a member's name, given as valid UTF-8, with the necessary escapes; a value must follow.
    public mutating func key(utf8 name: RawSpan) {
        string(utf8: name)
        bytes.append(ASCII.colon)
        needsComma = false
    }

    /// Writes a string with the necessary escapes.
    public mutating func string(_ text: String) {
        var text = text
        text.withUTF8 { buffer in string(utf8: unsafe RawSpan(_unsafeElements: buffer)) }
    }

    /// Writes a string, given as valid UTF-8, and escapes quotes, backslashes and control characters.
    public mutating func string(utf8 text: RawSpan) {
        separate()
        bytes.append(ASCII.quote)
        appendEscaped(text)
        bytes.append(ASCII.quote)
        needsComma = true
    }

    /// Writes a number in decimal.
    public mutating func integer(_ value: some FixedWidthInteger) {
        separate()
        appendDigits(value)
        needsComma = true
    }

    public mutating func bool(_ value: Bool) { literal(value ? "true" : "false") }
    public mutating func null() { literal("null") }

    /// Writes a finished JSON value, which is not checked.
    public mutating func raw(_ value: RawSpan) {
        let comma = needsComma ? 1 : 0
        bytes.append(addingCapacity: value.byteCount + comma) { out in
            if comma == 1 { out.append(ASCII.comma) }
            out.append(bytes: value)
        }
        needsComma = true
    }

    /// Writes a finished JSON value, which is not checked.
    public mutating func raw(_ value: [UInt8]) { raw(value.rawSpan) }

    /// Writes finished members up to the key and colon of the last one; its value must follow.
    public mutating func fragment(_ text: [UInt8]) {
        raw(text)
        needsComma = false
    }

    /// Writes a finished value of three pieces: `head`, an integer or null, and `tail`.
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

    /// Appends three pieces without a comma. They need not be whole values; the next call begins a value.
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

    /// Writes a finished value that `write` puts into room for at most `count` bytes.
    @inline(__always)
    public mutating func raw(addingCapacity count: Int, _ write: (inout OutputSpan<UInt8>) -> Void) {
        separate()
        bytes.append(addingCapacity: count, initializingWith: write)
        needsComma = true
    }

    /// Appends a finished line of NDJSON, newline included, that `write` puts into room for at most `count` bytes.
    @inline(__always)
    public mutating func line(addingCapacity count: Int, _ write: (inout OutputSpan<UInt8>) -> Void) {
        bytes.append(addingCapacity: count, initializingWith: write)
        needsComma = false
    }

    /// Closes the outermost object and appends the newline that ends a line of NDJSON.
    public mutating func endLine() {
        bytes.append(addingCapacity: 2) { out in
            out.append(ASCII.closeBrace)
            out.append(ASCII.newline)
        }
        needsComma = false
    }

    /// Appends the newline that ends a line of NDJSON; the next call begins a value.
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

/// Members of an object, each written with one call for its name and its value.
extension JSONWriter {
    /// Writes a member with a string. The name needs no escapes; the value is escaped.
    public mutating func member(_ name: StaticString, _ value: String) {
        key(name)
        string(value)
    }

    /// Writes a member with a string, or with null if `value` is nil. The name needs no escapes.
    public mutating func member(_ name: StaticString, _ value: String?) {
        key(name)
        if let value { string(value) } else { null() }
    }

    /// Writes a member with a string, given as valid UTF-8 and escaped. The name needs no escapes.
    public mutating func member(_ name: StaticString, utf8 value: RawSpan) {
        key(name)
        string(utf8: value)
    }

    /// Writes a member with a number in decimal. The name needs no escapes.
    public mutating func member(_ name: StaticString, _ value: some FixedWidthInteger) {
        key(name)
        integer(value)
    }

    /// Writes a member with a number in decimal, or with null if `value` is nil. The name needs no escapes.
    public mutating func member<Value: FixedWidthInteger>(_ name: StaticString, _ value: Value?) {
        key(name)
        if let value { integer(value) } else { null() }
    }

    /// Writes a member with a boolean. The name needs no escapes.
    public mutating func member(_ name: StaticString, _ value: Bool) {
        key(name)
        bool(value)
    }

    /// Writes a member with a finished JSON value, which is not checked. The name needs no escapes.
    public mutating func member(_ name: StaticString, raw value: RawSpan) {
        member(before: name, value)
    }

    /// Writes a member with a finished JSON value, which is not checked. The name needs no escapes.
    public mutating func member(_ name: StaticString, raw value: [UInt8]) {
        member(before: name, value.rawSpan)
    }
}
