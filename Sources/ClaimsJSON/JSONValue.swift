// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// A JSON value as a tree, for small values such as parameters and settings. Records stay bytes.
///
/// Numbers keep the digits that they were written with; they are compared as text.
public indirect enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// The maximal depth of a parsed tree, whatever depth is requested. Comparing and releasing a tree recurses.
    public static let maximumDepth = 1024

    /// Whether the value is `null`.
    public var isNull: Bool { self == .null }

    /// The value of a boolean; nil for any other kind.
    public var boolean: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The unescaped text of a string; nil for any other kind.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The characters of a number as they were written; nil for any other kind.
    public var number: String? {
        if case .number(let value) = self { value } else { nil }
    }

    /// The elements of an array; nil for any other kind.
    public var array: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The members of an object; nil for any other kind.
    public var object: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    /// The value of a number written without fraction and exponent; nil if it does not fit 64 bits, or for any other
    /// kind.
    public var integer: Int64? { number.flatMap { Int64($0) } }

    /// The value of the last member with that name; nil if there is none or this is no object.
    public subscript(key: String) -> JSONValue? { object?[key] }

    /// The literal form that the value is written in.
    public var kind: JSONKind {
        switch self {
        case .null: .null
        case .bool(let value): value ? .true : .false
        case .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }

    /// A number with the decimal digits of `value`, which may be of any size.
    public static func integer(_ value: some BinaryInteger) -> JSONValue { .number(String(value)) }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int64) { self = .number(String(value)) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(elements.map { .init($0.0, $0.1) }))
    }
    public init(nilLiteral: ()) { self = .null }
}

/// The members of a JSON object in their written order. Two members may have the same name.
public struct JSONObject: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// One name and its value.
    public struct Member: Sendable, Hashable {
        /// The name, unescaped.
        public var key: String
        /// The value of the member.
        public var value: JSONValue

        public init(_ key: String, _ value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// All members, in their written order.
    public var members: [Member]

    public init(_ members: [Member] = []) { self.members = members }

    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        members = elements.map { Member($0.0, $0.1) }
    }

    /// Whether the object has no members.
    public var isEmpty: Bool { members.isEmpty }
    /// The number of members; repeated names count each time.
    public var count: Int { members.count }

    /// The value of the last member of that name; nil if there is none.
    ///
    /// Setting a value replaces that member's, or appends a member. Setting nil removes all members of the name.
    public subscript(key: String) -> JSONValue? {
        get { members.last { $0.key == key }?.value }
        set {
            guard let newValue else { return members.removeAll { $0.key == key } }
            if let index = members.lastIndex(where: { $0.key == key }) {
                members[index].value = newValue
            } else {
                members.append(Member(key, newValue))
            }
        }
    }
}

extension JSONValue {
    /// Parses one JSON document, given as UTF-8, with at most `depth` containers open at once.
    ///
    /// Throws at the first byte that is not JSON. A `depth` above ``maximumDepth`` counts as that.
    public static func parse(_ bytes: RawSpan, depth: Int = 64) throws(JSONError) -> JSONValue {
        var tape = JSONTape()
        _ = try tape.parse(bytes, from: 0, depth: min(depth, maximumDepth))
        return JSONValue(tape, 0, in: bytes)
    }

    /// Parses one JSON document, given as UTF-8, with at most `depth` containers open at once.
    public static func parse(_ bytes: [UInt8], depth: Int = 64) throws(JSONError) -> JSONValue {
        try parse(bytes.rawSpan, depth: depth)
    }

    /// Parses one JSON document with at most `depth` containers open at once. Offsets of errors count UTF-8 bytes.
    public static func parse(_ text: String, depth: Int = 64) throws(JSONError) -> JSONValue {
        try parse(Array(text.utf8).rawSpan, depth: depth)
    }

    /// The tree of one node of a tape. `bytes` must be the parsed ones. Members with the same name are all kept.
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

extension JSONValue {
    /// Writes the value as the next value of `writer`, without white space and with its members in their order.
    public func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.null()
        case .bool(let value): writer.bool(value)
        case .number(let digits): writer.raw(Array(digits.utf8))
        case .string(let text): writer.string(text)
        case .array(let elements):
            writer.beginArray()
            for element in elements { element.write(to: &writer) }
            writer.endArray()
        case .object(let object):
            writer.beginObject()
            for member in object.members {
                writer.key(member.key)
                member.value.write(to: &writer)
            }
            writer.endObject()
        }
    }

    /// The value as compact JSON in UTF-8.
    public var compactBytes: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }
}

extension JSONWriter {
    /// Writes a member whose name needs no escapes.
    public mutating func member(_ name: StaticString, _ value: JSONValue) {
        key(name)
        value.write(to: &self)
    }
}
