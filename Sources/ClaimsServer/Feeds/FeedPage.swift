// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsQuery
import ClaimsSnapshot
import ClaimsStore

/// Some records of a view, by id: those of its snapshot, and those that lie over it.
struct FeedPage {
    /// Their rows among those of the view.
    private(set) var rows: [UInt32] = []
    /// The id after which the next page begins; nil after the last record.
    private(set) var next: [UInt8]?

    /// Finds the next records that match.
    ///
    /// - Parameters:
    ///   - after: the id after which they begin; nil: with the first one.
    ///   - limit: how many, at most; there may be fewer although more follow.
    ///   - scratch: memory that only the calling thread uses.
    init(
        of view: CollectionView, _ predicate: Predicate, archived: ArchivedMode, after: [UInt8]?, limit: Int,
        scratch: QueryScratch, budget: QueryBudget
    ) throws(QueryInterruption) {
        var query = PageQuery(
            predicate: predicate, order: RecordOrder([], idField: view.definition.idField))
        query.archived = archived
        query.limit = limit
        query.after = after.map { PagePosition(group: nil, keys: [], id: $0, generation: 0, row: 0) }
        let own = try view.snapshot?.execute(query, archive: view.archive.rows, scratch: scratch, budget: budget)
        next = own?.next?.id
        guard let overlay = view.rows.overlay else {
            rows = own?.rows ?? []
            return
        }
        let over = try overlay.snapshot?.execute(query, archive: overlay.archived, scratch: scratch, budget: budget)
        let below = (own?.rows ?? []).map { Int($0) }.filter { !overlay.covered.contains($0) }
        let above = (over?.rows ?? []).map { Int($0) }.filter { !overlay.unlisted.contains($0) }
        let found = (below + above.map { view.rows.overlayStart + $0 }).map { (row: $0, id: view.id(ofRow: $0)) }
        take(found, ends: [own?.next?.id, over?.next?.id].compactMap { $0 }, limit: limit)
    }

    /// Takes the first of the records that were found, as far as both layers were looked through.
    ///
    /// - Parameter ends: the ids up to which layers were looked through that have more.
    private mutating func take(_ records: [(row: Int, id: [UInt8])], ends: [[UInt8]], limit: Int) {
        let end = ends.map { (key: Self.key(of: $0), id: $0) }.min { $0.key.lexicographicallyPrecedes($1.key) }
        var found = records.map { (key: Self.key(of: $0.id), row: $0.row, id: $0.id) }
        found.sort { $0.key.lexicographicallyPrecedes($1.key) }
        if let end { found.removeAll { end.key.lexicographicallyPrecedes($0.key) } }
        next = found.count > limit ? found[limit - 1].id : end?.id
        rows = found.prefix(limit).map { UInt32(truncatingIfNeeded: $0.row) }
    }

    private static func key(of id: [UInt8]) -> [UInt8] {
        var key: [UInt8] = []
        KeyEncoding.natural(id.rawSpan, into: &key)
        return key
    }
}

extension CollectionView {
    /// The id of the record in a row of the view.
    func id(ofRow row: Int) -> [UInt8] {
        if let own = rows.overlayRow(row) { return overlay?.snapshot?.idBytes(own) ?? [] }
        return snapshot?.idBytes(row) ?? []
    }

    /// The number of records that match.
    ///
    /// - Parameter scratch: memory that only the calling thread uses.
    func count(
        _ predicate: Predicate, _ archived: ArchivedMode, scratch: QueryScratch, budget: QueryBudget
    ) throws(QueryInterruption) -> Int {
        func count(
            _ snapshot: Snapshot?, _ archivedRows: RowBitmap, without untold: RowBitmap
        ) throws(QueryInterruption) -> Int {
            guard let snapshot else { return 0 }
            var count = try snapshot.count(
                predicate, archived: archived, archive: archivedRows, scratch: scratch, budget: budget)
            if untold.count == 0 { return count }
            let test = try snapshot.prepare(predicate, forAbout: .max, scratch: scratch, budget: budget)
            untold.forEach { row in
                let isTaken = archived.takes(isArchived: archivedRows.contains(row))
                if isTaken, test?.contains(row) ?? false { count -= 1 }
            }
            return count
        }
        let overlay = rows.overlay
        return try count(snapshot, archive.rows, without: overlay?.covered ?? RowBitmap())
            + count(overlay?.snapshot, overlay?.archived ?? RowBitmap(), without: overlay?.unlisted ?? RowBitmap())
    }
}

extension ArchivedMode {
    /// Whether a set of this mode may hold records that are archived, or not.
    func takes(isArchived: Bool) -> Bool {
        switch self {
        case .exclude: !isArchived
        case .only: isArchived
        case .include: true
        }
    }
}
