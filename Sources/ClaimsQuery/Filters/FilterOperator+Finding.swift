// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension FilterOperator {
    /// An operator in a bare word.
    struct Found {
        let comparator: FilterOperator
        let range: Range<Int>
    }

    /// The first operator in `range`; of those that begin at one place the longest.
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

    /// The operator whose name stands between a dot and `=`.
    private static func word(after dot: Int, in bytes: [UInt8], before end: Int) -> FilterOperator? {
        allCases.first { comparator in
            let name = comparator.rawValue.utf8
            let equals = dot + 1 + name.count
            return equals < end && bytes[equals] == FilterCharacters.equals
                && bytes[dot + 1..<equals].elementsEqual(name)
        }
    }
}
