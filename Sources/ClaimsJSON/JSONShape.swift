// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// The bytes of a JSON document around two of its values. A text that differs only there needs no parsing.
///
/// A client that repeats a request often changes only a value or two. If the bytes around values of the same kinds are
/// the same, the text is the same document with other values.
public struct JSONShape: Sendable {
    /// The values of a line that has this shape, as offsets into the text.
    public struct Match: Sendable, Equatable {
        /// The bytes of the first value, as in ``JSONTape/Node/range``.
        public let first: Range<Int>
        /// The bytes of the second value, as in ``JSONTape/Node/range``.
        public let second: Range<Int>
        /// The offset of the newline that ends the document.
        public let end: Int
    }

    /// The size of the longest document whose shape is kept, in bytes.
    public static let maxBytes = 512
    /// The maximal number of digits of an integer that another may replace.
    private static let maxDigits = 18

    private let bytes: [UInt8]
    private let first: Value
    private let second: Value

    private struct Value {
        let start: Int
        let end: Int
        let isString: Bool

        /// The offset after the value of this kind that begins at `start`; nil if there is none, or not a plain one.
        @inline(__always)
        func end(in text: RawSpan, from start: Int) -> Int? {
            if isString {
                guard text.byte(at: start) == ASCII.quote else { return nil }
                let end = JSONScanner(text).plainEnd(from: start &+ 1)
                return text.byte(at: end) == ASCII.quote ? end &+ 1 : nil
            }
            let count = text.digits(at: start)
            let end = start &+ count
            guard count > 0, count <= JSONShape.maxDigits else { return nil }
            return count == 1 || text.byte(at: start) != ASCII.zero ? end : nil
        }
    }

    /// A shape that no line matches.
    public init() {
        bytes = []
        first = Value(start: 0, end: 0, isString: false)
        second = first
    }

    /// The shape of a parsed document around two of its values, of which `first` comes before `second`.
    ///
    /// Nil if the document is longer than ``maxBytes``, or if a value is not plain. A string of ASCII without escapes
    /// is plain, and so is an unsigned integer of at most 18 digits.
    public init?(_ bytes: RawSpan, first: JSONTape.Node, second: JSONTape.Node) {
        guard bytes.byteCount <= Self.maxBytes, first.end <= second.start else { return nil }
        self.first = Value(start: first.start, end: first.end, isString: first.kind == .string)
        self.second = Value(start: second.start, end: second.end, isString: second.kind == .string)
        guard self.first.end(in: bytes, from: first.start) == first.end,
            self.second.end(in: bytes, from: second.start) == second.end
        else { return nil }
        var known: [UInt8] = []
        known.append(bytes: bytes)
        self.bytes = known
    }

    /// Finds the two values of the line that begins at `start`.
    ///
    /// - Returns: Nil if the line has another shape, if a value is not plain, or if no newline follows the document.
    @inline(__always)
    public func matchLine(_ text: RawSpan, from start: Int = 0) -> Match? {
        let known = bytes.rawSpan
        guard start < text.byteCount, known.agrees(0, first.start, with: text, at: start) else { return nil }
        let begin = start &+ first.start
        guard let middle = first.end(in: text, from: begin),
            known.agrees(first.end, second.start, with: text, at: middle)
        else { return nil }
        let next = middle &+ second.start &- first.end
        guard let tail = second.end(in: text, from: next),
            known.agrees(second.end, known.byteCount, with: text, at: tail)
        else { return nil }
        let end = tail &+ known.byteCount &- second.end
        guard text.byte(at: end) == ASCII.newline else { return nil }
        return Match(first: begin..<middle, second: next..<tail, end: end)
    }
}

extension RawSpan {
    /// Whether the bytes from `start` to `end`, which must lie inside, equal the bytes of `other` from `place` on.
    @inline(__always)
    fileprivate func agrees(_ start: Int, _ end: Int, with other: RawSpan, at position: Int) -> Bool {
        let count = end &- start
        guard start >= 0, count >= 0, end <= byteCount, position >= 0, position <= other.byteCount &- count else {
            return false
        }
        if count >= 8 {
            // All words lie before the ends that were compared above; the last one may overlap the one before.
            var offset = 0
            while offset < count &- 8 {
                if word(at: start &+ offset) != other.word(at: position &+ offset) { return false }
                offset &+= 8
            }
            return word(at: end &- 8) == other.word(at: position &+ count &- 8)
        }
        if hasWord(at: start), other.hasWord(at: position) {
            let difference = word(at: start) ^ other.word(at: position)
            return difference &<< UInt64(truncatingIfNeeded: 64 &- 8 &* count) == 0 || count == 0
        }
        for offset in 0..<count where byte(at: start &+ offset) != other.byte(at: position &+ offset) { return false }
        return true
    }

    /// The number of digits from `start` on.
    @inline(__always)
    fileprivate func digits(at start: Int) -> Int {
        var offset = start
        while hasWord(at: offset) {
            // The result has the top bit of each byte that is no digit: its high half differs, or it is above nine. No
            // carry goes from a byte to the next.
            let word = word(at: offset) ^ (Self.ones &* 0x30)
            let others = (((word & (Self.ones &* 0x7F)) &+ (Self.ones &* 0x76)) | word) & (Self.ones &* 0x80)
            if others != 0 { return offset &- start &+ others.trailingZeroBitCount / 8 }
            offset &+= 8
        }
        while ASCII.isDigit(byte(at: offset)) { offset &+= 1 }
        return offset &- start
    }

    private static var ones: UInt64 { 0x0101_0101_0101_0101 }
}
