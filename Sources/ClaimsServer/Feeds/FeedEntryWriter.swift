// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsSnapshot
import ClaimsStore

/// Writes the entries of one feed: the changes of records, as `changes` and `subscribe` report them.
struct FeedEntryWriter {
    /// Why a record is not in the set any more.
    enum Reason {
        /// The record has another id now.
        case renamed(to: [UInt8])
        case quarantined, gone, archived, unarchived, noLongerMatches

        /// The name in the protocol.
        var name: String {
            switch self {
            case .renamed: "renamed"
            case .quarantined: "quarantined"
            case .gone: "gone"
            case .archived: "archived"
            case .unarchived: "unarchived"
            case .noLongerMatches: "no_longer_matches"
            }
        }
    }

    /// The last change of a record, as its entry has it.
    struct Stamp {
        let seq: UInt64
        /// In milliseconds since 1970.
        let at: Int64
        var cause: String
    }

    private let feed: Feed
    private let view: CollectionView
    private var records: RecordWriter
    /// The records of the entries, if the collection is journaled.
    private(set) var shown = ShownIDs()
    /// The beginnings of entries up to the value of `id`.
    private let heads: Heads
    private var tape = JSONTape()
    private var difference: FeedDifference
    /// The time and the cause that were written last, as finished members.
    private var origin: (at: Int64, cause: String, members: [UInt8])?

    init(_ feed: Feed, _ view: CollectionView) {
        self.feed = feed
        self.view = view
        difference = FeedDifference(feed)
        let idField = feed.definition.idField
        let fields = feed.fields.map { $0.contains(idField) ? $0 : $0 + [idField] }
        records = RecordWriter(view, fields: fields, namesCollection: false, seenAs: feed.definition)
        heads = feed.namesCollection ? Heads(collection: view.definition.name) : .plain
    }

    /// The beginnings of entries, of which a feed has three kinds.
    private struct Heads {
        let added: [UInt8]
        let updated: [UInt8]
        let removed: [UInt8]

        /// The heads without the name of a collection.
        static let plain = Heads(collection: nil)

        /// - Parameter collection: nil if entries do not name it.
        init(collection: String?) {
            func head(_ op: String) -> [UInt8] {
                var writer = JSONWriter()
                writer.beginObject()
                writer.member(FeedEntry.op, op)
                if let collection { writer.member(FeedEntry.collection, collection) }
                writer.key(FeedEntry.id)
                return writer.bytes
            }
            added = head("added")
            updated = head("updated")
            removed = head("removed")
        }
    }

    /// Writes a record of a fresh set.
    mutating func writeMember(_ row: Int, to writer: inout JSONWriter) {
        guard let (snapshot, own) = view.rows.layer(of: row) else { return }
        begin(heads.added, snapshot.id(own), nil, to: &writer)
        writer.key(FeedEntry.record)
        records.write(row, to: &writer)
        writer.endObject()
    }

    /// Writes a record that has come into the set.
    mutating func writeAdded(
        _ change: FeedChange, _ served: ListedRecord, _ stamp: Stamp, to writer: inout JSONWriter
    ) {
        begin(heads.added, change.id.rawSpan, stamp, to: &writer)
        writer.key(FeedEntry.record)
        records.write(served.row, to: &writer)
        writer.endObject()
    }

    /// Writes a record that was and is in the set.
    ///
    /// - Parameter isForced: whether it is written although no field differs.
    /// - Returns: whether it was written.
    mutating func writeUpdated(
        _ change: FeedChange, _ served: ListedRecord, _ stamp: Stamp, isForced: Bool, to writer: inout JSONWriter
    ) -> Bool {
        served.withDocument(of: view.snapshot) { document in
            difference.compare(change, served: document)
            if difference.isEmpty, !isForced { return false }
            begin(heads.updated, change.id.rawSpan, stamp, to: &writer)
            writer.key(FeedEntry.changed)
            difference.writeNames(to: &writer)
            writer.key(FeedEntry.was)
            difference.writeValues(change, served: document, to: &writer)
            writer.key(FeedEntry.record)
            records.write(served.row, to: &writer)
            writer.endObject()
            return true
        } ?? false
    }

