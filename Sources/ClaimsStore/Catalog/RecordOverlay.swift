// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
public import ClaimsModel
import ClaimsPlatform
public import ClaimsSnapshot

/// The records of one collection that writes have changed. They lie over the committed records.
///
/// The overlay is immutable; each commit of writes makes a new one. Its records are two small snapshots in memory, so
/// that filters, orders and counts work as in the snapshot below. The newer part has the changes since the older one
/// was begun, and is built anew with each change; the older one is built anew now and then, on another thread
/// (``OverlayRenewal``). So the cost of a change does not depend on the number of records.
///
/// Rows are numbered through both parts, beginning with the older one.
///
/// ```swift
/// let overlay = try RecordOverlay.build(entries, over: view.committed, definition: view.definition, joined: nil)
/// let next = try overlay?.applying(changed, removing: settled, over: view.committed, definition, joined: nil)
/// ```
public final class RecordOverlay: Sendable {
    /// A change of the entry of an id since the older part was begun.
    struct Change: Sendable {
        /// The number of the change among those of the overlay and its predecessors, from 1.
        var number: UInt64
        /// nil: there is no entry any more.
        var served: ServedEntry?
    }

    /// The committed rows that are not served, because the overlay has their ids.
    let rows: OverlayRows
    /// The entries that have not changed for a while; ``changes`` may have newer ones.
    let older: OverlayPart?
    /// The current entries of ``changes``.
    let newer: OverlayPart?
    /// The changes since the older part was begun, by id.
    let changes: [[UInt8]: Change]
    /// The number of the last change that the older part has.
    let olderEnd: UInt64
    /// The number of the last change.
    let end: UInt64
    let definition: Definition
    /// The state of building the older part anew, shared with the overlays that follow this one.
    let renewal: OverlayRenewal
    /// The rows of the older part whose ids are among ``changes``.
    private let overtaken: RowBitmap
    private let committed: CommittedRecords?
    private let totals: OverlayTotals

    fileprivate init(_ draft: OverlayDraft, newer: OverlayPart?) {
        rows = draft.rows
        older = draft.older
        self.newer = newer
        changes = draft.changes
        olderEnd = draft.olderEnd
        end = draft.end
        definition = draft.definition
        renewal = draft.renewal
        overtaken = draft.overtaken
        committed = draft.committed
        totals = draft.totals
    }

    /// A number that differs between overlays of different content; never 0. It is the same after a restart.
    public var version: UInt64 { totals.hash | 1 }

    /// The number of unsettled operations in each state, including the operations of hidden records.
    public var counts: [PendingState: Int] { totals.states }

    /// The number of entries, with and without a record.
    public var count: Int { totals.entries }

    /// The bytes of the objects of the records that are served.
    var objectBytes: Int { totals.objectBytes }

    /// Whether there are so many changes that the older part is to be built anew.
    var isFull: Bool { changes.count >= OverlayBounds.standard.maxNewer }

    /// Whether it has records, listed or not, and does not only hide others.
    public var hasRecords: Bool { newer?.snapshot != nil || older?.snapshot != nil }

    /// The snapshots of its records, the older one first.
    public var snapshots: [Snapshot] { [older?.snapshot, newer?.snapshot].compactMap(\.self) }

    /// The unsettled operations of the record in a row; nil if there are none.
    public func pending(_ row: Int) -> PendingRecord? {
        let start = older?.rowCount ?? 0
        return row < start ? older?.pending(row) : newer?.pending(row - start)
    }

    /// The last write of the record in a row; nil if its values are the upstream's.
    public func written(_ row: Int) -> RecordWrite? {
        let start = older?.rowCount ?? 0
        return row < start ? older?.written(row) : newer?.written(row - start)
    }

    /// The row of the record with this id, hidden or not; nil if there is none.
    public func row(forID id: RawSpan) -> Int? {
        if let row = newer?.row(forID: id) { return (older?.rowCount ?? 0) + row }
        guard let row = older?.row(forID: id), !overtaken.contains(row) else { return nil }
        return row
    }

    /// The record with this id, hidden or not; nil if there is none.
    public func record(forID id: RawSpan) -> ServedRecord? { row(forID: id).flatMap { record($0) } }

