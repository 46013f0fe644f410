// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsStore

/// A record as it was before some rows of the log, as the difference from the record as it is served.
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

    /// A member of the document that may differ. Its parts are ranges of the difference's ``RecordUndo/bytes``.
    struct Member: Sendable {
        let name: Range<Int>
        /// The field that the member belongs to; nil if fields are not needed, or if no field has it.
        let field: ServedMembers.Owner?
        /// The value in JSON as it was; nil: it was absent.
        fileprivate(set) var before: Range<Int>?
        /// The value in JSON after the newest row that names it; nil: it was absent.
        let after: Range<Int>?
    }

    private(set) var base: Base
    /// The members that differ from the members of the base, each name once.
    private(set) var members: [Member] = []
    /// The bytes of the names and values of the members.
    private(set) var bytes: [UInt8] = []
    private(set) var isArchived: Bool

    /// The record as it is now.
    init(isServed: Bool, isArchived: Bool) {
        base = isServed ? .served : .nothing
        self.isArchived = isArchived
    }

    /// Whether there was a record.
    var isPresent: Bool { if case .nothing = base { false } else { true } }

    /// Whether the differences are from the document as it is served now.
    var isFromServed: Bool { if case .served = base { true } else { false } }

    /// Whether a member is the one for the record's unsettled operations.
    func isPending(_ member: Member) -> Bool {
        member.field == nil && PendingMember.isNamed(bytes.rawSpan.extracting(member.name))
    }

    /// Goes back before one row of the log. Rows are undone from the newest on.
    ///
    /// - Parameters:
    ///   - tape: memory that is reused.
    ///   - names: the members whose fields are looked up; nil if no fields are needed.
    mutating func undo(_ change: LoggedChange, _ tape: inout JSONTape, _ names: ServedMembers? = nil) {
        switch change.operation {
        case .added: replaceBase(by: .nothing)
        // Nothing is kept of a record that was erased.
        case .removed: replaceBase(by: change.values.isEmpty ? .nothing : .kept(change.values))
        case .updated, .definition: undo(values: change.values, &tape, names)
        case .archived: isArchived = false
        case .unarchived: isArchived = true
        }
    }

    private mutating func replaceBase(by base: Base) {
        self.base = base
        members = []
        bytes = []
    }

    private mutating func undo(values: [UInt8], _ tape: inout JSONTape, _ names: ServedMembers?) {
        // This daemon wrote the log. A damaged row has no difference.
        guard (try? tape.parse(values.rawSpan, depth: RecordWriter.maxDepth)) != nil, tape[0].kind == .object else {
            return
        }
        let offset = bytes.count
        let known = members.count
        // The bytes of the first row are shared with it.
        if offset == 0 { bytes = values } else { bytes += values }
        let all = bytes
        func value(_ node: Int) -> Range<Int>? {
            tape[node].kind == .null ? nil : offset + tape[node].start..<offset + tape[node].end
        }
        var key = 1
        let end = tape[0].next
        while key < end {
            let name = offset + tape[key].start + 1..<offset + tape[key].end - 1
            let pair = key + 1
            key = tape[pair].next
            guard let before = tape.element(0, of: pair), let after = tape.element(1, of: pair) else { continue }
            let text = all.rawSpan.extracting(name)
            if let index = members[..<known].firstIndex(where: { all.rawSpan.extracting($0.name).equals(text) }) {
                members[index].before = value(before)
            } else {
                members.append(
                    Member(name: name, field: names?.owner(text), before: value(before), after: value(after)))
            }
        }
    }

    /// The document as it was; nil if there was no record, or if it is the served one.
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
                if !members.contains(where: { name.equals(bytes.rawSpan.extracting($0.name)) }) {
                    writer.key(utf8: name)
                    writer.raw(document.extracting(value.range))
                }
                key = value.next
            }
        }
        for member in members {
            guard let value = member.before else { continue }
            writer.key(utf8: bytes.rawSpan.extracting(member.name))
            writer.raw(bytes.rawSpan.extracting(value))
        }
        writer.endObject()
        return writer.bytes
    }
}

/// The members that served records have by a definition, and the fields that they belong to.
struct ServedMembers: Sendable {
    /// The field of a member.
    struct Owner: Sendable {
        /// The index of the field.
        let index: Int
        /// Whether the member is `FIELD.raw`.
        let isRaw: Bool
    }

    private let names: [(name: [UInt8], owner: Owner)]

    init(_ definition: Definition) {
        var names: [(name: [UInt8], owner: Owner)] = []
        for (index, field) in definition.fields.enumerated() {
            names.append((Array(field.name.utf8), Owner(index: index, isRaw: false)))
            if field.type == .enum { names.append((Array("\(field.name).raw".utf8), Owner(index: index, isRaw: true))) }
        }
        self.names = names
    }

    /// The field that a member belongs to; nil if the definition has none.
    func owner(_ name: RawSpan) -> Owner? {
        // Read through a span, the names are not retained one by one.
        let names = names.span
        for index in names.indices where name.equals(names[index].name.rawSpan) { return names[index].owner }
        return nil
    }
}
