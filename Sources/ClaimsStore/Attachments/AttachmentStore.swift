// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
public import ClaimsModel
public import ClaimsPlatform
import ClaimsSnapshot
import Synchronization

/// The files of this host's records and operations, and the uploads that will become such files.
///
/// ```swift
/// let part = try store.begin(upload, limits: limits, now: now)          // on a serving loop: decides only
/// let progress = try store.write(bytes, as: part, now: now)             // on a thread that may wait for the disk
/// let files = try store.claim([progress.upload], uid: uid, collection: "letters")
/// store.consume([progress.upload])                                      // once the operation is committed
/// ```
///
/// Safe on any thread. Calls that wait for the disk say so.
public final class AttachmentStore: Sendable {
    /// A part of a file that may be written now.
    public struct Part: Sendable {
        /// The name of the upload.
        public let upload: String
        /// The file that the part belongs to.
        public let new: NewUpload
        let offset: Int64
    }

    /// The state of an upload after a part.
    public struct Progress: Sendable, Equatable {
        /// The name of the upload.
        public let upload: String
        /// The bytes so far.
        public let received: Int64
        /// The file, once it is whole and on disk.
        public let file: OperationFile?
    }

    private struct State {
        var table = UploadTable()
        /// The files of unfinished uploads, by the uploads' names.
        var files: [String: UploadFile] = [:]
        /// The files that have become kept or used since a sweep began; nil outside of sweeps.
        var recent: Set<String>?
    }

    private let folder: AttachmentFolder
    private let state = Mutex(State())
    /// Held while a file gets its name or loses it. Invariant: taken before `state`, never after it.
    private let names = Mutex(())
    private let free: @Sendable () throws(SystemError) -> Int

    /// Opens the files below `directory`, which must exist, and removes what a crash has left. It waits for the disk.
    ///
    /// - Parameter free: the bytes that are free for files; nil: those of the file system.
    public init(
        directory: String, now: Int64, free: (@Sendable () throws(SystemError) -> Int)? = nil
    ) throws(StoreError) {
        folder = AttachmentFolder(in: directory)
        if let free {
            self.free = free
        } else {
            self.free = { () throws(SystemError) in try Directory.space(directory).free }
        }
        do {
            let kept = try folder.tidy()
            let uploads = try folder.uploads()
            state.withLock { state in
                state.table.keptBytes = kept.reduce(0) { $0 + $1.size }
                for upload in uploads {
                    // A clock that was ahead when the file came does not keep it for longer.
                    let finishedAt = min(upload.finishedAt, now)
                    state.table.restore(upload.id, upload.new, upload.file, finishedAt: finishedAt)
                }
            }
        } catch {
            throw StoreError(error)
        }
        expire(now: now)
    }

    /// The bytes of all kept files.
    public var keptBytes: Int64 { state.withLock { $0.table.keptBytes } }

    // MARK: - Uploads

    /// Begins an upload; the caller writes its first part next. The caller has checked name and size by the rules.
    public func begin(_ new: NewUpload, limits: UploadLimits, now: Int64) throws(AttachmentError) -> Part {
        let id = UploadID.make()
        try state.withLock { (state) throws(AttachmentError) in
            try state.table.begin(id, new, limits: limits, now: now)
        }
        return Part(upload: id, new: new, offset: 0)
    }

    /// The name of the collection that a user's unfinished upload is for; nil if there is no such upload.
    public func collection(of upload: String, uid: UInt32) -> String? {
        state.withLock { state in
            guard let new = state.table.entries[upload]?.new, new.uid == uid else { return nil }
            return new.collection
        }
    }

    /// Continues an upload; the caller writes the part next.
    public func advance(_ upload: String, uid: UInt32, offset: Int64) throws(AttachmentError) -> Part {
        try state.withLock { (state) throws(AttachmentError) in
            try state.table.advance(upload, uid: uid, offset: offset)
            guard let entry = state.table.entries[upload] else { throw AttachmentError.unknownUpload }
            return Part(upload: upload, new: entry.new, offset: offset)
        }
    }

    /// Writes a part, and returns once the file is on disk if it is the last one. It waits for the disk.
    ///
    /// - Throws: `diskFull` and `failed`, after which the part may be sent again unless it was the last one; any other
    /// error has ended the upload.
    public func write(_ bytes: [UInt8], as part: Part, now: Int64) throws(AttachmentError) -> Progress {
        expire(now: now)
        let received = part.offset + Int64(bytes.count)
        let file: UploadFile
        do throws(AttachmentError) {
            guard received <= part.new.size else { throw AttachmentError.tooLong }
            try requireRoom()
            file = try append(bytes, part)
        } catch {
            switch error {
            case .diskFull, .failed: record(part, received: part.offset)
            default: end(part.upload)
            }
            throw error
        }
        do throws(AttachmentError) {
            let type = try type(of: file, part.new, received: received)
            if let type, received == part.new.size { return try keep(file, part, type: type, now: now) }
        } catch {
            end(part.upload)
            throw error
        }
        record(part, received: received)
        return Progress(upload: part.upload, received: received, file: nil)
    }

    private func requireRoom() throws(AttachmentError) {
        let missing = state.withLock { $0.table.missingBytes }
        let room = try AttachmentError.translating { () throws(SystemError) -> Int in try free() }
        guard Int64(room) >= Int64(UploadLimits.minFree) + missing else { throw .diskFull }
    }

    private func append(_ bytes: [UInt8], _ part: Part) throws(AttachmentError) -> UploadFile {
        try AttachmentError.translating { () throws(SystemError) -> UploadFile in
            let file = try file(of: part)
            try file.append(bytes)
            return file
        }
    }