    /// The record in a row; nil for a row that does not exist.
    func record(_ row: Int) -> ServedRecord? {
        let start = older?.rowCount ?? 0
        if row < start { return older?.snapshot.map { ServedRecord(snapshot: $0, row: row) } }
        return newer?.snapshot.map { ServedRecord(snapshot: $0, row: row - start) }
    }

    /// Whether lists leave out the record in a row, because its deletion is under way.
    func isUnlisted(_ row: Int) -> Bool {
        let start = older?.rowCount ?? 0
        return (row < start ? older?.unlisted.contains(row) : newer?.unlisted.contains(row - start)) ?? false
    }

    /// The unsettled operations of a record that one of the parts serves; nil for any other record.
    func pending(of record: ServedRecord) -> PendingRecord? {
        if record.snapshot === newer?.snapshot { return newer?.pending(record.row) }
        return record.snapshot === older?.snapshot ? older?.pending(record.row) : nil
    }

    /// Whether the overlay decides what is served for an id.
    public func contains(_ id: [UInt8]) -> Bool {
        if let change = changes[id] { return change.served != nil }
        return older?.contains(id) ?? false
    }

    /// The original entry of an id; nil for an id that the overlay does not have.
    public func entry(forID id: [UInt8]) -> OverlayEntry? {
        if let change = changes[id] { return change.served?.entry }
        return older?.entry(forID: id)?.entry
    }

    /// All original entries, in no order.
    public var entries: [OverlayEntry] { ids.compactMap { entry(forID: $0) } }

    /// The ids of all entries, in no order.
    var ids: [[UInt8]] {
        (older?.ids ?? []).filter { changes[$0] == nil } + changes.filter { $0.value.served != nil }.map(\.key)
    }

    /// The entries that cannot be decoded.
    var unserved: [UnservedEntry] {
        (older?.unserved ?? []).filter { changes[$0.entry.id] == nil } + (newer?.unserved ?? [])
    }

    /// The rows for queries, with archived records marked, the older rows first.
    func layers(marks: ArchiveOverlay) -> [LayerRows] {
        var layers: [LayerRows] = []
        if var rows = older?.rows(marks: marks) {
            rows.covered = overtaken
            layers.append(rows)
        }
        if let rows = newer?.rows(marks: marks) { layers.append(rows) }
        return layers
    }

    /// Returns the same overlay over other committed records of the same definition.
    ///
    /// Records that were copied from the committed ones stay as they are; build it anew if they may have changed.
    public func rebuilt(for committed: CommittedRecords?) -> RecordOverlay {
        var draft = OverlayDraft(self, definition)
        draft.committed = committed
        draft.rows = OverlayRows(ids, in: committed)
        return RecordOverlay(draft, newer: newer)
    }
}

extension RecordOverlay {
    /// Builds the overlay of some entries. The last one counts if several have the same id.
    ///
    /// An entry that the definition cannot decode is not lost: it is in ``unserved``. If it has unsettled operations,
    /// the record of the snapshot below is served with them; otherwise no record is served.
    ///
    /// - Parameters:
    ///   - base: the records that the entries lie over; nil if there are none.
    ///   - joined: the values of the definition's second request.
    /// - Returns: nil for no entries.
    /// - Throws: the error of getting the memory.
    public static func build(
        _ entries: [OverlayEntry], over base: CommittedRecords?, definition: Definition, joined: JoinTable?
    ) throws(StoreError) -> RecordOverlay? {
        if entries.isEmpty { return nil }
        var draft = OverlayDraft(definition, over: base)
        var decoder = OverlayDecoder(definition, joined: joined, over: base)
        for entry in entries { draft.set(decoder.decode(entry)) }
        return try draft.finish(maxNewer: OverlayBounds.standard.maxNewer)
    }

    /// Builds an overlay of entries whose parts are built already.
    ///
    /// - Parameters:
    ///   - part: the part of `entries`, which become the older ones.
    ///   - newer: the other entries, with other ids. If there are many, the older part is built anew at once.
    ///   - newerPart: the part of `newer`.
    /// - Returns: nil for no entries.
    static func build(
        _ entries: [ServedEntry], part: OverlayPart?, newer: [ServedEntry] = [], part newerPart: OverlayPart? = nil,
        over base: CommittedRecords?, definition: Definition
    ) throws(StoreError) -> RecordOverlay? {
        var draft = OverlayDraft(definition, over: base)
        for served in entries { draft.set(served) }
        draft.settle(in: part)
        for served in newer { draft.set(served) }
        return draft.totals.entries == 0 ? nil : RecordOverlay(draft, newer: newerPart)
    }

