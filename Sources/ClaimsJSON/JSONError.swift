// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Why some bytes are not the JSON that was asked for, and where.
///
/// It never holds any of the bytes themselves.
public struct JSONError: Error, Equatable, Sendable {
    public enum Code: UInt8, Equatable, Sendable {
        case unexpectedEnd, expectedValue, expectedKey, expectedColon, expectedCommaOrBracket, expectedCommaOrBrace
        case badNumber, badEscape, loneSurrogate, badUTF8, controlCharacter
        case tooDeep, tooLarge, trailingBytes, badPointer
    }

    public let code: Code
    /// The first byte that could not be accepted, from 0; the byte count where the bytes ended too early.
    public let offset: Int

    public init(_ code: Code, at offset: Int) {
        self.code = code
        self.offset = offset
    }

    /// A phrase for people, as in "unexpected end at byte 4096".
    public var message: String { "\(phrase) at byte \(offset)" }

    private var phrase: StaticString {
        switch code {
        case .unexpectedEnd: "unexpected end"
        case .expectedValue: "expected a value"
        case .expectedKey: "expected a member name in double quotes"
        case .expectedColon: "expected ':'"
        case .expectedCommaOrBracket: "expected ',' or ']'"
        case .expectedCommaOrBrace: "expected ',' or '}'"
        case .badNumber: "malformed number"
        case .badEscape: "unknown escape in a string"
        case .loneSurrogate: "half of a surrogate pair"
        case .badUTF8: "invalid UTF-8"
        case .controlCharacter: "control character in a string"
        case .tooDeep: "nested too deep"
        case .tooLarge: "too many values"
        case .trailingBytes: "unexpected bytes after the value"
        case .badPointer: "malformed JSON Pointer"
        }
    }
}
