// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
import ClaimsPlatform

/// Builds one snapshot file: records are appended as they arrive, in any order, then `finish` sorts and indexes them.
///
/// What is large goes through files, so that memory stays small however many records there are. A writer that is let
/// go before `finish` leaves nothing behind; a crash leaves a file under a name that no state database knows.
public struct SnapshotWriter: ~Copyable {
    private let directory: String
    private let definition: Definition
    private let identity: SnapshotIdentity
    private let output: SnapshotOutput
    private var records: SectionWriter
    private var offsets: SpillStream<UInt64>
    private var gathering: GatheringThread
    /// The snapshot that records are carried from, their rows there, and where they begin in this file.
    private var base: Snapshot?
    private var carriedRows: [UInt32] = []
    private var carriedOffsets: SpillStream<UInt64>
    /// By arrival: the number among the new records, or among the carried ones with `carriedBit`.
    private var arrivals: [UInt32] = []
    private var unsupported = RowMarks()
    private var unsupportedCarried = RowMarks()
    private var dropped = RowMarks()
    private var droppedCarried = RowMarks()
    private var block: [UInt8] = []
    private var liveBytes = 0
    /// How many new records there are.
    private var fresh = 0

    private static let carriedBit: UInt32 = 1 << 31

    /// Opens the file that `identity` names, in `directory`, which also takes the temporary files.
    ///
    /// - Parameter base: the snapshot in the same folder that records will be carried from, if any. Where it is large,
    ///   its records are not written again.
    public init(
        directory: String, definition: Definition, identity: SnapshotIdentity, base: Snapshot? = nil
    ) throws(StoreError) {
        self.directory = directory
        self.definition = definition
        self.identity = identity
        output = try SnapshotOutput(directory: directory, identity: identity, base: base)
        self.base = base
        records = SectionWriter(
            .records, owner: output.sharedRecords.count, at: SnapshotHeader.size, of: output)
        offsets = SpillStream(directory)
        carriedOffsets = SpillStream(directory)
        gathering = GatheringThread(
            ColumnKind.columns(of: definition), directory: directory, seed: RandomBytes.integer())
    }

    /// Appends a record and returns which one it is, counted in the order of arrival.
    ///
    /// Instants are in milliseconds since 1970; `stateKey` is the record's key in the state database. Each id may
    /// occur once: an earlier record of the same id must be dropped.
    public mutating func append(
        _ record: borrowing DecodedRecord, firstSeen: Int64, changedAt: Int64, stateKey: Int64
    ) throws(StoreError) -> Int {
        try checkRoom(record.id.count + record.document.count + record.upstream.count)
        block.removeAll(keepingCapacity: true)
        RecordBlock.append(
            to: &block, id: record.id.raw, document: record.document.raw, upstream: record.upstream.raw,
            flags: record.unsupported ? RecordBlock.unsupported : 0, firstSeen: firstSeen, changedAt: changedAt,
            stateKey: stateKey)
        liveBytes += block.count
        try offsets.append(try appendBlock())
        if record.unsupported { unsupported.insert(fresh) }
        try gathering.append(record)
        arrivals.append(UInt32(truncatingIfNeeded: fresh))
        fresh += 1
        return arrivals.count - 1
    }

