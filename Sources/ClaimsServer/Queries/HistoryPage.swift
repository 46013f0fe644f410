// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsProtocol
import ClaimsSnapshot
import ClaimsStore

/// One record on the way back through its changes, and the writer of its versions.
struct HistoryPage {
    private let snapshot: Snapshot?
    private let served: ListedRecord?
    private var record: RecordUndo
    private var tape = JSONTape()
    /// The members of records that the log does not keep: how they were is not known.
    private let volatileMembers: [[UInt8]]
    /// When the record was first seen that is there after the changes that are not undone; nil where it is not known.
    private var firstSeen: Int64?
    /// Whether the oldest change of the record, archive marks aside, is that it was added.
    private var beginsWithAdded = false
    /// Whether the record is served, archived, or in the log.
    private(set) var wasSeen: Bool
    /// The whole commit that brought the record; set by `findBeginning`.
    private(set) var beginning: LogCommit?
    /// The number from which on the log tells every change.
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

    /// Whether the oldest version that can be told is the first one.
    var isComplete: Bool { beginning != nil || beginsWithAdded }

    /// Goes back before a change.
    mutating func undo(_ change: LoggedChange) {
        // Nothing is kept of what was before.
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

    /// Finds the commit that brought the record which is there before all changes of the log.
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

    /// Whether a change is a version: one that differs in unsettled operations alone is none.
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
        writeCommit(seq: change.seq, at: change.at, generation: change.generation, cause: change.cause, to: &writer)
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
        if let uid = change.uid {
            writer.member(HistoryResult.Version.by, Int64(uid))
            writer.member(HistoryResult.Version.byName, userName(uid))
        }
        if change.differsUpstream { writer.member(HistoryResult.Version.upstream, true) }
        writer.endObject()
    }

    /// Writes that a whole commit brought the record.
    mutating func write(beginning commit: LogCommit, to writer: inout JSONWriter) {
        writer.beginObject()
        writeCommit(seq: commit.end, at: commit.at, generation: commit.generation, cause: commit.cause, to: &writer)
        writer.member(HistoryResult.Version.op, LoggedOperation.added.rawValue)
        writeRecord(to: &writer)
        writer.endObject()
    }

    private func writeCommit(
        seq: UInt64, at: Int64, generation: UInt64, cause: ChangeCause, to writer: inout JSONWriter
    ) {
        writer.member(HistoryResult.Version.seq, Int64(clamping: seq))
        writer.key(HistoryResult.Version.at)
        writer.instant(at)
        writer.member(HistoryResult.Version.generation, Int64(clamping: generation))
        writer.member(HistoryResult.Version.cause, cause.rawValue)
    }

    /// Writes the record as it is after all changes that are not undone, without its volatile members.
    private mutating func writeRecord(to writer: inout JSONWriter) {
        let now = served?.withDocument(of: snapshot) { $0.array } ?? []
        guard let document = record.document(served: now.rawSpan, &tape) ?? (record.base == .served ? now : nil)
        else { return }
        writer.key(HistoryResult.Version.record)
        writeMembers(of: document, except: volatileMembers, to: &writer)
    }

    /// Writes an object without the member that tells unsettled operations, and without some others.
    private mutating func writeMembers(
        of object: [UInt8], except untold: [[UInt8]] = [], to writer: inout JSONWriter
    ) {
        let bytes = object.rawSpan
        writer.beginObject()
        if (try? tape.parse(bytes, depth: RecordWriter.maxDepth)) != nil, tape[0].kind == .object {
            var key = 1
            let end = tape[0].next
            while key < end {
                let name = bytes.extracting(tape[key].start + 1..<tape[key].end - 1)
                if !PendingMember.isNamed(name), !untold.contains(where: { name.equals($0.rawSpan) }) {
                    writer.key(utf8: name)
                    writer.raw(bytes.extracting(tape[key + 1].range))
                }
                key = tape[key + 1].next
            }
        }
        writer.endObject()
    }
}
