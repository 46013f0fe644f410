// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes

/// The rows of a collection as they are served: those of a snapshot that nothing covers, and those of an overlay.
///
/// Rows of the overlay have the numbers after those of the snapshot below. All threads may read it at once.
public final class ServedRows: Sendable {
    /// The snapshot below; nil where the overlay has all records.
    public let base: Snapshot?
    /// The records over it; nil almost always, and then every query is one of the snapshot alone.
    public let overlay: OverlayRows?
    /// The number of records that lists have, archived ones too.
    public let count: Int
    /// The number of records that lists have and that are archived.
    public let archivedCount: Int
    let baseMask: RowMask
    let overlayMask: RowMask

    /// - Parameter archived: the rows of `base` that are archived.
    public init(base: Snapshot?, archived: RowBitmap, overlay: OverlayRows? = nil) {
        self.base = base
        self.overlay = overlay
        baseMask = RowMask(archived: archived, covered: overlay?.covered ?? RowBitmap())
        overlayMask = RowMask(archived: overlay?.archived ?? RowBitmap(), covered: overlay?.unlisted ?? RowBitmap())
        count = (base?.count ?? 0) - baseMask.covered.count + (overlay?.count ?? 0) - overlayMask.covered.count
        archivedCount = baseMask.archived.count + overlayMask.archived.count
    }

    /// The first number of the overlay's rows.
    public var overlayStart: Int { base?.count ?? 0 }

    /// The row in the overlay's own snapshot of a row; nil for one of the snapshot below.
    public func overlayRow(_ row: Int) -> Int? { row < overlayStart ? nil : row - overlayStart }

    /// The snapshot that a row is in, and its number there; nil for a row that does not exist.
    @inline(__always)
    public func layer(of row: Int) -> (snapshot: Snapshot, row: Int)? {
        if let base, row < base.count { return (base, row) }
        guard let snapshot = overlay?.snapshot, row - overlayStart < snapshot.count else { return nil }
        return (snapshot, row - overlayStart)
    }

    /// The bytes of the id of a row, as a copy; nil for a row that does not exist.
    public func idBytes(_ row: Int) -> [UInt8]? {
        guard let (snapshot, own) = layer(of: row) else { return nil }
        return snapshot.idBytes(own)
    }

    /// The rows of `base` that are archived or not served; the others are as they were without an overlay.
    public var baseExceptions: RowBitmap { baseMask.excluded }

    /// The number of rows with or without a listed record, over all layers.
    public var end: Int { overlayStart + (overlay?.count ?? 0) }

    /// The number of records in lists that hold a value which a vocabulary does not know.
    public var unsupported: Int {
        guard let overlay else { return base?.unsupported ?? 0 }
        var count = (base?.unsupported ?? 0) + (overlay.snapshot?.unsupported ?? 0)
        if let base, base.unsupported > 0 { overlay.covered.forEach { count -= base.isUnsupported($0) ? 1 : 0 } }
        if let own = overlay.snapshot { overlay.unlisted.forEach { count -= own.isUnsupported($0) ? 1 : 0 } }
        return count
    }

    /// Whether lists have the row: it is neither covered nor archived.
    public func isOrdinary(_ row: Int) -> Bool {
        overlayRow(row).map { !overlayMask.excluded.contains($0) } ?? !baseMask.excluded.contains(row)
    }

    /// The row of the record with this id; nil where none is served. It may be one that lists leave out.
    public func row(forID id: RawSpan) -> Int? {
        if let row = overlay?.snapshot?.row(forID: id) { return overlayStart + row }
        guard let row = base?.row(forID: id), !baseMask.covered.contains(row) else { return nil }
        return row
    }

    /// Whether lists leave the record out, because its deletion is under way.
    public func isUnlisted(_ row: Int) -> Bool {
        overlayRow(row).map { overlayMask.covered.contains($0) } ?? baseMask.covered.contains(row)
    }

    public func isArchived(_ row: Int) -> Bool {
        guard let own = overlayRow(row) else { return baseMask.archived.contains(row) }
        return overlay?.archived.contains(own) ?? false
    }
}

/// The rows of one layer that a query leaves out or is about.
struct RowMask: Sendable {
    /// The rows that another layer covers, or that are in no list.
    let covered: RowBitmap
    /// The archived rows that are not covered.
    let archived: RowBitmap
    /// The rows that are archived or covered.
    let excluded: RowBitmap

    init(archived: RowBitmap, covered: RowBitmap) {
        self.covered = covered
        var (own, all) = (archived, archived)
        own.subtract(covered)
        all.formUnion(covered)
        self.archived = own
        excluded = all
    }
}
