// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsClient
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol

/// The first line of a batch: its subject.
enum BatchHeader {
    static let trigger = Member<String>("trigger", "The name of the trigger.")
    static let test = Member<Bool>.optional("test", "True where nothing is told: it comes from `trigger test`.")
    static let batch = Member<String>("batch", "The id of the batch, a UUID; the same each time it is told.")
    static let at = Member<InstantText>("at", "When it was made.")
    static let collection = Member<String>("collection")
    static let title = Member<String>("title", "The title of the collection.")
    static let view = Member<String>.optional("view")
    static let viewTitle = Member<String>.optional("view_title")
    static let filter = Member<String>.optional("filter")
    static let freshInstance = Member<String>.optional(
        "fresh_instance", "Where the set was compared as a whole: why (as in changes).")
    static let clock = Member<String?>("clock", "What is told once the batch is; null where no set was compared.")
    static let condition = Member<String>("condition", "The condition of the collection.")
    static let added = Member<Int>("added", "The number of entries added.")
    static let updated = Member<Int>("updated", "The number of entries updated.")
    static let removed = Member<Int>("removed", "The number of entries removed.")
    static let meta = Member<Meta>.meta
}

/// The lines of a batch, each with its newline.
enum BatchText {
    /// The members of the first line.
    struct Heading {
        let definition: TriggerDefinition
        let collection: String
        var isTest = false
        let batch: String
        /// In milliseconds since 1970.
        let at: Int64
        let title: String
        let viewTitle: String?
        let freshReason: String?
        let clock: String?
        let condition: String
        /// The numbers of entries: added, updated, removed.
        let counts: (added: Int, updated: Int, removed: Int)
        let meta: AnswerValue?
    }

    /// The first line.
    static func header(_ heading: Heading) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member(BatchHeader.trigger, heading.definition.name)
        if heading.isTest { writer.member(BatchHeader.test, true) }
        writer.member(BatchHeader.batch, heading.batch)
        writer.member(BatchHeader.at.name, Instant(ms: heading.at).text)
        writer.member(BatchHeader.collection, heading.collection)
        writer.member(BatchHeader.title, heading.title)
        if let view = heading.definition.view { writer.member(BatchHeader.view, view) }
        if let title = heading.viewTitle { writer.member(BatchHeader.viewTitle, title) }
        if let filter = heading.definition.filter { writer.member(BatchHeader.filter, filter) }
        if let reason = heading.freshReason { writer.member(BatchHeader.freshInstance, reason) }
        writer.member(BatchHeader.clock, heading.clock)
        writer.member(BatchHeader.condition, heading.condition)
        writer.member(BatchHeader.added, heading.counts.added)
        writer.member(BatchHeader.updated, heading.counts.updated)
        writer.member(BatchHeader.removed, heading.counts.removed)
        writer.key(BatchHeader.meta)
        if let meta = heading.meta { writer.raw(Array(meta.source.utf8)) } else { writer.null() }
        writer.endObject()
        writer.newline()
        return writer.bytes
    }

    /// The line about another condition.
    static func state(from old: String, to new: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member(FeedEntry.op, "state")
        writer.member("from", old)
        writer.member("to", new)
        writer.endObject()
        writer.newline()
        return writer.bytes
    }

    /// An entry that comparing has found, without a newline.
    static func entry(_ op: String, id: String, changed: [String] = [], record: AnswerValue? = nil) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member(FeedEntry.op, op)
        writer.member(FeedEntry.id, id)
        if !changed.isEmpty { write(changed, to: &writer) }
        write(record, to: &writer)
        writer.endObject()
        return writer.bytes
    }

    /// The entry of a record that has another id now: one `updated`, without a newline.
    ///
    /// - Parameters:
    ///   - added: the entry of the new id.
    ///   - removed: the entry of the old one; nil if it is not kept.
    ///   - changed: the names of the other fields that differ.
    static func renamed(from old: String, added: AnswerValue, removed: AnswerValue?, changed: [String]) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member(FeedEntry.op, "updated")
        writer.member(FeedEntry.id, added[FeedEntry.id] ?? "")
        for member in added.members where ["seq", "at", "cause"].contains(member.name) {
            writer.key(member.name)
            writer.raw(Array(member.value.source.utf8))
        }
        write(["id"] + changed, to: &writer)
        writer.key(FeedEntry.was)
        writer.beginObject()
        writer.member("id", old)
        for member in removed?[FeedEntry.was]?.members ?? [] where changed.contains(member.name) {
            writer.key(member.name)
            writer.raw(Array(member.value.source.utf8))
        }
        writer.endObject()
        write(added[FeedEntry.record], to: &writer)
        writer.endObject()
        return writer.bytes
    }

    private static func write(_ changed: [String], to writer: inout JSONWriter) {
        writer.key(FeedEntry.changed)
        writer.beginArray()
        for name in changed { writer.string(name) }
        writer.endArray()
    }

    private static func write(_ record: AnswerValue?, to writer: inout JSONWriter) {
        guard let record else { return }
        writer.key(FeedEntry.record)
        writer.raw(Array(record.source.utf8))
    }
}
