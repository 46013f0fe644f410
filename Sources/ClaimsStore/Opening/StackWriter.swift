// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel
import ClaimsPlatform
import ClaimsSnapshot

/// Writes files beside commits: records over the files go into a small file, and a middle file is merged into the base.
/// Clock, answers and feeds stay.
struct StackWriter: Sendable {
    /// A file that is written, but not served yet.
    struct WrittenFile {
        let view: CollectionView
        let part: FileStack.Part
        /// The number to end it by.
        fileprivate let number: UInt64
    }

    private let context: OpeningContext
    private let stack: StackReader
    private let verifier: SnapshotVerifier
    private let history: KeptHistory
    private var store: StateStore { context.store }
    private var folder: SnapshotFolder { context.folder }

    init(_ context: OpeningContext, stack: StackReader, verifier: SnapshotVerifier, history: KeptHistory) {
        self.context = context
        self.stack = stack
        self.verifier = verifier
        self.history = history
    }

    /// The number of bytes of a new base that are written before they are synced, so that no commit waits behind more.
    private static let syncedAtOnce = 2 << 20

    // MARK: - Recent records

    /// The number of records over the files at which a file is made of them.
    static let manyRecent = 256

    /// Writes a file of the records over the files of a collection; nil if a commit should rather write a base.
    ///
    /// - Parameter isWanted: asked every few records; once it returns false, the call ends without effect.
    func writeRecent(
        _ name: String, _ bounds: RecentBounds = .standard, while isWanted: () -> Bool = { true }
    ) throws(StoreError) -> WrittenFile? {
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

    // MARK: - Folding

    /// See ``CollectionOpener/fold(_:while:)``.
    @discardableResult
    func fold(_ name: String, while isWanted: () -> Bool = { true }) throws(StoreError) -> Bool {
        guard let view = context.view(name) else { return false }
        guard view.condition.row.isLocal else {
            guard let file = try writeRecent(name, while: isWanted) else { return false }
            try put(file)
            return true
        }
        guard let committed = view.committed, let overlay = view.overlay else { return false }
        try folder.ensure()
        var plan = StackPlan(committed, bytes: overlay.objectBytes)
        plan.young += overlay.count
        plan.middle += overlay.count
        let role = plan.target(view.recentBounds.layers)
        guard verifier.areSound(committed.files, from: role, of: view) else { return false }
        let identity = SnapshotIdentity(
            new: view.condition.row.generation, of: view.definition, epoch: store.epoch)
        let part = try folder.write(
            role, identity, view.definition, from: committed, with: overlay,
            keeping: stack.goneFilter(of: view, over: committed.files), while: isWanted)
        guard let part else { return false }
        do throws(StoreError) { try store.generations.files.fold(part, of: view) } catch {
            part.snapshot.removeWhenUnused()
            throw error
        }
        // The file is in force. Files that cannot be deleted now are deleted with the next commit.
        try? history.tidy(name)
        return true
    }

    // MARK: - Merging

    /// See ``CollectionOpener/merge(_:while:)``.
    @discardableResult
    func merge(_ name: String, while isWanted: () -> Bool = { true }) throws(StoreError) -> Bool {
        let file: WrittenFile?
        do throws(StoreError) { file = try writeMerged(name, while: isWanted) } catch {
            if error.code == .storageFull { try wait(name, because: error) }
            throw error
        }
        guard let file else { return false }
        let hasWaited = context.view(name)?.condition.isMergeWaiting == true
        try put(file)
        if hasWaited { context.report(name, .merged) }
        // The file is in force. Files that cannot be deleted now are deleted with the next commit.
        try? history.tidy(name)
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
        if isNew { context.report(name, .mergeWaiting(error)) }
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
    func writeMerged(_ name: String, while isWanted: () -> Bool = { true }) throws(StoreError) -> WrittenFile? {
        guard let files = context.view(name)?.committed?.files, files[.middle] != nil else { return nil }
        try folder.ensure()
        try checkRoom(for: files)
        // Damaged records must not get into the new file.
        guard verifier.verify(name) else { return nil }
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

    // MARK: - All files

    private func write(
        _ role: StackRole, _ begun: (view: CollectionView, number: UInt64, filter: GoneFilter),
        _ records: CommittedRecords, at generation: UInt64, syncBytes: Int? = nil, while isWanted: () -> Bool
    ) throws(StoreError) -> WrittenFile? {
        let (view, number) = (begun.view, begun.number)
        do throws(StoreError) {
            try folder.ensure()
            guard verifier.areSound(records.files, from: role, of: view) else {
                store.generations.files.pending.end(number)
                return nil
            }
            let identity = SnapshotIdentity(new: generation, of: view.definition, epoch: store.epoch)
            let part = try folder.write(
                role, identity, view.definition, from: records, keeping: begun.filter, syncBytes: syncBytes,
                while: { isWanted() && isGood(view) })
            if let part { return WrittenFile(view: view, part: part, number: number) }
        } catch {
            store.generations.files.pending.end(number)
            throw error
        }
        store.generations.files.pending.end(number)
        return nil
    }

    /// Whether a file that is made of a view may still be put in.
    private func isGood(_ view: CollectionView) -> Bool {
        guard let current = context.view(view.definition.name) else { return false }
        return current.definition.shapeHash == view.definition.shapeHash
            && current.definition.valuesHash == view.definition.valuesHash
            && current.condition.forgets == view.condition.forgets
            && current.committed?.file === view.committed?.file
    }

    /// Serves a file that was written beside commits.
    ///
    /// - Throws: `.mismatch` if it does not fit any more; then nothing has changed.
    func put(_ file: WrittenFile) throws(StoreError) {
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
