// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsQuery
import ClaimsSnapshot
import ClaimsStore

/// `history`: the versions of one record. A worker reads the log, never a loop.
enum HistoryHandler {
    static func answer(
        _ parameters: HistoryParameters, from peer: Peer, _ context: RequestContext
    ) throws(RequestError) -> Disposition {
        let view = try context.served.view(named: parameters.collection)
        try context.served.requireShown(view, language: parameters.language)
        let id = parameters.id.text
        let query = QueryHash.list("history", view.definition.name, id)
        let before = try parameters.cursor.map { text throws(RequestError) in
            try context.queries.cursors.number(text, query: query)
        }
        let operation = HistoryOperation(
            view: view, id: view.currentIDs([id]).first ?? [],
            limit: parameters.limit.map { Int($0) } ?? PageParameters.defaultLimit, before: before,
            query: query, language: parameters.language, timeout: context.configuration.limits.request, peer: peer)
        return context.runOnWorker(operation, for: peer)
    }
}

/// `history`: reads the log of one record from its newest change on. It waits for the disk, so that only workers run it.
///
/// The log keeps differences. An old version is the served or removed record with all later changes undone, so a page
/// begins to read at the newest change, whatever its cursor.
struct HistoryOperation: QueryOperation {
    let view: CollectionView
    let id: [UInt8]
    let limit: Int
    /// The number of the last version of the page before; nil for the first page.
    let before: UInt64?
    /// The hash of the list, for cursors.
    let query: UInt64
    let language: String?
    let timeout: Duration
    let peer: Peer
    static let takesTimeout = false

    /// The changes that are read at once.
    private static let changesAtOnce = 256
    /// The number of bytes of the answer's bound that are kept for the members after the versions.
    private static let summaryBytes = 1 << 12

    func run(_ context: QueryContext, budget: QueryBudget, to writer: inout JSONWriter) throws(QueryFailure) {
        var count = 0
        var next: UInt64?
        let maxBytes = writer.bytes.count + max(BufferBudget.share, context.maxAnswerBytes - Self.summaryBytes)
        writer.beginObject()
        writer.key(HistoryResult.versions)
        writer.beginArray()
        func hasRoom(_ writer: borrowing JSONWriter) -> Bool {
            count < limit && (count == 0 || writer.bytes.count < maxBytes)
        }
        var interruption: QueryInterruption?
        func isWanted() -> Bool {
            do throws(QueryInterruption) { try budget.check() } catch { interruption = error }
            return interruption == nil
        }
        // A record that got another id has its versions under both.
        let earlierIDs = view.condition.aliases.filter { $0.value == id }.map(\.key)
        var parts = ([id] + earlierIDs).map { HistoryPart(view, $0) }
        do throws(StoreError) {
            let log = try context.changeLog()
            let number = view.condition.row.number
            var isFull = false
            while true {
                for index in parts.indices {
                    try parts[index].read { id, from throws(StoreError) in
                        try log.reader.history(
                            of: number, id: id, before: from, limit: Self.changesAtOnce, while: isWanted)
                    }
                }
                if interruption != nil { break }
                let newest = parts.indices.max { (parts[$0].next?.seq ?? 0) < (parts[$1].next?.seq ?? 0) }
                guard let newest, let change = parts[newest].next else { break }
                if !isFull, change.seq < before ?? .max, parts[newest].isVersion(change) {
                    if hasRoom(writer) {
                        parts[newest].write(change, userName: context.served.userName, to: &writer)
                        next = change.seq
                        count += 1
                    } else {
                        isFull = true
                    }
                }
                parts[newest].pass(change)
            }
            for index in parts.indices where interruption == nil {
                try parts[index].page.findBeginning { time throws(StoreError) in
                    try log.reader.wholeCommit(of: number, at: time)
                }
                guard let commit = parts[index].page.beginning, !isFull, parts[index].reportsBeginning() else {
                    continue
                }
                if hasRoom(writer) { parts[index].write(beginning: commit, to: &writer) } else { isFull = true }
            }
            if !isFull { next = nil }
        } catch {
            throw .refused(RequestError(reading: error, collection: view.definition.name))
        }
        if let interruption { throw .interrupted(interruption) }
        guard parts.contains(where: \.wasSeen) else {
            throw .refused(
                .recordNotFound(
                    id: String(decoding: id, as: UTF8.self), in: view, language: language, context.served))
        }
        writer.endArray()
        writer.member(HistoryResult.isComplete, view.limit == nil && parts.allSatisfy(\.page.isComplete))
        if let next { writer.member(HistoryResult.next, context.cursors.encode(number: next, query: query)) }
        writer.endObject()
        peer.record(Look(.history, at: id.rawSpan), of: view.definition)
    }
}

