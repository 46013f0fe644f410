// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot

/// The rows of one refresh, sent to state.db while the body is still being read. They are invisible until `commit`.
/// `abandon` deletes them; after a crash the next refresh deletes them.
///
/// A stage belongs to the thread of its refresh, and a collection has one at a time. Calls wait while several chunks
/// are being written. Once a chunk could not be written, each call throws the error of that chunk.
public struct GenerationStage: ~Copyable {
    private struct Progress {
        var inFlight = 0
        var error: StoreError?
        /// Written chunks, to be filled again.
        var spare: [PooledChunk] = []
    }

    /// The number of chunks that may wait for the store's thread.
    private static let chunksInFlight = 4
    /// The bytes that are kept of one quarantined record.
    public static let quarantinedBytes = 1 << 20
    /// The bytes that are kept of all quarantined records of a collection.
    public static let allQuarantinedBytes = 32 << 20
    /// The number of quarantined records that are kept of a collection; more are only counted.
    public static let quarantinedEntries = 10_000

    /// The collection as it was when the refresh began.
    public let base: CollectionRow
    /// See `StateConnection.beginStage`.
    var number: UInt64 { target.stage }
    /// The generation that a commit will make.
    public var generation: UInt64 { target.generation }
    /// The number of records that went to quarantine, of all answers.
    public private(set) var quarantined = 0
    /// The changes of the quarantine by the answers; empty if it stays the same.
    private(set) var quarantine: [QuarantineChange] = []
    let database: StateDatabase
    let target: StageChunk.Target
    /// The size up to which the values of the changes are kept; no values are kept if they are larger.
    private let historyBytes: Int
    private(set) var nextKey: Int64
    /// The size of the values of the changes so far.
    private(set) var valueBytes = 0
    /// The largest ordinal of a change so far.
    private var lastOrdinal: Int64 = 0
    /// The ordinals of withdrawn changes, to be given to other changes.
    private var freeOrdinals: [Int64] = []
    private(set) var hasJoinValues = false
    private var joinValues: Int64 = 0
    private var chunk = StageChunk()
    private let progress = Monitor(Progress())
    /// The entries of quarantine of earlier answers that are no longer in it.
    private(set) var released: [Int64] = []
    private var quarantineRoom = Self.allQuarantinedBytes

    init(database: StateDatabase, base: CollectionRow, number: UInt64, at: Int64, historyBytes: Int) {
        self.database = database
        self.base = base
        self.historyBytes = historyBytes
        nextKey = base.nextKey
        target = StageChunk.Target(
            collection: base.number, generation: base.generation + 1, quarantineBatch: base.quarantineBatch + 1,
            currentQuarantineBatch: base.quarantineBatch, joinBatch: base.joinBatch + 1, at: at, stage: number)
    }

    /// Begins the answer of a source, to which the following calls belong.
    ///
    /// - Parameter keptBytes: the size of the entries of quarantine that stay.
    mutating func begin(_ scope: AnswerScope, keptBytes: Int = 0) {
        quarantine.append(QuarantineChange(site: scope.site, isIncremental: scope.isIncremental))
        quarantineRoom = max(0, quarantineRoom - keptBytes)
    }

    /// Records that the answer has the element of an earlier entry, too.
    mutating func seeAgain(_ entry: Int64) {
        quarantine[quarantine.count - 1].seenAgain.append(entry)
    }

    /// Removes entries of earlier answers from quarantine.
    mutating func release(_ entries: [Int64]) { released += entries }

    /// Stores a new or changed record, and returns its key. Times are in milliseconds since 1970.
    ///
    /// Waits while several chunks are being written. After an error the caller can only call `abandon`.
    ///
    /// - Throws: the error of an earlier chunk that could not be written; `.tooLarge` if the collection has used up its
    /// keys.
    public mutating func add(
        id: RawSpan, upstream: RawSpan, firstSeen: Int64, changedAt: Int64
    ) throws(StoreError) -> Int64 {
        guard nextKey < 1 << StateSchema.keyBits else { throw StoreError(.tooLarge, "store a record") }
        let key = StateSchema.firstKey(of: base.number) + nextKey
        nextKey += 1
        let id = chunk.add(id)
        let upstream = chunk.add(upstream)
        chunk.versions.append(.init(key: key, id: id, upstream: upstream, firstSeen: firstSeen, changedAt: changedAt))
        try sendIfFull()
        return key
    }

