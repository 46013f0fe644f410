// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform
import ClaimsStore
import ClaimsTestSupport
import Synchronization

/// A folder with attachments, and uploads into it. A copy made by ``opened(at:)`` is what a start finds.
struct AttachmentFixture {
    /// The bytes that the disk has left, as the store is told.
    final class Room: Sendable {
        private let bytes = Mutex(1 << 40)

        func set(_ value: Int) { bytes.withLock { $0 = value } }
        var free: Int { bytes.withLock { $0 } }
    }

    let folder: TemporaryFolder
    let room = Room()
    let store: AttachmentStore

    static let start: Int64 = 1_800_000_000_000
    static let limits = UploadLimits(uploads: 4, bytes: 1000)

    init(_ folder: TemporaryFolder? = nil, now: Int64 = start) throws {
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        store = try AttachmentStore(directory: folder.path, now: now) { [room] () throws(SystemError) in room.free }
    }

    /// The files that a start at that time finds in the same folder.
    func opened(at now: Int64 = start) throws -> AttachmentFixture { try AttachmentFixture(folder, now: now) }

    /// A PNG of so many bytes, the last of which is `last`.
    static func image(_ count: Int = 100, last: UInt8 = 0) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 1, count: count - 9) + [last]
    }

    static func digest(_ bytes: [UInt8]) -> String { SHA256.hexadecimal(of: bytes.rawSpan) }

    /// Begins an upload; its first part is not written yet.
    func begin(
        size: Int, name: String = "scan.png", uid: UInt32 = 1000, connection: UInt64 = 1,
        limits: UploadLimits = limits, now: Int64 = start
    ) throws(AttachmentError) -> AttachmentStore.Part {
        let new = NewUpload(
            name, size: Int64(size), for: "documents", field: "files", types: ["image/png", "application/pdf"],
            uid: uid, connection: connection)
        return try store.begin(new, limits: limits, now: now)
    }

    /// Uploads a file in parts of a size.
    @discardableResult
    func upload(
        _ bytes: [UInt8], by uid: UInt32 = 1000, partSize: Int = 1 << 20, connection: UInt64 = 1, now: Int64 = start
    ) throws(AttachmentError) -> AttachmentStore.Progress {
        let first = try begin(size: bytes.count, uid: uid, connection: connection, now: now)
        var progress = try store.write(Array(bytes.prefix(partSize)), as: first, now: now)
        while progress.received < bytes.count {
            let part = try store.advance(progress.upload, uid: uid, offset: progress.received)
            progress = try store.write(
                Array(bytes.dropFirst(Int(progress.received)).prefix(partSize)), as: part, now: now)
        }
        return progress
    }

    /// The names of the files in the folder of attachments, notes aside.
    var names: [String] {
        let names = (try? Directory.list(folder("attachments"))) ?? []
        return names.filter { $0 != "uploads" }
    }

    var notes: [String] { (try? Directory.list(folder("attachments/uploads"))) ?? [] }
}

/// The error that `work` throws.
func attachmentFailure<Result>(_ work: () throws(AttachmentError) -> Result) -> AttachmentError? {
    do throws(AttachmentError) {
        _ = try work()
        return nil
    } catch {
        return error
    }
}
