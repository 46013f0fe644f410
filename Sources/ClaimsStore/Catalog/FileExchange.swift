// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsSnapshot
import Synchronization

/// Replaces files of a collection by others with the same records: folds local writes into a file, makes young files,
/// merges a middle file into a base, and remakes lost files. Clock and answers stay.
final class FileExchange: Sendable {
    private let database: StateDatabase
    private let catalog: CatalogPublisher
    private let retired: RetiredSnapshots
    /// The files that are being written beside commits.
    let pending = PendingFiles()

    init(_ database: StateDatabase, _ catalog: CatalogPublisher, _ retired: RetiredSnapshots) {
        self.database = database
        self.catalog = catalog
        self.retired = retired
    }

    /// Serves a new file of a collection that this host is the truth of. The file holds what was served before; later
    /// writes lie over it.
    func fold(_ part: FileStack.Part, of view: CollectionView) throws(StoreError) {
        let catalog = catalog
        let (name, base) = (view.definition.name, view.condition.row)
        let operation = "fold what was written to \(name)"
        let prepared = try view.committed.map { committed throws(StoreError) in
            let files = committed.files.replacing(with: part)
            return (files, view.archive.rebuilt(over: files))
        }
        guard let (files, preparedArchive) = prepared else { throw StoreError(.mismatch, operation) }
        let (old, new) = try database.perform { connection throws(StoreError) in
            guard let current = catalog.current()[name], current.condition.row.isLocal,
                let old = current.committed, old.isSame(as: view.committed),
                current.definition.valuesHash == view.definition.valuesHash
            else { throw StoreError(.mismatch, operation, detail: "the collection has changed meanwhile") }
            let newer = current.entries(since: view)
            let committed = CommittedRecords(files)
            let overlay = try RecordOverlay.build(
                newer, over: committed, definition: current.definition, joined: nil)
            let row = try connection.transaction(.synced, operation) { connection throws(StoreError) in
                guard var row = try connection.row(base.number), row.hasSameFiles(as: base) else {
                    throw StoreError(.mismatch, operation, detail: "the collection has changed meanwhile")
                }
                row.put(NewFile(part), at: base)
                try row.write(connection)
                return row
            }
            let archive = current.archive === view.archive ? preparedArchive : current.archive.rebuilt(over: files)
            let next = CollectionView(
                definition: current.definition, committed: committed, archive: archive, condition: current.condition,
                overlay: overlay)
            catalog.publish(files: next, row, isWritten: part.role == .base)
            return (old, committed)
        }
        retired.add(old, keeping: new, of: name)
    }

    /// Begins a file that is written beside commits. It gets what is committed when this call returns.
    ///
    /// - Parameter sources: gives the state that the file will hold, and the records that it is made of; nil: no file
    ///   is due.
    /// - Returns: the view, the number to end the file by, and the filter of its gone ids; nil if no file is due.
    func begin(
        _ name: String, _ sources: @escaping @Sendable (CollectionView) -> (StackMark, CommittedRecords)?
    ) throws(StoreError) -> (view: CollectionView, number: UInt64, filter: GoneFilter)? {
        let (catalog, pending) = (catalog, pending)
        // This runs on the store's thread, so that no commit comes in between.
        return try database.perform { _ throws(StoreError) in
            guard let view = catalog.current()[name], let (mark, records) = sources(view) else { return nil }
            let collection = view.condition.row.number
            let filter = pending.goneFilter(of: collection, over: records.files)
            return (view, pending.begin(collection, mark, of: records), filter)
        }
    }

    /// Serves a new file that has taken what lay over the files of a view. Clock and answers stay.
    ///
    /// - Throws: `.mismatch` if it does not fit any more; then nothing has changed.
    func put(_ part: FileStack.Part, of view: CollectionView) throws(StoreError) {
        try exchange(of: view, "put a file of \(view.definition.name) in") { current, known, row in
            let files = current.files
            guard files.fits(part), part.snapshot.identity.generation >= files.layers[files.layers.count - 1].to else {
                return nil
            }
            row.put(NewFile(part), at: view.condition.row)
            var contents = current.recent?.contents ?? RecentRecords.Contents()
            if let taken = view.committed?.recent?.contents { contents = contents.newer(than: taken) }
            return (files.replacing(with: part, knowing: known), contents)
        }
    }

    /// Serves a new base, which has the records of the base and the middle file of a view.
    ///
    /// - Throws: `.mismatch` if it does not fit any more; then nothing has changed.
    func merge(_ base: Snapshot, of view: CollectionView) throws(StoreError) {
        try exchange(of: view, "merge the files of \(view.definition.name)") { current, known, row in
            let files = current.files
            guard files.base === view.committed?.files.base, let key = view.condition.row.middle?.key else {
                return nil
            }
            row.setBase(base.identity, key: key)
            if let middle = row.middle, middle.generation <= base.identity.generation { row.middle = nil }
            return (files.replacing(base: base, knowing: known), current.recent?.contents ?? RecentRecords.Contents())
        }
    }

