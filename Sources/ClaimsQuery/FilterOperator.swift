// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// An operator of a term. Its raw value is its name in trees, and in texts between `.` and `=`.
public enum FilterOperator: String, Sendable, Hashable, CaseIterable {
    case eq, ne, has, lacks, starts, gt, ge, lt, le, before, after

    /// The spelling of the operator in the normal form of texts, such as `!=` or `.before=`.
    public var symbol: String {
        switch self {
        case .eq: "="
        case .ne: "!="
        case .has: "~"
        case .lacks: "!~"
        case .starts: "^="
        case .gt: ">"
        case .ge: ">="
        case .lt: "<"
        case .le: "<="
        case .before: ".before="
        case .after: ".after="
        }
    }

    /// The operator that this one is the complement of.
    var complement: FilterOperator? {
        switch self {
        case .ne: .eq
        case .lacks: .has
        default: nil
        }
    }
}

extension FilterOperator {
    /// An operator in a bare word.
    struct Found {
        let comparator: FilterOperator
        let range: Range<Int>
    }

    /// The first operator in `range`; the longest if several begin at one offset.
    static func first(in bytes: [UInt8], _ range: Range<Int>) -> Found? {
        for start in range {
            guard let comparator = at(start, in: bytes, before: range.upperBound) else { continue }
            let spelling = bytes[start] == FilterCharacters.dot ? comparator.rawValue.utf8.count + 2 : nil
            return Found(
                comparator: comparator, range: start..<start + (spelling ?? comparator.symbol.utf8.count))
        }
        return nil
    }

    private static func at(_ start: Int, in bytes: [UInt8], before end: Int) -> FilterOperator? {
        let next = start + 1 < end ? bytes[start + 1] : 0
        switch bytes[start] {
        case UInt8(ascii: "="): return .eq
        case UInt8(ascii: "~"): return .has
        case UInt8(ascii: ">"): return next == FilterCharacters.equals ? .ge : .gt
        case UInt8(ascii: "<"): return next == FilterCharacters.equals ? .le : .lt
        case UInt8(ascii: "^"): return next == FilterCharacters.equals ? .starts : nil
        case UInt8(ascii: "!"):
            return next == FilterCharacters.equals ? .ne : next == UInt8(ascii: "~") ? .lacks : nil
        case FilterCharacters.dot: return word(after: start, in: bytes, before: end)
        default: return nil
        }
    }

    /// The operator whose name is between a dot and `=`.
    private static func word(after dot: Int, in bytes: [UInt8], before end: Int) -> FilterOperator? {
        allCases.first { comparator in
            let name = comparator.rawValue.utf8
            let equals = dot + 1 + name.count
            return equals < end && bytes[equals] == FilterCharacters.equals
                && bytes[dot + 1..<equals].elementsEqual(name)
        }
    }
}

/// The meaning of the characters of a filter's text: the lexical half of the grammar, over UTF-8.
enum FilterCharacters {
    static let openParenthesis = UInt8(ascii: "(")
    static let closeParenthesis = UInt8(ascii: ")")
    static let comma = UInt8(ascii: ",")
    static let dot = UInt8(ascii: ".")
    static let equals = UInt8(ascii: "=")
    static let backslash = UInt8(ascii: "\\")

    static func isQuote(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"")
    }

    static func isPunctuation(_ byte: UInt8) -> Bool {
        byte == openParenthesis || byte == closeParenthesis || byte == comma
    }

    /// The bytes of the white space character at `offset` (Unicode's White_Space property); 0: it is another one.
    static func whiteSpace(in bytes: [UInt8], at offset: Int) -> Int {
        guard offset < bytes.count else { return 0 }
        switch bytes[offset] {
        case 0x09...0x0D, 0x20: return 1
        case 0xC2 where offset + 1 < bytes.count:
            return bytes[offset + 1] == 0x85 || bytes[offset + 1] == 0xA0 ? 2 : 0
        case 0xE1...0xE3 where offset + 2 < bytes.count:
            switch (bytes[offset], bytes[offset + 1], bytes[offset + 2]) {
            case (0xE1, 0x9A, 0x80), (0xE2, 0x80, 0x80...0x8A), (0xE2, 0x80, 0xA8...0xA9), (0xE2, 0x80, 0xAF),
                (0xE2, 0x81, 0x9F), (0xE3, 0x80, 0x80):
                return 3
            default: return 0
            }
        default: return 0
        }
    }

    /// Whether a bare word ends at `offset`.
    static func isDelimiter(in bytes: [UInt8], at offset: Int) -> Bool {
        offset >= bytes.count || isPunctuation(bytes[offset]) || whiteSpace(in: bytes, at: offset) > 0
    }

    /// The end of the bare characters from `offset` on.
    static func bareEnd(in bytes: [UInt8], from offset: Int) -> Int {
        var end = offset
        while !isDelimiter(in: bytes, at: end) { end += 1 }
        return end
    }

    /// Whether `..` is at `offset`.
    static func isRange(in bytes: [UInt8], at offset: Int) -> Bool {
        offset + 1 < bytes.count && bytes[offset] == dot && bytes[offset + 1] == dot
    }

    /// The words that are keywords and no free text, if they are alone.
    static func isKeyword(_ word: some Sequence<UInt8>) -> Bool {
        word.elementsEqual("and".utf8) || word.elementsEqual("or".utf8) || word.elementsEqual("not".utf8)
    }
}
