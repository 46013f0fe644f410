// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// Remembers which of the open containers are objects, one bit each, and nothing else.
///
/// The innermost 64 are in a register, so only deeper nesting than that allocates.
struct NestingSink: JSONSink {
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
