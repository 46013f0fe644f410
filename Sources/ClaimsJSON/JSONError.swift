// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The reason why bytes are not the expected JSON, and the offset of the first wrong byte.
///
/// The error holds none of the bytes, so that it may be logged.
public struct JSONError: Error, Equatable, Sendable {
    /// The rule of the grammar, or the limit, that the bytes break.
    public enum Code: UInt8, Equatable, Sendable {
        case unexpectedEnd, expectedValue, expectedKey, expectedColon, expectedCommaOrBracket, expectedCommaOrBrace
        case badNumber, badEscape, loneSurrogate, badUTF8, controlCharacter
        case tooDeep, tooLarge, trailingBytes, badPointer
    }

    /// The rule or limit that was broken at ``offset``.
    public let code: Code
    /// The offset of the first byte that could not be accepted, from 0. If the bytes ended too early it is their count.
    public let offset: Int

    /// An error of that kind at a byte offset from 0.
    public init(_ code: Code, at offset: Int) {
        self.code = code
        self.offset = offset
    }

    /// The error as a phrase for people, such as "unexpected end at byte 4096".
    public var message: String { "\(code.phrase) at byte \(offset)" }

    /// Whether the bytes may otherwise be JSON, but hold a text that is no Unicode: half of a surrogate pair, or a byte
    /// that is not UTF-8.
    public var isBadText: Bool { code == .loneSurrogate || code == .badUTF8 }
}

extension JSONError.Code {
    /// The rule or limit as a phrase for people, such as "unexpected end".
    public var phrase: String {
        switch self {
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

/// The reason why no elements can be read from a body.
public enum JSONRootError: Error, Equatable, Sendable {
    /// The body is not JSON.
    case notJSON(JSONError)
    /// The body is JSON, but the pointer leads to no value.
    case missing
    /// The pointer leads to a value of this kind, which is not an array.
    case notAnArray(JSONKind)
}

/// The seven literal forms of a JSON value (RFC 8259, section 3).
public enum JSONKind: UInt8, Equatable, Sendable {
    case object, array, string, number, `true`, `false`, null

    /// Whether a value of this kind holds other values: an object or an array.
    public var isContainer: Bool { rawValue < 2 }
}
