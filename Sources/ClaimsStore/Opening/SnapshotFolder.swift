// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsJSON
import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot

/// The folder of the snapshots: makes it, opens and writes files in it, and deletes those that nothing names.
struct SnapshotFolder: Sendable {
    let path: String

    /// The number of rows that are carried between two checks for cancellation.
    private static let rowsPerCheck = 4096

    /// Makes the folder if it was removed. Mapped files of it are still served.
    func ensure() throws(StoreError) {
        do throws(SystemError) {
            if !Files.isDirectory(path) { try Directory.create(path, permissions: 0o700) }
        } catch { throw StoreError(error) }
    }

    /// Makes the folder if it is missing, and ensures that files can be made in it.
    func prepare() throws(StoreError) {
        try ensure()
        do throws(SystemError) { _ = try FileDescriptor.temporary(in: path) } catch { throw StoreError(error) }
    }

    /// Maps a snapshot.
    func open(_ identity: SnapshotIdentity, _ definition: Definition) throws(StoreError) -> Snapshot {
        return try Snapshot.open(directory: path, identity: identity, definition: definition)
    }

    /// Deletes the files with a stem.
    func remove(_ stem: String) {
        for name in list where name.hasPrefix(stem + ".") { Files.remove(Paths.join(path, name)) }
    }

    /// Deletes the snapshots without one of these stems.
    func remove(allBut stems: Set<String>) {
        for name in list
        where name.hasSuffix(SnapshotIdentity.fileExtension) && !stems.contains(where: { name.hasPrefix($0 + ".") }) {
            Files.remove(Paths.join(path, name))
        }
    }

    private var list: [String] { (try? Directory.list(path)) ?? [] }

    /// The files of a stack without some records. A file that has one of them, or an earlier version of it, or knows
    /// that it is gone, is written anew; only the other records are copied from the file before.
    func files(
        _ files: FileStack, without ids: [[UInt8]], _ definition: Definition, epoch: UInt64
    ) throws(StoreError) -> FileStack {
        var written: [ObjectIdentifier: Snapshot] = [:]
        do throws(StoreError) {
            var below: [Snapshot] = []
            for snapshot in files.snapshots {
                var kept = snapshot
                if ids.contains(where: { snapshot.mentions($0.rawSpan) }) {
                    let identity = SnapshotIdentity(new: snapshot.identity.generation, of: definition, epoch: epoch)
                    kept = try write(identity, definition, from: snapshot, without: Set(ids), over: below)
                    written[ObjectIdentifier(snapshot)] = kept
                }
                below.append(kept)
            }
        } catch {
            for snapshot in written.values { snapshot.removeWhenUnused() }
            throw error
        }
        return written.isEmpty ? files : files.exchanging { written[ObjectIdentifier($0)] ?? $0 }
    }

    private func write(
        _ identity: SnapshotIdentity, _ definition: Definition, from snapshot: Snapshot, without ids: Set<[UInt8]>,
        over below: [Snapshot]
    ) throws(StoreError) -> Snapshot {
        var writer = try SnapshotWriter(
            directory: path, definition: definition, identity: identity, base: snapshot, isAnew: true)
        let rows = Set(ids.compactMap { snapshot.row(forID: $0.rawSpan) })
        for row in 0..<snapshot.count where !rows.contains(row) { _ = try writer.carry(row, from: snapshot) }
        writer.setGone((0..<snapshot.goneCount).map { snapshot.gone($0).array }.filter { !ids.contains($0) })
        writer.setFilesBelow(below)
        _ = try writer.finish()
        return try open(identity, definition)
    }

    /// Writes a file of a stack, with the records of the files that it replaces and the records over them.
    ///
    /// - Parameters:
    ///   - overlay: the local writes over the records; an entry that cannot be decoded is left out.
    ///   - filter: decides which gone ids stay.
    ///   - syncBytes: the number of bytes that are written before they are synced; nil: all are synced at the end.
    ///   - isWanted: asked every few records.
    /// - Returns: nil once `isWanted` has returned false.
    func write(
        _ role: StackRole, _ identity: SnapshotIdentity, _ definition: Definition, from committed: CommittedRecords,
        with overlay: RecordOverlay? = nil, keeping filter: GoneFilter, syncBytes: Int? = nil,
        while isWanted: () -> Bool = { true }
    ) throws(StoreError) -> FileStack.Part? {
        var decoder = RecordDecoder(definition: definition)
        var tape = JSONTape()
        var record = DecodedRecord()
        var gone: Set<[UInt8]> =
            role == .base ? [] : committed.gone(from: role).filter { committed.row(forID: $0.rawSpan) == nil }
        var writer = try SnapshotWriter(
            directory: path, definition: definition, identity: identity,
            base: role == .base ? committed.file : nil, syncBytes: syncBytes)
        let start = role == .base ? 0 : committed.files.start(of: role)
        for row in start..<max(start, committed.end)
        where committed.isCurrent(row) && overlay?.rows.covers(row, of: committed) != true
            && !committed.isRepeated(row, for: role)
        {
            if row % Self.rowsPerCheck == 0, !isWanted() { return nil }
            _ = try writer.append(row, of: committed)
        }
        for entry in overlay?.entries ?? [] {
            guard let upstream = entry.upstream,
                (try? tape.parse(upstream.rawSpan, from: 0, depth: JSONElements.bodyDepth)) != nil,
                case .accepted = decoder.decode(tape, upstream.rawSpan, into: &record)
            else {
                if role != .base { gone.insert(entry.id) }
                continue
            }
            gone.remove(entry.id)
            _ = try writer.append(
                record, firstSeen: entry.firstSeen, changedAt: entry.changedAt, stateKey: entry.stateKey)
        }
        writer.setGone(gone.filter { filter.keeps($0.rawSpan, over: committed.files) })
        if role != .base { writer.setFilesBelow(committed.files.snapshots(below: role)) }
        guard isWanted() else { return nil }
        _ = try writer.finish()
        let from = role == .base ? 0 : committed.files.below(role).to
        return FileStack.Part(role: role, snapshot: try open(identity, definition), from: from)
    }
}

extension SnapshotIdentity {
    /// The identity of a file that is to be written.
    init(new generation: UInt64, of definition: Definition, epoch: UInt64) {
        self.init(
            epoch: epoch, generation: generation, fileID: RandomBytes.integer() | 1,
            definitionHash: definition.shapeHash)
    }
}
