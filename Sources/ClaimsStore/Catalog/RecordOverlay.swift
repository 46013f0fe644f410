// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsModel
public import ClaimsSnapshot

/// The records of one collection that are newer than its snapshot and lie over it: what writes have made of them.
///
/// The overlay is immutable; each commit of writes makes a new one. Its records are a small snapshot in memory, so that
/// filters, orders and counts mean there what they mean in the snapshot below.
///
/// ```swift
/// let overlay = try RecordOverlay.build(entries, over: view.snapshot, definition: view.definition, joined: nil)
/// let next = try overlay?.applying(changed, removing: settled, over: view.snapshot, definition, joined: nil)
/// ```
public final class RecordOverlay: Sendable {
    /// The rows for queries, without marks of archived ones.
    public let rows: OverlayRows
    /// A number that differs between overlays of different content; never 0. It is the same after a restart.
    public let version: UInt64
    /// The entries that cannot be decoded.
    public let unserved: [UnservedEntry]
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

    /// Returns the same overlay over another snapshot of the same definition.
    ///
    /// Records that were taken from the snapshot below stay as they are; build it anew where they may have changed.
    public func rebuilt(for snapshot: Snapshot?) -> RecordOverlay {
        var rows = rows
        rows.covered = Self.covered(by: self.snapshot, and: gone, in: snapshot)
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
