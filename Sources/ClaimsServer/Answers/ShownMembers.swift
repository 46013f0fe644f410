// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel

/// The members of records that an answer has, as the rules of access show them.
///
/// ```swift
/// let members = ShownMembers([0, 2], of: definition)
/// members.write(document, &tape, to: &writer)
/// ```
struct ShownMembers {
    private struct Member {
        let name: [UInt8]
        /// nil: the value is shown whole.
        let mask: FieldMask?
    }

    /// nil: all members of a document.
    private let members: [Member]?

    /// All members, as they are.
    static let all = ShownMembers()

    private init() { members = nil }

    /// - Parameter fields: indexes of the fields; hidden ones are left out.
    init(_ fields: [Int], of definition: Definition) {
        members = fields.flatMap { index -> [Member] in
            let name = definition.fields[index].name
            return switch definition.sight(of: index) {
            case .hidden: []
            case .masked(let mask): [Member(name: Array(name.utf8), mask: mask)]
            case .whole: [name, "\(name).raw"].map { Member(name: Array($0.utf8), mask: nil) }
            }
        }
    }

    /// The fields of a definition that a rule shows a part of; nil: answers have the documents as they are.
    init?(of definition: Definition) {
        guard definition.hasSights else { return nil }
        self.init(definition.shownFields, of: definition)
    }

    /// Writes the members of a document as members of an object, in their order there.
    func write(_ document: RawSpan, _ tape: inout JSONTape, to writer: inout JSONWriter) {
        // A snapshot holds valid documents. A damaged file is found by its verifier; the record is written empty here.
        guard (try? tape.parse(document, from: 0, depth: RecordWriter.maxDepth, as: .document)) != nil,
            tape[0].kind == .object
        else { return }
        let end = tape[0].next
        guard let members else {
            if end > 1 { writer.raw(document.extracting(tape[1].start..<tape[0].end - 1)) }
            return
        }
        // Consecutive members that are shown whole are copied in one piece.
        var (key, piece, next) = (1, 0..<0, 0)
        while key < end {
            let (name, value) = (tape[key], tape[key + 1])
            key = value.next
            let found = Self.index(of: document.extracting(name.start + 1..<name.end - 1), in: members, from: next)
            guard let found else {
                Self.flush(&piece, of: document, to: &writer)
                continue
            }
            next = found + 1
            let member = members[found]
            if let mask = member.mask {
                Self.flush(&piece, of: document, to: &writer)
                writer.key(utf8: member.name.rawSpan)
                Self.write(document.extracting(value.start..<value.end), mask, to: &writer)
            } else {
                piece = piece.isEmpty ? name.start..<value.end : piece.lowerBound..<value.end
            }
        }
        Self.flush(&piece, of: document, to: &writer)
    }

    private static func flush(_ piece: inout Range<Int>, of document: RawSpan, to writer: inout JSONWriter) {
        if !piece.isEmpty { writer.raw(document.extracting(piece)) }
        piece = 0..<0
    }

    /// The index of the member of a name. Documents have the order of the fields, so that it is looked for from that after
    /// the last one on.
    private static func index(of name: RawSpan, in members: [Member], from next: Int) -> Int? {
        for offset in members.indices {
            let index = next + offset < members.count ? next + offset : next + offset - members.count
            let known = members[index].name
            if name.equals(known.rawSpan) { return index }
        }
        return nil
    }

    /// Writes the members of a document, which is on the tape, in the order of the fields.
    func writeOrdered(_ document: RawSpan, _ tape: borrowing JSONTape, to writer: inout JSONWriter) {
        for member in members ?? [] {
            guard let node = tape.member(member.name, of: 0, in: document) else { continue }
            writer.key(utf8: member.name.rawSpan)
            Self.write(document.extracting(tape[node].range), member.mask, to: &writer)
        }
    }

    /// The document of a record as an object with these members in the order of the fields. For a document that was
    /// made of changes it has the changed members.
    func ordered(_ document: RawSpan) -> [UInt8] {
        var (tape, writer) = (JSONTape(), JSONWriter())
        writer.beginObject()
        if (try? tape.parse(document, depth: RecordWriter.maxDepth)) != nil, tape[0].kind == .object {
            writeOrdered(document, tape, to: &writer)
        }
        writer.endObject()
        return writer.bytes
    }

    /// The document of a record as an object with these members.
    func object(_ document: RawSpan) -> [UInt8] {
        var (tape, writer) = (JSONTape(), JSONWriter())
        writer.beginObject()
        write(document, &tape, to: &writer)
        writer.endObject()
        return writer.bytes
    }

    /// Makes documents in the form in which rules show them, one after the other, in the same memory.
    struct Shower: ~Copyable {
        private var tape = JSONTape()
        private var writer = JSONWriter()

        /// Calls `body` with a document that has these members only.
        mutating func withObject(_ document: RawSpan, _ members: ShownMembers, _ body: (RawSpan) -> Void) {
            writer.removeAll()
            writer.beginObject()
            members.write(document, &tape, to: &writer)
            writer.endObject()
            body(writer.bytes.rawSpan)
        }
    }

    /// Writes a value as a mask shows it.
    ///
    /// - Parameters:
    ///   - value: the value as JSON.
    ///   - mask: nil: the value is shown whole.
    static func write(_ value: RawSpan, _ mask: FieldMask?, to writer: inout JSONWriter) {
        guard let mask else { return writer.raw(value) }
        guard let text = shown(value, by: mask) else { return writer.null() }
        writer.string(utf8: text.rawSpan)
    }

    /// The text that a mask shows of a value, in UTF-8; nil for null.
    static func shown(_ value: RawSpan, by mask: FieldMask) -> [UInt8]? {
        switch value.byte(at: 0) {
        case UInt8(ascii: "n"): return nil
        case ASCII.quote:
            let text = value.extracting(1..<value.byteCount - 1)
            if !hasEscape(text) { return mask.shown(text) }
            return (try? JSONValue.parse(value.array))?.string.map { mask.shown(Array($0.utf8).rawSpan) }
        default: return mask.shown(value)
        }
    }

    private static func hasEscape(_ text: RawSpan) -> Bool {
        for offset in 0..<text.byteCount where text.byte(at: offset) == ASCII.backslash { return true }
        return false
    }

    /// The value of `pending` as a rule shows it: without the names of other fields, and without files if the field of
    /// the files is hidden. An action whose condition reads a hidden field would reveal the field's value, so it is
    /// called an update.
    static func pending(_ json: [UInt8], _ definition: Definition) -> [UInt8] {
        guard definition.hasSights else { return json }
        guard var object = (try? JSONValue.parse(json, depth: JSONValue.maximumDepth))?.object else { return [] }
        let shown = Set(definition.shownNames)
        if let names = object["fields"]?.array {
            object["fields"] = .array(names.filter { $0.string.map(shown.contains) ?? false })
        }
        if definition.writes?.attachments == nil { object["attachments"] = nil }
        if let operations = object["ops"]?.array {
            let known = Set(definition.writes?.offered.map(\.name) ?? []).union(AccessRules.ordinaryActs)
            object["ops"] = .array(
                operations.map { operation in
                    guard var members = operation.object, let action = members["action"]?.string,
                        !known.contains(action)
                    else { return operation }
                    members["action"] = .string(WriteAction.Kind.update.rawValue)
                    return .object(members)
                })
        }
        return JSONValue.object(object).compactBytes
    }
}
