// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// One JSON value, flat: its nodes in the order of the bytes, as ranges of them.
///
/// A tape is reused: once it has seen the largest value, parsing allocates nothing. It does not keep the bytes; every
/// method that needs them takes them again, and they must be those that were parsed.
package struct JSONTape: Sendable {
    package enum Scope: Sendable {
        /// Nothing but white space may follow the value.
        case document
        /// Whatever follows the value is left alone.
        case value
    }

    package struct Node: Sendable {
        /// The first byte in the source; of a string, its opening quote.
        package let start: Int
        /// The byte after the last.
        package fileprivate(set) var end: Int
        /// Bits 0–3 kind, 4 escapes, 5 white space inside, from 8 on the index of the next node.
        fileprivate var packed: UInt64

        package var kind: JSONKind { JSONKind(rawValue: UInt8(truncatingIfNeeded: packed & 7)) ?? .null }
        /// Whether it is a string with a backslash in it.
        package var hasEscapes: Bool { packed & 0x10 != 0 }
        /// Whether it is a container with white space anywhere inside, strings excepted.
        package var hasWhiteSpace: Bool { packed & 0x20 != 0 }
        /// The index of the node after this one and all that is inside it.
        package var next: Int { Int(truncatingIfNeeded: packed >> 8) }
        package var range: Range<Int> { start..<end }
    }

    private var nodes: [Node] = []
    /// The index of the innermost open container while parsing; its `next` is that of the one around it. -1: none.
    private var innermost = -1

    package init() {}

    /// How many nodes there are; 0 before the first parse and after a failed one.
    package var count: Int { nodes.count }

    /// Node 0 is the root. The children of an array at i are i + 1, then each one's `next`, up to the array's `next`.
    /// The children of an object are its members' names and values by turns.
    package subscript(index: Int) -> Node { nodes[index] }

    /// Parses the value at `offset` of `bytes` (leading white space is skipped) and returns the offset after it, or
    /// after the white space that follows a document. `depth` is how many containers may be open at once.
    ///
    /// Any bytes and any offset may be given. After an error the tape is empty.
    package mutating func parse(
        _ bytes: RawSpan, from offset: Int = 0, depth: Int, as scope: Scope = .document
    ) throws(JSONError) -> Int {
        nodes.removeAll(keepingCapacity: true)
        innermost = -1
        do throws(JSONError) {
            guard offset >= 0 else { throw JSONError(.expectedValue, at: offset) }
            let scanner = JSONScanner(bytes)
            let end = try scanner.walk(from: offset, depth: depth, into: &self)
            return scope == .value ? end : try scanner.end(of: end)
        } catch {
            nodes.removeAll(keepingCapacity: true)
            throw error
        }
    }
}

extension JSONTape: JSONSink {
    @inline(__always)
    mutating func begin(_ kind: JSONKind, at start: Int) {
        let index = nodes.count
        nodes.append(
            Node(start: start, end: start, packed: UInt64(kind.rawValue) | UInt64(bitPattern: Int64(innermost)) << 8))
        innermost = index
    }

    @inline(__always)
    mutating func finish(before end: Int) -> Bool {
        let index = innermost
        let packed = nodes[index].packed
        nodes[index].end = end
        nodes[index].packed = packed & 0xFF | UInt64(nodes.count) << 8
        innermost = Int(Int64(bitPattern: packed) >> 8)
        guard innermost >= 0 else { return false }
        nodes[innermost].packed |= packed & 0x20
        return nodes[innermost].kind == .object
    }

    @inline(__always)
    mutating func leaf(_ kind: JSONKind, from start: Int, to end: Int, hasEscapes: Bool) {
        let flags = UInt64(kind.rawValue) | (hasEscapes ? 0x10 : 0)
        nodes.append(Node(start: start, end: end, packed: flags | UInt64(nodes.count + 1) << 8))
    }

    @inline(__always)
    mutating func space() {
        nodes[innermost].packed |= 0x20
    }
}
