// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsSnapshot

/// The records of a generation on their way. A few new and changed ones are kept in memory, to lie over the file that is
/// served; with more of them, all records go to a new file.
///
/// Records are numbered in the order of their arrival, carried ones too.
struct GenerationRecords: ~Copyable {
    private let base: CommittedRecords?
    private let definition: Definition
    private let directory: String
    private let identity: SnapshotIdentity
    private let bounds: RecentBounds
    /// The new and changed records by their numbers, with those that were dropped; empty once there is a file.
    private var entries: [Int: RecentRecords.Entry] = [:]
    /// The bytes of these.
    private var bytes = 0
    /// nil while no file is written.
    private var writer: SnapshotWriter?

    /// - Parameter base: the records that are committed; nil where all are new.
    init(
        over base: CommittedRecords?, _ definition: Definition, directory: String, identity: SnapshotIdentity,
        _ bounds: RecentBounds
    ) throws(StoreError) {
        self.base = base
        self.definition = definition
        self.directory = directory
        self.identity = identity
        self.bounds = bounds
        writer = nil
        if base == nil { writer = try makeWriter() }
    }

    /// Whether no file is written so far.
    var isInMemory: Bool {
        switch writer {
        case .none: true
        case .some: false
        }
    }

    private func makeWriter() throws(StoreError) -> SnapshotWriter {
        try StoreError.translating { () throws(SnapshotError) in
            try SnapshotWriter(
                directory: directory, definition: definition, identity: identity, base: base?.file)
        }
    }

    /// Takes a new or changed record, whose number is that of the records seen before it.
    mutating func append(
        _ entry: RecentRecords.Entry, after seen: borrowing SeenRecords
    ) throws(StoreError) {
        if isInMemory {
            if entries.count < bounds.maxChanges, bytes + entry.size <= bounds.maxBytes {
                entries[seen.count] = entry
                bytes += entry.size
                return
            }
            try spill(seen)
        }
        do throws(SnapshotError) {
            _ = try writer?.append(
                entry.record, firstSeen: entry.firstSeen, changedAt: entry.changedAt, stateKey: entry.stateKey)
        } catch { throw StoreError(error) }
    }

    /// Takes a record as ``append(_:after:)`` does, which is written to the file without a copy.
    mutating func append(
        _ record: borrowing DecodedRecord, firstSeen: Int64, changedAt: Int64, stateKey: Int64,
        after seen: borrowing SeenRecords
    ) throws(StoreError) {
        if isInMemory {
            return try append(
                RecentRecords.Entry(record, firstSeen: firstSeen, changedAt: changedAt, stateKey: stateKey), after: seen
            )
        }
        do throws(SnapshotError) {
            _ = try writer?.append(record, firstSeen: firstSeen, changedAt: changedAt, stateKey: stateKey)
        } catch { throw StoreError(error) }
    }

    /// Takes over a record that is as it was.
    mutating func carry(_ row: Int) throws(StoreError) {
        guard !isInMemory, let base else { return }
        do throws(SnapshotError) {
            guard row >= base.file.count, let recent = base.recent else {
                _ = try writer?.carry(row, from: base.file)
                return
            }
            guard let entry = recent.entry(row - base.file.count) else {
                throw SnapshotError(.damaged, "carry a record")
            }
            _ = try writer?.append(
                entry.record, firstSeen: entry.firstSeen, changedAt: entry.changedAt, stateKey: entry.stateKey)
        } catch { throw StoreError(error) }
    }

    /// Leaves out a record, because a later one has its id.
    mutating func drop(_ number: Int) {
        writer?.drop(number)
    }

    /// Writes what there is to a file, and what follows too.
    mutating func spill(_ seen: borrowing SeenRecords) throws(StoreError) {
        guard isInMemory else { return }
        writer = try makeWriter()
        for number in 0..<seen.count {
            if let entry = entries[number] {
                do throws(SnapshotError) {
                    _ = try writer?.append(
                        entry.record, firstSeen: entry.firstSeen, changedAt: entry.changedAt,
                        stateKey: entry.stateKey)
                } catch { throw StoreError(error) }
            } else {
                try carry(Int(seen[number].row))
            }
            if seen.isDropped(number) { writer?.drop(number) }
        }
        entries = [:]
        bytes = 0
    }

    /// The records that lie over the file with those of this generation, if they are few enough; nil: a file is due.
    ///
    /// - Parameter removed: the rows of the records that are gone.
    func recent(removing removed: [Int], _ seen: borrowing SeenRecords) -> RecentRecords.Contents? {
        guard isInMemory, let base, entries.count + removed.count <= bounds.maxChanges else { return nil }
        var contents = base.recent?.contents ?? RecentRecords.Contents()
        for row in removed {
            let record = base.record(row)
            contents.remove(record.snapshot.idBytes(record.row), from: base.file)
        }
        for (number, entry) in entries where !seen.isDropped(number) { contents.set(entry) }
        return contents.count <= bounds.maxRecords && contents.bytes <= bounds.maxBytes ? contents : nil
    }

    /// Sorts and indexes the file, and opens it.
    consuming func finish() throws(StoreError) -> Snapshot {
        guard let writer = writer.take() else {
            throw StoreError(.fault, "write a snapshot", detail: "no record was given to the file")
        }
        do throws(SnapshotError) {
            _ = try writer.finish()
            return try Snapshot.open(directory: directory, identity: identity, definition: definition)
        } catch { throw StoreError(error) }
    }
}

extension GenerationRecords: ArrivedIDs {
    func isID(_ id: RawSpan, of number: Int) throws(SnapshotError) -> Bool {
        if isInMemory {
            guard let entry = entries[number] else { return false }
            return entry.record.id.rawSpan.equals(id)
        }
        return try writer?.isID(id, of: number) ?? false
    }
}

/// Tells the ids of records by their numbers in the order of arrival.
protocol ArrivedIDs: ~Copyable {
    /// Whether the record of a number was not carried, and has this id.
    func isID(_ id: RawSpan, of number: Int) throws(SnapshotError) -> Bool
}

extension SnapshotWriter: ArrivedIDs {}
