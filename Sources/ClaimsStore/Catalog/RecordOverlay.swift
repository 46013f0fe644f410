// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
public import ClaimsModel
import ClaimsPlatform
public import ClaimsSnapshot

/// The records of one collection that lie over its committed ones: what writes have made of them.
///
/// The overlay is immutable; each commit of writes makes a new one. Its records are a small snapshot in memory, so that
/// filters, orders and counts mean there what they mean in the snapshot below.
///
/// ```swift
/// let overlay = try RecordOverlay.build(entries, over: view.committed, definition: view.definition, joined: nil)
/// let next = try overlay?.applying(changed, removing: settled, over: view.committed, definition, joined: nil)
/// ```
public final class RecordOverlay: Sendable {
    /// The rows for queries, without marks of archived ones.
    public let rows: OverlayRows
    /// A number that differs between overlays of different content; never 0. It is the same after a restart.
    public let version: UInt64
    /// The entries that cannot be decoded.
    let unserved: [UnservedEntry]
    /// The number of unsettled operations in each state, those of hidden records too.
    public let counts: [PendingState: Int]
    /// By row of the overlay's own snapshot.
    private let facts: [OverlayFacts]
    /// The entries without a record that is served.
    private let gone: [[UInt8]: OverlayEntry]

    init(
        rows: OverlayRows, facts: [OverlayFacts], gone: [[UInt8]: OverlayEntry], unserved: [UnservedEntry],
        counts: [PendingState: Int], version: UInt64
    ) {
        self.rows = rows
        self.facts = facts
        self.gone = gone
        self.unserved = unserved
        self.counts = counts
        self.version = version
    }

    /// The records, in memory; nil where the overlay only hides others.
    public var snapshot: Snapshot? { rows.snapshot }

    /// The number of entries, with and without a record.
    public var count: Int { facts.count { !$0.isReplacement } + gone.count + replaced.count }

    /// The unsettled operations of the record in a row of ``snapshot``; nil where there are none.
    public func pending(_ row: Int) -> PendingRecord? { row < facts.count ? facts[row].pending : nil }

    /// The last write of the record in a row of ``snapshot``; nil where its values are the upstream's.
    public func written(_ row: Int) -> RecordWrite? { row < facts.count ? facts[row].written : nil }

    /// The row of the record with this id in ``snapshot``, hidden or not; nil where there is none.
    public func row(forID id: RawSpan) -> Int? { snapshot?.row(forID: id) }

    /// Whether the overlay decides what is served for an id.
    public func contains(_ id: [UInt8]) -> Bool { gone[id] != nil || row(forID: id.rawSpan) != nil }

    /// The entries that a record of the snapshot below stands in for.
    private var replaced: [OverlayEntry] { unserved.filter(\.isReplaced).map(\.entry) }

    /// The entry of an id as it was given; nil for an id that the overlay does not have.
    public func entry(forID id: [UInt8]) -> OverlayEntry? {
        if let entry = gone[id] { return entry }
        if let entry = replaced.first(where: { $0.id == id }) { return entry }
        return row(forID: id.rawSpan).flatMap { entry($0) }
    }

    /// All entries as they were given, in no order.
    public var entries: [OverlayEntry] {
        facts.indices.compactMap { entry($0) } + gone.values + replaced
    }

    /// The entry of a row; nil where the record of the snapshot below stands in for one that cannot be decoded.
    private func entry(_ row: Int) -> OverlayEntry? {
        guard let snapshot, row < facts.count, !facts[row].isReplacement else { return nil }
        let facts = facts[row]
        var entry = OverlayEntry(
            id: snapshot.idBytes(row), upstream: facts.isBorrowed ? nil : snapshot.upstream(row).array,
            firstSeen: snapshot.firstSeen(row), changedAt: snapshot.changedAt(row), stateKey: snapshot.stateKey(row),
            pending: facts.pending, written: facts.written)
        entry.isHidden = rows.unlisted.contains(row)
        return entry
    }

