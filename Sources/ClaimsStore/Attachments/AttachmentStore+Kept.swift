// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

public import ClaimsModel
import ClaimsPlatform
import Synchronization

/// Submitted and kept files.
extension AttachmentStore {
    /// Gives finished uploads to a submission, all of them or none, in their order. Until ``release(_:)`` or
    /// ``consume(_:)`` nobody else gets them, and their files stay.
    ///
    /// - Throws: `unknownUpload`; `notUsable` for one that is not whole or is for another collection.
    public func claim(
        _ uploads: [String], uid: UInt32, collection: String
    ) throws(AttachmentError) -> [OperationFile] {
        try state.withLock { (state) throws(AttachmentError) in
            try state.table.claim(uploads, uid: uid, collection: collection)
        }
    }

    /// Gives claimed uploads back, because the submission failed.
    public func release(_ uploads: [String]) {
        state.withLock { $0.table.release(uploads) }
    }

    /// Ends claimed uploads, because the operation that has their files is committed. It waits for the disk.
    ///
    /// After a crash before this, an upload can be submitted once more until its hour is over; its file stays all the
    /// same, because the operation has it.
    public func consume(_ uploads: [String]) {
        state.withLock { state in
            for id in uploads {
                if let file = state.table.entries[id]?.file { state.recent?.insert(file.sha256) }
                state.table.remove(id)
                state.files[id] = nil
            }
        }
        for id in uploads { folder.remove(note: id) }
    }

    /// The path of a kept file; nil where the name is no SHA-256 in lower-case hexadecimal.
    public func path(of sha256: String) -> String? { folder.file(sha256) }

    /// The folder of kept files.
    public var directory: String { folder.path }

    /// Reads a part of a kept file of a known size; fewer bytes only at its end. It waits for the disk.
    ///
    /// The content is not compared, which would read the whole file for each part: whoever has all of it does that.
    ///
    /// - Throws: `missing`, `changed` and `failed`.
    public func read(_ sha256: String, size: Int64, _ range: Range<Int64>) throws(AttachmentError) -> [UInt8] {
        guard let path = folder.file(sha256) else { throw .missing }
        let start = min(range.lowerBound, size)
        let count = Int(clamping: min(range.upperBound, size) - start)
        let part = try AttachmentError.translating { () throws(SystemError) -> [UInt8]? in
            do throws(SystemError) {
                let file = try FileDescriptor.open(path, .regular)
                return try file.size() == size ? try file.read(count, at: Int(clamping: start)) : nil
            } catch {
                if error.isOfOtherKind { return nil }
                throw error
            }
        }
        // Fewer bytes: it was cut meanwhile.
        guard let part, part.count == count else { throw .changed }
        return part
    }

    /// Has no file removed for 30 days, because the state database is not the one that knew of them all: it was recovered,
    /// or put back from a copy. It waits for the disk.
    public func holdFiles(now: Int64) throws(StoreError) {
        do { try folder.hold(until: now + Self.holdTime) } catch { throw StoreError(error) }
    }

    /// 30 days in milliseconds.
    private static let holdTime: Int64 = 30 * 86_400_000

    /// Removes the files that nothing has: no record or operation, no upload. It waits for the disk.
    ///
    /// - Parameters:
    ///   - forgotten: the SHA-256 of files that erased records had. They are removed also while files are held.
    ///   - inUse: the SHA-256 of the files that committed records and unsettled operations have. It is called
    ///     once; files that a commit takes into use after that stay.
    /// - Returns: the number of files that were removed; nil if another sweep is under way.
    public func sweep(
        now: Int64, forgotten: Set<String> = [], inUse: () throws(StoreError) -> Set<String>
    ) throws(StoreError) -> Int? {
        expire(now: now)
        let isHeld = now < folder.heldUntil
        guard !isHeld || !forgotten.isEmpty else { return 0 }
        let isFirst = state.withLock { state in
            guard state.recent == nil else { return false }
            state.recent = []
            return true
        }
        guard isFirst else { return nil }
        defer { state.withLock { $0.recent = nil } }
        let used = try inUse()
        let kept: [String]
        do { kept = try folder.list() } catch { throw StoreError(error) }
        return kept.count { !used.contains($0) && (!isHeld || forgotten.contains($0)) && remove($0) }
    }

    /// Removes a file unless an upload has it or it has come into use; returns whether it was removed.
    private func remove(_ sha256: String) -> Bool {
        guard let path = folder.file(sha256) else { return false }
        return names.withLock { _ in
            let isWanted = state.withLock { $0.table.uses(sha256) || $0.recent?.contains(sha256) == true }
            let size = Files.size(path)
            guard !isWanted, let size, Files.remove(path) else { return false }
            state.withLock { $0.table.keptBytes -= Int64(size) }
            return true
        }
    }
}
