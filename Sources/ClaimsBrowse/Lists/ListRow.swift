// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsClient
import ClaimsJSON
import ClaimsProtocol
import ClaimsTerminal

/// A record of a list.
struct ListRow: Sendable {
    /// The difference between the record as it is shown and as it was asked for.
    enum Mark: Equatable, Sendable {
        /// It has changed while it was on the screen, and is shown as it is now.
        case updated
        /// It is not in the set any more; the reason as the feed gives it, such as `gone`, and empty if none is
        /// known.
        case removed(reason: String)
    }

    let id: String
    /// The listed fields; `archived` and `pending` as the daemon sends them.
    var record: AnswerValue
    /// The key of the group that it stands under; nil without groups.
    var group: String?
    var mark: Mark?

    /// Whether the record is still in the set.
    var isPresent: Bool {
        if case .removed = mark { false } else { true }
    }
}

/// A group of a list with its total.
struct ListGroup: Equatable, Sendable {
    /// The key; empty for the records of no group.
    let key: String
    let label: String
    let total: Int64
}

/// The records of one answer, and the cursors around them.
struct ListPage: Sendable {
    var rows: [ListRow]
    let previous: String?
    let next: String?
    /// The rank of the first record; nil if the answer does not have it.
    let rank: Int?
    /// The outcome of an anchor by id: `exact`, `after` or `gone`.
    let anchored: String?
    let total: Int64
    let groups: [ListGroup]
    /// The sequence of the clock of the data.
    let sequence: Int64

    /// The number of records of one page of the protocol.
    static let maxRows = 100
    /// The maximum number of records that a list holds: nine pages.
    static let maxHeldRows = 9 * maxRows
    /// The maximum number of records that a daemon can report, so that sums of such numbers stay in range.
    static let maxCount: Int64 = 1 << 40

    private static func count(_ number: Int64) -> Int64 { max(0, min(number, maxCount)) }

    /// Reads an answer of `search`.
    init(_ answer: AnswerValue, of collection: CollectionDescription, isGrouped: Bool) {
        let records = KeptRecord.all(answer[SearchResult.records])
        let field = isGrouped ? collection.groupBy.flatMap { collection.field($0) } : nil
        rows = records.compactMap { record in
            guard let id = record["id"]?.text else { return nil }
            let group = field.map { field in
                record[utf8: field.key].flatMap { collection.code($0.text, of: field)?.group } ?? ""
            }
            return ListRow(id: id, record: record, group: group)
        }
        previous = answer[SearchResult.previous]
        next = answer[SearchResult.next]
        rank = answer[SearchResult.rank].map { Int(Self.count($0)) }
        anchored = answer[SearchResult.anchored]?.string
        total = answer[SearchResult.total].map(Self.count) ?? Int64(rows.count)
        groups =
            isGrouped
            ? answer[SearchResult.groups].map { group in
                let key = group[SearchResult.GroupTotal.key] ?? ""
                return ListGroup(
                    key: key, label: group[SearchResult.GroupTotal.label] ?? key,
                    total: Self.count(group[SearchResult.GroupTotal.total] ?? 0))
            } : []
        sequence = answer[SearchResult.meta]?[Meta.clock]?.string.flatMap(ClockSequence.of) ?? 0
    }
}

/// The part of the rows that came in one answer.
struct ListWindow: Sendable {
    /// The number of its rows that are held.
    var count: Int
    let previous: String?
    let next: String?
}

/// The records that are to replace the rows of a list.
struct ListJump: Equatable, Sendable {
    enum Target: Equatable, Sendable {
        /// The first records; the first one is selected.
        case start
        /// The last records; the last one is selected.
        case end
        /// The records around one, which is selected, on a line counted from the top of the list, from 0.
        case record(String, line: Int)
        /// The records from a rank on, the first of which is selected.
        case rank(Int)
    }

    var target: Target
    /// The ids that followed the record, in their order: if it is gone, the first that is found takes its place.
    var followers: [String] = []
    /// Whether it comes from a key in a line of input; such requests have a shortest interval.
    var isTyped = false
    /// Whether a further move takes its place: it only goes elsewhere in the same list.
    var isMove = false

    /// The maximum number of followers that are looked for.
    static let maxFollowers = 8
}

/// A record whose id is a text that was searched for.
struct ListNamesake: Sendable {
    let text: String
    /// The record with all its fields.
    let record: AnswerValue

    var id: String { record["id"]?.text ?? text }
}

/// The records of answers as a list keeps them: without the rest of the line, and with at most 4 KiB of a value.
enum KeptRecord {
    /// The maximum size of a value that is kept, in bytes of its text.
    static let maxValueBytes = 4096

    /// The records of a page. They share the line that they came in, unless one of them is large.
    static func all(_ records: [AnswerValue]) -> [AnswerValue] {
        records.contains { $0.range.count > maxValueBytes } ? records.map(copy) : records
    }

    /// A record in a line of its own, so that the line it came in can be freed.
    static func copy(_ record: AnswerValue) -> AnswerValue {
        guard record.range.count > maxValueBytes else {
            return parsed(Array(record.document.bytes[record.range]), record)
        }
        var writer = JSONWriter()
        writer.beginObject()
        for (name, value) in record.members {
            writer.key(name)
            if value.range.count <= maxValueBytes {
                writer.raw(Array(value.document.bytes[value.range]))
            } else {
                writer.string(beginning(of: value.text))
            }
        }
        writer.endObject()
        return parsed(writer.bytes, record)
    }

    /// Whether two records have the same text.
    static func isSame(_ left: AnswerValue, _ right: AnswerValue) -> Bool {
        left.document.bytes[left.range] == right.document.bytes[right.range]
    }

    private static func parsed(_ bytes: [UInt8], _ record: AnswerValue) -> AnswerValue {
        do throws(JSONError) {
            return try AnswerDocument(bytes).root
        } catch {
            // A part of a valid line is valid.
            return record
        }
    }

    /// The first bytes of a text, up to the end of a scalar.
    private static func beginning(of text: String) -> String {
        var count = 0
        let scalars = text.unicodeScalars.prefix { scalar in
            count += String(scalar).utf8.count
            return count <= maxValueBytes
        }
        return String(scalars)
    }
}
