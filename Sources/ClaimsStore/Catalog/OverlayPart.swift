// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot
import Synchronization

/// Some entries of an overlay. Their served records are a small snapshot in memory. It is immutable.
final class OverlayPart: Sendable {
    /// The archived rows, for the archive marks of the last call.
    private struct ArchivedRows {
        let marks: ArchiveOverlay
        let rows: RowBitmap
    }

    /// The records that are served; nil if no entry has one.
    let snapshot: Snapshot?
    /// The rows that are found by id, but are in no list, because a delete of the record is under way.
    let unlisted: RowBitmap
    /// The rows with unsettled operations.
    let pending: PendingRows
    /// The entries that cannot be decoded.
    let unserved: [UnservedEntry]
    /// The entries whose result depends on the committed record below.
    let dependents: [OverlayEntry]
    /// The facts about the records, by row.
    private let facts: [OverlayFacts]
    /// The entries without a served record.
    private let gone: [[UInt8]: OverlayEntry]
    private let archived = Mutex<ArchivedRows?>(nil)

    fileprivate init(
        snapshot: Snapshot?, facts: [OverlayFacts], gone: [[UInt8]: OverlayEntry], unserved: [UnservedEntry]
    ) {
        var unlisted = RowBitmap()
        var pending = PendingRows()
        var dependents: [OverlayEntry] = []
        let rows = snapshot?.count ?? 0
        for (row, facts) in facts.enumerated() {
            if facts.isHidden { unlisted.set(row, of: rows, to: true) }
            if let state = facts.pending?.state { pending[state].set(row, of: rows, to: true) }
        }
        self.snapshot = snapshot
        self.facts = facts
        self.gone = gone
        self.unserved = unserved
        self.unlisted = unlisted
        self.pending = pending
        for entry in gone.values where entry.upstream == nil ? entry.isHidden : entry.pending != nil {
            dependents.append(entry)
        }
        self.dependents = dependents + facts.compactMap(\.given)
    }

    /// The number of records that are served.
    var rowCount: Int { facts.count }

    /// The unsettled operations of the record in a row; nil if there are none.
    func pending(_ row: Int) -> PendingRecord? { facts.indices.contains(row) ? facts[row].pending : nil }

    /// The last write of the record in a row; nil if its values are the upstream's.
    func written(_ row: Int) -> RecordWrite? { facts.indices.contains(row) ? facts[row].written : nil }

    func row(forID id: RawSpan) -> Int? { snapshot?.row(forID: id) }

    /// Whether there is an entry with an id.
    func contains(_ id: [UInt8]) -> Bool { gone[id] != nil || row(forID: id.rawSpan) != nil }

    /// The original entry of an id, and the size in bytes of the object of the served record; nil for an unknown id.
    func entry(forID id: [UInt8]) -> (entry: OverlayEntry, objectSize: Int)? {
        if let entry = gone[id] { return (entry, 0) }
        guard let row = row(forID: id.rawSpan) else { return nil }
        return entry(row)
    }

    /// The ids of all entries.
    var ids: [[UInt8]] {
        (snapshot.map { snapshot in (0..<snapshot.count).map { snapshot.idBytes($0) } } ?? []) + gone.keys
    }

    private func entry(_ row: Int) -> (entry: OverlayEntry, objectSize: Int)? {
        guard let snapshot, facts.indices.contains(row) else { return nil }
        let (facts, size) = (facts[row], snapshot.upstream(row).byteCount)
        if let given = facts.given { return (given, size) }
        var entry = OverlayEntry(
            id: snapshot.idBytes(row), upstream: snapshot.upstream(row).array, firstSeen: snapshot.firstSeen(row),
            changedAt: snapshot.changedAt(row), stateKey: snapshot.stateKey(row), pending: facts.pending,
            written: facts.written)
        entry.isHidden = facts.isHidden
        return (entry, size)
    }

    /// The rows for queries, with those of archived records marked; nil if there are none.
    ///
    /// The marks are looked up again only after they have changed.
    func rows(marks: ArchiveOverlay) -> LayerRows? {
        guard let snapshot else { return nil }
        var rows = LayerRows(snapshot)
        rows.unlisted = unlisted
        rows.pending = pending
        guard !marks.isEmpty else { return rows }
        rows.archived = archived.withLock { known in
            if let known, known.marks === marks { return known.rows }
            var found = RowBitmap()
            for row in 0..<snapshot.count where marks.mark(snapshot.idBytes(row)) != nil {
                found.set(row, of: snapshot.count, to: true)
            }
            known = ArchivedRows(marks: marks, rows: found)
            return found
        }
        return rows
    }
}

/// Builds a part of an overlay from entries. Each id may occur once.
struct OverlayPartWriter: ~Copyable {
    private var writer: SnapshotWriter
    private var served: [[UInt8]: OverlayFacts] = [:]
    private var gone: [[UInt8]: OverlayEntry] = [:]
    private var unserved: [UnservedEntry] = []

    /// - Throws: the error of getting the memory.
    init(_ definition: Definition) throws(StoreError) {
        // No snapshot below can have this generation.
        let identity = SnapshotIdentity(
            epoch: 0, generation: .max, fileID: RandomBytes.integer() | 1, definitionHash: definition.shapeHash)
        writer = try SnapshotWriter(inMemory: definition, identity: identity)
    }

    mutating func append(_ served: ServedEntry) throws(StoreError) {
        if let problem = served.unserved { unserved.append(problem) }
        guard let record = served.record else {
            gone[served.entry.id] = served.entry
            return
        }
        _ = try writer.append(record)
        self.served[served.entry.id] = served.facts
    }

    /// Adds the entries of another part, except some ids. It may be called for one part only.
    mutating func carry(_ part: OverlayPart, without left: (_ id: [UInt8]) -> Bool) throws(StoreError) {
        for (id, entry) in part.entriesWithoutRecord where !left(id) { gone[id] = entry }
        unserved += part.unserved.filter { !left($0.entry.id) }
        guard let snapshot = part.snapshot else { return }
        for row in 0..<snapshot.count {
            let id = snapshot.idBytes(row)
            guard !left(id) else { continue }
            _ = try writer.carry(row, from: snapshot)
            served[id] = part.facts(of: row)
        }
    }

    /// - Returns: nil if there are no entries.
    consuming func finish() throws(StoreError) -> OverlayPart? {
        let (served, gone, unserved) = (served, gone, unserved)
        if served.isEmpty && gone.isEmpty { return nil }
        guard !served.isEmpty else {
            return OverlayPart(snapshot: nil, facts: [], gone: gone, unserved: unserved)
        }
        let snapshot = try writer.finishInMemory()
        let facts = (0..<snapshot.count).map { served[snapshot.idBytes($0)] ?? OverlayFacts() }
        return OverlayPart(snapshot: snapshot, facts: facts, gone: gone, unserved: unserved)
    }
}

extension OverlayPart {
    fileprivate var entriesWithoutRecord: [[UInt8]: OverlayEntry] { gone }

    fileprivate func facts(of row: Int) -> OverlayFacts { facts[row] }
}