    /// Returns the same overlay over other committed records of the same definition.
    ///
    /// Records that were taken from those below stay as they are; build it anew where they may have changed.
    public func rebuilt(for committed: CommittedRecords?) -> RecordOverlay {
        var rows = rows
        rows.covered = Self.covered(by: self.snapshot, and: gone, in: committed?.file)
        rows.coveredNewer = (committed?.layers ?? []).dropFirst().map {
            Self.covered(by: self.snapshot, and: gone, in: $0)
        }
        return RecordOverlay(rows: rows, facts: facts, gone: gone, unserved: unserved, counts: counts, version: version)
    }

    /// Returns the rows for queries, with those of archived records marked.
    func rows(marks: ArchiveOverlay) -> OverlayRows {
        var rows = rows
        guard let snapshot, !marks.isEmpty else { return rows }
        for row in 0..<snapshot.count where marks.mark(snapshot.idBytes(row)) != nil {
            rows.archived.set(row, of: snapshot.count, to: true)
        }
        return rows
    }

    /// The rows of a snapshot whose ids the overlay has.
    static func covered(
        by overlay: Snapshot?, and gone: [[UInt8]: OverlayEntry], in snapshot: Snapshot?
    ) -> RowBitmap {
        var covered = RowBitmap()
        guard let snapshot else { return covered }
        if let overlay {
            for row in 0..<overlay.count {
                if let below = snapshot.row(forID: overlay.id(row)) {
                    covered.set(below, of: snapshot.count, to: true)
                }
            }
        }
        for id in gone.keys {
            if let below = snapshot.row(forID: id.rawSpan) { covered.set(below, of: snapshot.count, to: true) }
        }
        return covered
    }
}

/// The part of an entry that its snapshot does not hold.
struct OverlayFacts: Sendable {
    var pending: PendingRecord?
    var written: RecordWrite?
    /// Whether the record is that of the snapshot below, in the stead of one that cannot be decoded.
    var isReplacement = false
    /// Whether the entry came without a record, and that of the snapshot below is shown.
    var isBorrowed = false
}

extension RecordOverlay {
    /// Builds the overlay of some entries; of several with one id the last counts.
    ///
    /// An entry that the definition cannot decode is not lost: it is in ``unserved``. Where it has unsettled operations,
    /// the record of the snapshot below is served with them; otherwise none is.
    ///
    /// - Parameters:
    ///   - base: the records that the entries lie over; nil where there are none.
    ///   - joined: the values of the definition's second request.
    /// - Returns: nil for no entries.
    /// - Throws: the error of getting the memory.
    public static func build(
        _ entries: [OverlayEntry], over base: CommittedRecords?, definition: Definition, joined: JoinTable?
    ) throws(StoreError) -> RecordOverlay? {
        if entries.isEmpty { return nil }
        do throws(SnapshotError) {
            var builder = try OverlayBuilder(definition, joined: joined, base: base)
            for entry in latest(entries) { try builder.add(entry) }
            return try builder.finish()
        } catch {
            throw StoreError(error)
        }
    }

    /// Returns the overlay with some entries set and some removed; nil where none is left.
    ///
    /// - Throws: the error of getting the memory.
    public func applying(
        _ changed: [OverlayEntry], removing ids: [[UInt8]] = [], over base: CommittedRecords?, definition: Definition,
        joined: JoinTable?
    ) throws(StoreError) -> RecordOverlay? {
        let replaced = Set(ids).union(changed.map(\.id))
        let kept = entries.filter { !replaced.contains($0.id) }
        return try Self.build(kept + changed, over: base, definition: definition, joined: joined)
    }

    private static func latest(_ entries: [OverlayEntry]) -> [OverlayEntry] {
        var indices: [[UInt8]: Int] = [:]
        for (index, entry) in entries.enumerated() { indices[entry.id] = index }
        if indices.count == entries.count { return entries }
        return indices.values.sorted().map { entries[$0] }
    }
}

