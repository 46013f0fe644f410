// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
import ClaimsPlatform

/// The rows of one refresh, sent to state.db while the body is still being read. They are invisible until `commit`,
/// and gone after `abandon`, or at the next refresh after a crash.
///
/// Belongs to the thread of its refresh; a collection has one at a time. Calls wait while several chunks are on their
/// way. Once a chunk could not be written, each call throws why.
public struct GenerationStage: ~Copyable {
    private struct Progress {
        var inFlight = 0
        var error: StoreError?
        /// Written ones, to be filled again.
        var spare: [StageParcel] = []
    }

    /// So many chunks may wait for the store's thread.
    private static let chunksInFlight = 4
    /// What is kept of one quarantined record, and of all of a collection.
    public static let quarantinedBytes = 1 << 20
    public static let allQuarantinedBytes = 32 << 20
    public static let quarantinedEntries = 10_000
    /// Bytes of changed fields kept with a generation's changes; later ones are noted without.
    static let changedFieldBytes = 64 << 20

    /// The collection as it was when the refresh began.
    public let base: CollectionRow
    /// The generation that a commit will make.
    public var generation: UInt64 { target.generation }
    /// The records that went to quarantine.
    public private(set) var quarantined = 0
    let store: StateStore
    let target: StageChunk.Target
    /// How many changes are kept at most; with more in one generation none are.
    let changeLimit: Int
    private(set) var nextKey: Int64
    private(set) var changes = 0
    private(set) var hasJoinValues = false
    private var joinValues: Int64 = 0
    private var chunk = StageChunk()
    private let progress = Monitor(Progress())
    private var quarantineRoom = Self.allQuarantinedBytes
    private var fieldRoom = Self.changedFieldBytes

    init(store: StateStore, base: CollectionRow, at: Int64, changeLimit: Int) {
        self.store = store
        self.base = base
        self.changeLimit = changeLimit
        nextKey = base.nextKey
        target = StageChunk.Target(
            collection: base.number, generation: base.generation + 1, quarantineBatch: base.quarantineBatch + 1,
            currentQuarantineBatch: base.quarantineBatch, joinBatch: base.joinBatch + 1, at: at)
    }

    /// Stores a new or changed record, and returns its key.
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
        try add(id: record.id.raw, upstream: record.upstream.raw, firstSeen: firstSeen, changedAt: changedAt)
    }

    /// Takes back what `add` stored.
    public mutating func withdraw(_ key: Int64) throws(StoreError) {
        chunk.withdrawn.append(key)
        try sendIfFull()
    }

    /// Ends a record of an earlier generation: it is gone, or there is another version of it.
    public mutating func end(_ key: Int64) throws(StoreError) {
        chunk.removals.append(key)
        try sendIfFull()
    }

    /// Whether there is room for more changes: what is noted from now on is only counted otherwise.
    public var keepsChanges: Bool { changes < changeLimit }

    /// Counts a change, and keeps it while there is room. `fields` is a JSON object of the changed fields, each with
    /// `[old, new]`.
    ///
    /// - Returns: what to withdraw the change by; nil: it was only counted.
    @discardableResult
    public mutating func note(
        _ change: RecordChange, id: RawSpan, fields: [UInt8]? = nil
    ) throws(StoreError) -> Int64? {
        changes += 1
        guard changes <= changeLimit else { return nil }
        let id = chunk.add(id)
        var kept: Range<Int>?
        if let fields, fields.count <= fieldRoom {
            fieldRoom -= fields.count
            kept = chunk.add(fields.raw)
        }
        let ordinal = Int64(changes)
        chunk.changes.append(.init(ordinal: ordinal, operation: change.operation, id: id, fields: kept))
        try sendIfFull()
        return ordinal
    }

    public mutating func note(
        _ change: RecordChange, _ record: borrowing DecodedRecord, fields: [UInt8]? = nil
    ) throws(StoreError) -> Int64? {
        try note(change, id: record.id.raw, fields: fields)
    }

    /// Takes back a change that turned out to be none; its number stays unused.
    public mutating func withdraw(change ordinal: Int64) throws(StoreError) {
        chunk.withdrawnChanges.append(ordinal)
        try sendIfFull()
    }

    /// Counts a quarantined record, and keeps it with as many of its bytes as there is room for.
    public mutating func quarantine(_ bytes: RawSpan, pointer: String, reason: String) throws(StoreError) {
        quarantined += 1
        guard quarantined <= Self.quarantinedEntries else { return }
        let kept = min(bytes.byteCount, Self.quarantinedBytes, quarantineRoom)
        quarantineRoom -= kept
        let range = chunk.add(bytes.extracting(0..<kept))
        chunk.quarantined.append(
            .init(pointer: pointer, reason: reason, bytes: range, size: bytes.byteCount, digest: Checksum.of(bytes)))
        try sendIfFull()
    }

    /// Keeps what a join took, a line of text for each key, in place of what the last good join took.
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

    /// Hands the chunk to the store's thread, when few enough are on their way.
    mutating func send() throws(StoreError) {
        let progress = progress
        let result = progress.wait { progress -> Result<StageParcel, StoreError>? in
            if let error = progress.error { return .failure(error) }
            guard progress.inFlight < Self.chunksInFlight else { return nil }
            progress.inFlight += 1
            return .success(progress.spare.popLast() ?? StageParcel())
        }
        guard let parcel = try result?.get() else { return }
        parcel.exchange(&chunk)
        let target = target
        let store = store
        let finish: @Sendable (StoreError?) -> Void = { error in
            if let error { store.suspect(error) }
            progress.update {
                $0.inFlight -= 1
                if $0.error == nil { $0.error = error }
                $0.spare.append(parcel)
            }
        }
        store.background(
            { connection in
                do throws(StoreError) {
                    try connection.transaction(.buffered, "store records") { connection throws(StoreError) in
                        try parcel.write(connection, to: target)
                    }
                    finish(nil)
                } catch { finish(error) }
            }, closed: { finish($0) })
    }

    /// Sends what is left, and waits until all is written.
    mutating func flush() throws(StoreError) {
        if !chunk.isEmpty { try send() }
        if let error = progress.wait({ $0.inFlight == 0 ? .some($0.error) : nil }) ?? nil { throw error }
    }
}
