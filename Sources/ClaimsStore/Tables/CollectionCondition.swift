// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsModel

/// The state of a collection beside its records, at one moment.
///
/// Each method that changes it is an event of the collection, and all of them stand in this file. A changed condition
/// is served once ``CatalogPublisher`` has it.
public struct CollectionCondition: Sendable {
    /// The row of the collection, as committed.
    public private(set) var row: CollectionRow
    /// The state of the only source, as committed. It has no meaning for a collection with sites.
    public private(set) var source: SourceRow
    /// The states of the sources by their sites, as committed; empty for a collection with one source.
    public private(set) var sites: [String: SourceRow] = [:]
    /// The number of the last change of this collection by a commit of any kind.
    public private(set) var changedSeq: UInt64 = 0
    /// The part of the collection's log that is kept.
    public private(set) var log = LogExtent()
    /// The collection's unsettled operations, in the order of their commits and so of their numbers.
    public private(set) var operations: [StoredOperation] = []
    /// The ids that its records had before the upstream gave them others, each with the id that replaced it.
    public private(set) var aliases: [[UInt8]: [UInt8]] = [:]
    /// When the definition was found to have no source, in milliseconds since 1970; nil if it has one.
    public private(set) var unconfiguredSince: Int64?
    /// Whether a fetch is under way.
    public private(set) var isRefreshing = false
    /// Whether an upstream has confirmed the data since this process started.
    public private(set) var isConfirmed = false
    /// Whether all checksums of the snapshot have been compared, or this process has written it.
    public private(set) var isVerified = false
    /// The reason why there is no snapshot although state.db has records; nil for most collections.
    public private(set) var problem: StoreError?
    /// The reason why a file over the base is not served, though state.db names it; its records lie over the other
    /// files.
    private(set) var lostFile: StoreError?
    /// The number in the name of the base whose middle file waits to be merged, because the disk has no room for
    /// another base; nil: none waits.
    private var waitingBase: UInt64?
    /// The number of times that records were forgotten since the start. Work that was begun before may still have these
    /// records.
    private(set) var forgets = 0

    public init(row: CollectionRow, source: SourceRow = SourceRow(), sites: [String: SourceRow] = [:]) {
        self.row = row
        self.source = source
        self.sites = sites
    }

    // MARK: - Reading

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

    /// The sites that are known, and that the definition does not have any more.
    ///
    /// If the definition has no sites, the result is empty: their records are served until the only source has
    /// answered.
    func removedSites(by definition: Definition) -> Set<String> {
        guard let list = definition.source.sites, !sites.isEmpty else { return [] }
        return Set(sites.keys).subtracting(list.sites.map(\.name))
    }

    // MARK: - A start

    /// The condition at a start, before files are opened.
    ///
    /// - Parameter now: in milliseconds since 1970.
    init(_ loaded: LoadedState.Collection, of definition: Definition, at now: Int64) {
        self.init(row: loaded.row, source: loaded.source, sites: loaded.sites)
        changedSeq = loaded.changedSeq
        log = loaded.log
        operations = loaded.operations
        aliases = loaded.aliases
        unconfiguredSince = definition.source.isConfigured ? nil : now
    }

    /// The files were opened.
    ///
    /// - Parameters:
    ///   - isVerified: whether all checksums were compared.
    ///   - lostFile: the reason why a file over the base cannot be read; nil: all are there.
    mutating func opened(isVerified: Bool, lostFile: StoreError?) {
        self.isVerified = isVerified
        self.lostFile = lostFile
    }

    /// No snapshot can be served.
    mutating func failed(_ problem: StoreError) { self.problem = problem }

    /// Another definition is in force.
    ///
    /// - Parameter now: in milliseconds since 1970.
    mutating func redefined(by definition: Definition, at now: Int64) {
        unconfiguredSince = definition.source.isConfigured ? nil : unconfiguredSince ?? now
    }

    // MARK: - Refreshes

    /// A fetch is under way.
    mutating func refreshBegan() { isRefreshing = true }

    /// No fetch is under way any more.
    mutating func refreshEnded() { isRefreshing = false }

    /// The states of some sources are others.
    ///
    /// - Parameter isConfirmed: whether the upstream has confirmed the data.
    mutating func sourcesChanged(_ sources: [SourceRow], isConfirmed: Bool = false) {
        for source in sources {
            if let site = source.site { sites[site] = source } else { self.source = source }
        }
        if isConfirmed { self.isConfirmed = true }
    }

    /// A generation was committed.
    ///
    /// - Parameters:
    ///   - log: what the log has of the commit, which ends at `seq`; nil: nothing.
    ///   - now: in milliseconds since 1970.
    ///   - isWritten: whether this process has written all files.
    mutating func generationCommitted(
        _ row: CollectionRow, _ sources: [SourceRow], _ log: CommitPlan.Log?, endingAt seq: UInt64, at now: Int64,
        isWritten: Bool
    ) {
        self.row = row
        if let log { logged(log, endingAt: seq, at: now) }
        sourcesChanged(sources)
        isConfirmed = !row.isBundle
        if isWritten { isVerified = true }
        problem = nil
    }