/// Decodes entries into the snapshot of an overlay.
private struct OverlayBuilder: ~Copyable {
    private var decoder: RecordDecoder
    private var writer: SnapshotWriter
    private let base: CommittedRecords?
    private var tape = JSONTape()
    private var record = DecodedRecord()
    private var served: [[UInt8]: (facts: OverlayFacts, isHidden: Bool)] = [:]
    private var gone: [[UInt8]: OverlayEntry] = [:]
    private var unserved: [UnservedEntry] = []
    private var counts: [PendingState: Int] = [:]
    private var version: UInt64 = 0

    init(_ definition: Definition, joined: JoinTable?, base: CommittedRecords?) throws(SnapshotError) {
        self.base = base
        decoder = RecordDecoder(definition: definition, joined: joined)
        // The generation is none that a snapshot below can have.
        let identity = SnapshotIdentity(
            epoch: 0, generation: .max, fileID: RandomBytes.integer() | 1, definitionHash: definition.shapeHash)
        writer = try SnapshotWriter(inMemory: definition, identity: identity)
    }

    mutating func add(_ entry: OverlayEntry) throws(SnapshotError) {
        note(entry)
        var facts = OverlayFacts(pending: entry.pending, written: entry.written)
        if let upstream = entry.upstream {
            guard let (reason, pointer) = decode(upstream, of: entry) else { return try append(entry, facts) }
            facts.written = nil
            facts.isReplacement = true
            var isReplaced = false
            if entry.pending != nil { isReplaced = try appendBelow(entry, facts) }
            if !isReplaced { gone[entry.id] = entry }
            unserved.append(UnservedEntry(entry: entry, pointer: pointer, reason: reason, isReplaced: isReplaced))
        } else {
            facts.isBorrowed = true
            if entry.isHidden, try appendBelow(entry, facts) { return }
            gone[entry.id] = entry
        }
    }

    /// Decodes an object into `record`; gives the reason and the pointer to the mistake where it is refused.
    private mutating func decode(_ upstream: [UInt8], of entry: OverlayEntry) -> (String, String)? {
        guard (try? tape.parse(upstream.rawSpan, from: 0, depth: JSONElements.bodyDepth)) != nil else {
            return ("not JSON any more", "")
        }
        if case .quarantined(let reason, let pointer) = decoder.decode(tape, upstream.rawSpan, into: &record) {
            return (reason, pointer)
        }
        return record.id == entry.id ? nil : ("the id is another one", "")
    }

    /// Appends the committed record below; false where there is none.
    private mutating func appendBelow(_ entry: OverlayEntry, _ facts: OverlayFacts) throws(SnapshotError) -> Bool {
        guard let committed = base?.record(forID: entry.id.rawSpan), decode(committed.upstream, of: entry) == nil
        else { return false }
        var below = entry
        below.firstSeen = committed.firstSeen
        below.changedAt = committed.changedAt
        try append(below, facts)
        return true
    }

    private mutating func append(_ entry: OverlayEntry, _ facts: OverlayFacts) throws(SnapshotError) {
        _ = try writer.append(
            record, firstSeen: entry.firstSeen, changedAt: entry.changedAt, stateKey: entry.stateKey)
        served[entry.id] = (facts, entry.isHidden)
    }

    /// Counts an entry, and adds it to the version, which does not depend on the order of entries.
    private mutating func note(_ entry: OverlayEntry) {
        for (state, count) in entry.pending?.counts ?? [:] { counts[state, default: 0] += count }
        var hash: UInt64 = entry.isHidden ? 1 : 0
        for part in [entry.id, entry.upstream ?? [], entry.pending?.json ?? []] {
            hash = (hash ^ Checksum.of(part.rawSpan)) &* 0x9E37_79B1_85EB_CA87
            hash ^= hash >> 29
        }
        version &+= hash
    }

