// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsModel
public import ClaimsPlatform
import Synchronization

/// Has files removed soon after a record or an operation may have given them up.
///
/// A search for unused files reads all records of this host, so one search serves many changes. Safe on any thread.
public final class FileSweep: Sendable {
    /// The time for which changes are gathered.
    private static let delay: Duration = .seconds(2)

    private let loop: EventLoop
    private let attachments: AttachmentStore
    private let isDue = Atomic<Bool>(false)
    /// The number of files of unsettled operations.
    private let operationFiles = Atomic<Int>(0)
    private let action = Mutex<(@Sendable () -> Void)?>(nil)

    /// - Parameter loop: the event loop that waits for more changes.
    public init(_ loop: EventLoop, _ attachments: AttachmentStore) {
        self.loop = loop
        self.attachments = attachments
    }

    /// Sets the function that removes the files; it is called on the loop's thread.
    public func start(_ action: @escaping @Sendable () -> Void) { self.action.withLock { $0 = action } }

    /// Has files removed soon.
    public func ask() {
        guard attachments.keptBytes > 0, !isDue.exchange(true, ordering: .relaxed) else { return }
        loop.post { [self] in
            loop.schedule(after: Self.delay) { [self] in
                isDue.store(false, ordering: .relaxed)
                action.withLock { $0 }?()
            }
        }
    }

    /// Has files removed soon if operations with files are settled in `catalog`.
    public func inspect(_ catalog: Catalog) {
        let count = catalog.views.reduce(0) { count, view in
            view.condition.operations.reduce(count) { $0 + $1.operation.values.files.count }
        }
        if count < operationFiles.exchange(count, ordering: .relaxed) { ask() }
    }
}

extension StateStore {
    /// The SHA-256 of the files that committed records of this host's own collections and committed unsettled
    /// operations have. Every current row counts, whether or not it is served. It reads all of these; not for a serving
    /// thread.
    public func filesInUse() throws(StoreError) -> Set<String> {
        let operation = "look for files in use"
        let database = try database.reader()
        var scan = DigestScan()
        let texts = try database.prepare(
            """
            SELECT v.upstream FROM collection c JOIN version v
                ON v.key BETWEEN (c.number << \(StateSchema.keyBits)) AND ((c.number + 1) << \(StateSchema.keyBits)) - 1
                WHERE c.is_local <> 0 AND NOT EXISTS (
                    SELECT 1 FROM removal r WHERE r.key = v.key AND r.generation <= c.generation)
            UNION ALL SELECT detail FROM operation WHERE settled_at IS NULL AND detail IS NOT NULL
            """, operation)
        while try texts.step() { texts.withBytes(0) { scan.read($0) } }
        return scan.digests
    }

    /// Removes the files that no record, operation or upload has any more. It waits for the disk.
    ///
    /// - Returns: the number of files that were removed.
    @discardableResult
    public func sweep(_ attachments: AttachmentStore, now: Int64) throws(StoreError) -> Int {
        guard attachments.keptBytes > 0 else { return 0 }
        return try attachments.sweep(now: now) { () throws(StoreError) in try filesInUse() } ?? 0
    }

    /// Removes the files that nothing has any more after records were erased. It waits first until a sweep that is
    /// under way has ended.
    ///
    /// - Parameter forgotten: the SHA-256 of the files that the records had.
    public func sweep(_ attachments: AttachmentStore, now: Int64, forgotten: Set<String>) throws(StoreError) {
        guard attachments.keptBytes > 0 else { return }
        while try attachments.sweep(
            now: now, forgotten: forgotten, inUse: { () throws(StoreError) in try filesInUse() }) == nil
        {
            _ = Monitor(false).wait(upTo: .milliseconds(20)) { $0 ? true : nil }
        }
    }
}