    /// Appends a record of an earlier snapshot of the same definition as it is, which is much cheaper than decoding.
    ///
    /// Carries from one snapshot only. `stateKey` replaces the record's key in the state database.
    public mutating func carry(
        _ row: Int, from old: Snapshot, stateKey: Int64? = nil
    ) throws(StoreError) -> Int {
        guard old.identity.definitionHash == identity.definitionHash, base == nil || base === old else {
            throw StoreError(.mismatch, "carry a record", detail: "another definition or snapshot")
        }
        base = old
        guard let offset = old.recordOffset(row) else { throw StoreError(.damaged, "carry a record") }
        let bytes = old.bytes
        let size = RecordBlock.size(bytes, at: offset)
        try checkRoom(size)
        guard bytes.contains(offset, size) else { throw StoreError(.damaged, "carry a record") }
        if offset < output.origin, stateKey == nil {
            try carriedOffsets.append(UInt64(offset))
        } else {
            block.removeAll(keepingCapacity: true)
            block.append(copying: bytes.part(offset, size))
            if let stateKey { RecordBlock.set(stateKey: stateKey, in: &block) }
            try carriedOffsets.append(try appendBlock())
        }
        liveBytes += size
        let flags = RecordBlock.flags(bytes, at: offset)
        if flags & RecordBlock.unsupported != 0 { unsupportedCarried.insert(carriedRows.count) }
        arrivals.append(UInt32(truncatingIfNeeded: carriedRows.count) | Self.carriedBit)
        carriedRows.append(UInt32(truncatingIfNeeded: row))
        return arrivals.count - 1
    }

    /// Takes back the record that arrived as number `ordinal`: a later one has its id.
    public mutating func drop(_ ordinal: Int) {
        precondition(ordinal >= 0 && ordinal < arrivals.count)
        let number = Int(arrivals[ordinal] & ~Self.carriedBit)
        if arrivals[ordinal] & Self.carriedBit == 0 { dropped.insert(number) } else { droppedCarried.insert(number) }
    }

    /// Whether the record that was appended, not carried, as number `ordinal` has this id.
    ///
    /// Reads it where it was written, which takes a microsecond or two.
    func isID(_ id: RawSpan, of ordinal: Int) throws(StoreError) -> Bool {
        let number = arrivals[ordinal]
        guard number & Self.carriedBit == 0 else { return false }
        let start = Int(try offsets.element(at: Int(number))) - output.origin - SnapshotHeader.size
        let bytes = try records.read(start..<min(start + RecordBlock.headSize + id.byteCount, records.size))
        return RecordBlock.id(bytes.raw, at: 0).isEqual(id)
    }

    /// Sorts, indexes and syncs the file, then its folder, and returns the file's size.
    public consuming func finish() throws(StoreError) -> Int {
        try records.finish()
        _ = output.reserve(records.size)
        let carried = try addCarried()
        let count = arrivals.count
        arrivals = []
        let merged = carried.flatMap { $0.isWorthMerging ? $0 : nil }
        let gathered = try gathering.seal(merged == nil ? carried : nil)
        let build = SnapshotBuild(
            definition: definition, identity: identity, output: output, arrivals: count,
            offsets: try offsets.seal(), gathered: gathered, carried: merged, unsupported: unsupported,
            dropped: dropped,
            records: RecordPlaces(own: try output.map(), origin: output.origin, base: base), liveBytes: liveBytes)
        return try build.run()
    }

    /// Numbers the carried records after the new ones.
    private mutating func addCarried() throws(StoreError) -> CarriedRecords? {
        guard let base, !carriedRows.isEmpty else {
            output.unlinkParts()
            return nil
        }
        let offsetsThere = try carriedOffsets.seal()
        for index in carriedRows.indices {
            try offsets.append(offsetsThere.bytes.u64(index * 8))
            if unsupportedCarried.contains(index) { unsupported.insert(fresh + index) }
            if droppedCarried.contains(index) { dropped.insert(fresh + index) }
        }
        return CarriedRecords(old: base, rows: carriedRows, first: fresh)
    }

    /// Writes the block at hand, and returns where it begins in the mapping.
    private mutating func appendBlock() throws(StoreError) -> UInt64 {
        let offset = UInt64(output.origin + SnapshotHeader.size + records.size)
        var bytes: [UInt8] = []
        swap(&bytes, &block)
        try records.append(bytes.raw)
        swap(&bytes, &block)
        return offset
    }

    private func checkRoom(_ size: Int) throws(StoreError) {
        guard arrivals.count < Snapshot.rowsMax, size < Int(UInt32.max) else {
            throw StoreError(.tooLarge, "append a record", detail: "\(arrivals.count) records")
        }
    }
}