    consuming func finish() throws(SnapshotError) -> RecordOverlay {
        var rows = OverlayRows(snapshot: served.isEmpty ? nil : try writer.finishInMemory())
        var facts: [OverlayFacts] = []
        if let snapshot = rows.snapshot {
            facts.reserveCapacity(snapshot.count)
            for row in 0..<snapshot.count {
                guard let known = served[snapshot.idBytes(row)] else { continue }
                facts.append(known.facts)
                if known.isHidden { rows.unlisted.set(row, of: snapshot.count, to: true) }
                if let state = known.facts.pending?.state { rows.pending[state].set(row, of: snapshot.count, to: true) }
            }
        }
        rows.covered = RecordOverlay.covered(by: rows.snapshot, and: gone, in: base?.file)
        rows.coveredNewer = (base?.layers ?? []).dropFirst().map { [snapshot = rows.snapshot, gone] in
            RecordOverlay.covered(by: snapshot, and: gone, in: $0)
        }
        return RecordOverlay(
            rows: rows, facts: facts, gone: gone, unserved: unserved, counts: counts, version: version | 1)
    }
}

/// One record that lies over the committed ones, as it is to be served.
public struct OverlayEntry: Sendable, Equatable {
    public var id: [UInt8]
    /// The record in the form of the upstream's objects; nil where there is none any more.
    public var upstream: [UInt8]?
    /// Whether lists leave the record out, because its deletion is under way. It is still answered by its id.
    public var isHidden = false
    /// When the record was first seen, in milliseconds since 1970.
    public var firstSeen: Int64
    /// When it last changed, in milliseconds since 1970.
    public var changedAt: Int64
    /// The record's key in the state database.
    public var stateKey: Int64
    /// The unsettled operations of the record; nil where there are none.
    public var pending: PendingRecord?
    /// The last write of the record; nil where its values are the upstream's.
    public var written: RecordWrite?

    public init(
        id: [UInt8], upstream: [UInt8]?, firstSeen: Int64, changedAt: Int64, stateKey: Int64 = 0,
        pending: PendingRecord? = nil, written: RecordWrite? = nil
    ) {
        self.id = id
        self.upstream = upstream
        self.firstSeen = firstSeen
        self.changedAt = changedAt
        self.stateKey = stateKey
        self.pending = pending
        self.written = written
    }
}

/// A record of the overlay that the definition in force cannot decode. It is kept, and decoded again by the next one.
struct UnservedEntry: Sendable, Equatable {
    var entry: OverlayEntry
    /// The JSON Pointer from the object to the wrong value.
    var pointer: String
    /// For people; without text of the record.
    var reason: String
    /// Whether the record of the snapshot below is served in its stead.
    var isReplaced: Bool
}

/// The records that lie over the committed ones: a small snapshot of their own, and the rows below that they hide.
public struct OverlayRows: Sendable {
    /// The records of the overlay; nil where it only hides others.
    public var snapshot: Snapshot?
    /// The rows of the base below that are not served, because the overlay has their ids.
    public var covered = RowBitmap()
    /// The same of the other snapshots of committed records, the oldest one first.
    public var coveredNewer: [RowBitmap] = []
    /// Its own rows that are answered by id, but are in no list: a delete of the record is under way.
    public var unlisted = RowBitmap()
    /// Its own rows that are archived.
    public var archived = RowBitmap()
    /// Its own rows with unsettled operations.
    public var pending = PendingRows()

    public init(snapshot: Snapshot?) {
        self.snapshot = snapshot
    }

    /// Whether the overlay hides a row of the committed records.
    func covers(_ row: Int, of committed: CommittedRecords) -> Bool {
        if row < committed.file.count { return covered.contains(row) }
        let (index, own) = committed.layer(of: row)
        return covered(ofLayer: index).contains(own)
    }

    /// The rows of one of the snapshots of committed records that are not served, because the overlay has their ids.
    func covered(ofLayer index: Int) -> RowBitmap {
        if index == 0 { return covered }
        return index <= coveredNewer.count ? coveredNewer[index - 1] : RowBitmap()
    }
}
