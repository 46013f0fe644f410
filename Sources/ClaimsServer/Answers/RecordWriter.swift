// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsStore

/// Writes records into answers: spliced from the snapshot as they are, or cut down to the fields asked for.
struct RecordWriter {
    private let view: CollectionView
    private let snapshot: Snapshot
    /// The names of the members to write, `FIELD.raw` beside its field; nil for all.
    private let names: [[UInt8]]?
    /// The name of the collection as a finished JSON value, where each record tells it.
    private let collection: [UInt8]?
    private var tape = JSONTape()

    /// - Parameters:
    ///   - fields: indexes of the fields to write; nil for all.
    ///   - namesCollection: whether each record tells its collection.
    init(_ view: CollectionView, _ snapshot: Snapshot, fields: [Int]?, namesCollection: Bool) {
        self.view = view
        self.snapshot = snapshot
        names = fields?.flatMap { index in
            let name = view.definition.fields[index].name
            return [Array(name.utf8), Array("\(name).raw".utf8)]
        }
        if namesCollection {
            var writer = JSONWriter()
            writer.string(view.definition.name)
            collection = writer.bytes
        } else {
            collection = nil
        }
    }

    /// Writes the record in `row`.
    mutating func write(_ row: Int, to writer: inout JSONWriter) {
        let snapshot = snapshot
        let document = snapshot.document(row)
        let isArchived = view.archive.contains(row)
        if names == nil, collection == nil {
            writer.raw(document)
            if isArchived { Self.markArchived(&writer) }
            return
        }
        writer.beginObject()
        if let collection { writer.member("collection", raw: collection) }
        writeMembers(document, to: &writer)
        if isArchived { writer.member("archived", true) }
        writer.endObject()
    }

    private mutating func writeMembers(_ document: RawSpan, to writer: inout JSONWriter) {
        // The document was made by us; one that a damaged file yields is left empty, and the verifier finds it.
        guard (try? tape.parse(document, from: 0, depth: Self.depth, as: .document)) != nil,
            tape[0].kind == .object
        else { return }
        let names = names
        var key = 1
        let end = tape[0].next
        while key < end {
            let name = document.extracting(tape[key].start + 1..<tape[key].end - 1)
            let value = tape[key + 1]
            if names?.contains(where: { Self.areEqual(name, $0) }) ?? true {
                writer.key(utf8: name)
                writer.raw(document.extracting(value.start..<value.end))
            }
            key = value.next
        }
    }

    private static func areEqual(_ span: RawSpan, _ bytes: [UInt8]) -> Bool {
        ByteComparison.areEqual(span, bytes)
    }

    /// Adds the mark to the object that was written last.
    static func markArchived(_ writer: inout JSONWriter) {
        let isEmpty = writer.bytes.suffix(2) == [UInt8(ascii: "{"), UInt8(ascii: "}")]
        writer.bytes.removeLast()
        writer.bytes.append(contentsOf: (isEmpty ? "\"archived\":true}" : ",\"archived\":true}").utf8)
    }

    /// How deep a document may be: a record's depth is bounded when it comes in, the document adds nothing.
    static let depth = 128
}
