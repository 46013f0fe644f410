// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsModel

/// The uploads of all users, unfinished and finished ones. Pure: it decides, and touches no files.
struct UploadTable {
    /// An upload.
    struct Entry {
        let new: NewUpload
        var received: Int64 = 0
        /// Whether a part of it is being written.
        var isBusy = false
        /// Whether a submission has claimed it; the submission's commit decides what becomes of it.
        var isClaimed = false
        /// The file, once it is whole and on disk.
        var file: OperationFile?
        /// The time of its last byte, in milliseconds since 1970.
        var finishedAt: Int64 = 0
        /// Whether it ended while a part of it was being written.
        var hasEnded = false

        /// The number of bytes that are still to come.
        var missing: Int64 { file == nil ? new.size - received : 0 }
    }

    private(set) var entries: [String: Entry] = [:]
    /// The bytes of the files that are kept, finished uploads among them.
    var keptBytes: Int64 = 0

    /// The number of bytes that unfinished uploads will still bring.
    var missingBytes: Int64 { entries.values.reduce(0) { $0 + $1.missing } }

    /// Begins an upload; its first part is to be written next.
    mutating func begin(
        _ id: String, _ new: NewUpload, limits: UploadLimits, now: Int64
    ) throws(AttachmentError) {
        let own = entries.values.count { $0.new.uid == new.uid && !$0.hasEnded && !Self.isOld($0, now: now) }
        guard own < limits.uploads else { throw .tooManyUploads(limits.uploads) }
        let unfinished = entries.values.reduce(Int64(0)) { $0 + ($1.file == nil ? $1.new.size : 0) }
        guard new.size <= limits.bytes, keptBytes + unfinished <= limits.bytes - new.size else {
            throw .tooManyBytes(limits.bytes)
        }
        entries[id] = Entry(new: new, isBusy: true)
    }

    /// Prepares the next part of an upload.
    mutating func advance(_ id: String, uid: UInt32, offset: Int64) throws(AttachmentError) {
        guard var entry = entries[id], entry.new.uid == uid, !entry.hasEnded, !entry.isClaimed else {
            throw .unknownUpload
        }
        guard !entry.isBusy, entry.file == nil, offset == entry.received else {
            throw .wrongOffset(received: entry.received)
        }
        entry.isBusy = true
        entries[id] = entry
    }

    /// Records that a part was written, or that it failed and may be sent again.
    ///
    /// - Returns: whether the upload still exists.
    mutating func update(_ id: String, received: Int64) -> Bool {
        guard var entry = entries[id], !entry.hasEnded else {
            entries[id] = nil
            return false
        }
        entry.received = received
        entry.isBusy = false
        entries[id] = entry
        return true
    }

    /// Gives an upload its whole file. The file may be submitted once its last part is recorded.
    ///
    /// - Returns: false if the upload has ended.
    mutating func finish(_ id: String, _ file: OperationFile, now: Int64) -> Bool {
        guard let entry = entries[id], !entry.hasEnded else { return false }
        entries[id]?.file = file
        entries[id]?.finishedAt = now
        return true
    }

    /// Adds an upload that was finished before the start.
    mutating func restore(_ id: String, _ new: NewUpload, _ file: OperationFile, finishedAt: Int64) {
        entries[id] = Entry(new: new, received: file.size, file: file, finishedAt: finishedAt)
    }

    mutating func remove(_ id: String) { entries[id] = nil }

    /// Ends the unfinished uploads of a connection; an upload that is being written ends with its part.
    ///
    /// - Returns: the names of the uploads that have ended.
    mutating func end(connection: UInt64) -> [String] {
        var ended: [String] = []
        for (id, entry) in entries where entry.new.connection == connection && entry.file == nil {
            if entry.isBusy { entries[id]?.hasEnded = true } else { ended.append(id) }
        }
        for id in ended { entries[id] = nil }
        return ended
    }

    /// Removes finished uploads that were not submitted in time.
    mutating func expire(now: Int64) -> [String] {
        let old = entries.filter { Self.isOld($1, now: now) }.map(\.key)
        for id in old { entries[id] = nil }
        return old
    }

    /// Gives finished uploads to a submission, all of them or none.
    mutating func claim(_ ids: [String], uid: UInt32, collection: String) throws(AttachmentError) -> [OperationFile] {
        let files = try files(of: ids, uid: uid, collection: collection)
        guard !ids.contains(where: { entries[$0]?.isClaimed == true }) else { throw .unknownUpload }
        for id in ids { entries[id]?.isClaimed = true }
        return files
    }

    /// The files of finished uploads, including uploads that a submission has claimed.
    func files(of ids: [String], uid: UInt32, collection: String) throws(AttachmentError) -> [OperationFile] {
        var files: [OperationFile] = []
        for (index, id) in ids.enumerated() {
            guard let entry = entries[id], entry.new.uid == uid, !entry.hasEnded, !ids[..<index].contains(id) else {
                throw .unknownUpload
            }
            guard let file = entry.file, !entry.isBusy, entry.new.collection == collection else { throw .notUsable }
            files.append(file)
        }
        return files
    }

    mutating func release(_ ids: [String]) {
        for id in ids { entries[id]?.isClaimed = false }
    }

    /// Whether an upload has the file.
    func uses(_ sha256: String) -> Bool { entries.values.contains { $0.file?.sha256 == sha256 } }

    /// A clock that went back does not make an upload older.
    private static func isOld(_ entry: Entry, now: Int64) -> Bool {
        entry.file != nil && !entry.isClaimed && now - entry.finishedAt > UploadLimits.maxAge
    }
}
