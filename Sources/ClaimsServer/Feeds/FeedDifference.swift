// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsSnapshot

/// The fields of a record that differ between a position and now, of those that a feed tells.
struct FeedDifference {
    /// The names of the fields, in the order of the definition; `archived` last.
    private(set) var changed: [String] = []
    /// The members that these fields had before.
    private(set) var was: [RecordUndo.Member] = []

    var isEmpty: Bool { changed.isEmpty }

    /// Compares a record that was and is served.
    ///
    /// - Parameters:
    ///   - served: the document as it is served now.
    ///   - tapes: memory that is reused.
    init(_ change: FeedChange, of feed: Feed, served: RawSpan, _ tapes: inout Tapes) {
        let members = change.before.base == .served ? change.before.members : nil
        let names = members?.map { Self.fieldName($0.name) }
        if names?.isEmpty != true, Self.read(served, &tapes.now) {
            let before = members == nil ? change.before.document(served: served, &tapes.before) ?? [] : []
            let isRead = members == nil && Self.read(before.rawSpan, &tapes.before)
            for index in feed.fields ?? Array(feed.definition.fields.indices) {
                let field = feed.definition.fields[index]
                let name = Array(field.name.utf8)
                if field.isVolatile { continue }
                if let names, !names.contains(name[...]) { continue }
                var differs = false
                var values: [RecordUndo.Member] = []
                for member in field.type == .enum ? [name, name + Self.rawSuffix] : [name] {
                    let now = Self.value(member, served, tapes.now)
                    var value = now
                    if let known = members?.first(where: { $0.name == member }) {
                        value = known.value
                    } else if isRead {
                        value = Self.value(member, before.rawSpan, tapes.before)
                    }
                    if !Self.isEqual(value, now, field.type) { differs = true }
                    values.append(RecordUndo.Member(name: member, value: value))
                }
                guard differs else { continue }
                changed.append(field.name)
                was += values
            }
        }
        if feed.archived == .include, change.before.isArchived != change.isArchived {
            changed.append("archived")
            if change.before.isArchived { was.append(Self.archivedMember) }
        }
    }

    /// The member by which answers tell that a record is archived.
    static let archivedMember = RecordUndo.Member(name: Array("archived".utf8), value: Array("true".utf8))

    /// Two tapes that comparisons reuse.
    struct Tapes {
        var before = JSONTape()
        var now = JSONTape()
    }

    private static let rawSuffix = Array(".raw".utf8)

    /// The name of the field that a member belongs to.
    private static func fieldName(_ member: [UInt8]) -> ArraySlice<UInt8> {
        member.suffix(rawSuffix.count).elementsEqual(rawSuffix) ? member.dropLast(rawSuffix.count) : member[...]
    }

    /// Whether two values of a field are equal as JSON. Only JSON as it came can be written in several ways.
    private static func isEqual(_ first: [UInt8]?, _ second: [UInt8]?, _ type: FieldType) -> Bool {
        if first == second { return true }
        guard type == .json, let first, let second else { return false }
        var tapes = Tapes()
        guard read(first.rawSpan, &tapes.before), read(second.rawSpan, &tapes.now) else { return false }
        return JSONEquality.areEqual(
            JSONTapeSource(tapes.before, first.rawSpan), JSONTapeSource(tapes.now, second.rawSpan))
    }

    private static func read(_ document: RawSpan, _ tape: inout JSONTape) -> Bool {
        (try? tape.parse(document, depth: RecordWriter.maxDepth)) != nil
    }

    private static func value(_ name: [UInt8], _ bytes: RawSpan, _ tape: borrowing JSONTape) -> [UInt8]? {
        tape.member(name, of: 0, in: bytes).map { bytes.extracting(tape[$0].range).array }
    }
}