    private func file(of part: Part) throws(SystemError) -> UploadFile {
        if let begun = state.withLock({ $0.files[part.upload] }) { return begun }
        try folder.create()
        let file = try UploadFile(folder.unfinished(part.upload))
        state.withLock { $0.files[part.upload] = file }
        return file
    }

    /// The type of a file whose first bytes are there; nil if more bytes are needed.
    private func type(of file: UploadFile, _ new: NewUpload, received: Int64) throws(AttachmentError) -> String? {
        guard received >= min(new.size, Int64(FileSignature.length)) else { return nil }
        guard let type = FileSignature.mediaType(of: file.beginning.rawSpan), new.types.contains(type) else {
            throw .wrongType
        }
        return type
    }

    /// Keeps a whole file under the name of its content. A crash between the steps does no harm, because of their
    /// order: the bytes, the name, the note of the upload.
    private func keep(
        _ file: UploadFile, _ part: Part, type: String, now: Int64
    ) throws(AttachmentError) -> Progress {
        let sha256 = try AttachmentError.translating { () throws(SystemError) -> String in try file.sync() }
        guard let path = folder.file(sha256) else { throw .missing }
        let kept = OperationFile(sha256: sha256, name: part.new.name, type: type, size: part.new.size)
        try names.withLock { (_) throws(AttachmentError) in
            let isNew = !Files.exists(path)
            try state.withLock { (state) throws(AttachmentError) in
                guard state.table.finish(part.upload, kept, now: now) else { throw .unknownUpload }
                state.recent?.insert(sha256)
            }
            try AttachmentError.translating { () throws(SystemError) in try file.keep(as: path) }
            if isNew { state.withLock { $0.table.keptBytes += kept.size } }
        }
        try AttachmentError.translating { () throws(SystemError) in
            try folder.write(part.upload, part.new, kept, finishedAt: now)
        }
        record(part, received: kept.size)
        state.withLock { $0.files[part.upload] = nil }
        return Progress(upload: part.upload, received: kept.size, file: kept)
    }

    /// Records the end of a part. The file is released if the upload has ended meanwhile or is whole.
    private func record(_ part: Part, received: Int64) {
        let dropped = state.withLock { state in
            state.table.update(part.upload, received: received) ? nil : state.files.removeValue(forKey: part.upload)
        }
        withExtendedLifetime(dropped) {}
    }

    private func end(_ upload: String) {
        let dropped = state.withLock { state in
            state.table.remove(upload)
            return state.files.removeValue(forKey: upload)
        }
        withExtendedLifetime(dropped) {}
    }

    /// Ends the unfinished uploads of a connection that has closed.
    ///
    /// - Returns: their files; the release of the last reference waits for the disk.
    public func end(connection: UInt64) -> EndedUploads {
        state.withLock { state in
            EndedUploads(
                files: state.table.end(connection: connection).compactMap { state.files.removeValue(forKey: $0) })
        }
    }

    /// The files of uploads that have ended. They are deleted with the last reference.
    public struct EndedUploads: Sendable {
        fileprivate let files: [UploadFile]

        public var isEmpty: Bool { files.isEmpty }
    }

    /// Ends finished uploads that were not submitted in time. It waits for the disk only if there are any.
    public func expire(now: Int64) {
        for id in state.withLock({ $0.table.expire(now: now) }) { folder.remove(note: id) }
    }
}

/// Submitted and kept files.
extension AttachmentStore {
    /// Gives finished uploads to a submission, all of them or none, in their order. Until ``release(_:)`` or
    /// ``consume(_:)`` no other submission gets them, and their files stay.
    ///
    /// - Throws: `unknownUpload`; `notUsable` for an upload that is not whole or is for another collection.
    public func claim(
        _ uploads: [String], uid: UInt32, collection: String
    ) throws(AttachmentError) -> [OperationFile] {
        try state.withLock { (state) throws(AttachmentError) in
            try state.table.claim(uploads, uid: uid, collection: collection)
        }
    }

    /// The files of finished uploads, for a check that claims nothing; uploads that a submission has claimed are
    /// included.
    ///
    /// - Throws: as ``claim(_:uid:collection:)``.
    func files(of uploads: [String], uid: UInt32, collection: String) throws(AttachmentError) -> [OperationFile] {
        try state.withLock { (state) throws(AttachmentError) in
            try state.table.files(of: uploads, uid: uid, collection: collection)
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

    /// The path of a kept file; nil if the name is no SHA-256 in lower-case hexadecimal.
    public func path(of sha256: String) -> String? { folder.file(sha256) }

    /// The folder of kept files.
    public var directory: String { folder.path }

    /// Reads a part of a kept file of a known size; fewer bytes only at its end. It waits for the disk.
    ///
    /// The content is not compared with the digest, because that would read the whole file for each part. The receiver
    /// of the whole file compares it.
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
        // The file was shortened meanwhile if there are fewer bytes.
        guard let part, part.count == count else { throw .changed }
        return part
    }

    /// Keeps all files for 30 days, because the state database may not know them all: it was recovered, or restored
    /// from a copy. It waits for the disk.
    public func holdFiles(now: Int64) throws(StoreError) {
        do { try folder.hold(until: now + Self.holdTime) } catch { throw StoreError(error) }
    }

    /// 30 days in milliseconds.
    private static let holdTime: Int64 = 30 * 86_400_000

    /// Removes the files that no record, operation or upload has. It waits for the disk.
    ///
    /// - Parameters:
    ///   - forgotten: the SHA-256 of files that erased records had. They are removed even while files are held.
    ///   - inUse: the SHA-256 of the files that committed records and unsettled operations have. It is called once;
    ///     files that a commit takes into use after that stay.
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
