// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// The receiver of the parts that a walk over one value finds, in the order of the bytes.
protocol JSONVisitor {
    /// An object or an array begins at `start`.
    mutating func begin(_ kind: JSONKind, at start: Int)

    /// The innermost container ends before `end`. Returns whether the one around it is an object.
    mutating func finish(before end: Int) -> Bool

    /// A string, number or literal, quotes included; the name of a member is a string too.
    mutating func leaf(_ kind: JSONKind, from start: Int, to end: Int, hasEscapes: Bool)

    /// No more may come: a walk ends with an error.
    var isFull: Bool { get }

    /// There is white space directly inside the innermost container.
    mutating func space()
}

/// Remembers which of the open containers are objects, one bit each, and nothing else.
///
/// The innermost 64 are in a register, so only deeper nesting than that allocates.
struct NestingVisitor: JSONVisitor {
    let isFull = false
    private var bits: UInt64 = 0
    private var count = 0
    private var outer: [UInt64] = []

    @inline(__always)
    mutating func begin(_ kind: JSONKind, at start: Int) {
        if count == 64 {
            outer.append(bits)
            count = 0
        }
        bits = bits << 1 | (kind == .object ? 1 : 0)
        count &+= 1
    }

    @inline(__always)
    mutating func finish(before end: Int) -> Bool {
        bits >>= 1
        count &-= 1
        if count == 0, let word = outer.popLast() {
            bits = word
            count = 64
        }
        return bits & 1 != 0
    }

    @inline(__always)
    mutating func leaf(_ kind: JSONKind, from start: Int, to end: Int, hasEscapes: Bool) {}

    @inline(__always)
    mutating func space() {}
}

/// Checks that bytes are one JSON document (RFC 8259), without keeping anything of it.
public enum JSONValidator {
    /// Throws at the first byte that is not part of one JSON document with at most `depth` containers open at once.
    public static func validate(_ bytes: RawSpan, depth: Int) throws(JSONError) {
        let scanner = JSONScanner(bytes)
        _ = try scanner.end(of: skip(bytes, from: 0, depth: depth))
    }

    /// The offset after the value at `offset`, which it checks. Text in `lenientRange` may be bad.
    static func skip(
        _ bytes: RawSpan, from offset: Int, depth: Int, lenientRange: Range<Int> = 0..<0
    ) throws(JSONError) -> Int {
        var nesting = NestingVisitor()
        return try JSONScanner(bytes, lenientRange: lenientRange).walk(from: offset, depth: depth, into: &nesting)
    }
}
