// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

extension JSONValue {
    /// Parses one document. `depth` is how many containers may be open at once.
    public static func parse(_ bytes: RawSpan, depth: Int = 64) throws(JSONError) -> JSONValue {
        var tape = JSONTape()
        _ = try tape.parse(bytes, from: 0, depth: min(depth, maximumDepth))
        return JSONValue(tape, 0, in: bytes)
    }

    public static func parse(_ bytes: [UInt8], depth: Int = 64) throws(JSONError) -> JSONValue {
        try parse(bytes.rawSpan, depth: depth)
    }

    public static func parse(_ text: String, depth: Int = 64) throws(JSONError) -> JSONValue {
        try parse(Array(text.utf8).rawSpan, depth: depth)
    }

    /// The tree of one node of a tape over the bytes that were parsed. Members of one name are all kept.
    public init(_ tape: JSONTape, _ node: Int, in bytes: RawSpan) {
        // Backwards, so that a container's children are done and on top of the stack, the first topmost.
        var stack: [JSONValue] = []
        for index in (node..<tape[node].next).reversed() {
            let current = tape[index]
            switch current.kind {
            case .null: stack.append(.null)
            case .true: stack.append(.bool(true))
            case .false: stack.append(.bool(false))
            case .number: stack.append(.number(Self.text(current, in: bytes)))
            case .string: stack.append(.string(tape.string(index, in: bytes) ?? ""))
            case .array:
                var elements: [JSONValue] = []
                var child = index + 1
                while child < current.next {
                    stack.popLast().map { elements.append($0) }
                    child = tape[child].next
                }
                stack.append(.array(elements))
            case .object:
                var members: [JSONObject.Member] = []
                var child = index + 1
                while child < current.next {
                    if case .string(let key)? = stack.popLast(), let value = stack.popLast() {
                        members.append(.init(key, value))
                    }
                    child = tape[child + 1].next
                }
                stack.append(.object(JSONObject(members)))
            }
        }
        self = stack.last ?? .null
    }

    private static func text(_ node: JSONTape.Node, in bytes: RawSpan) -> String {
        unsafe bytes.extracting(node.range).withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