    /// Stores a new or changed record, and returns its key.
    public mutating func add(
        _ record: borrowing DecodedRecord, firstSeen: Int64, changedAt: Int64
    ) throws(StoreError) -> Int64 {
        try add(id: record.id.rawSpan, upstream: record.upstream.rawSpan, firstSeen: firstSeen, changedAt: changedAt)
    }

    /// Withdraws a record that `add` has stored under `key`.
    public mutating func withdraw(_ key: Int64) throws(StoreError) {
        chunk.withdrawn.append(key)
        try sendIfFull()
    }

    /// Ends a record of an earlier generation, because it is gone or has a new version.
    public mutating func end(_ key: Int64) throws(StoreError) {
        chunk.removals.append(key)
        try sendIfFull()
    }

    /// The number of changes so far.
    public var changes: Int { Int(lastOrdinal) - freeOrdinals.count }

    /// Whether the values of changes are kept. No values are kept once they are too large.
    public var keepsChanges: Bool { valueBytes <= historyBytes }

    /// Keeps a change of a record, with its values while there is room for them.
    ///
    /// - Parameters:
    ///   - values: see ``LoggedChange/values``.
    ///   - firstSeen: the time at which a removed record was first seen.
    /// - Returns: the ordinal to withdraw the change by.
    @discardableResult
    public mutating func note(
        _ operation: LoggedOperation, id: RawSpan, values: RawSpan? = nil, differsUpstream: Bool = false,
        firstSeen: Int64? = nil
    ) throws(StoreError) -> Int64 {
        let ordinal = freeOrdinals.popLast() ?? lastOrdinal + 1
        lastOrdinal = max(lastOrdinal, ordinal)
        valueBytes += values?.byteCount ?? 0
        let kept = keepsChanges ? values : nil
        chunk.record(
            .init(
                ordinal: ordinal, operation: operation, differsUpstream: differsUpstream, firstSeen: firstSeen),
            id, kept)
        try sendIfFull()
        return ordinal
    }

    /// Withdraws a change, because the record turned out to be the same. The ordinal may be given to another change.
    public mutating func withdraw(change ordinal: Int64) {
        freeOrdinals.append(ordinal)
    }

    /// Gives the ordinals of withdrawn changes to the last changes, so that all ordinals are consecutive from 1.
    mutating func closeGaps() throws(StoreError) {
        guard !freeOrdinals.isEmpty else { return }
        let count = Int64(changes)
        let free = freeOrdinals.sorted()
        var gaps = free.prefix { $0 <= count }
        var unused = free.dropFirst(gaps.count)
        while lastOrdinal > count {
            if unused.last == lastOrdinal {
                unused.removeLast()
                chunk.withdrawnChanges.append(lastOrdinal)
            } else if let gap = gaps.popLast() {
                chunk.renumbered.append(.init(from: lastOrdinal, to: gap))
            }
            lastOrdinal -= 1
            try sendIfFull()
        }
        freeOrdinals = []
        // The rows that were written under these ordinals must be sent before the ordinals are given to other changes.
        try send()
    }

    /// Counts a quarantined record, and keeps it with as many of its bytes as there is room for.
    ///
    /// - Parameter id: the id of the record; nil if it is not known.
    public mutating func quarantine(
        _ bytes: RawSpan, id: [UInt8]? = nil, pointer: String, reason: String
    ) throws(StoreError) {
        if quarantine.isEmpty { begin(.whole) }
        quarantined += 1
        quarantine[quarantine.count - 1].added += 1
        guard quarantined <= Self.quarantinedEntries else { return }
        let kept = min(bytes.byteCount, Self.quarantinedBytes, quarantineRoom)
        quarantineRoom -= kept
        let range = chunk.add(bytes.extracting(0..<kept))
        let idRange = id.map { chunk.add($0.rawSpan) }
        chunk.quarantined.append(
            .init(
                pointer: pointer, reason: reason, bytes: range, id: idRange, size: bytes.byteCount,
                digest: Checksum.of(bytes), site: quarantine.last?.site,
                isIncremental: quarantine.last?.isIncremental ?? false))
        try sendIfFull()
    }

