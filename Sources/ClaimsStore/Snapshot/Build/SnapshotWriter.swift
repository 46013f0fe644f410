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
    private let idField: Int
    private var records: SectionWriter
    private var offsets: SpillStream<UInt64>
    private var idKeys: SpillStream<UInt8>
    private var idKeyCounts: SpillStream<UInt32>
    private var columns: [ColumnCollector]
    private var words: WordTable
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
        idField = definition.idField
        output = try SnapshotOutput(directory: directory, identity: identity, base: base)
        self.base = base
        records = SectionWriter(
            .records, owner: output.sharedRecords.count, at: SnapshotHeader.size, of: output)
        offsets = SpillStream(directory)
        carriedOffsets = SpillStream(directory)
        idKeys = SpillStream(directory)
        idKeyCounts = SpillStream(directory)
        let seed = RandomBytes.integer()
        words = WordTable(directory, seed: seed)
        columns = ColumnKind.columns(of: definition).map {
            ColumnCollector($0, directory: directory, seed: seed ^ UInt64($0.owner))
        }
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
        try append(idKey: record.idKey.raw)
        if record.unsupported { unsupported.insert(fresh) }
        let keys = record.keys.raw
        for index in columns.indices {
            let column = columns[index].column
            let value = record.values[column.field]
            if column.isRaw {
                guard let raw = value.raw else {
                    try columns[index].appendAbsent()
                    continue
                }
                try columns[index].append(key: keys.part(raw), tie: keys.part(0, 0), folded: keys, words: &words)
            } else if column.isCoded {
                let code = column.type == .json ? 0 : value.code
                try columns[index].append(code: value.isPresent ? code : -1)
            } else if !value.isPresent {
                try columns[index].appendAbsent()
            } else if column.isSearched {
                try columns[index].append(
                    key: keys.part(value.key), tie: keys.part(value.tie), folded: record.foldedText(column.field),
                    words: &words)
            } else if !column.isIdentity {
                try columns[index].append(
                    key: keys.part(value.key), tie: keys.part(value.tie), folded: keys, words: &words)
            }
        }
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

    /// Sorts, indexes and syncs the file, then its folder, and returns the file's size.
    public consuming func finish() throws(StoreError) -> Int {
        try records.finish()
        _ = output.reserve(records.size)
        let carried = try addCarried()
        let count = arrivals.count
        arrivals = []
        var collected: [CollectedColumn] = []
        for index in columns.indices { collected.append(try columns[index].seal()) }
        let build = SnapshotBuild(
            definition: definition, identity: identity, output: output, arrivals: count,
            offsets: try offsets.seal(), idKeys: try idKeys.seal(), idKeyCounts: try idKeyCounts.seal(),
            columns: collected, words: try words.seal(), carried: carried, unsupported: unsupported, dropped: dropped,
            records: RecordPlaces(own: try output.map(), origin: output.origin, base: base), liveBytes: liveBytes)
        return try build.run()
    }

    /// Numbers the carried records after the new ones, and gathers their values too where merging is not worth it.
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
        let carried = CarriedRecords(old: base, rows: carriedRows, first: fresh)
        if carried.isWorthMerging { return carried }
        var carriedWords = CarriedWords()
        var key: [UInt8] = []
        for row in carried.rows {
            key.removeAll(keepingCapacity: true)
            KeyEncoding.natural(base.id(Int(row)), into: &key)
            try append(idKey: key.raw)
            for index in columns.indices where !columns[index].column.isIdentity || columns[index].column.isSearched {
                try columns[index].carry(
                    Int(row), from: base, base.column(columns[index].column.owner), words: &carriedWords, into: &words)
            }
        }
        return nil
    }

    private mutating func append(idKey: RawSpan) throws(StoreError) {
        try idKeys.append(idKey)
        try idKeyCounts.append(UInt32(truncatingIfNeeded: idKey.byteCount))
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
