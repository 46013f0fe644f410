// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot

/// The records of a generation while it is read. A few new and changed records are kept in memory, over the served
/// files; more go to a file over the base; if there are still more, all records go to a new base.
///
/// Records are numbered in the order of their arrival, carried ones too.
struct GenerationRecords: ~Copyable {
    /// Where the records go.
    private enum Destination {
        /// To ``entries``.
        case memory
        /// To a file with new and changed records.
        case layer
        /// To a file with all records.
        case base
    }

    private let committed: CommittedRecords?
    private let definition: Definition
    private let directory: String
    /// The identity of the file that is written.
    private var identity: SnapshotIdentity
    private let bounds: RecentBounds
    private var destination = Destination.memory
    /// The new and changed records by their numbers, including dropped ones; empty once there is a file.
    private var entries: [Int: RecentRecords.Entry] = [:]
    /// The bytes of all new and changed records so far.
    private var bytes = 0
    /// nil if no file is written.
    private var writer: SnapshotWriter?
    /// The numbers in the writer of a file over the base of new and changed records, by their numbers here.
    private var ordinals: [Int: Int] = [:]
    /// The numbers in the writer of a base of the records that came before it was begun.
    private var early: [UInt32] = []
    /// The number in the writer of a base of the first record that came after it was begun.
    private var firstLate = 0

    /// - Parameter committed: the records that are committed; nil if all are new.
    init(
        over committed: CommittedRecords?, _ definition: Definition, directory: String, identity: SnapshotIdentity,
        _ bounds: RecentBounds
    ) throws(StoreError) {
        self.committed = committed
        self.definition = definition
        self.directory = directory
        self.identity = identity
        self.bounds = bounds
        writer = nil
        if committed == nil { try beginBase() }
    }

    private mutating func beginBase() throws(StoreError) {
        writer = try SnapshotWriter(
            directory: directory, definition: definition, identity: identity, base: committed?.file)
        destination = .base
    }

    private mutating func beginLayer() throws(StoreError) {
        writer = try SnapshotWriter(directory: directory, definition: definition, identity: identity)
        destination = .layer
    }

    /// The number of new and changed records up to which they go to a file over the base.
    private var maxLayer: Int {
        let base = committed?.file.count ?? 0
        return max(bounds.layers.maxYoung(over: base), bounds.layers.maxMiddle(over: base))
    }

    /// Adds a new or changed record; its number is the number of records seen before it.
    mutating func append(
        _ record: borrowing DecodedRecord, firstSeen: Int64, changedAt: Int64, stateKey: Int64,
        after seen: borrowing SeenRecords
    ) throws(StoreError) {
        if case .memory = destination {
            let entry = RecentRecords.Entry(record, firstSeen: firstSeen, changedAt: changedAt, stateKey: stateKey)
            if entries.count < bounds.maxChanges, bytes + entry.size <= bounds.maxBytes {
                entries[seen.count] = entry
                bytes += entry.size
                return
            }
            if entries.count < maxLayer { try leaveMemory() } else { try fillBase(seen) }
        }
        if case .layer = destination, ordinals.count >= maxLayer { try fillBase(seen) }
        bytes += record.id.count + record.document.count + record.upstream.count
        let ordinal = try writer?.append(
            record, firstSeen: firstSeen, changedAt: changedAt, stateKey: stateKey)
        if case .layer = destination { ordinals[seen.count] = ordinal }
    }

    /// Adds a record that has not changed.
    mutating func carry(_ row: Int) throws(StoreError) {
        if case .base = destination { try keep(row) }
    }

    /// Writes a committed record to the file.
    private mutating func keep(_ row: Int) throws(StoreError) {
        guard let committed else { return }
        _ = try writer?.append(row, of: committed)
    }

    /// Leaves out a record, because a later one has its id.
    mutating func drop(_ number: Int) {
        if let ordinal = ordinal(number) { writer?.drop(ordinal) }
    }

    /// The number of a record in the writer; nil if the writer does not have it.
    private func ordinal(_ number: Int) -> Int? {
        switch destination {
        case .memory: return nil
        case .layer: return ordinals[number]
        case .base:
            guard number < early.count else { return number - early.count + firstLate }
            return early[number] == .max ? nil : Int(early[number])
        }
    }

    // MARK: - From memory to files

    /// Writes the records in memory to a file over the base.
    private mutating func leaveMemory() throws(StoreError) {
        try beginLayer()
        let kept = entries
        entries = [:]
        for (number, entry) in kept { ordinals[number] = try writer?.append(entry) }
    }

    /// Writes the records so far to a new base, which also gets the records that follow.
    mutating func fillBase(_ seen: borrowing SeenRecords) throws(StoreError) {
        if case .base = destination { return }
        let part = try finishedLayer(seen)
        identity = SnapshotIdentity(
            epoch: identity.epoch, generation: identity.generation, fileID: RandomBytes.integer() | 1,
            definitionHash: identity.definitionHash)
        var rows: [Int64: Int] = [:]
        for row in 0..<(part?.count ?? 0) { rows[part?.stateKey(row) ?? 0] = row }
        let kept = entries
        (entries, ordinals) = ([:], [:])
        try beginBase()
        early = [UInt32](repeating: .max, count: seen.count)
        for number in 0..<seen.count where !seen.isDropped(number) {
            let record = seen[number]
            var ordinal: Int?
            if let entry = kept[number] {
                ordinal = try writer?.append(entry)
            } else if record.key == SeenRecords.Record.carried, let committed {
                ordinal = try writer?.append(Int(record.row), of: committed)
            } else if let part, let row = rows[record.key] {
                ordinal = try writer?.absorb(row, from: part)
            }
            guard let ordinal else { throw StoreError(.damaged, "write a snapshot") }
            early[number] = UInt32(truncatingIfNeeded: ordinal)
            firstLate = ordinal + 1
        }
    }