    /// Returns the overlay with some entries set and some removed; nil if none is left.
    ///
    /// An older part that another thread has built meanwhile is adopted. If it is late and too much has changed, the
    /// call waits for it.
    ///
    /// - Parameter base: the records that the entries lie over. They may be others than before, of the same definition.
    /// - Throws: the error of getting the memory.
    public func applying(
        _ changed: [OverlayEntry], removing ids: [[UInt8]] = [], over base: CommittedRecords?, definition: Definition,
        joined: JoinTable?
    ) throws(StoreError) -> RecordOverlay? {
        var draft = OverlayDraft(self, definition)
        draft.adopt(renewal.finished)
        let maxWaiting = OverlayBounds.standard.maxWaiting
        if draft.changes.count + changed.count + ids.count > maxWaiting { draft.adopt(renewal.wait()) }
        var decoder = OverlayDecoder(definition, joined: joined, over: base)
        let isSame = committed?.isSame(as: base) ?? (base == nil)
        if !isSame {
            draft.committed = base
            draft.rows = OverlayRows(self.ids, in: base)
            for entry in dependents { draft.set(decoder.decode(entry)) }
        }
        for id in ids { draft.remove(id) }
        for entry in changed { draft.set(decoder.decode(entry)) }
        return try draft.finish(maxNewer: maxWaiting)
    }

    /// The entries whose result depends on the committed record below.
    private var dependents: [OverlayEntry] {
        (older?.dependents ?? []).filter { changes[$0.id] == nil } + (newer?.dependents ?? [])
    }
}

/// An overlay that is being built of another one and of changes.
private struct OverlayDraft {
    let definition: Definition
    let renewal: OverlayRenewal
    var committed: CommittedRecords?
    var rows: OverlayRows
    private(set) var older: OverlayPart?
    private(set) var olderEnd: UInt64 = 0
    private(set) var end: UInt64 = 0
    private(set) var changes: [[UInt8]: RecordOverlay.Change] = [:]
    private(set) var totals = OverlayTotals()

    /// Begins an overlay without entries.
    init(_ definition: Definition, over committed: CommittedRecords?) {
        self.definition = definition
        self.committed = committed
        renewal = OverlayRenewal()
        rows = OverlayRows([], in: committed)
    }

    /// Begins with the entries of another overlay.
    init(_ overlay: RecordOverlay, _ definition: Definition) {
        self.definition = definition
        renewal = overlay.renewal
        committed = overlay.ownCommitted
        rows = overlay.rows
        older = overlay.older
        olderEnd = overlay.olderEnd
        end = overlay.end
        changes = overlay.changes
        totals = overlay.ownTotals
    }

    /// Adopts an older part that was built of an earlier overlay.
    mutating func adopt(_ renewed: OverlayRenewal.Renewed?) {
        guard let renewed, renewed.end > olderEnd else { return }
        older = renewed.part
        olderEnd = renewed.end
        changes = changes.filter { $0.value.number > renewed.end }
    }

    mutating func set(_ served: ServedEntry) {
        let id = served.entry.id
        forget(id)
        totals.add(served.entry, objectSize: served.objectSize)
        rows.set(id, in: committed, to: true)
        end += 1
        changes[id] = RecordOverlay.Change(number: end, served: served)
    }

    mutating func remove(_ id: [UInt8]) {
        guard forget(id) else { return }
        rows.set(id, in: committed, to: false)
        end += 1
        // An older part that is being built may have the entry even if this overlay has not.
        changes[id] = RecordOverlay.Change(number: end, served: nil)
    }

    /// Removes the entry of an id from the totals; false if there is none.
    @discardableResult
    private mutating func forget(_ id: [UInt8]) -> Bool {
        if let change = changes[id] {
            guard let served = change.served else { return false }
            totals.remove(served.entry, objectSize: served.objectSize)
            return true
        }
        guard let (entry, size) = older?.entry(forID: id) else { return false }
        totals.remove(entry, objectSize: size)
        return true
    }

