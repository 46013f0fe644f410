// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsModel
import ClaimsPlatform

/// Builds one snapshot file: records are appended as they arrive, in any order; `finish` sorts and indexes them.
///
/// ```swift
/// var writer = try SnapshotWriter(directory: folder, definition: definition, identity: identity, base: current)
/// for record in changed { _ = try writer.append(record, firstSeen: now, changedAt: now, stateKey: record.key) }
/// for row in unchangedRows { _ = try writer.carry(row, from: current) }
/// let size = try writer.finish()
/// let next = try Snapshot.open(directory: folder, identity: identity, definition: definition)
/// ```
///
/// Large data is kept in unlinked temporary files in the same folder, so that memory stays small however many records
/// there are. A writer that is released before `finish` removes its file. A crash leaves a file under a name that no
/// state database knows. After an error the writer is of no further use; release it.
public struct SnapshotWriter: ~Copyable {
    private let definition: Definition
    private let identity: SnapshotIdentity
    private let output: SnapshotOutput
    private var records: SectionWriter
    private var offsets: SpillStream<UInt64>
    private var gathering: GatheringThread
    /// The snapshot that records are carried from.
    private var base: Snapshot?
    /// Whether the indexes are built of the records alone.
    private let isAnew: Bool
    /// The row in `base` of each carried record.
    private var carriedRows: [UInt32] = []
    /// The offset of each carried record in the mapping of the new snapshot.
    private var carriedOffsets: SpillStream<UInt64>
    /// The records of other snapshots, which are indexed as new ones are.
    private var absorbed = AbsorbedRecords()
    /// The offset of each absorbed record in the mapping of the new snapshot.
    private var absorbedOffsets: SpillStream<UInt64>
    /// The number of each record in the order of arrival: its number among the new records, among the carried ones with
    /// `carriedBit`, or among the absorbed ones with `absorbedBit`.
    private var arrivals: [UInt32] = []
    private var unsupported = RowMarks()
    private var unsupportedAbsorbed = RowMarks()
    private var unsupportedCarried = RowMarks()
    /// The records that the snapshot does not get, by their numbers among the new records, the absorbed and the carried
    /// ones.
    private var dropped = RowMarks()
    private var droppedAbsorbed = RowMarks()
    private var droppedCarried = RowMarks()
    /// The ids that are gone since the file below, ascending.
    private var gone: [[UInt8]] = []
    /// The files over which the new one is made.
    private var below: [Snapshot] = []
    /// A buffer that each record block uses.
    private var block: [UInt8] = []
    /// The bytes of all records, carried ones included.
    private var liveBytes = 0
    /// The number of new records.
    private var fresh = 0

    private static let carriedBit: UInt32 = 1 << 31
    private static let absorbedBit: UInt32 = 1 << 30
    /// Records are numbered below the two bits.
    private static let maxRecords = 1 << 30

    /// Creates the file that `identity` names, with mode 0600.
    ///
    /// - Parameters:
    ///   - directory: the folder of the file and of the temporary files.
    ///   - base: the snapshot in the same folder that records are carried from, if any. If it is large, the new
    ///     snapshot links its files and does not write its records again.
    ///   - isAnew: whether only the carried records are taken from `base`, and neither its files nor its terms, which
    ///     may still have records that are gone.
    ///   - syncBytes: the number of bytes that are written before they are synced, so that no other writer waits long;
    ///     nil: all are synced at the end.
    /// - Throws: `storageFull`, `notWritable`, `missing` or `io` if the file cannot be created.
    public init(
        directory: String, definition: Definition, identity: SnapshotIdentity, base: Snapshot? = nil,
        isAnew: Bool = false, syncBytes: Int? = nil
    ) throws(StoreError) {
        self.definition = definition
        self.identity = identity
        self.isAnew = isAnew
        output = try SnapshotOutput(
            directory: directory, identity: identity,
            sharing: isAnew ? nil : base.flatMap { SharedFiles(after: $0) }, syncBytes: syncBytes)
        self.base = base
        records = SectionWriter(
            .records, id: output.sharedRecords.count, at: SnapshotHeader.size, of: output)
        offsets = SpillStream(output.medium)
        carriedOffsets = SpillStream(output.medium)
        absorbedOffsets = SpillStream(output.medium)
        gathering = GatheringThread(
            ColumnKind.columns(of: definition), medium: output.medium, seed: RandomBytes.integer())
    }

    /// Begins a snapshot in memory, for a few records that are on disk elsewhere; ``finishInMemory()`` returns it.
    ///
    /// - Throws: the error of getting the memory.
    public init(inMemory definition: Definition, identity: SnapshotIdentity) throws(StoreError) {
        self.definition = definition
        self.identity = identity
        isAnew = true
        output = try SnapshotOutput(inMemory: identity)
        records = SectionWriter(.records, at: SnapshotHeader.size, of: output)
        offsets = SpillStream(.memory)
        carriedOffsets = SpillStream(.memory)
        absorbedOffsets = SpillStream(.memory)
        gathering = GatheringThread(
            ColumnKind.columns(of: definition), medium: .memory, seed: RandomBytes.integer())
    }

