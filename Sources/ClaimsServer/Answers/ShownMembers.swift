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

    /// nil: all that a document has.
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
        var key = 1
        let end = tape[0].next
        while key < end {
            let name = document.extracting(tape[key].start + 1..<tape[key].end - 1)
            let value = tape[key + 1]
            key = value.next
            let member = members?.first { name.equals($0.name.rawSpan) }
            if members != nil, member == nil { continue }
            writer.key(utf8: name)
            Self.write(document.extracting(value.start..<value.end), member?.mask, to: &writer)
        }
    }

    /// Writes the members of a document, which is on the tape, in the order of the fields.
    func writeOrdered(_ document: RawSpan, _ tape: borrowing JSONTape, to writer: inout JSONWriter) {
        for member in members ?? [] {
            guard let node = tape.member(member.name, of: 0, in: document) else { continue }
            writer.key(utf8: member.name.rawSpan)
            Self.write(document.extracting(tape[node].range), member.mask, to: &writer)
        }
    }

    /// The document of a record as an object with these members in the order of the fields. That of a document which was put
    /// together from changes tells what has changed.
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

    /// Writes a value as a mask shows it.
    ///
    /// - Parameters:
    ///   - value: the value as JSON.
    ///   - mask: nil: the value is shown whole.
    static func write(_ value: RawSpan, _ mask: FieldMask?, to writer: inout JSONWriter) {
        guard let mask else { return writer.raw(value) }
        guard let text = text(of: value) else { return writer.null() }
        writer.string(mask.shown(text))
    }

    /// The text that a mask shows of a value; nil for null.
    static func shown(_ value: RawSpan, by mask: FieldMask) -> String? { text(of: value).map { mask.shown($0) } }

    /// A value without its quotes; nil for null.
    private static func text(of value: RawSpan) -> String? {
        let bytes = value.array
        switch bytes.first {
        case UInt8(ascii: "n"): return nil
        case UInt8(ascii: "\"") where !bytes.contains(UInt8(ascii: "\\")):
            return String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
        case UInt8(ascii: "\""): return (try? JSONValue.parse(bytes))?.string
        default: return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// The value of `pending` as a rule shows it: without the names of other fields, and without files of one. An action whose
    /// condition reads another field would tell its value, and is called an update.
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
