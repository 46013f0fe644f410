// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot

/// Files that are written beside commits: records over the files go into a small file, and a middle file is merged into
/// the base. Clock, answers and feeds stay.
extension CollectionOpener {
    /// A file that is written, but not served yet.
    struct NewStackFile {
        let view: CollectionView
        let part: FileStack.Part
        /// The number to end it by.
        fileprivate let number: UInt64
    }

    /// The number of bytes of a new base that are written before they are synced, so that no commit waits behind more.
    private static let syncedAtOnce = 8 << 20

    // MARK: - Recent records

    /// The number of records over the files at which a file is made of them.
    static let manyRecent = 256

    /// Writes a file of the records over the files of a collection; nil if a commit should rather write a base.
    ///
    /// - Parameter isWanted: asked every few records; once it returns false, the call ends without effect.
    func writeRecent(
        _ name: String, _ bounds: RecentBounds = .standard, while isWanted: () -> Bool = { true }
    ) throws(StoreError) -> NewStackFile? {
        let begun = try store.generations.files.begin(name) { view in
            guard !view.condition.row.isLocal, let committed = view.committed, committed.recent != nil,
                view.condition.lostFile == nil,
                StackPlan(committed, bytes: 0).target(view.recentBounds(bounds).layers) != .base
            else { return nil }
            let row = view.condition.row
            return (StackMark(generation: row.generation, key: row.nextKey), committed)
        }
        guard let begun, let committed = begun.view.committed else { return nil }
        let row = begun.view.condition.row
        let role = StackPlan(committed, bytes: 0).target(begun.view.recentBounds(bounds).layers)
        return try write(role, begun, committed, at: row.generation, while: isWanted)
    }

    // MARK: - Merging

    /// Merges the middle file of a collection into its base: a new base, and one short transaction.
    ///
    /// - Parameter isWanted: asked every few records; once it returns false, the call ends without effect.
    /// - Returns: whether something was merged.
    /// - Throws: `.mismatch` if the base was replaced meanwhile; a later call tries again. `.storageFull` if the disk
    ///   has no room for another base: then the middle file grows past its bound until a later call finds room.
    @discardableResult
    public func merge(_ name: String, while isWanted: () -> Bool = { true }) throws(StoreError) -> Bool {
        let file: NewStackFile?
        do throws(StoreError) { file = try writeMerged(name, while: isWanted) } catch {
            if error.code == .storageFull { try wait(name, because: error) }
            throw error
        }
        guard let file else { return false }
        let hasWaited = store.catalog.current()[name]?.condition.isMergeWaiting == true
        try put(file)
        if hasWaited { report(name, .merged) }
        // The file is in force. Files that cannot be deleted now are deleted with the next commit.
        try? tidy(name)
        return true
    }

    /// Records that the middle file of a collection waits for room, and reports it once.
    private func wait(_ name: String, because error: StoreError) throws(StoreError) {
        let catalog = store.catalog
        // This runs on the store's thread, so that no commit loses it.
        let isNew = try store.database.perform { _ throws(StoreError) in
            guard let view = catalog.current()[name], view.condition.row.middle != nil, !view.condition.isMergeWaiting
            else { return false }
            catalog.record(in: name) { $0.mergeDelayed() }
            return true
        }
        if isNew { report(name, .mergeWaiting(error)) }
    }

    /// Throws unless the disk may have room for another base: an attempt would take the last room from all others.
    private func checkRoom(for files: FileStack) throws(StoreError) {
        let (base, middle) = (files.base, files[.middle]?.entries ?? 0)
        // The other records may be shared with the base.
        let others = base.indexBytes / max(1, base.count) * max(0, base.count - middle)
        let needed = others + base.unsharedBytes
        do throws(SystemError) {
            guard try Directory.space(folder.path).free < needed else { return }
        } catch { throw StoreError(error) }
        throw StoreError(.storageFull, "merge the files of \(base.definition.name)")
    }

    /// Writes a base of the base and the middle file of a collection; nil if there is no middle file.
    func writeMerged(_ name: String, while isWanted: () -> Bool = { true }) throws(StoreError) -> NewStackFile? {
        guard let files = store.catalog.current()[name]?.committed?.files, files[.middle] != nil else { return nil }
        try folder.ensure()
        try checkRoom(for: files)
        // Damaged records must not get into the new file.
        guard verify(name) else { return nil }
        let begun = try store.generations.files.begin(name) { view in
            guard view.condition.isVerified, view.condition.lostFile == nil, let files = view.committed?.files,
                files[.middle] != nil, let middle = view.condition.row.middle
            else { return nil }
            let mark = StackMark(generation: middle.generation, key: middle.key)
            return (mark, CommittedRecords(files.prefix(2)))
        }
        guard let begun, let files = begun.view.committed?.files else { return nil }
        return try write(
            .base, begun, CommittedRecords(files.prefix(2)), at: files.layers[1].to,
            syncBytes: Self.syncedAtOnce, while: isWanted)
    }

    // MARK: - Both

    private func write(
        _ role: StackRole, _ begun: (view: CollectionView, number: UInt64, filter: GoneFilter),
        _ records: CommittedRecords, at generation: UInt64, syncBytes: Int? = nil, while isWanted: () -> Bool
    ) throws(StoreError) -> NewStackFile? {
        let (view, number) = (begun.view, begun.number)
        do throws(StoreError) {
            try folder.ensure()
            guard areSound(records.files, from: role, of: view) else {
                store.generations.files.pending.end(number)
                return nil
            }
            let identity = SnapshotIdentity(new: generation, of: view.definition, epoch: store.epoch)
            let part = try folder.write(
                role, identity, view.definition, from: records, keeping: begun.filter, syncBytes: syncBytes,
                while: { isWanted() && isGood(view) })
            if let part { return NewStackFile(view: view, part: part, number: number) }
        } catch {
            store.generations.files.pending.end(number)
            throw error
        }
        store.generations.files.pending.end(number)
        return nil
    }

    /// Whether a file that is made of a view may still be put in.
    private func isGood(_ view: CollectionView) -> Bool {
        guard let current = store.catalog.current()[view.definition.name] else { return false }
        return current.definition.shapeHash == view.definition.shapeHash
            && current.definition.valuesHash == view.definition.valuesHash
            && current.condition.forgets == view.condition.forgets
            && current.committed?.file === view.committed?.file
    }

    /// Serves a file that was written beside commits.
    ///
    /// - Throws: `.mismatch` if it does not fit any more; then nothing has changed.
    func put(_ file: NewStackFile) throws(StoreError) {
        let pending = store.pendingFiles
        do throws(StoreError) {
            if file.part.role == .base {
                try store.generations.files.merge(file.part.snapshot, of: file.view)
                pending.end(file.number, merged: file.part.snapshot.identity.generation)
            } else {
                try store.generations.files.put(file.part, of: file.view)
                pending.end(file.number)
            }
        } catch {
            file.part.snapshot.removeWhenUnused()
            pending.end(file.number)
            throw error
        }
    }
}