    /// Serves a new file in place of the files that cannot be read.
    ///
    /// - Throws: `.mismatch` if more was committed meanwhile; then nothing has changed.
    func replaceLost(_ part: FileStack.Part, _ lost: LostFiles) throws(StoreError) {
        let catalog = catalog
        let (name, operation) = (lost.view.definition.name, "make a file anew")
        let files = lost.committed.files.replacing(with: part)
        let committed = CommittedRecords(files)
        let archive = lost.view.archive.rebuilt(over: files)
        let old = try database.perform { connection throws(StoreError) in
            guard let current = catalog.current()[name], let old = current.committed,
                old.isSame(as: lost.view.committed),
                current.definition.valuesHash == lost.view.definition.valuesHash,
                current.condition.row.isLocal == lost.row.isLocal
            else { throw StoreError(.mismatch, operation) }
            let row = try connection.transaction(.synced, operation) { connection throws(StoreError) in
                guard var row = try connection.row(lost.row.number), row.hasSameFiles(as: lost.row),
                    row.generation == lost.row.generation, row.nextKey == lost.row.nextKey
                else { throw StoreError(.mismatch, operation) }
                row.put(NewFile(part), at: row)
                if part.role == .young, files[.middle] == nil { row.middle = nil }
                try row.write(connection)
                return row
            }
            let next = CollectionView(
                definition: current.definition, committed: committed,
                archive: current.archive === lost.view.archive ? archive : current.archive.rebuilt(over: files),
                condition: current.condition,
                overlay: row.isLocal ? nil : current.overlay?.rebuilt(for: committed))
            catalog.publish(files: next, row)
            return old
        }
        retired.add(old, keeping: committed, of: name)
    }

    /// Replaces files of a collection by others with the same records.
    ///
    /// - Parameter change: gets the current records, files that may be the result, and the row, which it changes;
    ///   returns the new files and what lies over them; nil if the files do not fit any more.
    private func exchange(
        of view: CollectionView, _ operation: String,
        _ change:
            @escaping @Sendable (CommittedRecords, FileStack?, inout CollectionRow) -> (
                FileStack, RecentRecords.Contents
            )?
    ) throws(StoreError) {
        let (catalog, pending) = (catalog, pending)
        let name = view.definition.name
        let mismatch = StoreError(.mismatch, operation, detail: "the collection has changed meanwhile")
        // Looking up ids takes time, so it is done before the transaction; the files almost always stay the same until
        // then.
        var expected = view.condition.row
        let prepared = view.committed.flatMap { change($0, nil, &expected)?.0 }
        let preparedArchive = prepared.map { view.archive.rebuilt(over: $0) }
        let (old, new) = try database.perform { connection throws(StoreError) in
            guard let current = catalog.current()[name], let old = current.committed,
                current.definition.shapeHash == view.definition.shapeHash,
                current.definition.valuesHash == view.definition.valuesHash,
                current.condition.forgets == view.condition.forgets, !current.condition.row.isBundle,
                current.condition.row.isLocal == view.condition.row.isLocal
            else { throw mismatch }
            let (row, committed) = try connection.transaction(.synced, operation) { connection throws(StoreError) in
                guard var row = try connection.row(current.condition.row.number),
                    row.hasSameFiles(as: current.condition.row),
                    row.definitionHash == view.condition.row.definitionHash,
                    let (files, contents) = change(old, prepared, &row)
                else { throw mismatch }
                let recent = try RecentRecords.build(
                    contents, over: files, current.definition, pending.sources(of: row.number))
                try row.write(connection)
                return (row, CommittedRecords(files, recent: recent))
            }
            let archive =
                current.archive === view.archive ? preparedArchive ?? current.archive : current.archive
            let next = CollectionView(
                definition: current.definition, committed: committed, archive: archive.rebuilt(over: committed.files),
                condition: current.condition, overlay: current.overlay?.rebuilt(for: committed))
            catalog.publish(files: next, row)
            return (old, committed)
        }
        retired.add(old, keeping: new, of: name)
    }
}

/// A collection whose unreadable files over the base are left out.
struct LostFiles: Sendable {
    /// The view that is served.
    let view: CollectionView
    let row: CollectionRow
    /// The records of the other files, and over them the newer rows of state.db. If this host is the truth of the
    /// collection, the newer rows are in ``overlay`` instead.
    var committed: CommittedRecords
    /// The records that were written here.
    var overlay: RecordOverlay?
}

extension NewFile {
    init(_ part: FileStack.Part) {
        self.init(role: part.role, identity: part.snapshot.identity, from: part.from)
    }
}

/// The replaced snapshots that still have readers. A reader keeps their files until it is done.
final class RetiredSnapshots: Sendable {
    private struct Entry {
        weak var snapshot: Snapshot?
    }

    private let entries = Mutex<[String: [Entry]]>([:])

    /// Marks the files of replaced records for removal once their last reader is done.
    ///
    /// - Parameter kept: the records that took their place; nil if there are none.
    func add(_ replaced: CommittedRecords, keeping kept: CommittedRecords?, of collection: String) {
        let gone = replaced.files.snapshots.filter { old in
            kept?.files.snapshots.contains { $0 === old } != true
        }
        guard !gone.isEmpty else { return }
        for snapshot in gone { snapshot.removeWhenUnused() }
        entries.withLock { entries in
            var list = entries[collection] ?? []
            list.removeAll { $0.snapshot == nil }
            list += gone.map { Entry(snapshot: $0) }
            entries[collection] = list
        }
    }

    /// Removes the files of all replaced snapshots of a collection. Readers finish undisturbed.
    func removeNow(of collection: String) {
        let list = entries.withLock { $0.removeValue(forKey: collection) } ?? []
        for entry in list { entry.snapshot?.removeNow() }
    }
}
