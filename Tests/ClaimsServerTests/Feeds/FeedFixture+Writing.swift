// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot
import ClaimsTestSupport

@testable import ClaimsServer
@testable import ClaimsStore

/// Writes to an upstream, made by hand: the log has what differs as it is served, and the overlay what is served.
extension FeedFixture {
    static func entry(
        _ id: String, _ object: String?, _ state: PendingState? = .queued, isHidden: Bool = false,
        fields: [String] = []
    ) -> OverlayEntry {
        let names = fields.map { "\"\($0)\"" }.joined(separator: ",")
        var entry = OverlayEntry(
            id: Array(id.utf8), upstream: object.map { Array($0.utf8) }, firstSeen: now, changedAt: now,
            pending: state.map {
                PendingRecord(state: $0, json: Array(#"{"state":"\#($0)","ops":[],"fields":[\#(names)]}"#.utf8))
            })
        entry.isHidden = isHidden
        return entry
    }

    /// Puts entries over the snapshot of a collection, and takes others away, as one commit.
    ///
    /// - Parameter names: the id that a record had, and the one that it gets.
    func write(
        _ entries: [OverlayEntry], settling ids: [String] = [], renaming names: (old: String, new: String)? = nil,
        in name: String = "shelf", uid: UInt32 = 1000
    ) throws {
        let view = try view(name)
        let settled = (ids + (names.map { [$0.old] } ?? [])).map { Array($0.utf8) }
        let overlay = try Self.overlay(of: view, with: entries, without: settled)
        let next = Self.renamed(view.with(overlay, seq: view.changedSeq), names)
        let at = clock.with { $0 }
        let changes = (entries.map(\.id) + settled).compactMap { id in
            Self.change(of: id, from: Self.document(id, view), to: Self.document(id, next), uid: uid, at: at)
        }
        let answer = Monitor<Result<Void, StoreError>?>(nil)
        let catalog = store.catalog
        store.database.local(
            StateQueue.LocalJob(
                weight: 1,
                apply: { connection throws(StoreError) in
                    let end = connection.seq + UInt64(changes.count)
                    for change in changes { try connection.note(change, in: view.condition.row, end: end) }
                    if let names { try connection.moveMark(names.old, to: names.new, in: view.condition.row) }
                    let revision = Revision(epoch: connection.epoch, seq: connection.seq)
                    return {
                        let seq = changes.isEmpty ? catalog.current()[name]?.changedSeq ?? 0 : revision.seq
                        catalog.publish(next.with(overlay, seq: seq), at: revision)
                        answer.update { $0 = .success(()) }
                    }
                }, fail: { error in answer.update { $0 = .failure(error) } }))
        try answer.wait { $0 }?.get()
    }

    /// Lays an overlay over the snapshot that is served now, after a refresh or a start that does not know it.
    func layOver(_ entries: [OverlayEntry], _ name: String = "shelf") throws {
        let view = try view(name)
        let overlay = try RecordOverlay.build(entries, over: view.committed, definition: view.definition, joined: nil)
        store.catalog.publish(view.with(overlay, seq: view.changedSeq))
    }

    /// The view in which a record has another id, with its archive mark.
    private static func renamed(_ view: CollectionView, _ names: (old: String, new: String)?) -> CollectionView {
        guard let names else { return view }
        let (old, new) = (Array(names.old.utf8), Array(names.new.utf8))
        var condition = view.condition
        let aliases = condition.aliases.merging([old: new]) { _, new in new }
        condition.operationsChanged(condition.operations, aliases: aliases)
        let marks = view.archive.mark(old).map { mark in
            [ArchiveMarkChange(id: old, mark: nil), ArchiveMarkChange(id: new, mark: mark)]
        }
        return CollectionView(
            definition: view.definition, committed: view.committed,
            archive: view.archive.applying(marks ?? [], to: view.snapshot), condition: condition,
            overlay: view.overlay)
    }

    private static func overlay(
        of view: CollectionView, with entries: [OverlayEntry], without ids: [[UInt8]]
    ) throws -> RecordOverlay? {
        guard let overlay = view.overlay else {
            return try RecordOverlay.build(entries, over: view.committed, definition: view.definition, joined: nil)
        }
        return try overlay.applying(
            entries, removing: ids, over: view.committed, definition: view.definition, joined: nil)
    }

    /// The record of an id as lists serve it.
    static func document(_ id: [UInt8], _ view: CollectionView) -> [UInt8]? {
        view.listedRecord(id)?.withDocument(of: view.snapshot) { $0.array }
    }

    private static func change(
        of id: [UInt8], from before: [UInt8]?, to after: [UInt8]?, uid: UInt32, at: Int64
    ) -> LoggedChange? {
        var change = LoggedChange(
            seq: 0, at: at, generation: 0, cause: .write, operation: .added, id: id, uid: uid)
        guard let before else { return after == nil ? nil : change }
        guard let after else {
            (change.operation, change.values) = (.removed, before)
            return change
        }
        change.operation = .updated
        let (old, new) = (members(before), members(after))
        var writer = JSONWriter()
        writer.beginObject()
        for name in Set(old.keys).union(new.keys).sorted() where old[name] != new[name] {
            writer.key(name)
            writer.beginArray()
            (old[name] ?? .null).write(to: &writer)
            (new[name] ?? .null).write(to: &writer)
            writer.endArray()
        }
        writer.endObject()
        change.values = writer.bytes
        return writer.bytes.count > 2 ? change : nil
    }

    private static func members(_ document: [UInt8]) -> [String: JSONValue] {
        let object = (try? JSONValue.parse(document))?.object
        return Dictionary((object?.members ?? []).map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
    }
}

extension StateConnection {
    fileprivate func moveMark(_ old: String, to new: String, in row: CollectionRow) throws(StoreError) {
        let statement = try database.prepare(
            "UPDATE archive SET id = ?3 WHERE collection = ?1 AND id = ?2", "move a mark")
        try statement.bind(1, row.number)
        try statement.bind(2, text: Array(old.utf8))
        try statement.bind(3, text: Array(new.utf8))
        try statement.run()
    }

    /// Notes the next change of a commit.
    ///
    /// - Parameter end: the number of its last change.
    fileprivate mutating func note(_ change: LoggedChange, in row: CollectionRow, end: UInt64) throws(StoreError) {
        advance()
        try statements.addLocalChange.bind(.seq, bits: seq)
        try statements.addLocalChange.bind(.at, change.at)
        try statements.addLocalChange.bind(.collection, row.number)
        try statements.addLocalChange.bind(.op, change.operation.rawValue)
        try statements.addLocalChange.bind(.id, text: change.id)
        try statements.addLocalChange.bind(.uid, Int64(change.uid ?? 0))
        try statements.addLocalChange.bind(.generation, bits: row.generation)
        try statements.addLocalChange.bind(.commitEnd, bits: end)
        try statements.addLocalChange.bind(.cause, change.cause.rawValue)
        try statements.addLocalChange.bind(.fields, text: change.values)
        try statements.addLocalChange.bind(.firstSeen, Int64?.none)
        try statements.addLocalChange.bind(.bytes, Int64(change.values.count))
        try statements.addLocalChange.bind(.isSilent, 0)
        try statements.addLocalChange.run()
    }
}
