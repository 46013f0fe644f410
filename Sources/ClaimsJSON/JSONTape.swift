// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// One JSON value as a flat array of nodes, each of which is a range of the parsed bytes.
///
/// A tape is made to be reused: once it has held the largest value, parsing allocates nothing. It does not keep the
/// bytes. Every method with the parameter `bytes` must get the parsed bytes.
///
/// ```swift
/// var tape = JSONTape()
/// _ = try tape.parse(bytes, depth: 64)
/// if let id = tape.member("id", of: 0, in: bytes) { print(tape.string(id, in: bytes) ?? "no string") }
/// ```
public struct JSONTape: Sendable {
    /// The treatment of bytes that follow the parsed value.
    public enum Scope: Sendable {
        /// Only white space may follow the value; anything else is an error.
        case document
        /// Bytes after the value are not read.
        case value
    }

    /// One value or member name, as a range of the parsed bytes.
    public struct Node: Sendable {
        /// The offset of the first byte; for a string, the offset of its opening quote.
        public let start: Int
        /// The offset after the last byte; of a string, after its closing quote.
        public fileprivate(set) var end: Int
        /// The index of the first node after this one and everything inside it.
        public fileprivate(set) var next: Int
        /// The literal form of the value; a member name is a string.
        public let kind: JSONKind
        /// Whether this is a string that contains a backslash.
        public let hasEscapes: Bool
        /// Whether this is a container with white space anywhere inside it, strings excepted.
        public fileprivate(set) var hasWhiteSpace = false

        /// The bytes of the node; of a string, its quotes included.
        public var range: Range<Int> { start..<end }
    }

    @usableFromInline private(set) var nodes: [Node] = []
    /// The index of the innermost open container while parsing; its `next` is the index of the container around it. -1:
    /// none.
    private var innermost = -1

    /// The maximal number of nodes of a value. Parsing a larger value throws `tooLarge`. A node takes 32 bytes of
    /// memory.
    public var nodeLimit = Int.max

    /// An empty tape without a limit on nodes.
    public init() {}

    /// The number of nodes; 0 before the first parse and after a failed one.
    @inlinable public var count: Int { nodes.count }

    /// The number of nodes that the tape holds without allocating.
    public var capacity: Int { nodes.capacity }

    /// The node at `index`, which must be below ``count``. Node 0 is the root.
    ///
    /// The first child of a container at `i` is `i + 1`; each next child is the `next` of the one before, up to the
    /// container's `next`. The children of an object are names and values in alternation.
    @inlinable public subscript(index: Int) -> Node { nodes[index] }

    /// Parses the value at `offset` of `bytes`, after white space, and replaces what the tape held.
    ///
    /// - Parameters:
    ///   - offset: Any number; an offset outside the bytes is an error, not a trap.
    ///   - depth: The maximal number of containers open at once.
    ///   - scope: Whether anything but white space may follow the value.
    /// - Returns: The offset after the value; for a document, after the white space that follows it.
    /// - Throws: The first violation of RFC 8259 or of a limit. The tape is then empty.
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

extension JSONTape: JSONVisitor {
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

extension JSONTape {
    /// The node of the last member of `object` with that name, given as UTF-8; nil if there is none or the node is no
    /// object.
    ///
    /// Names are compared unescaped. The time grows with the number of members.
    public func member(_ name: Span<UInt8>, of object: Int, in bytes: RawSpan) -> Int? {
        member(unsafe name.bytes, of: object, in: bytes)
    }

    /// The node of the last member of `object` with that name, given as UTF-8; nil if there is none or the node is no
    /// object.
    public func member(_ name: [UInt8], of object: Int, in bytes: RawSpan) -> Int? {
        member(name.rawSpan, of: object, in: bytes)
    }

    /// The node of the last member of `object` with that name; nil if there is none or the node is no object.
    public func member(_ name: StaticString, of object: Int, in bytes: RawSpan) -> Int? {
        let buffer = unsafe UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        return unsafe member(RawSpan(_unsafeElements: buffer), of: object, in: bytes)
    }

    /// The node of the last member of `object` with that name, given as UTF-8; nil if there is none or the node is no
    /// object.
    public func member(_ name: RawSpan, of object: Int, in bytes: RawSpan) -> Int? {
        guard object < count, self[object].kind == .object else { return nil }
        let nodes = nodes.span
        var found: Int?
        var key = object &+ 1
        let end = nodes[object].next
        while key < end {
            let node = nodes[key]
            // Most names differ in length already.
            if node.hasEscapes || node.end &- node.start == name.byteCount &+ 2, isName(key, name, in: bytes) {
                found = key &+ 1
            }
            key = nodes[key &+ 1].next
        }
        return found
    }