    /// The file over the base with the records so far, which is removed when it is no longer used; nil if there is
    /// none.
    private mutating func finishedLayer(_ seen: borrowing SeenRecords) throws(StoreError) -> Snapshot? {
        guard case .layer = destination else { return nil }
        dropAll(seen)
        guard let full = writer.take() else { return nil }
        let snapshot = try finished(full)
        snapshot.removeWhenUnused()
        return snapshot
    }

    /// Drops all records whose ids later records have: no writer knew of those that were in memory.
    private mutating func dropAll(_ seen: borrowing SeenRecords) {
        for number in 0..<seen.count where seen.isDropped(number) { drop(number) }
    }

    private func finished(_ writer: consuming SnapshotWriter) throws(StoreError) -> Snapshot {
        _ = try writer.finish()
        return try Snapshot.open(directory: directory, identity: identity, definition: definition)
    }

    // MARK: - The end

    /// The records that lie over the files, together with those of this generation, if they are few enough; nil: a file
    /// is due.
    func recent(removing removed: [Int], _ seen: borrowing SeenRecords) -> RecentRecords.Contents? {
        guard case .memory = destination, let committed, entries.count + removed.count <= bounds.maxChanges else {
            return nil
        }
        var contents = committed.recent?.contents ?? RecentRecords.Contents()
        for row in removed { contents.remove(committed.idBytes(row)) }
        for (number, entry) in entries where !seen.isDropped(number) { contents.set(entry) }
        let trimmed = contents.trimmed(over: committed.files)
        return trimmed.count <= bounds.maxRecords && trimmed.bytes <= bounds.maxBytes ? contents : nil
    }

    /// Sorts and indexes the file over the base, with the records of the newer files that it replaces.
    ///
    /// - Parameters:
    ///   - removed: the rows of the records that are gone.
    ///   - filter: decides which gone ids stay.
    /// - Returns: nil if a new base is due.
    mutating func finishLayer(
        removing removed: [Int], _ seen: borrowing SeenRecords, keeping filter: GoneFilter
    ) throws(StoreError) -> FileStack.Part? {
        guard let committed else { return nil }
        if case .base = destination { return nil }
        let role = plan(removing: removed, seen, committed).target(bounds.layers)
        guard role != .base else { return nil }
        if case .memory = destination { try leaveMemory() }
        dropAll(seen)
        var gone = Set(removed.map { committed.idBytes($0) })
        let marks = removed.reduce(into: RowMarks()) { $0.insert($1) }
        for row in committed.files.start(of: role)..<committed.end
        where committed.isCurrent(row) && !marks.contains(row) && !isReplaced(row, seen)
            && !committed.isRepeated(row, for: role)
        { try keep(row) }
        for id in committed.gone(from: role) where committed.row(forID: id.rawSpan) == nil {
            gone.insert(id)
        }
        // An id that is there again is not gone.
        for id in gone {
            guard let number = try seen.latest(id.rawSpan, in: self), !seen.isDropped(number) else { continue }
            gone.remove(id)
        }
        // Records over the files may get into a file meanwhile and be merged. Their ids stay, whatever the filter
        // decides.
        let recent = Set(removed.filter { $0 >= committed.files.end }.map { committed.idBytes($0) })
            .union(committed.recent?.contents.gone ?? [])
        writer?.setGone(gone.filter { recent.contains($0) || filter.keeps($0.rawSpan, over: committed.files) })
        writer?.setFilesBelow(committed.files.snapshots(below: role))
        guard let full = writer.take() else { return nil }
        return FileStack.Part(role: role, snapshot: try finished(full), from: committed.files.below(role).to)
    }

    private func isReplaced(_ row: Int, _ seen: borrowing SeenRecords) -> Bool {
        guard let number = seen.latest(row) else { return false }
        return seen[number].key != SeenRecords.Record.carried
    }

    /// The sizes that decide where the records go.
    private func plan(
        removing removed: [Int], _ seen: borrowing SeenRecords, _ committed: CommittedRecords
    ) -> StackPlan {
        var plan = StackPlan(committed, bytes: bytes)
        let (middle, young) = (committed.files.start(of: .middle), committed.files.start(of: .young))
        func add(_ row: Int) {
            if row < young { plan.young += 1 }
            if row < middle { plan.middle += 1 }
        }
        for row in removed { add(row) }
        for number in 0..<seen.count
        where seen[number].key != SeenRecords.Record.carried && !seen.isDropped(number) {
            add(Int(seen[number].row))
        }
        return plan
    }

    /// Sorts and indexes a new base, and opens it.
    mutating func finishBase() throws(StoreError) -> Snapshot {
        guard let full = writer.take() else {
            throw StoreError(.fault, "write a snapshot", detail: "no record was given to the file")
        }
        return try finished(full)
    }
}

extension GenerationRecords: ArrivedIDs {
    func isID(_ id: RawSpan, of number: Int) throws(StoreError) -> Bool {
        if case .memory = destination {
            guard let entry = entries[number] else { return false }
            return entry.record.id.rawSpan.equals(id)
        }
        guard let ordinal = ordinal(number) else { return false }
        return try writer?.isID(id, of: ordinal) ?? false
    }
}

/// Compares ids with those of records, by the records' numbers in the order of arrival.
protocol ArrivedIDs: ~Copyable {
    /// Whether the record of a number was not carried, and has this id.
    func isID(_ id: RawSpan, of number: Int) throws(StoreError) -> Bool
}

extension SnapshotWriter: ArrivedIDs {}
