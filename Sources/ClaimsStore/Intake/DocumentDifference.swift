// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel

/// The values of the log: the members in which two served documents differ, without volatile ones. Made to be reused.
struct DocumentDifference {
    /// The members that are left out.
    private let volatile: [[UInt8]]
    private var oldTape = JSONTape()
    private var newTape = JSONTape()
    private var writer = JSONWriter()

    init(_ definition: Definition) {
        volatile = definition.fields.filter(\.isVolatile).flatMap { field in
            [field.name, field.name + ".raw"].map { Array($0.utf8) }
        }
    }

    /// A JSON object with `"name": [old, new]` for each member that differs as a JSON value, with null for an absent
    /// member; nil if none differs.
    mutating func compare(old: RawSpan, new: RawSpan) -> [UInt8]? {
        writer.removeAll()
        writer.beginObject()
        var isSame = true
        if Self.parse(old, &oldTape), Self.parse(new, &newTape) {
            let (left, right) = (JSONTapeSource(oldTape, old), JSONTapeSource(newTape, new))
            Self.forEachMember(of: newTape) { key in
                let name = Self.name(key, newTape, new)
                if isVolatile(name) { return }
                let counterpart = oldTape.member(name, of: 0, in: old)
                if let counterpart, JSONEquality.areEqual(left, right, nodes: (counterpart, key + 1)) { return }
                isSame = false
                writer.key(utf8: name)
                writer.beginArray()
                if let counterpart { writer.raw(Self.value(counterpart, oldTape, old)) } else { writer.null() }
                writer.raw(Self.value(key + 1, newTape, new))
                writer.endArray()
            }
            Self.forEachMember(of: oldTape) { key in
                let name = Self.name(key, oldTape, old)
                if isVolatile(name) || newTape.member(name, of: 0, in: new) != nil { return }
                isSame = false
                writer.key(utf8: name)
                writer.beginArray()
                writer.raw(Self.value(key + 1, oldTape, old))
                writer.null()
                writer.endArray()
            }
        }
        writer.endObject()
        return isSame ? nil : writer.bytes
    }

    /// The document without volatile members.
    mutating func lasting(_ document: RawSpan) -> [UInt8] {
        writer.removeAll()
        writer.beginObject()
        if Self.parse(document, &oldTape) {
            Self.forEachMember(of: oldTape) { key in
                let name = Self.name(key, oldTape, document)
                if isVolatile(name) { return }
                writer.key(utf8: name)
                writer.raw(Self.value(key + 1, oldTape, document))
            }
        }
        writer.endObject()
        return writer.bytes
    }

    private func isVolatile(_ name: RawSpan) -> Bool { volatile.contains { $0.rawSpan.equals(name) } }

    private static func parse(_ document: RawSpan, _ tape: inout JSONTape) -> Bool {
        let end = try? tape.parse(document, from: 0, depth: JSONElements.bodyDepth)
        return end != nil && tape.count > 0 && tape[0].kind == .object
    }

    private static func forEachMember(of tape: JSONTape, _ body: (Int) -> Void) {
        var key = 1
        while key < tape[0].next {
            body(key)
            key = tape[key + 1].next
        }
    }

    /// The name of a member: names in documents need no escapes.
    @_lifetime(copy bytes)
    private static func name(_ key: Int, _ tape: JSONTape, _ bytes: RawSpan) -> RawSpan {
        bytes.extracting(tape[key].start + 1..<tape[key].end - 1)
    }

    @_lifetime(copy bytes)
    private static func value(_ node: Int, _ tape: JSONTape, _ bytes: RawSpan) -> RawSpan {
        bytes.extracting(tape[node].start..<tape[node].end)
    }
}

/// Compares upstream records as JSON values. Made to be reused.
struct UpstreamComparison {
    enum Verdict: Equatable {
        case same
        /// Only volatile members differ.
        case volatile
        /// Members that count differ.
        ///
        /// - Parameter unread: whether no field reads some of them.
        case different(unread: Bool)
    }

    private let volatile: JSONPointerTree
    /// The members that fields read, and those that are volatile.
    private let known: JSONPointerTree
    private var oldTape = JSONTape()

    init(_ definition: Definition) {
        volatile = JSONPointerTree(definition.volatile)
        known = JSONPointerTree(definition.volatile + definition.readPointers)
    }

    /// Compares a record with the kept one, whose bytes differ.
    mutating func verdict(_ tape: JSONTape, _ bytes: RawSpan, old: RawSpan) -> Verdict {
        guard (try? oldTape.parse(old, depth: JSONElements.bodyDepth)) != nil else { return .different(unread: true) }
        let (left, right) = (JSONTapeSource(oldTape, old), JSONTapeSource(tape, bytes))
        if JSONEquality.areEqual(left, right) { return .same }
        if !volatile.isEmpty, JSONEquality.areEqual(left, right, ignoring: volatile) { return .volatile }
        return .different(unread: !JSONEquality.areEqual(left, right, ignoring: known))
    }
}
