// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsSnapshot

/// The fields of a feed in which a record differs between a position and now. Made to be reused.
struct FeedDifference {
    private let feed: Feed
    /// The indexes of the fields, ascending.
    private var fields: [Int] = []
    private var isPendingDifferent = false
    private var isMarkDifferent = false
    /// The document as it was, if the differences are not from the served one; its tape is `tapes.before`.
    private var before: [UInt8] = []
    private var tapes = Tapes()

    init(_ feed: Feed) {
        self.feed = feed
    }

    var isEmpty: Bool { fields.isEmpty && !isPendingDifferent && !isMarkDifferent }

    /// Compares a record that was and is served.
    ///
    /// - Parameter served: the document as it is served now.
    mutating func compare(_ change: FeedChange, served: RawSpan) {
        fields.removeAll(keepingCapacity: true)
        isPendingDifferent = false
        isMarkDifferent = feed.archived == .include && change.before.isArchived != change.isArchived
        if change.before.isFromServed {
            compareMembers(of: change.before)
        } else {
            compareDocuments(change, served: served)
        }
    }

    /// Writes the names of the fields, in the order of the definition; `archived` and `pending` last.
    func writeNames(to writer: inout JSONWriter) {
        writer.beginArray()
        for field in fields { writer.string(feed.definition.fields[field].name) }
        if isMarkDifferent { writer.string(Self.archived) }
        if isPendingDifferent { writer.string(PendingState.fieldName) }
        writer.endArray()
    }

    /// Writes the members that these fields had before.
    ///
    /// - Parameter served: the document as it is served now.
    mutating func writeValues(_ change: FeedChange, served: RawSpan, to writer: inout JSONWriter) {
        writer.beginObject()
        for field in fields {
            if change.before.isFromServed {
                writeMembers(of: field, change.before, served: served, to: &writer)
            } else {
                writeDocument(field, to: &writer)
            }
        }
        if isMarkDifferent, change.before.isArchived {
            writer.key(Self.archived)
            writer.bool(true)
        }
        if isPendingDifferent { writePending(change.before, to: &writer) }
        writer.endObject()
    }

    /// The name of the member that marks a record as archived.
    private static let archived = "archived"

    /// Two tapes that comparisons reuse.
    private struct Tapes {
        var before = JSONTape()
        var now = JSONTape()
    }

    // MARK: - Differences from the served document

    /// The log has both ends, so that the served document is not read.
    private mutating func compareMembers(of undo: RecordUndo) {
        let bytes = undo.bytes.rawSpan
        for member in undo.members {
            guard let field = member.field?.index else {
                if undo.isPending(member) {
                    isPendingDifferent = !arePendingEqual(member.before, of: bytes, member.after, of: bytes)
                }
                continue
            }
            if fields.contains(field) || !isReported(field) { continue }
            if !areEqual(member.before, of: bytes, member.after, of: bytes, field) { fields.append(field) }
        }
        fields.sort()
    }

    /// Writes the members that differ. A record has a raw value only beside the fallback code. So if the code differs
    /// and the raw value does not, there is none; if only the raw value differs, the code is the one that is served.
    private mutating func writeMembers(
        of field: Int, _ undo: RecordUndo, served: RawSpan, to writer: inout JSONWriter
    ) {
        let bytes = undo.bytes.rawSpan
        var raw: RecordUndo.Member?
        var plain: RecordUndo.Member?
        for member in undo.members {
            guard let owner = member.field, owner.index == field else { continue }
            if owner.isRaw { raw = member } else { plain = member }
        }
        if plain == nil, Self.read(served, &tapes.now) {
            let name = Array(feed.definition.fields[field].name.utf8)
            write(name, mask: mask(of: field), of: served, tapes.now, to: &writer)
        }
        for member in [plain, raw] {
            guard let member, let value = member.before else { continue }
            writer.key(utf8: bytes.extracting(member.name))
            ShownMembers.write(bytes.extracting(value), mask(of: field), to: &writer)
        }
    }

    private func writePending(_ undo: RecordUndo, to writer: inout JSONWriter) {
        let json: [UInt8]?
        if undo.isFromServed {
            let value = undo.members.first { undo.isPending($0) }?.before
            json = value.map { undo.bytes.rawSpan.extracting($0).array }
        } else {
            let value = Self.range(of: PendingMember.nameBytes, before.rawSpan, tapes.before)
            json = value.map { before.rawSpan.extracting($0).array }
        }
        guard let json else { return }
        writer.key(PendingState.fieldName)
        writer.raw(ShownMembers.pending(json, feed.definition))
    }

