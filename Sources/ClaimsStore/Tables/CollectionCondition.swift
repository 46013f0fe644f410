// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel

/// The state of a collection beside its records. Commits and refreshes replace it as a whole.
public struct CollectionCondition: Sendable {
    /// The row of the collection, as committed.
    public var row: CollectionRow
    /// The state of the only source, as committed. It has no meaning for a collection with sites.
    public var source: SourceRow
    /// The states of the sources by their sites, as committed; empty for a collection with one source.
    public var sites: [String: SourceRow] = [:]
    /// The number of the last change of this collection by a commit of any kind.
    public var changedSeq: UInt64 = 0
    /// The part of the collection's log that is kept.
    public var log = LogExtent()
    /// The collection's unsettled operations, in the order of their commits and so of their numbers.
    public internal(set) var operations: [StoredOperation] = []
    /// The ids that its records had before the upstream gave them others, each with the id that replaced it.
    public internal(set) var aliases: [[UInt8]: [UInt8]] = [:]
    /// When the definition was found to have no source, in milliseconds since 1970; nil if it has one.
    public var unconfiguredSince: Int64?
    /// Whether a fetch is under way.
    public var isRefreshing = false
    /// Whether an upstream has confirmed the data since this process started.
    public var isConfirmed = false
    /// Whether all checksums of the snapshot have been compared, or this process has written it.
    public var isVerified = false
    /// The reason why there is no snapshot although state.db has records; nil for most collections.
    public var problem: StoreError?
    /// The reason why a file over the base is not served, though state.db names it; its records lie over the other
    /// files.
    var lostFile: StoreError?
    /// The number in the name of the base whose middle file waits to be merged, because the disk has no room for
    /// another base; nil: none waits.
    var waitingBase: UInt64?
    /// The number of times that records were forgotten since the start. Work that was begun before may still have these
    /// records.
    var forgets = 0

    public init(row: CollectionRow, source: SourceRow = SourceRow(), sites: [String: SourceRow] = [:]) {
        self.row = row
        self.source = source
        self.sites = sites
    }

    /// Whether the middle file waits to be merged into the base, because the disk has no room for another base.
    public var isMergeWaiting: Bool { waitingBase != nil && waitingBase == row.fileID && row.middle != nil }

    /// The unsettled operation with a number; nil if there is none.
    public func operation(numbered number: Int64) -> StoredOperation? {
        let index = operations.indices.partitionPoint { operations[$0].operation.number < number }
        return index < operations.count && operations[index].operation.number == number ? operations[index] : nil
    }

    /// The state of a source.
    ///
    /// - Parameter site: nil for the only source of the collection.
    public func source(of site: String?) -> SourceRow {
        guard let site else { return source }
        return sites[site] ?? SourceRow(site: site)
    }

    /// Replaces the states of some sources.
    mutating func put(_ sources: [SourceRow]) {
        for source in sources {
            if let site = source.site { sites[site] = source } else { self.source = source }
        }
    }

    /// Records the commit of a generation.
    mutating func add(_ log: CommitPlan.Log, endingAt seq: UInt64, at now: Int64) {
        if log.changes > 0 { changedSeq = seq }
        self.log.add(changes: log.changes, bytes: log.valueBytes, at: now)
    }

    /// The sites that are known, and that the definition does not have any more.
    ///
    /// If the definition has no sites, the result is empty: their records are served until the only source has
    /// answered.
    func removedSites(by definition: Definition) -> Set<String> {
        guard let list = definition.source.sites, !sites.isEmpty else { return [] }
        return Set(sites.keys).subtracting(list.sites.map(\.name))
    }
}