/// The changes of one id, from the newest on.
private struct HistoryPart {
    private let id: [UInt8]
    var page: HistoryPage
    /// The number below which changes are not read yet.
    private var from: UInt64
    /// The changes that are read and not passed, the oldest first.
    private var waiting: [LoggedChange] = []
    private var hasMore = true
    /// The way in which a rule shows the record; nil: whole.
    private var limited: LimitedHistory?
    /// The sides of the change that was looked at last, for a limited reader.
    private var sides = (before: LimitedHistory.Side.nothing, after: LimitedHistory.Side.nothing)
    /// Whether a limited reader was shown the record on some side.
    private var wasShown = false
    /// Whether the values of older versions are not known.
    private var isBlind = false

    init(_ view: CollectionView, _ id: [UInt8]) {
        self.id = id
        page = HistoryPage(view.whole, id)
        from = view.changedSeq + 1
        limited = view.limit.map { LimitedHistory($0) }
        if let now = limited?.side(page.document()) { wasShown = now.isShown }
    }

    /// Whether there is anything to report about the record.
    var wasSeen: Bool { limited == nil ? page.wasSeen : wasShown }

    /// Whether the newest change that is not passed is a version.
    mutating func isVersion(_ change: LoggedChange) -> Bool {
        guard limited != nil else { return page.isVersion(change) }
        if isBlind || !change.hasValues { return false }
        var earlier = page
        earlier.undo(change)
        sides.after = limited?.side(page.document()) ?? .nothing
        sides.before = limited?.side(earlier.document()) ?? .nothing
        wasShown = wasShown || sides.before.isShown || sides.after.isShown
        return limited?.isVersion(change, sides.before, sides.after) ?? false
    }

    /// Writes that version.
    mutating func write(_ change: LoggedChange, userName: (UInt32) -> String, to writer: inout JSONWriter) {
        guard let limited else { return page.write(change, userName: userName, to: &writer) }
        limited.write(change, sides.before, sides.after, userName: userName, to: &writer)
    }

    /// Whether the record that a whole commit brought is reported, once all changes are passed.
    mutating func reportsBeginning() -> Bool {
        guard limited != nil else { return true }
        sides.after = isBlind ? .nothing : limited?.side(page.document()) ?? .nothing
        wasShown = wasShown || sides.after.isShown
        return sides.after.isShown
    }

    /// Writes that a whole commit brought the record.
    mutating func write(beginning commit: LogCommit, to writer: inout JSONWriter) {
        guard let limited else { return page.write(beginning: commit, to: &writer) }
        limited.write(beginning: commit, sides.after, to: &writer)
    }

    /// The newest change that is not passed.
    var next: LoggedChange? { waiting.last }

    /// Reads the next changes, once those before are passed.
    ///
    /// - Parameter changes: returns the changes of an id below a number; nil if they are not needed any more.
    mutating func read(
        _ changes: (_ id: [UInt8], _ from: UInt64) throws(StoreError) -> LogHistory?
    ) throws(StoreError) {
        guard waiting.isEmpty, hasMore, let part = try changes(id, from) else { return }
        page.floor = part.floor
        waiting = part.changes.reversed()
        hasMore = part.hasMore
        from = part.changes.last?.seq ?? from
    }

    /// Goes back before a change, the newest one.
    mutating func pass(_ change: LoggedChange) {
        if !change.hasValues, change.cause != .forget { isBlind = true }
        page.undo(change)
        waiting.removeLast()
    }
}

/// One record on the way back through its changes, and the writer of its versions.
struct HistoryPage {
    private let snapshot: Snapshot?
    private let served: ListedRecord?
    private var record: RecordUndo
    private var tape = JSONTape()
    /// The members of records that the log does not keep: how they were is not known.
    private let volatileMembers: [[UInt8]]
    /// When the record that remains after undoing changes was first seen; nil if it is not known.
    private var firstSeen: Int64?
    /// Whether the oldest change of the record, archive marks aside, is that it was added.
    private var beginsWithAdded = false
    /// Whether the record is served, archived, or in the log.
    private(set) var wasSeen: Bool
    /// The whole commit that brought the record; set by `findBeginning`.
    private(set) var beginning: LogCommit?
    /// The number from which on the log has every change.
    var floor: UInt64 = 0

    init(_ view: CollectionView, _ id: [UInt8]) {
        snapshot = view.snapshot
        served = view.listedRecord(id)
        volatileMembers = view.definition.fields.filter(\.isVolatile).flatMap { field in
            [Array(field.name.utf8), Array("\(field.name).raw".utf8)]
        }
        let isArchived = view.archive.mark(id) != nil
        record = RecordUndo(isServed: served != nil, isArchived: isArchived)
        firstSeen = served?.firstSeen(in: view)
        wasSeen = served != nil || isArchived
    }

    /// Whether the oldest version that is known is the first one.
    var isComplete: Bool { beginning != nil || beginsWithAdded }

    /// Goes back before a change.
    mutating func undo(_ change: LoggedChange) {
        // Nothing is kept of the record before that.
        if change.cause == .forget { return }
        wasSeen = true
        guard change.hasValues else {
            // The log has nothing before.
            beginsWithAdded = change.operation == .added
            firstSeen = nil
            return
        }
        switch change.operation {
        case .added:
            beginsWithAdded = true
            firstSeen = nil
        case .removed:
            beginsWithAdded = false
            firstSeen = change.firstSeen
        case .updated, .definition: beginsWithAdded = false
        case .archived, .unarchived: break
        }
        record.undo(change, &tape)
    }

