// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

package import ClaimsModel
import ClaimsPlatform

/// Builds one snapshot file: records are appended as they arrive, in any order, then `finish` sorts and indexes them.
///
/// What is large goes through files, so that memory stays small however many records there are. A writer that is let
/// go before `finish` leaves nothing behind; a crash leaves a file under a name that no state database knows.
package struct SnapshotWriter: ~Copyable {
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
    private var carriedWords = CarriedWords()
    private var carriedFrom: UInt64?
    private var unsupported = RowMarks()
    private var dropped = RowMarks()
    private var block: [UInt8] = []
    private var count = 0

    /// Opens the file that `identity` names, in `directory`, which also takes the temporary files.
    package init(directory: String, definition: Definition, identity: SnapshotIdentity) throws(StoreError) {
        self.directory = directory
        self.definition = definition
        self.identity = identity
        idField = definition.idField
        output = try SnapshotOutput(path: Paths.join(directory, identity.fileName))
        records = SectionWriter(.records, at: SnapshotHeader.size, of: output)
        offsets = SpillStream(directory)
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
    package mutating func append(
        _ record: borrowing DecodedRecord, firstSeen: Int64, changedAt: Int64, stateKey: Int64
    ) throws(StoreError) -> Int {
        try checkRoom(record.id.count, record.document.count, record.upstream.count)
        block.removeAll(keepingCapacity: true)
        RecordBlock.append(
            to: &block, id: record.id.raw, document: record.document.raw, upstream: record.upstream.raw,
            flags: record.unsupported ? RecordBlock.unsupported : 0, firstSeen: firstSeen, changedAt: changedAt,
            stateKey: stateKey)
        try appendBlock(idKey: record.idKey.raw, isUnsupported: record.unsupported)
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
        count += 1
        return count - 1
    }

    /// Appends a record of an earlier snapshot of the same definition as it is, which is much cheaper than decoding.
    ///
    /// Carries from one snapshot only. `stateKey` replaces the record's key in the state database.
    package mutating func carry(
        _ row: Int, from old: Snapshot, stateKey: Int64? = nil
    ) throws(StoreError) -> Int {
        guard old.identity.definitionHash == identity.definitionHash,
            carriedFrom ?? old.identity.fileID == old.identity.fileID
        else { throw StoreError(.mismatch, "carry a record", detail: "another definition or snapshot") }
        carriedFrom = old.identity.fileID
        guard let offset = old.recordOffset(row) else { throw StoreError(.damaged, "carry a record") }
        let bytes = old.bytes
        let id = RecordBlock.id(bytes, at: offset)
        let document = RecordBlock.document(bytes, at: offset)
        let upstream = RecordBlock.upstream(bytes, at: offset)
        try checkRoom(id.byteCount, document.byteCount, upstream.byteCount)
        let flags = RecordBlock.flags(bytes, at: offset)
        block.removeAll(keepingCapacity: true)
        RecordBlock.append(
            to: &block, id: id, document: document, upstream: upstream, flags: flags,
            firstSeen: RecordBlock.firstSeen(bytes, at: offset), changedAt: RecordBlock.changedAt(bytes, at: offset),
            stateKey: stateKey ?? RecordBlock.stateKey(bytes, at: offset))
        var key: [UInt8] = []
        KeyEncoding.natural(id, into: &key)
        try appendBlock(idKey: key.raw, isUnsupported: flags & RecordBlock.unsupported != 0)
        for index in columns.indices where !columns[index].column.isIdentity || columns[index].column.isSearched {
            try columns[index].carry(
                row, from: old, old.column(columns[index].column.owner), words: &carriedWords, into: &words)
        }
        count += 1
        return count - 1
    }

    /// Takes back the record that arrived as number `ordinal`: a later one has its id.
    package mutating func drop(_ ordinal: Int) {
        precondition(ordinal >= 0 && ordinal < count)
        dropped.insert(ordinal)
    }

    /// Sorts, indexes and syncs the file, then its folder, and returns the file's size.
    package consuming func finish() throws(StoreError) -> Int {
        try records.finish()
        _ = output.reserve(records.size)
        var collected: [CollectedColumn] = []
        for index in columns.indices { collected.append(try columns[index].seal()) }
        let build = SnapshotBuild(
            definition: definition, identity: identity, output: output, arrivals: count,
            offsets: try offsets.seal(), idKeys: try idKeys.seal(), idKeyCounts: try idKeyCounts.seal(),
            columns: collected, words: try words.seal(), unsupported: unsupported, dropped: dropped,
            records: try output.map())
        return try build.run()
    }

    private mutating func appendBlock(idKey: RawSpan, isUnsupported: Bool) throws(StoreError) {
        try offsets.append(UInt64(SnapshotHeader.size + records.size))
        var bytes: [UInt8] = []
        swap(&bytes, &block)
        try records.append(bytes.raw)
        swap(&bytes, &block)
        try idKeys.append(idKey)
        try idKeyCounts.append(UInt32(truncatingIfNeeded: idKey.byteCount))
        if isUnsupported { unsupported.insert(count) }
    }

    private func checkRoom(_ sizes: Int...) throws(StoreError) {
        guard count < Snapshot.rowsMax, sizes.allSatisfy({ $0 < Int(UInt32.max) }) else {
            throw StoreError(.tooLarge, "append a record", detail: "\(count) records")
        }
    }
}
