// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// A reader of the elements of one array in a body, one at a time, without a tape of the whole body.
///
/// If the array is the whole body, the body is read once, and an error behind an element shows only after that element.
/// The caller must then put no element into force before `next(into:)` has returned nil. For any other root the whole
/// body is checked before the first element. A UTF-8 byte order mark at the front is skipped.
public struct JSONElements: ~Copyable, ~Escapable {
    /// One element of the array, and whether it was parsed.
    public enum Element: Equatable, Sendable {
        /// The element is on the tape, and has this range of the body's bytes.
        case value(Range<Int>)
        /// The element is valid JSON that is nested deeper than ``init(_:root:elementDepth:)`` allows. The tape is
        /// empty.
        case tooDeep(Range<Int>)
        /// The element is valid JSON of more than ``JSONElements/elementNodes`` values and names. The tape is empty.
        case tooLarge(Range<Int>)
        /// A text in the element is no Unicode, and that is the only mistake. The tape is empty, and the error names
        /// the first such text (``JSONError/isBadText``), with its offset in the body.
        case badText(Range<Int>, JSONError)

        /// The bytes of the element, as a range of the body.
        public var range: Range<Int> {
            switch self {
            case .value(let range), .tooDeep(let range), .tooLarge(let range), .badText(let range, _): range
            }
        }
    }

    /// The maximal number of containers open at once in a body. A deeper body is an error.
    public static let bodyDepth = 1024

    /// The maximal number of values and names in one element, which bounds the memory for one record.
    public static let elementNodes = 1 << 19

    private enum Position { case first, later, done }

    private let bytes: RawSpan
    private let elementDepth: Int
    /// The maximal number of containers open inside an element.
    private let remainingDepth: Int
    private var offset: Int
    private var position = Position.first
    /// The body ends after the array; otherwise it has been checked already.
    private let isWholeBody: Bool

    /// Finds the array that `root` points to in `bytes`.
    ///
    /// An element may have `elementDepth` open containers. Throws if the array is not found; if `root` is not the whole
    /// body, also if anything in the body is not JSON, except for bad text in the elements.
    @_lifetime(copy bytes)
    public init(_ bytes: RawSpan, root: JSONPointer, elementDepth: Int = 64) throws(JSONRootError) {
        self.bytes = bytes
        self.elementDepth = elementDepth
        isWholeBody = root.tokens.isEmpty
        remainingDepth = Self.bodyDepth - 1 - root.tokens.count
        let start = JSONScanner(bytes).skipWhiteSpace(Self.markLength(bytes))
        if isWholeBody, bytes.byte(at: start) == ASCII.openBracket {
            offset = start + 1
        } else {
            offset = try Self.checkedArray(at: root, in: bytes) + 1
        }
    }

    /// Parses the next element into `tape`; returns nil once the array and the body have ended properly.
    ///
    /// An element that is too deep or too large, or has bad text, is skipped and returned as such; the elements behind it
    /// can be read.
    /// After an error is thrown the body is unusable, and this reader must not be asked again.
    public mutating func next(into tape: inout JSONTape) throws(JSONError) -> Element? {
        let scanner = JSONScanner(bytes)
        guard position != .done else { return nil }
        offset = scanner.skipWhiteSpace(offset)
        let byte = bytes.byte(at: offset)
        if byte == ASCII.closeBracket {
            position = .done
            if isWholeBody { _ = try scanner.end(of: offset + 1) }
            return nil
        }
        if position == .later {
            guard byte == ASCII.comma else { throw scanner.failure(.expectedCommaOrBracket, at: offset) }
            offset = scanner.skipWhiteSpace(offset + 1)
        }
        position = .later
        let start = offset
        tape.nodeLimit = Self.elementNodes
        do throws(JSONError) {
            offset = try tape.parse(bytes, from: start, depth: min(elementDepth, remainingDepth), as: .value)
            return .value(start..<offset)
        } catch {
            guard error.code == .tooDeep || error.code == .tooLarge || error.isBadText else { throw error }
            offset = try JSONValidator.skip(
                bytes, from: start, depth: remainingDepth, lenientRange: start..<bytes.byteCount)
            return switch error.code {
            case .tooDeep: .tooDeep(start..<offset)
            case .tooLarge: .tooLarge(start..<offset)
            default: .badText(start..<offset, error)
            }
        }
    }

    /// Moves past the next element if its bytes equal `object`; otherwise leaves the position as it was.
    ///
    /// `object` must be an object without white space around it that was accepted as an element before.
    ///
    /// - Returns: The range of the element in the body; nil if the next element has other bytes.
    public mutating func skip(_ object: RawSpan) -> Range<Int>? {
        guard position != .done, object.byte(at: 0) == ASCII.openBrace else { return nil }
        let scanner = JSONScanner(bytes)
        var start = scanner.skipWhiteSpace(offset)
        if position == .later {
            guard bytes.byte(at: start) == ASCII.comma else { return nil }
            start = scanner.skipWhiteSpace(start + 1)
        }
        guard start <= bytes.byteCount - object.byteCount,
            bytes.extracting(start..<start + object.byteCount).equals(object)
        else { return nil }
        position = .later
        offset = start + object.byteCount
        return start..<offset
    }
}
