// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsJSON

/// Changes of members of a JSON object, applied to its bytes in one pass. All else keeps its bytes and its order.
struct ObjectChanges {
    enum Change {
        /// The value, with the type that decides how numbers are spelled; nil for a value that is written as it is.
        case set(JSONValue, FieldType?)
        case remove
    }

    /// An array lies on the way to a value.
    struct ArrayInTheWay: Error {
        /// The place of the array.
        let pointer: JSONPointer
    }

    private struct Node {
        var change: Change?
        var children: [(name: [UInt8], node: Int)] = []
        /// Whether a value is set here or below.
        var hasValues = false
    }

    private var nodes = [Node()]

    /// Adds a change at a place that is not above or below another one's; of several at one place the last counts.
    mutating func add(_ change: Change, at pointer: JSONPointer) {
        var isSet = false
        if case .set = change { isSet = true }
        var node = 0
        nodes[node].hasValues = nodes[node].hasValues || isSet
        for token in pointer.tokens {
            if let child = nodes[node].children.first(where: { $0.name == token }) {
                node = child.node
            } else {
                nodes.append(Node())
                nodes[node].children.append((token, nodes.count - 1))
                node = nodes.count - 1
            }
            nodes[node].hasValues = nodes[node].hasValues || isSet
        }
        nodes[node].change = change
    }

    /// An object's bytes with the changes, without white space outside strings.
    ///
    /// - Parameters:
    ///   - tape: The object, parsed from `bytes`; of members of one name the last counts.
    ///   - root: The node of the object.
    func applied(to tape: JSONTape, _ root: Int = 0, in bytes: RawSpan) throws(ArrayInTheWay) -> [UInt8] {
        var out: [UInt8] = []
        var run = Run(changes: self, tape: tape)
        try run.write(0, over: root, in: bytes, to: &out)
        return out
    }

    /// The object that the changes alone make.
    func object() -> [UInt8] {
        var out: [UInt8] = []
        let run = Run(changes: self, tape: JSONTape())
        run.writeNew(0, to: &out)
        return out
    }

    private struct Run {
        let changes: ObjectChanges
        let tape: JSONTape
        private var path: [[UInt8]] = []

        init(changes: ObjectChanges, tape: JSONTape) {
            self.changes = changes
            self.tape = tape
        }

        /// Writes the value of `node` with the changes of `index`.
        mutating func write(
            _ index: Int, over node: Int, in bytes: RawSpan, to out: inout [UInt8]
        ) throws(ArrayInTheWay) {
            let change = changes.nodes[index]
            if case .set(let value, let type)? = change.change {
                return ObjectChanges.append(value, type, over: tape[node].kind, to: &out)
            }
            switch tape[node].kind {
            case .object: try writeMembers(index, of: node, in: bytes, to: &out)
            case .array where change.hasValues: throw ArrayInTheWay(pointer: JSONPointer(tokens: path))
            case _ where change.hasValues: writeNew(index, to: &out)
            default: tape.appendCompact(node, in: bytes, to: &out)
            }
        }

        private mutating func writeMembers(
            _ index: Int, of object: Int, in bytes: RawSpan, to out: inout [UInt8]
        ) throws(ArrayInTheWay) {
            var left = changes.nodes[index].children
            out.append(UInt8(ascii: "{"))
            let start = out.count
            var key = object + 1
            while key < tape[object].next {
                defer { key = tape[key + 1].next }
                let known = left.firstIndex { tape.isName(key, $0.name.rawSpan, in: bytes) }
                let child = known.map { left[$0] }
                if let child, case .remove? = changes.nodes[child.node].change { continue }
                if out.count > start { out.append(UInt8(ascii: ",")) }
                tape.appendSource(key, in: bytes, to: &out)
                out.append(UInt8(ascii: ":"))
                guard let known, let child else {
                    tape.appendCompact(key + 1, in: bytes, to: &out)
                    continue
                }
                left.remove(at: known)
                path.append(child.name)
                try write(child.node, over: key + 1, in: bytes, to: &out)
                path.removeLast()
            }
            appendNew(left, isFirst: out.count == start, to: &out)
            out.append(UInt8(ascii: "}"))
        }