    // MARK: - Two documents

    private mutating func compareDocuments(_ change: FeedChange, served: RawSpan) {
        let old = change.before.document(served: served, &tapes.before) ?? []
        before = old
        guard Self.read(served, &tapes.now), Self.read(old.rawSpan, &tapes.before) else { return }
        for field in feed.definition.fields.indices where isReported(field) {
            for name in names(of: field) {
                let first = Self.range(of: name, old.rawSpan, tapes.before)
                let second = Self.range(of: name, served, tapes.now)
                if areEqual(first, of: old.rawSpan, second, of: served, field) { continue }
                fields.append(field)
                break
            }
        }
        let first = Self.range(of: PendingMember.nameBytes, old.rawSpan, tapes.before)
        let second = Self.range(of: PendingMember.nameBytes, served, tapes.now)
        isPendingDifferent = !arePendingEqual(first, of: old.rawSpan, second, of: served)
    }

    private func writeDocument(_ field: Int, to writer: inout JSONWriter) {
        for name in names(of: field) {
            write(name, mask: mask(of: field), of: before.rawSpan, tapes.before, to: &writer)
        }
    }

    // MARK: -

    private func isReported(_ field: Int) -> Bool {
        !feed.definition.fields[field].isVolatile && feed.fields?.contains(field) ?? true
    }

    /// The names of the members that a field may have.
    private func names(of field: Int) -> [[UInt8]] {
        let field = feed.definition.fields[field]
        let name = Array(field.name.utf8)
        return field.type == .enum ? [name, name + Array(".raw".utf8)] : [name]
    }

    private func write(
        _ name: [UInt8], mask: FieldMask?, of document: RawSpan, _ tape: borrowing JSONTape,
        to writer: inout JSONWriter
    ) {
        guard let range = Self.range(of: name, document, tape) else { return }
        writer.key(utf8: name.rawSpan)
        ShownMembers.write(document.extracting(range), mask, to: &writer)
    }

    /// The form in which a rule shows the field; nil: whole.
    private func mask(of field: Int) -> FieldMask? {
        if case .masked(let mask) = feed.definition.sight(of: field) { mask } else { nil }
    }

    /// Whether two values of a field look equal to the reader.
    private func areEqual(
        _ first: Range<Int>?, of firstBytes: RawSpan, _ second: Range<Int>?, of secondBytes: RawSpan, _ field: Int
    ) -> Bool {
        guard let mask = mask(of: field) else {
            return Self.isEqual(first, of: firstBytes, second, of: secondBytes, feed.definition.fields[field].type)
        }
        guard let first, let second else { return first == nil && second == nil }
        return ShownMembers.shown(firstBytes.extracting(first), by: mask)
            == ShownMembers.shown(secondBytes.extracting(second), by: mask)
    }

    /// Whether two values of `pending` look equal to the reader.
    private func arePendingEqual(
        _ first: Range<Int>?, of firstBytes: RawSpan, _ second: Range<Int>?, of secondBytes: RawSpan
    ) -> Bool {
        guard feed.definition.hasSights, let first, let second else {
            return Self.isEqual(first, of: firstBytes, second, of: secondBytes, .json)
        }
        return ShownMembers.pending(firstBytes.extracting(first).array, feed.definition)
            == ShownMembers.pending(secondBytes.extracting(second).array, feed.definition)
    }

    /// The range of a member's value; nil if the document does not have the member.
    private static func range(of name: [UInt8], _ document: RawSpan, _ tape: borrowing JSONTape) -> Range<Int>? {
        guard let node = tape.member(name, of: 0, in: document) else { return nil }
        return tape[node].range
    }

    /// Whether two values of a field are equal as JSON. Only JSON as it came can be written in several ways.
    private static func isEqual(
        _ first: Range<Int>?, of firstBytes: RawSpan, _ second: Range<Int>?, of secondBytes: RawSpan, _ type: FieldType
    ) -> Bool {
        guard let first, let second else { return first == nil && second == nil }
        let old = firstBytes.extracting(first)
        let new = secondBytes.extracting(second)
        if old.equals(new) { return true }
        guard type == .json else { return false }
        var tapes = Tapes()
        guard read(old, &tapes.before), read(new, &tapes.now) else { return false }
        return JSONEquality.areEqual(JSONTapeSource(tapes.before, old), JSONTapeSource(tapes.now, new))
    }

    private static func read(_ document: RawSpan, _ tape: inout JSONTape) -> Bool {
        (try? tape.parse(document, depth: RecordWriter.maxDepth)) != nil
    }
}
