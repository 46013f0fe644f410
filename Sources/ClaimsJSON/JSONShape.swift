// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// A JSON document but for two of its values: texts that differ from it in these only need no parsing.
///
/// Whoever asks the same again and again changes a value or two. What has the same bytes around values of the same
/// kinds is the same document with other values: comparing those bytes tells as much as reading them once more would.
public struct JSONShape: Sendable {
    /// Where a text of this shape has its two values, as ``JSONTape/Node/range`` would tell, and the newline after it.
    public struct Match: Sendable, Equatable {
        public let first: Range<Int>
        public let second: Range<Int>
        public let end: Int
    }

    /// The longest document whose shape is kept, in bytes.
    public static let bytesMax = 512
    /// The longest integer that may stand for another, in digits.
    private static let digitsMax = 18

    private let bytes: [UInt8]
    private let first: Value
    private let second: Value

    private struct Value {
        let start: Int
        let end: Int
        let isString: Bool

        /// The offset after the value of this kind that begins at `start`; nil where there is none, or not a plain one.
        @inline(__always)
        func end(in text: RawSpan, from start: Int) -> Int? {
            if isString {
                guard text.byte(at: start) == ASCII.quote else { return nil }
                let end = JSONScanner(text).plainEnd(from: start &+ 1)
                return text.byte(at: end) == ASCII.quote ? end &+ 1 : nil
            }
            let count = text.digits(at: start)
            let end = start &+ count
            guard count > 0, count <= JSONShape.digitsMax else { return nil }
            return count == 1 || text.byte(at: start) != ASCII.zero ? end : nil
        }
    }

    /// The shape of nothing: it has no bytes, and no value is empty.
    public init() {
        bytes = []
        first = Value(start: 0, end: 0, isString: false)
        second = first
    }

    /// The shape of a document that has been parsed, between two of its values, of which `first` stands before `second`.
    ///
    /// Nil where it is too long, or a value is no plain one: a string of ASCII without escapes, or an integer of few
    /// digits without a sign.
    public init?(_ bytes: RawSpan, first: JSONTape.Node, second: JSONTape.Node) {
        guard bytes.byteCount <= Self.bytesMax, first.end <= second.start else { return nil }
        self.first = Value(start: first.start, end: first.end, isString: first.kind == .string)
        self.second = Value(start: second.start, end: second.end, isString: second.kind == .string)
        guard self.first.end(in: bytes, from: first.start) == first.end,
            self.second.end(in: bytes, from: second.start) == second.end
        else { return nil }
        var known: [UInt8] = []
        known.append(bytes: bytes)
        self.bytes = known
    }

    /// Where the line that begins at `start` has its values; nil where it is of another shape, a value is no plain one,
    /// or no newline follows.
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
    /// Whether the bytes from `start` to `end`, which must lie inside, are those of `other` from `place` on.
    @inline(__always)
    fileprivate func agrees(_ start: Int, _ end: Int, with other: RawSpan, at place: Int) -> Bool {
        let count = end &- start
        guard start >= 0, count >= 0, end <= byteCount, place >= 0, place <= other.byteCount &- count else {
            return false
        }
        if count >= 8 {
            // All words lie before the ends that were compared above; the last one may overlap the one before.
            var offset = 0
            while offset < count &- 8 {
                if word(at: start &+ offset) != other.word(at: place &+ offset) { return false }
                offset &+= 8
            }
            return word(at: end &- 8) == other.word(at: place &+ count &- 8)
        }
        if hasWord(at: start), other.hasWord(at: place) {
            let difference = word(at: start) ^ other.word(at: place)
            return difference &<< UInt64(truncatingIfNeeded: 64 &- 8 &* count) == 0 || count == 0
        }
        for offset in 0..<count where byte(at: start &+ offset) != other.byte(at: place &+ offset) { return false }
        return true
    }

    /// How many digits stand from `start` on.
    @inline(__always)
    fileprivate func digits(at start: Int) -> Int {
        var offset = start
        while hasWord(at: offset) {
            // The top bit of each byte that is no digit: one that is none after the high half has been taken away, or
            // passes nine. Nothing is carried from a byte to the next.
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