    /// Finds the commit that brought the record that existed before all changes of the log.
    ///
    /// - Parameter wholeCommit: returns the whole commit of a time, in milliseconds since 1970; nil: it is trimmed.
    mutating func findBeginning(
        _ wholeCommit: (_ time: Int64) throws(StoreError) -> LogCommit?
    ) throws(StoreError) {
        guard record.isPresent, let firstSeen, let commit = try wholeCommit(firstSeen), commit.end >= floor else {
            return
        }
        beginning = commit
    }

    /// Whether a change is a version: a change of unsettled operations alone is none.
    mutating func isVersion(_ change: LoggedChange) -> Bool {
        if change.cause == .forget { return false }
        let values = change.values.rawSpan
        guard change.operation == .updated, !change.differsUpstream,
            (try? tape.parse(values, depth: RecordWriter.maxDepth)) != nil, tape[0].kind == .object, tape[0].next > 1
        else { return true }
        var key = 1
        while key < tape[0].next {
            if !PendingMember.isNamed(values.extracting(tape[key].start + 1..<tape[key].end - 1)) { return true }
            key = tape[key + 1].next
        }
        return false
    }

    /// Writes a change, which has not been undone, while all later ones have.
    ///
    /// - Parameter userName: returns the name of a user.
    mutating func write(_ change: LoggedChange, userName: (UInt32) -> String, to writer: inout JSONWriter) {
        writer.beginObject()
        Self.writeCommit(
            seq: change.seq, at: change.at, generation: change.generation, cause: change.cause, to: &writer)
        writer.member(HistoryResult.Version.op, change.operation.rawValue)
        switch change.operation {
        case _ where !change.hasValues: writer.member(HistoryResult.Version.values, false)
        case .updated, .definition:
            writer.key(HistoryResult.Version.changes)
            writeMembers(of: change.values, to: &writer)
        case .added: writeRecord(to: &writer)
        case .removed:
            if !change.values.isEmpty {
                writer.key(HistoryResult.Version.record)
                writeMembers(of: change.values, to: &writer)
            }
        case .archived, .unarchived: break
        }
        if let user = change.foreignUser {
            writer.member(HistoryResult.Version.byName, user)
        } else if let uid = change.uid {
            writer.member(HistoryResult.Version.by, Int64(uid))
            writer.member(HistoryResult.Version.byName, userName(uid))
        }
        if change.differsUpstream { writer.member(HistoryResult.Version.upstream, true) }
        writer.endObject()
    }

    /// Writes that a whole commit brought the record.
    mutating func write(beginning commit: LogCommit, to writer: inout JSONWriter) {
        writer.beginObject()
        Self.writeCommit(
            seq: commit.end, at: commit.at, generation: commit.generation, cause: commit.cause, to: &writer)
        writer.member(HistoryResult.Version.op, LoggedOperation.added.rawValue)
        writeRecord(to: &writer)
        writer.endObject()
    }

    static func writeCommit(
        seq: UInt64, at: Int64, generation: UInt64, cause: ChangeCause, to writer: inout JSONWriter
    ) {
        writer.member(HistoryResult.Version.seq, Int64(clamping: seq))
        writer.key(HistoryResult.Version.at)
        writer.instant(at)
        writer.member(HistoryResult.Version.generation, Int64(clamping: generation))
        writer.member(HistoryResult.Version.cause, cause.rawValue)
    }

    /// The record that remains after undoing changes; nil: there is none.
    mutating func document() -> [UInt8]? {
        let now = served?.withDocument(of: snapshot) { $0.array } ?? []
        return record.document(served: now.rawSpan, &tape) ?? (record.base == .served ? now : nil)
    }

    /// Writes the record as it is after all changes that are not undone, without its volatile members.
    private mutating func writeRecord(to writer: inout JSONWriter) {
        guard let document = document() else { return }
        writer.key(HistoryResult.Version.record)
        writeMembers(of: document, except: volatileMembers, to: &writer)
    }

    /// Writes an object without the member of unsettled operations, and without some others.
    private mutating func writeMembers(
        of object: [UInt8], except others: [[UInt8]] = [], to writer: inout JSONWriter
    ) {
        let bytes = object.rawSpan
        writer.beginObject()
        if (try? tape.parse(bytes, depth: RecordWriter.maxDepth)) != nil, tape[0].kind == .object {
            var key = 1
            let end = tape[0].next
            while key < end {
                let name = bytes.extracting(tape[key].start + 1..<tape[key].end - 1)
                if !PendingMember.isNamed(name), !others.contains(where: { name.equals($0.rawSpan) }) {
                    writer.key(utf8: name)
                    writer.raw(bytes.extracting(tape[key + 1].range))
                }
                key = tape[key + 1].next
            }
        }
        writer.endObject()
    }
}
