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

    /// How many rows are carried between two looks at whether to go on.
    private static let rowsPerLook = 4096

    /// Makes the folder if somebody has removed it. What was mapped of it is served on.
    func ensure() throws(StoreError) {
        do throws(SystemError) {
            if !Files.isDirectory(path) { try Directory.create(path, permissions: 0o700) }
        } catch { throw StoreError(error) }
    }

    /// Makes the folder if it is missing, and makes sure that files can be made in it.
    func prepare() throws(StoreError) {
        try ensure()
        do throws(SystemError) { _ = try FileDescriptor.temporary(in: path) } catch { throw StoreError(error) }
    }

    /// Maps a snapshot.
    func open(_ identity: SnapshotIdentity, _ definition: Definition) throws(StoreError) -> Snapshot {
        do throws(SnapshotError) {
            return try Snapshot.open(directory: path, identity: identity, definition: definition)
        } catch { throw StoreError(error) }
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

    /// Writes a snapshot of what a plan leaves of a view. Nothing of the file before is taken over but that.
    func write(_ plan: ForgetPlan, from base: CommittedRecords, epoch: UInt64) throws(StoreError) -> Snapshot? {
        let view = plan.view
        let overlay = view.definition.isLocal ? view.overlay : nil
        let identity = SnapshotIdentity(new: view.condition.row.generation, of: view.definition, epoch: epoch)
        let forgotten = Set(plan.records.all)
        return try write(
            identity, view.definition, from: base.file, isAnew: true,
            without: {
                plan.rows.contains($0) || !base.isCurrent($0) || overlay?.rows.covered.contains($0) == true
            },
            with: (overlay?.entries ?? []).filter { !forgotten.contains($0.id) },
            recent: (base.recent?.contents.records ?? [:]).values.filter { !forgotten.contains($0.record.id) })
    }

    /// Writes a snapshot of the rows of another one and of what lies over it.
    ///
    /// - Parameters:
    ///   - isAnew: whether nothing of the file before is taken over but its rows.
    ///   - isLeftOut: tells the rows that are not taken.
    ///   - entries: the entries over it; one without upstream bytes, or that cannot be decoded, is left out.
    ///   - recent: the recent records over it.
    ///   - isWanted: asked every few rows.
    /// - Returns: nil once `isWanted` has returned false.
    func write(
        _ identity: SnapshotIdentity, _ definition: Definition, from base: Snapshot, isAnew: Bool = false,
        without isLeftOut: (Int) -> Bool, with entries: [OverlayEntry], recent: [RecentRecords.Entry] = [],
        while isWanted: () -> Bool = { true }
    ) throws(StoreError) -> Snapshot? {
        var decoder = RecordDecoder(definition: definition)
        var tape = JSONTape()
        var record = DecodedRecord()
        do throws(SnapshotError) {
            var writer = try SnapshotWriter(
                directory: path, definition: definition, identity: identity, base: base, isAnew: isAnew)
            for row in 0..<base.count where !isLeftOut(row) {
                if row % Self.rowsPerLook == 0, !isWanted() { return nil }
                _ = try writer.carry(row, from: base)
            }
            for entry in entries {
                guard let upstream = entry.upstream,
                    (try? tape.parse(upstream.rawSpan, from: 0, depth: JSONElements.bodyDepth)) != nil,
                    case .accepted = decoder.decode(tape, upstream.rawSpan, into: &record)
                else { continue }
                _ = try writer.append(
                    record, firstSeen: entry.firstSeen, changedAt: entry.changedAt, stateKey: entry.stateKey)
            }
            for entry in recent { try entry.append(to: &writer) }
            guard isWanted() else { return nil }
            _ = try writer.finish()
        } catch { throw StoreError(error) }
        return try open(identity, definition)
    }
}

extension SnapshotIdentity {
    /// The identity of a file that is to be written.
    init(new generation: UInt64, of definition: Definition, epoch: UInt64) {
        self.init(
            epoch: epoch, generation: generation, fileID: RandomBytes.integer() | 1,
            definitionHash: definition.shapeHash)
    }

    /// The identity of the file that a row of state.db names.
    init(of row: CollectionRow, epoch: UInt64) {
        self.init(
            epoch: epoch, generation: row.fileGeneration, fileID: row.fileID, definitionHash: row.definitionHash)
    }
}
