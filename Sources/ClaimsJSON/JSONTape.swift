// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

/// One JSON value, flat: its nodes in the order of the bytes, as ranges of them.
///
/// A tape is reused: once it has seen the largest value, parsing allocates nothing. It does not keep the bytes; every
/// method that needs them takes them again, and they must be those that were parsed.
public struct JSONTape: Sendable {
    public enum Scope: Sendable {
        /// Nothing but white space may follow the value.
        case document
        /// Whatever follows the value is left alone.
        case value
    }

    /// One value or name, as a range of the bytes.
    public struct Node: Sendable {
        /// The first byte in the source; of a string, its opening quote.
        public let start: Int
        /// The byte after the last.
        public fileprivate(set) var end: Int
        /// The index of the node after this one and all that is inside it.
        public fileprivate(set) var next: Int
        public let kind: JSONKind
        /// Whether it is a string with a backslash in it.
        public let hasEscapes: Bool
        /// Whether it is a container with white space anywhere inside, strings excepted.
        public fileprivate(set) var hasWhiteSpace = false

        public var range: Range<Int> { start..<end }
    }

    @usableFromInline private(set) var nodes: [Node] = []
    /// The index of the innermost open container while parsing; its `next` is that of the one around it. -1: none.
    private var innermost = -1

    /// A value of more nodes is an error, `tooLarge`: a node takes 32 bytes, whatever it stands for.
    public var nodeLimit = Int.max

    public init() {}

    /// How many nodes there are; 0 before the first parse and after a failed one.
    @inlinable public var count: Int { nodes.count }

    /// For how many nodes there is room.
    public var capacity: Int { nodes.capacity }

    /// Node 0 is the root. The children of an array at i are i + 1, then each one's `next`, up to the array's `next`.
    /// The children of an object are its members' names and values by turns.
    @inlinable public subscript(index: Int) -> Node { nodes[index] }

    /// Parses the value at `offset` of `bytes` (leading white space is skipped) and returns the offset after it, or
    /// after the white space that follows a document. `depth` is how many containers may be open at once.
    ///
    /// Any bytes and any offset may be given. After an error the tape is empty.
    public mutating func parse(
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
    var isFull: Bool { nodes.count >= nodeLimit }

    @inline(__always)
    mutating func begin(_ kind: JSONKind, at start: Int) {
        let index = nodes.count
        nodes.append(Node(start: start, end: start, next: innermost, kind: kind, hasEscapes: false))
        innermost = index
    }

    @inline(__always)
    mutating func finish(before end: Int) -> Bool {
        let index = innermost
        innermost = nodes[index].next
        nodes[index].end = end
        nodes[index].next = nodes.count
        guard innermost >= 0 else { return false }
        if nodes[index].hasWhiteSpace { nodes[innermost].hasWhiteSpace = true }
        return nodes[innermost].kind == .object
    }

    @inline(__always)
    mutating func leaf(_ kind: JSONKind, from start: Int, to end: Int, hasEscapes: Bool) {
        nodes.append(Node(start: start, end: end, next: nodes.count + 1, kind: kind, hasEscapes: hasEscapes))
    }

    @inline(__always)
    mutating func space() {
        nodes[innermost].hasWhiteSpace = true
    }
}