    /// Replaces the older part by a part that has all entries.
    mutating func settle(in part: OverlayPart?) {
        older = part
        olderEnd = end
        changes = [:]
    }

    /// The rows of the older part whose ids have changed since.
    var overtaken: RowBitmap {
        var rows = RowBitmap()
        guard let older else { return rows }
        for id in changes.keys {
            if let row = older.row(forID: id.rawSpan) { rows.set(row, of: older.rowCount, to: true) }
        }
        return rows
    }

    /// - Parameter maxNewer: the number of changes beyond which everything goes to the older part.
    /// - Returns: nil if there are no entries.
    mutating func finish(maxNewer: Int) throws(StoreError) -> RecordOverlay? {
        if totals.entries == 0 { return nil }
        if changes.count > maxNewer { settle(in: try OverlayPart.uniting(older, with: changes, definition)) }
        return RecordOverlay(self, newer: try OverlayPart.uniting(nil, with: changes, definition))
    }
}

extension RecordOverlay {
    fileprivate var ownCommitted: CommittedRecords? { committed }

    fileprivate var ownTotals: OverlayTotals { totals }
}

extension OverlayPart {
    /// A part with the entries of another part and the later changes.
    ///
    /// - Returns: nil if there are no entries.
    /// - Throws: the error of getting the memory.
    static func uniting(
        _ older: OverlayPart?, with changes: [[UInt8]: RecordOverlay.Change], _ definition: Definition
    ) throws(StoreError) -> OverlayPart? {
        if older == nil, !changes.values.contains(where: { $0.served != nil }) { return nil }
        var writer = try OverlayPartWriter(definition)
        if let older { try writer.carry(older, without: { changes[$0] != nil }) }
        for change in changes.values.sorted(by: { $0.number < $1.number }) {
            if let served = change.served { try writer.append(served) }
        }
        return try writer.finish()
    }
}

/// The sums over all entries.
private struct OverlayTotals: Sendable {
    private(set) var entries = 0
    private(set) var objectBytes = 0
    /// The number of unsettled operations in each state.
    private(set) var states: [PendingState: Int] = [:]
    /// A hash that does not depend on the order of the entries.
    private(set) var hash: UInt64 = 0

    mutating func add(_ entry: OverlayEntry, objectSize: Int) {
        entries += 1
        objectBytes += objectSize
        hash &+= entry.hash
        for (state, count) in entry.pending?.counts ?? [:] { states[state, default: 0] += count }
    }

    mutating func remove(_ entry: OverlayEntry, objectSize: Int) {
        entries -= 1
        objectBytes -= objectSize
        hash &-= entry.hash
        for (state, count) in entry.pending?.counts ?? [:] {
            let left = (states[state] ?? 0) - count
            states[state] = left > 0 ? left : nil
        }
    }
}

/// The committed rows that are not served, because the overlay has their ids.
public struct OverlayRows: Sendable {
    /// The rows of the file at the bottom.
    public private(set) var covered = RowBitmap()
    /// The rows of the other snapshots of committed records, the oldest one first.
    private var coveredNewer: [RowBitmap] = []

    /// The rows of some ids.
    init(_ ids: [[UInt8]], in committed: CommittedRecords?) {
        for id in ids { set(id, in: committed, to: true) }
    }

    /// Whether the overlay hides a row of the committed records.
    func covers(_ row: Int, of committed: CommittedRecords) -> Bool {
        if row < committed.file.count { return covered.contains(row) }
        let (index, own) = committed.layer(of: row)
        return covered(ofLayer: index).contains(own)
    }

    /// The rows of one of the snapshots of committed records, counted from the bottom.
    func covered(ofLayer index: Int) -> RowBitmap {
        if index == 0 { return covered }
        return index <= coveredNewer.count ? coveredNewer[index - 1] : RowBitmap()
    }

    fileprivate mutating func set(_ id: [UInt8], in committed: CommittedRecords?, to isCovered: Bool) {
        guard let committed else { return }
        for (index, layer) in committed.layers.enumerated() {
            if index > coveredNewer.count { coveredNewer.append(RowBitmap()) }
            guard let row = layer.row(forID: id.rawSpan) else { continue }
            if index == 0 {
                covered.set(row, of: layer.count, to: isCovered)
            } else {
                coveredNewer[index - 1].set(row, of: layer.count, to: isCovered)
            }
        }
    }
}
