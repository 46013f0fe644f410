// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsJSON
public import ClaimsProtocol

/// One value of an answer: a node of a parsed line, which is decoded only when a property is read.
///
/// A value keeps its whole ``AnswerDocument`` alive. It is immutable, and safe on any thread.
public struct AnswerValue: Sendable {
    /// The line that the value is part of.
    public let document: AnswerDocument
    /// The index of the value's node on the document's tape.
    public let node: Int

    init(document: AnswerDocument, node: Int) {
        self.document = document
        self.node = node
    }

    /// The JSON type of the value.
    public var kind: JSONKind { document.tape[node].kind }

    /// The value of an object's member; `nil` for a missing member, for JSON null, and for a value that is no object.
    public subscript(name: String) -> AnswerValue? { self[utf8: Array(name.utf8)] }

    /// The value of an object's member, found by its name in UTF-8; `nil` as for `subscript(name:)`.
    ///
    /// A loop over many records makes the bytes of the name once and passes them here.
    public subscript(utf8 name: [UInt8]) -> AnswerValue? {
        let bytes = document.bytes
        let found = document.tape.member(name, of: node, in: bytes.rawSpan)
        guard let found, document.tape[found].kind != .null else { return nil }
        return AnswerValue(document: document, node: found)
    }

    /// The text of a JSON string, unescaped; `nil` for a value of another type.
    public var string: String? {
        let bytes = document.bytes
        return document.tape.string(node, in: bytes.rawSpan)
    }

    /// The value of a JSON number that is an integer in the range of `Int64`; `nil` for any other value.
    public var integer: Int64? {
        kind == .number ? Int64(source) : nil
    }

    /// The value of JSON true or false; `nil` for a value of another type.
    public var bool: Bool? {
        switch kind {
        case .true: true
        case .false: false
        default: nil
        }
    }

    /// The value's JSON text as it arrived: the digits of a number, a string with its quotes and escapes.
    public var source: String {
        String(decoding: document.bytes[document.tape[node].range], as: UTF8.self)
    }

    /// The byte range of the value's JSON text in the `bytes` of ``document``.
    public var range: Range<Int> { document.tape[node].range }

    /// Appends the value's JSON text as it arrived, byte for byte.
    public func appendSource(to out: inout [UInt8]) {
        out += document.bytes[range]
    }

    /// Appends the unescaped text of a string, or the JSON text of any other value.
    public func appendText(to out: inout [UInt8]) {
        if kind == .string {
            let bytes = document.bytes
            document.tape.appendString(node, in: bytes.rawSpan, to: &out)
        } else {
            appendSource(to: &out)
        }
    }

    /// The unescaped text of a string, or the JSON text of any other value.
    public var text: String { string ?? source }

    /// The elements of an array, in order; empty for a value of another type.
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

    /// The members of an object in the order of the line, with unescaped names; empty for a value of another type.
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
}

/// One line from the daemon with the tape of its JSON values.
///
/// A document is immutable, and safe on any thread.
public final class AnswerDocument: Sendable {
    /// The bytes of the line, without its newline.
    public let bytes: [UInt8]
    /// The tape of the line's values; its ranges index into ``bytes``.
    public let tape: JSONTape

    /// The maximum nesting depth of a line, in open arrays and objects: that of a record and of the answer around it.
    public static let depth = 128

    /// Parses a line.
    ///
    /// - Throws: `JSONError` for bytes that are no JSON text (RFC 8259), or that nest deeper than ``depth``.
    public init(_ bytes: [UInt8]) throws(JSONError) {
        var tape = JSONTape()
        _ = try tape.parse(bytes.rawSpan, from: 0, depth: Self.depth)
        self.bytes = bytes
        self.tape = tape
    }

    /// The value that the whole line holds.
    public var root: AnswerValue { AnswerValue(document: self, node: 0) }
}

// Members by the names that the protocol gives them.

extension AnswerValue {
    /// The value of a protocol member; `nil` for a missing member and for JSON null.
    public subscript<Value>(member: Member<Value>) -> AnswerValue? { self[String(describing: member.name)] }

    /// The text of a string member; `nil` for a missing member, JSON null, or a value that is no string.
    public subscript(member: Member<String>) -> String? { self[String(describing: member.name)]?.string }
    /// The text of a string member that may be null; `nil` for null, a missing member, or a value that is no string.
    public subscript(member: Member<String?>) -> String? { self[String(describing: member.name)]?.string }
    /// The value of an integer member; `nil` for a missing member, or a value that is no integer.
    public subscript(member: Member<Int>) -> Int64? { self[String(describing: member.name)]?.integer }
    /// The value of an integer member; `nil` for a missing member, or a value that is no integer.
    public subscript(member: Member<Int64>) -> Int64? { self[String(describing: member.name)]?.integer }
    /// The value of an integer member that may be null; `nil` for null, a missing member, or a value that is no
    /// integer.
    public subscript(member: Member<Int64?>) -> Int64? { self[String(describing: member.name)]?.integer }
    /// The value of a Boolean member; `nil` for a missing member, or a value that is no Boolean.
    public subscript(member: Member<Bool>) -> Bool? { self[String(describing: member.name)]?.bool }

    /// The elements of an array member; empty for a missing member, or a value that is no array.
    public subscript<Element>(member: Member<[Element]>) -> [AnswerValue] {
        self[String(describing: member.name)]?.elements ?? []
    }
}