    /// The node of the element at `index`, from 0; nil if it does not exist or `array` is no array.
    ///
    /// The elements before it are stepped over one by one.
    public func element(_ index: Int, of array: Int) -> Int? {
        guard array < count, self[array].kind == .array, index >= 0 else { return nil }
        let end = self[array].next
        var node = array + 1
        for _ in 0..<index {
            guard node < end else { return nil }
            node = self[node].next
        }
        return node < end ? node : nil
    }

    /// The node that `pointer` leads to from `node` (RFC 6901); nil if it leads to no value.
    ///
    /// The last of several members with the same name counts.
    public func resolve(_ pointer: JSONPointer, from node: Int = 0, in bytes: RawSpan) -> Int? {
        guard node < count else { return nil }
        var node = node
        // Read through a span, the tokens are not retained one by one.
        let tokens = pointer.tokens.span
        for index in tokens.indices {
            let child: Int? =
                switch self[node].kind {
                case .object: member(tokens[index].rawSpan, of: node, in: bytes)
                case .array: JSONPointer.arrayIndex(tokens[index]).flatMap { element($0, of: node) }
                default: nil
                }
            guard let child else { return nil }
            node = child
        }
        return node
    }

    /// Whether the string node `key`, unescaped, equals `name`, given as UTF-8.
    public func isName(_ key: Int, _ name: RawSpan, in bytes: RawSpan) -> Bool {
        let node = self[key]
        if !node.hasEscapes {
            guard node.end &- node.start &- 2 == name.byteCount else { return false }
            return bytes.extracting(node.start + 1..<node.end - 1).equals(name)
        }
        return JSONUnescaper.compare(bytes.extracting(node.start + 1..<node.end - 1), to: name)
    }
}

extension JSONTape {
    /// Appends the unescaped UTF-8 of a string node to `out`; appends nothing for a node of another kind.
    public func appendString(_ node: Int, in bytes: RawSpan, to out: inout [UInt8]) {
        guard self[node].kind == .string else { return }
        let body = bytes.extracting(self[node].start + 1..<self[node].end - 1)
        if self[node].hasEscapes {
            JSONUnescaper.append(body, to: &out)
        } else {
            out.append(bytes: body)
        }
    }

    /// The unescaped text of a string node; nil for a node of another kind.
    public func string(_ node: Int, in bytes: RawSpan) -> String? {
        guard self[node].kind == .string else { return nil }
        var text: [UInt8] = []
        appendString(node, in: bytes, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the bytes of a node to `out` without any change.
    public func appendSource(_ node: Int, in bytes: RawSpan, to out: inout [UInt8]) {
        out.append(bytes: bytes.extracting(self[node].range))
    }

    /// Appends a node to `out` without white space outside strings, and of members of one name only the last.
    ///
    /// Members keep their order, and numbers and strings keep their bytes. A node that is compact already is copied
    /// whole.
    public func appendCompact(_ node: Int, in bytes: RawSpan, to out: inout [UInt8]) {
        let root = self[node]
        let superseded = supersededNames(in: node, bytes)
        if superseded.isEmpty, !root.hasWhiteSpace {
            out.append(bytes: bytes.extracting(root.range))
            return
        }
        var upcoming = 0
        var offset = root.start
        var index = node
        while index < root.next {
            let current = self[index]
            if current.kind.isContainer {
                index += 1
                continue
            }
            appendPunctuation(bytes, offset..<current.start, to: &out)
            while upcoming < superseded.count, superseded[upcoming] < index { upcoming += 1 }
            if upcoming < superseded.count, superseded[upcoming] == index {
                // A later member of the name exists, so a comma and a name follow this member's value.
                index = self[index + 1].next
                offset = self[index].start
                continue
            }
            out.append(bytes: bytes.extracting(current.range))
            offset = current.end
            index += 1
        }
        appendPunctuation(bytes, offset..<root.end, to: &out)
    }

    /// Between two leaves there are only brackets, commas, colons and white space.
    private func appendPunctuation(_ bytes: RawSpan, _ range: Range<Int>, to out: inout [UInt8]) {
        for offset in range {
            let byte = bytes.byte(at: offset)
            if byte > ASCII.space { out.append(byte) }
        }
    }
}
