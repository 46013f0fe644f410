// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsStore

/// A record as it was before some rows of the log, told as the difference from the record as it is served.
struct RecordUndo: Sendable {
    /// The document that the differences apply to.
    enum Base: Sendable, Equatable {
        /// There was no record.
        case nothing
        /// The document as it is served now.
        case served
        /// A document that the log has kept.
        case kept([UInt8])
    }

    /// A member of the document as it was.
    struct Member: Sendable, Equatable {
        let name: [UInt8]
        /// The value in JSON; nil: it was absent.
        var value: [UInt8]?
    }

    private(set) var base: Base
    /// The members that differ from those of the base, each name once.
    private(set) var members: [Member] = []
    private(set) var isArchived: Bool

    /// The record as it is now.
    init(isServed: Bool, isArchived: Bool) {
        base = isServed ? .served : .nothing
        self.isArchived = isArchived
    }

    /// Whether there was a record.
    var isPresent: Bool { base != .nothing }

    /// Goes back before one row of the log. Rows are undone from the newest on.
    ///
    /// - Parameter tape: memory that is reused.
    mutating func undo(_ change: LoggedChange, _ tape: inout JSONTape) {
        switch change.operation {
        case .added:
            base = .nothing
            members = []
        case .removed:
            // Nothing is kept of a record that was erased.
            base = change.values.isEmpty ? .nothing : .kept(change.values)
            members = []
        case .updated, .definition: undo(values: change.values, &tape)
        case .archived: isArchived = false
        case .unarchived: isArchived = true
        }
    }

    private mutating func undo(values: [UInt8], _ tape: inout JSONTape) {
        let bytes = values.rawSpan
        // The log holds what this daemon wrote. A damaged row tells no difference.
        guard (try? tape.parse(bytes, depth: RecordWriter.maxDepth)) != nil, tape[0].kind == .object else { return }
        var key = 1
        let end = tape[0].next
        while key < end {
            let name = bytes.extracting(tape[key].start + 1..<tape[key].end - 1).array
            let pair = key + 1
            key = tape[pair].next
            guard let before = tape.element(0, of: pair) else { continue }
            let value = tape[before].kind == .null ? nil : bytes.extracting(tape[before].range).array
            if let index = members.firstIndex(where: { $0.name == name }) {
                members[index].value = value
            } else {
                members.append(Member(name: name, value: value))
            }
        }
    }

    /// The document as it was; nil where there was no record, or where it is the served one.
    ///
    /// - Parameter served: the document as it is served now.
    func document(served: RawSpan, _ tape: inout JSONTape) -> [UInt8]? {
        switch base {
        case .nothing: return nil
        case .served: return members.isEmpty ? nil : patched(served, &tape)
        case .kept(let document): return members.isEmpty ? document : patched(document.rawSpan, &tape)
        }
    }

    private func patched(_ document: RawSpan, _ tape: inout JSONTape) -> [UInt8] {
        var writer = JSONWriter()
        writer.reserve(document.byteCount)
        writer.beginObject()
        if (try? tape.parse(document, depth: RecordWriter.maxDepth)) != nil, tape[0].kind == .object {
            var key = 1
            let end = tape[0].next
            while key < end {
                let name = document.extracting(tape[key].start + 1..<tape[key].end - 1)
                let value = tape[key + 1]
                if !members.contains(where: { name.equals($0.name.rawSpan) }) {
                    writer.key(utf8: name)
                    writer.raw(document.extracting(value.range))
                }
                key = value.next
            }
        }
        for member in members {
            guard let value = member.value else { continue }
            writer.key(utf8: member.name.rawSpan)
            writer.raw(value)
        }
        writer.endObject()
        return writer.bytes
    }
}
