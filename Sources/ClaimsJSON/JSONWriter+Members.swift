// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A key and its value in one call.
extension JSONWriter {
    public mutating func member(_ name: StaticString, _ value: String) {
        key(name)
        string(value)
    }

    /// Writes null for nil.
    public mutating func member(_ name: StaticString, _ value: String?) {
        key(name)
        if let value { string(value) } else { null() }
    }

    public mutating func member(_ name: StaticString, utf8 value: RawSpan) {
        key(name)
        string(utf8: value)
    }

    public mutating func member(_ name: StaticString, _ value: some FixedWidthInteger) {
        key(name)
        integer(value)
    }

    /// Writes null for nil.
    public mutating func member<Value: FixedWidthInteger>(_ name: StaticString, _ value: Value?) {
        key(name)
        if let value { integer(value) } else { null() }
    }

    public mutating func member(_ name: StaticString, _ value: Bool) {
        key(name)
        bool(value)
    }

    public mutating func member(_ name: StaticString, _ value: JSONValue) {
        key(name)
        value.write(to: &self)
    }

    public mutating func member(_ name: StaticString, raw value: RawSpan) {
        member(before: name, value)
    }

    public mutating func member(_ name: StaticString, raw value: [UInt8]) {
        member(before: name, value.rawSpan)
    }
}