    /// An upstream has answered with the records that are served.
    mutating func generationConfirmed(_ row: CollectionRow, _ sources: [SourceRow]) {
        self.row = row
        sourcesChanged(sources, isConfirmed: true)
    }

    /// Some sites are not known any more.
    ///
    /// - Parameter quarantined: the number of elements in quarantine afterwards; nil: as before.
    mutating func sitesForgotten(_ names: [String], quarantined: Int?) {
        for name in names { sites[name] = nil }
        if let quarantined { row.quarantined = quarantined }
    }

    // MARK: - Files

    /// All checksums of the files were compared.
    mutating func verified() { isVerified = true }

    /// Files were replaced by others with the same records.
    ///
    /// - Parameter isWritten: whether this process has written all files.
    mutating func filesReplaced(_ row: CollectionRow, isWritten: Bool = false) {
        self.row = row
        if isWritten { isVerified = true }
        lostFile = nil
    }

    /// The disk has no room for the base that the middle file would be merged into.
    mutating func mergeDelayed() { waitingBase = row.fileID }

    /// One file was built of the stored records, for the definition that is in force from `now` on.
    mutating func rebuilt(_ row: CollectionRow, by definition: Definition, at now: Int64) {
        self.row = row
        isVerified = true
        problem = nil
        lostFile = nil
        redefined(by: definition, at: now)
    }

    /// The row names the definition by which the values are served.
    mutating func valuesNamed(_ hash: UInt64) { row.valuesHash = hash }

    /// The bundle is gone by the commit `seq`, and so is all data.
    mutating func bundleForgotten(_ row: CollectionRow, at seq: UInt64) {
        self.row = row
        changedSeq = seq
        log = LogExtent()
    }

    // MARK: - Writes

    /// Another host or an upstream was the truth of the collection, and this host is it now.
    mutating func adopted(_ row: CollectionRow, _ source: SourceRow) { (self.row, self.source) = (row, source) }

    /// This host was the truth of the collection, and an upstream is it now.
    mutating func released(_ row: CollectionRow) { self.row = row }

    /// A record was written that this host is the truth of.
    mutating func recordWritten(
        _ row: CollectionRow, _ log: CommitPlan.Log, endingAt seq: UInt64, at now: Int64
    ) {
        self.row = row
        logged(log, endingAt: seq, at: now)
    }

    /// Operations have come, changed or been settled, and records have other ids.
    mutating func operationsChanged(_ operations: [StoredOperation], aliases: [[UInt8]: [UInt8]]) {
        self.operations = operations
        self.aliases = aliases
    }

    /// Old ids are not known any more.
    mutating func aliasesForgotten(_ ids: [[UInt8]]) { for id in ids { aliases[id] = nil } }

    /// Records were erased by the commit `seq`.
    mutating func recordsForgotten(
        _ records: ForgottenRecords, _ row: CollectionRow, _ sources: [SourceRow], leaving log: LogExtent,
        endingAt seq: UInt64
    ) {
        (self.row, self.log) = (row, log)
        sourcesChanged(sources)
        forgets += 1
        changed(at: seq)
        aliases = aliases.filter { !records.earlierIDs.contains($0.key) }
    }

    /// The number of elements in quarantine is another.
    mutating func quarantineCounted(_ count: Int) { row.quarantined = count }

    // MARK: - The log

    /// The commit `seq` has changed the collection, or an earlier one has.
    mutating func changed(at seq: UInt64) { changedSeq = max(changedSeq, seq) }

    /// A commit is in the log.
    mutating func logged(_ log: CommitPlan.Log, endingAt seq: UInt64, at now: Int64) {
        logged(changes: log.changes, bytes: log.valueBytes, endingAt: seq, at: now)
    }

    /// A commit is in the log.
    ///
    /// - Parameter bytes: the size of the kept values; nil: the log begins after the commit.
    mutating func logged(changes: Int, bytes: Int?, endingAt seq: UInt64, at now: Int64) {
        if changes > 0 { changedSeq = seq }
        log.add(changes: changes, bytes: bytes, at: now)
    }

    /// The beginning of the log was deleted.
    mutating func logTrimmed(to floor: UInt64, leaving log: LogExtent) {
        row.floor = floor
        self.log = log
    }

    // MARK: - Commits beside other changes

    /// A commit of writes was made from an earlier condition; its result is in `commit`.
    mutating func written(by commit: CollectionCondition) {
        row = commit.row
        changedSeq = commit.changedSeq
        log = commit.log
        operations = commit.operations
        aliases = commit.aliases
    }

    /// Refreshes have gone on during a commit; their state is in `current`.
    mutating func refreshed(beside current: CollectionCondition) {
        isRefreshing = current.isRefreshing
        isConfirmed = current.isConfirmed
    }
}
