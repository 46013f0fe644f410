// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsSnapshot
import ClaimsStore

/// Writes records into answers: whole as they are served, or reduced to the requested fields.
struct RecordWriter {
    private let view: CollectionView
    private let rows: ServedRows
    /// The definition as the reader sees it.
    private let definition: Definition
    /// The members to write; nil for all.
    private let members: ShownMembers?
    /// The name of the collection as a finished JSON value, if each record has it.
    private let collection: [UInt8]?
    private var tape = JSONTape()

    /// - Parameters:
    ///   - fields: indexes of the fields to write; nil for all.
    ///   - namesCollection: whether each record names its collection.
    ///   - definition: the definition as the reader sees it; nil for the definition of the view.
    init(_ view: CollectionView, fields: [Int]?, namesCollection: Bool, seenAs definition: Definition? = nil) {
        self.view = view
        rows = view.rows
        let definition = definition ?? view.definition
        self.definition = definition
        members = fields.map { ShownMembers($0, of: definition) } ?? ShownMembers(of: definition)
        if namesCollection {
            var writer = JSONWriter()
            writer.string(view.definition.name)
            collection = writer.bytes
        } else {
            collection = nil
        }
    }

    /// Writes the record in a served row.
    mutating func write(_ row: Int, to writer: inout JSONWriter) {
        guard let (snapshot, own) = rows.layer(of: row) else { return writer.raw(Array("{}".utf8)) }
        let document = snapshot.document(own)
        let isArchived = rows.isArchived(row)
        let pending = rows.overlayRow(row).flatMap { view.overlay?.pending($0) }
        if members == nil, collection == nil {
            writer.raw(document)
            if isArchived { Self.markArchived(&writer) }
            if let pending { Self.extend(&writer, PendingMember.name, pending.json) }
            return
        }
        writer.beginObject()
        if let collection { writer.member("collection", raw: collection) }
        (members ?? .all).write(document, &tape, to: &writer)
        if isArchived { writer.member("archived", true) }
        if let pending {
            let name = PendingMember.nameBytes
            writer.key(utf8: name.rawSpan)
            writer.raw(ShownMembers.pending(pending.json, definition))
        }
        writer.endObject()
    }

    /// The size that the record of a served row has in an answer, in bytes.
    mutating func size(of row: Int) -> Int {
        guard definition.hasSights else { return rows.documentSize(row) }
        // The size of hidden values must not decide where a page ends.
        var scratch = JSONWriter()
        write(row, to: &scratch)
        return scratch.bytes.count
    }

    /// Adds `"archived":true` to the object that was written last.
    static func markArchived(_ writer: inout JSONWriter) {
        extend(&writer, "archived", Array("true".utf8))
    }

    /// Adds a member to the object that was written last; its value is JSON.
    static func extend(_ writer: inout JSONWriter, _ name: String, _ value: [UInt8]) {
        let isEmpty = writer.bytes.suffix(2) == [UInt8(ascii: "{"), UInt8(ascii: "}")]
        writer.bytes.removeLast()
        writer.bytes.append(contentsOf: (isEmpty ? "\"\(name)\":" : ",\"\(name)\":").utf8)
        writer.bytes.append(contentsOf: value)
        writer.bytes.append(UInt8(ascii: "}"))
    }

    /// The nesting depth that a document may have; intake bounds it below that.
    static let maxDepth = 128
}
