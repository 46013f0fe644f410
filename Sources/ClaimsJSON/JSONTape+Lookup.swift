// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension JSONTape {
    /// The value of the last member of that name, which is plain UTF-8; nil if there is none or `object` is none.
    public func member(_ name: Span<UInt8>, of object: Int, in bytes: RawSpan) -> Int? {
        member(unsafe name.bytes, of: object, in: bytes)
    }

    public func member(_ name: [UInt8], of object: Int, in bytes: RawSpan) -> Int? {
        member(name.rawSpan, of: object, in: bytes)
    }

    public func member(_ name: StaticString, of object: Int, in bytes: RawSpan) -> Int? {
        let buffer = unsafe UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        return unsafe member(RawSpan(_unsafeElements: buffer), of: object, in: bytes)
    }

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

    /// The `index`-th element of an array.
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

    /// What `pointer` leads to from `node` (RFC 6901); of several members of one name the last.
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

    /// Whether the string node `key` is, unescaped, exactly `name`.
    public func isName(_ key: Int, _ name: RawSpan, in bytes: RawSpan) -> Bool {
        let node = self[key]
        if !node.hasEscapes {
            guard node.end &- node.start &- 2 == name.byteCount else { return false }
            return bytes.extracting(node.start + 1..<node.end - 1).equals(name)
        }
        return JSONUnescaper.compare(bytes.extracting(node.start + 1..<node.end - 1), to: name)
    }
}