    /// Stores the values of a join, one line of text for each key. They replace those of the last good join.
    public mutating func keep(joined lines: [UInt8]) throws(StoreError) {
        hasJoinValues = true
        for line in lines.split(separator: UInt8(ascii: "\n")) {
            joinValues += 1
            let value = chunk.add(unsafe line.span.bytes)
            chunk.joinValues.append(.init(number: joinValues, value: value))
            try sendIfFull()
        }
    }

    private mutating func sendIfFull() throws(StoreError) {
        if chunk.isFull { try send() }
    }

    /// Sends the chunk to the store's thread, once few enough are on their way.
    mutating func send() throws(StoreError) {
        let progress = progress
        let result = progress.wait { progress -> Result<PooledChunk, StoreError>? in
            if let error = progress.error { return .failure(error) }
            guard progress.inFlight < Self.chunksInFlight else { return nil }
            progress.inFlight += 1
            return .success(progress.spare.popLast() ?? PooledChunk())
        }
        guard let pooled = try result?.get() else { return }
        pooled.swap(with: &chunk)
        let target = target
        let database = database
        let finish: @Sendable (StoreError?) -> Void = { error in
            if let error { database.suspect(error) }
            progress.update {
                $0.inFlight -= 1
                if $0.error == nil { $0.error = error }
                $0.spare.append(pooled)
            }
        }
        database.background(
            { connection in
                do throws(StoreError) {
                    try connection.check(target.stage, of: target.collection)
                    try connection.transaction(.buffered, "store records") { connection throws(StoreError) in
                        try pooled.write(connection, to: target)
                    }
                    finish(nil)
                } catch { finish(error) }
            }, closed: { finish($0) })
    }

    /// Sends the rest, and waits until all is written.
    mutating func flush() throws(StoreError) {
        if !chunk.isEmpty { try send() }
        if let error = progress.wait({ $0.inFlight == 0 ? .some($0.error) : nil }) ?? nil { throw error }
    }
}

extension GenerationStage {
    /// Deletes the staged rows. If it is not called, the collection's next refresh deletes them.
    public mutating func abandon() {
        try? flush()
        try? database.discardLeftovers(of: base.number, stage: target.stage)
    }

    /// The data about a commit that the log keeps, of the recorded changes.
    func log(cause: ChangeCause) -> CommitPlan.Log {
        .init(cause: cause, isWhole: false, changes: changes, valueBytes: keepsChanges ? valueBytes : nil)
    }

    /// Returns the transaction of `StateStore.confirm`.
    func plan(_ sources: [SourceRow]) -> CommitPlan {
        CommitPlan(
            base: base, sources: sources,
            quarantineBatch: quarantine.isEmpty ? base.quarantineBatch : target.quarantineBatch,
            quarantine: quarantine, released: released, joinBatch: hasJoinValues ? target.joinBatch : base.joinBatch,
            at: target.at, stage: target.stage)
    }
}

extension StateDatabase {
    /// Deletes the rows that an earlier attempt has left, and begins the next generation of a collection.
    ///
    /// - Parameter historyBytes: the size up to which the values of the changes are kept.
    public func stage(
        _ collection: Int64, at now: Int64, historyBytes: Int
    ) throws(StoreError) -> GenerationStage {
        let number = try perform { connection throws(StoreError) in connection.beginStage(of: collection) }
        try discardLeftovers(of: collection, stage: number)
        let row = try perform { connection throws(StoreError) in
            try CollectionRow.readAll(connection.database).first { $0.number == collection }
        }
        guard let row else { throw StoreError(.missing, "begin a refresh", detail: "no such collection") }
        return GenerationStage(database: self, base: row, number: number, at: now, historyBytes: historyBytes)
    }
}

/// The records that belong to an answer: the answer decides whether those that it does not have are gone or unchanged.
public struct AnswerScope: Sendable, Hashable {
    /// The site whose records the answer has; nil for the only source of a collection.
    public var site: String?
    /// Whether the answer has only what has changed, and so concerns only the records that it names.
    public var isIncremental: Bool

    /// An answer with all records of the only source.
    public static let whole = AnswerScope()

    public init(site: String? = nil, isIncremental: Bool = false) {
        self.site = site
        self.isIncremental = isIncremental
    }
}
