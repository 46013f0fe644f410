// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The ASCII bytes that grammars are made of, and tests for the classes that a byte belongs to.
public enum ASCII {
    @inlinable @inline(__always) public static var tab: UInt8 { 0x09 }
    @inlinable @inline(__always) public static var newline: UInt8 { 0x0A }
    @inlinable @inline(__always) public static var carriageReturn: UInt8 { 0x0D }
    @inlinable @inline(__always) public static var space: UInt8 { 0x20 }
    @inlinable @inline(__always) public static var quote: UInt8 { 0x22 }
    @inlinable @inline(__always) public static var plus: UInt8 { 0x2B }
    @inlinable @inline(__always) public static var comma: UInt8 { 0x2C }
    @inlinable @inline(__always) public static var minus: UInt8 { 0x2D }
    @inlinable @inline(__always) public static var point: UInt8 { 0x2E }
    @inlinable @inline(__always) public static var slash: UInt8 { 0x2F }
    @inlinable @inline(__always) public static var zero: UInt8 { 0x30 }
    @inlinable @inline(__always) public static var nine: UInt8 { 0x39 }
    @inlinable @inline(__always) public static var colon: UInt8 { 0x3A }
    @inlinable @inline(__always) public static var openBracket: UInt8 { 0x5B }
    @inlinable @inline(__always) public static var backslash: UInt8 { 0x5C }
    @inlinable @inline(__always) public static var closeBracket: UInt8 { 0x5D }
    @inlinable @inline(__always) public static var openBrace: UInt8 { 0x7B }
    @inlinable @inline(__always) public static var closeBrace: UInt8 { 0x7D }
    @inlinable @inline(__always) public static var tilde: UInt8 { 0x7E }

    /// Whether the byte is a decimal digit, `0` to `9`.
    @inlinable
    @inline(__always)
    public static func isDigit(_ byte: UInt8) -> Bool { byte &- zero < 10 }

    /// Whether the byte is JSON white space: space, tab, newline or carriage return (RFC 8259, section 2).
    @inlinable
    @inline(__always)
    public static func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == space || byte == newline || byte == carriageReturn || byte == tab
    }

    /// The value, 0 to 15, of a hexadecimal digit in either case; nil for any other byte.
    @inlinable
    public static func hexValue(_ byte: UInt8) -> UInt32? {
        switch byte {
        case 0x30...0x39: UInt32(byte &- 0x30)
        case 0x41...0x46: UInt32(byte &- 0x37)
        case 0x61...0x66: UInt32(byte &- 0x57)
        default: nil
        }
    }
}