        /// Writes an object that has only the set values.
        func writeNew(_ index: Int, to out: inout [UInt8]) {
            if case .set(let value, let type)? = changes.nodes[index].change {
                return ObjectChanges.append(value, type, over: nil, to: &out)
            }
            out.append(UInt8(ascii: "{"))
            appendNew(changes.nodes[index].children, isFirst: true, to: &out)
            out.append(UInt8(ascii: "}"))
        }

        private func appendNew(_ children: [(name: [UInt8], node: Int)], isFirst: Bool, to out: inout [UInt8]) {
            var isFirst = isFirst
            for child in children where changes.nodes[child.node].hasValues {
                if !isFirst { out.append(UInt8(ascii: ",")) }
                isFirst = false
                JSONText.append(child.name.rawSpan, to: &out)
                out.append(UInt8(ascii: ":"))
                writeNew(child.node, to: &out)
            }
        }
    }

    private static func append(_ value: JSONValue, _ type: FieldType?, over kind: JSONKind?, to out: inout [UInt8]) {
        out += (type.map { value.spelled(as: $0, over: kind) } ?? value).compactBytes
    }
}

extension JSONValue {
    /// The value in the form in which it replaces a value of a kind; nil for none.
    ///
    /// A number keeps the kind of the earlier value, or else is a JSON number. So is a code that has the form of a
    /// number.
    func spelled(as type: FieldType, over kind: JSONKind?) -> JSONValue {
        guard let text = string ?? number else { return self }
        var trimmed: [UInt8] = []
        trimmed.append(bytes: WhiteSpace.trimmed(Array(text.utf8).rawSpan))
        let digits = String(decoding: trimmed, as: UTF8.self)
        switch type {
        case .integer, .decimal: return kind == .string ? .string(digits) : .number(digits)
        case .enum where kind == .number && KeyEncoding.number(digits) != nil: return .number(digits)
        case .id, .text, .enum, .instant, .date, .bool, .url, .json: return self
        }
    }
}

/// Compares values of fields with the served values of records. Pure.
///
/// ```swift
/// let comparison = FieldComparison(definition)
/// let missing = comparison.differing(write.shown, in: comparison.values(of: document))
/// ```
public struct FieldComparison: Sendable {
    /// The values of a record by field; nil for a field without one.
    public typealias Values = [JSONValue?]

    private let definition: Definition

    public init(_ definition: Definition) {
        self.definition = definition
    }

    /// The values of a record, one for each field of the definition, from the document that it is served with.
    ///
    /// The value of an enum whose code its vocabulary does not have is the text as it came.
    ///
    /// - Parameter document: The present fields as one JSON object; anything else has no values.
    public func values(of document: RawSpan) -> Values {
        guard let object = try? JSONValue.parse(document, depth: JSONValue.maximumDepth).object else {
            return Values(repeating: nil, count: definition.fields.count)
        }
        return definition.fields.map { field in
            (field.type == .enum ? object[field.name + ".raw"] : nil) ?? object[field.name]
        }
    }

    /// Whether two values of a field are the same for records. A blank value and none are the same.
    public func areEqual(_ left: JSONValue?, _ right: JSONValue?, field: Int) -> Bool {
        let left = typed(left, field)
        let right = typed(right, field)
        return left == right
    }

    /// The fields that a write touches and that have another value in a record, ascending.
    public func differing(_ wanted: [WrittenValue], in values: Values) -> [Int] {
        wanted.filter { !areEqual($0.value, values[$0.field], field: $0.field) }.map(\.field)
    }

    private enum Comparable: Equatable {
        case absent
        case value(TypedValue)
        /// A value that is not of the field's type.
        case other(JSONValue)
    }

    private func typed(_ value: JSONValue?, _ field: Int) -> Comparable {
        guard let value, !TypedValue.isBlank(value) else {
            // The code for a missing value.
            guard let absent = definition.vocabulary(of: field)?.absent else { return .absent }
            return .value(.code(absent))
        }
        return TypedValue(value, of: field, in: definition).map { .value($0) } ?? .other(value)
    }
}