    /// Appends a record and returns its number in the order of arrival, from 0.
    ///
    /// Each id may occur once: `drop` an earlier record of the same id.
    ///
    /// - Parameters:
    ///   - firstSeen: in milliseconds since 1970.
    ///   - changedAt: in milliseconds since 1970.
    ///   - stateKey: the record's key in the state database.
    /// - Throws: `tooLarge` if the snapshot has 1,073,741,824 records or this one has 4 GiB; the error of writing to
    ///   a temporary file.
    public mutating func append(
        _ record: borrowing DecodedRecord, firstSeen: Int64, changedAt: Int64, stateKey: Int64
    ) throws(StoreError) -> Int {
        try checkRoom(record.id.count + record.document.count + record.upstream.count)
        block.removeAll(keepingCapacity: true)
        RecordBlock.append(
            to: &block, id: record.id.rawSpan, document: record.document.rawSpan, upstream: record.upstream.rawSpan,
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

    /// Appends a record of an earlier snapshot without changes, and returns its number in the order of arrival, from 0.
    ///
    /// This is much cheaper than decoding the record again. All carried records must be of one snapshot.
    ///
    /// - Parameters:
    ///   - row: the record's row in `old`, from 0.
    ///   - old: a snapshot of the same definition; it is `base` if the writer has one.
    ///   - stateKey: replaces the record's key in the state database; nil keeps it.
    /// - Throws: `mismatch` if `old` has another definition or is not the first snapshot carried from; `damaged` if the
    ///   record does not lie in its file; otherwise as `append`.
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
            block.append(bytes: bytes.part(offset, size))
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

    /// Appends a record of any other snapshot without changes, and returns its number in the order of arrival, from 0.
    ///
    /// It is written and indexed like a new record, but not decoded.
    ///
    /// - Parameters:
    ///   - row: the record's row in `other`, from 0.
    ///   - other: a snapshot of the same definition, which is not the base.
    /// - Throws: `mismatch` if `other` has another definition; `damaged` if the record does not lie in its file;
    ///   otherwise as `append`.
    public mutating func absorb(_ row: Int, from other: Snapshot) throws(StoreError) -> Int {
        guard other.identity.definitionHash == identity.definitionHash else {
            throw StoreError(.mismatch, "take a record over", detail: "another definition")
        }
        guard let offset = other.recordOffset(row) else { throw StoreError(.damaged, "take a record over") }
        let bytes = other.bytes
        let size = RecordBlock.size(bytes, at: offset)
        try checkRoom(size)
        guard bytes.contains(offset, size) else { throw StoreError(.damaged, "take a record over") }
        block.removeAll(keepingCapacity: true)
        block.append(bytes: bytes.part(offset, size))
        try absorbedOffsets.append(try appendBlock())
        liveBytes += size
        if RecordBlock.flags(bytes, at: offset) & RecordBlock.unsupported != 0 {
            unsupportedAbsorbed.insert(absorbed.count)
        }
        arrivals.append(UInt32(truncatingIfNeeded: absorbed.count) | Self.absorbedBit)
        absorbed.append(row, of: other)
        return arrivals.count - 1
    }

    /// Sets the ids that are gone since the file below: no record has one of them.
    public mutating func setGone(_ ids: some Sequence<[UInt8]>) {
        gone = ids.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// Sets the files over which the new one is made: it says which of their rows it covers, so that nobody looks its ids
    /// up in them when it is opened.
    ///
    /// - Precondition: the writer has no base, or takes only the carried records from it.
    public mutating func setFilesBelow(_ files: [Snapshot]) {
        precondition(base == nil || isAnew)
        below = files
    }

    /// Leaves out the record that arrived as number `ordinal`, since a later one has its id.
    ///
    /// - Precondition: `append`, `carry` or `absorb` has returned `ordinal`.
    public mutating func drop(_ ordinal: Int) {
        precondition(ordinal >= 0 && ordinal < arrivals.count)
        let number = Int(arrivals[ordinal] & ~(Self.carriedBit | Self.absorbedBit))
        if arrivals[ordinal] & Self.carriedBit != 0 {
            droppedCarried.insert(number)
        } else if arrivals[ordinal] & Self.absorbedBit != 0 {
            droppedAbsorbed.insert(number)
        } else {
            dropped.insert(number)
        }
    }

    /// Whether the record that arrived as number `ordinal` was appended or absorbed, not carried, and has this id.
    ///
    /// It reads the id from the file or its buffer, which takes a microsecond or two.
    ///
    /// - Throws: the error of the read. The writer is of no further use then.
    public func isID(_ id: RawSpan, of ordinal: Int) throws(StoreError) -> Bool {
        let number = arrivals[ordinal]
        guard number & Self.carriedBit == 0 else { return false }
        let offset =
            number & Self.absorbedBit == 0
            ? try offsets.element(at: Int(number)) : try absorbedOffsets.element(at: Int(number & ~Self.absorbedBit))
        let start = Int(offset) - output.origin - SnapshotHeader.size
        let bytes = try records.read(start..<min(start + RecordBlock.headSize + id.byteCount, records.size))
        return RecordBlock.id(bytes.rawSpan, at: 0).equals(id)
    }

    /// Sorts and indexes the records, syncs the file and its folder, and returns the size of the file in bytes.
    ///
    /// The file is complete on disk when this call returns, and does not exist when it throws.
    ///
    /// - Throws: `tooLarge` at a bound of the format; `damaged` if a carried record's terms cannot be read; else the
    ///   error of writing or syncing.
    public consuming func finish() throws(StoreError) -> Int {
        try records.finish()
        _ = output.reserve(records.size)
        try writeGone()
        let carried = try addOthers()
        let count = arrivals.count
        arrivals = []
        let merged = isAnew ? nil : carried.flatMap { $0.isWorthMerging ? $0 : nil }
        let absorbed = absorbed
        let gathered = try gathering.seal { gatherer throws(StoreError) in
            try absorbed.append(to: &gatherer)
            if let carried, merged == nil { try CarriedValues.append(carried, to: &gatherer) }
        }
        let records = RecordReader(own: try output.map(), origin: output.origin, base: base?.file)
        let build = SnapshotBuild(
            identity: identity,
            arrived: ArrivedRecords(
                definition: definition, output: output, records: records, offsets: try offsets.seal(), count: count),
            gathered: gathered, unsupported: unsupported, dropped: dropped, liveBytes: liveBytes, below: below,
            gone: gone)
        if let merged { return try SnapshotMerge(build: build, carried: merged).run() }
        return try build.run()
    }

    /// Sorts and indexes the records of a snapshot in memory, and returns it.
    ///
    /// - Throws: `tooLarge` at a bound of the format; the error of getting the memory.
    public consuming func finishInMemory() throws(StoreError) -> Snapshot {
        let (output, definition, identity) = (output, definition, identity)
        _ = try finish()
        return try Snapshot(output.descriptor, in: nil, identity: identity, definition: definition)
    }

    private mutating func writeGone() throws(StoreError) {
        guard !gone.isEmpty else { return }
        var starts = [0]
        var bytes: [UInt8] = []
        for id in gone {
            bytes += id
            starts.append(bytes.count)
        }
        try SectionWriter.writeTable(.goneStarts, count: starts.count, bound: bytes.count, to: output) { starts[$0] }
        try output.write(.goneIDs, bytes: bytes.rawSpan)
    }

    /// Numbers the absorbed records after the new ones, and the carried ones after these; nil if none are carried.
    private mutating func addOthers() throws(StoreError) -> CarriedRecords? {
        if absorbed.count > 0 {
            let offsetsThere = try absorbedOffsets.seal()
            for index in 0..<absorbed.count {
                try offsets.append(offsetsThere.bytes.u64(at: index * 8))
                if unsupportedAbsorbed.contains(index) { unsupported.insert(fresh + index) }
                if droppedAbsorbed.contains(index) { dropped.insert(fresh + index) }
            }
        }
        guard let base, !carriedRows.isEmpty else {
            output.unlinkParts()
            return nil
        }
        let first = fresh + absorbed.count
        let offsetsThere = try carriedOffsets.seal()
        for index in carriedRows.indices {
            try offsets.append(offsetsThere.bytes.u64(at: index * 8))
            if unsupportedCarried.contains(index) { unsupported.insert(first + index) }
            if droppedCarried.contains(index) { dropped.insert(first + index) }
        }
        return CarriedRecords(old: base, rows: carriedRows, first: first)
    }

    /// Writes `block`, and returns its offset in the mapping.
    private mutating func appendBlock() throws(StoreError) -> UInt64 {
        let offset = UInt64(output.origin + SnapshotHeader.size + records.size)
        var bytes: [UInt8] = []
        swap(&bytes, &block)
        try records.append(bytes.rawSpan)
        swap(&bytes, &block)
        return offset
    }

    private func checkRoom(_ size: Int) throws(StoreError) {
        guard arrivals.count < Self.maxRecords, size < Int(UInt32.max) else {
            throw StoreError(.tooLarge, "append a record", detail: "\(arrivals.count) records")
        }
    }
}