    /// Writes a record that is not in the set any more.
    ///
    /// - Parameters:
    ///   - reason: the first that holds now.
    ///   - wasMember: whether it was in the set; otherwise the entry has nothing of it.
    mutating func writeRemoved(
        _ change: FeedChange, _ reason: Reason, _ stamp: Stamp, wasMember: Bool, to writer: inout JSONWriter
    ) {
        begin(heads.removed, change.id.rawSpan, stamp, to: &writer)
        if change.cause != .forget {
            writer.key(FeedEntry.was)
            if wasMember { writeBefore(change, to: &writer) } else { writer.raw(Array("{}".utf8)) }
        }
        writer.member(FeedEntry.reason, reason.name)
        if case .renamed(let id) = reason {
            writer.key(FeedEntry.to)
            writer.string(utf8: id.rawSpan)
        }
        writer.endObject()
    }

    /// The first reason that holds now for a record that is served and not in the set.
    func reason(_ change: FeedChange) -> Reason {
        switch feed.archived {
        case .exclude where change.isArchived: return .archived
        case .only where !change.isArchived: return .unarchived
        case .exclude, .only, .include: return .noLongerMatches
        }
    }

    private mutating func begin(_ head: [UInt8], _ id: RawSpan, _ stamp: Stamp?, to writer: inout JSONWriter) {
        if view.definition.isJournaled { shown.append(id) }
        writer.fragment(head)
        writer.string(utf8: id)
        guard let stamp else { return }
        writer.key(FeedEntry.seq)
        writer.integer(stamp.seq)
        writer.raw(origin(of: stamp))
    }

    /// The time and the cause as finished members. The changes of one commit have the same ones.
    private mutating func origin(of stamp: Stamp) -> [UInt8] {
        if let origin, origin.at == stamp.at, origin.cause == stamp.cause { return origin.members }
        var writer = JSONWriter()
        writer.key(FeedEntry.at)
        writer.instant(stamp.at)
        writer.member(FeedEntry.cause, stamp.cause)
        origin = (stamp.at, stamp.cause, writer.bytes)
        return writer.bytes
    }

    /// Writes the fields of the feed, as the record had them before.
    private mutating func writeBefore(_ change: FeedChange, to writer: inout JSONWriter) {
        let isMarked = change.before.isArchived && feed.archived != .exclude
        if let document = change.documentBefore(view.snapshot, &tape) {
            return write(document.rawSpan, isWhole: false, isMarked: isMarked, to: &writer)
        }
        let isWhole = change.served?.ownRow != nil || !isMarked
        let isWritten: Void? = change.served?.withDocument(of: view.snapshot) { document in
            write(document, isWhole: isWhole, isMarked: isMarked, to: &writer)
        }
        if isWritten == nil { writer.raw(Array("{}".utf8)) }
    }

    /// Writes the fields of a document in the order of the definition, as records have them. Volatile ones are left
    /// out, because the log does not have them.
    ///
    /// - Parameters:
    ///   - isWhole: whether the document has that order already, and a mark is its last member.
    ///   - isMarked: whether the record is marked as archived.
    private mutating func write(_ document: RawSpan, isWhole: Bool, isMarked: Bool, to writer: inout JSONWriter) {
        let volatile = feed.definition.fields.contains { $0.isVolatile }
        if isWhole, feed.fields == nil, !volatile {
            writer.raw(document)
            if isMarked { RecordWriter.markArchived(&writer) }
            return
        }
        let fields = feed.fields ?? Array(feed.definition.fields.indices)
        let lasting = fields.filter { !feed.definition.fields[$0].isVolatile }
        writer.beginObject()
        let isRecord = (try? tape.parse(document, depth: RecordWriter.maxDepth)) != nil
        if isRecord { ShownMembers(lasting, of: feed.definition).writeOrdered(document, tape, to: &writer) }
        if isMarked { writer.member("archived", true) }
        if isRecord, let node = tape.member(PendingMember.nameBytes, of: 0, in: document) {
            writer.key(PendingState.fieldName)
            let json = document.extracting(tape[node].range).array
            writer.raw(ShownMembers.pending(json, feed.definition))
        }
        writer.endObject()
    }
}
