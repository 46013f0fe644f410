// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsJSON

/// One value of an answer, read where it lies: nothing is copied until it is asked for.
public struct AnswerValue: Sendable {
    public let document: AnswerDocument
    public let node: Int

    init(document: AnswerDocument, node: Int) {
        self.document = document
        self.node = node
    }

    public var kind: JSONKind { document.tape[node].kind }

    /// A member of an object; `nil` where there is none of that name, or where it is null.
    public subscript(name: String) -> AnswerValue? { self[utf8: Array(name.utf8)] }

    /// The same for a name that is asked for often.
    public subscript(utf8 name: [UInt8]) -> AnswerValue? {
        let bytes = document.bytes
        let found = document.tape.member(name, of: node, in: bytes.rawSpan)
        guard let found, document.tape[found].kind != .null else { return nil }
        return AnswerValue(document: document, node: found)
    }

    public var string: String? {
        let bytes = document.bytes
        return document.tape.string(node, in: bytes.rawSpan)
    }

    public var integer: Int64? {
        kind == .number ? Int64(source) : nil
    }

    public var bool: Bool? {
        switch kind {
        case .true: true
        case .false: false
        default: nil
        }
    }

    /// The bytes as they came, as text: a number's digits, a string with its quotes.
    public var source: String {
        String(decoding: document.bytes[document.tape[node].range], as: UTF8.self)
    }

    /// Where the value lies in the document's bytes.
    public var range: Range<Int> { document.tape[node].range }

    /// Appends the bytes as they came.
    public func appendSource(to out: inout [UInt8]) {
        out += document.bytes[range]
    }

    /// Appends a string's text, or any other value's bytes as they came.
    public func appendText(to out: inout [UInt8]) {
        if kind == .string {
            let bytes = document.bytes
            document.tape.appendString(node, in: bytes.rawSpan, to: &out)
        } else {
            appendSource(to: &out)
        }
    }

    /// A string's text, or any other value's bytes as they came.
    public var text: String { string ?? source }

    /// The elements of an array; none for anything else.
    public var elements: [AnswerValue] {
        let root = document.tape[node]
        guard root.kind == .array else { return [] }
        var elements: [AnswerValue] = []
        var child = node + 1
        while child < root.next {
            elements.append(AnswerValue(document: document, node: child))
            child = document.tape[child].next
        }
        return elements
    }

    /// The members of an object in their order; none for anything else.
    public var members: [(name: String, value: AnswerValue)] {
        let root = document.tape[node]
        guard root.kind == .object else { return [] }
        var members: [(name: String, value: AnswerValue)] = []
        let bytes = document.bytes
        var child = node + 1
        while child < root.next {
            let name = document.tape.string(child, in: bytes.rawSpan) ?? ""
            members.append((name, AnswerValue(document: document, node: child + 1)))
            child = document.tape[child + 1].next
        }
        return members
    }

    /// The value as a tree.
    public var tree: JSONValue {
        let bytes = document.bytes
        return JSONValue(document.tape, node, in: bytes.rawSpan)
    }
}
