// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsModel
import ClaimsPlatform
import Synchronization

/// The file of an unfinished upload, which is deleted with this object unless it is kept.
///
/// Safe on any thread. The table of uploads ensures that one part at a time is written.
final class UploadFile: Sendable {
    /// The hash, the beginning and the number of the bytes so far.
    private struct Content {
        var hash = SHA256()
        /// The first bytes, which show the type.
        var beginning: [UInt8] = []
        var count = 0
        var isKept = false
    }

    private let path: String
    private let file: FileDescriptor
    private let content = Mutex(Content())

    /// The suffix of the names of unfinished files. A start removes the ones that a crash has left.
    static let suffix = ".part"

    init(_ path: String) throws(SystemError) {
        self.path = path
        file = try FileDescriptor.open(path, .create(permissions: 0o600))
    }

    deinit {
        if !content.withLock({ $0.isKept }) { Files.remove(path) }
    }

    /// The first bytes, at most ``FileSignature/length``.
    var beginning: [UInt8] { content.withLock { $0.beginning } }

    /// Appends a part. After an error nothing has changed, and the part may be written again.
    func append(_ part: [UInt8]) throws(SystemError) {
        try file.write(part.rawSpan, at: content.withLock { $0.count })
        content.withLock { content in
            content.hash.update(part.rawSpan)
            content.beginning += part.prefix(max(0, FileSignature.length - content.beginning.count))
            content.count += part.count
        }
    }

    /// Waits until the bytes are on disk.
    ///
    /// - Returns: their SHA-256 in hexadecimal.
    func sync() throws(SystemError) -> String {
        try file.sync()
        return content.withLock { $0.hash.hexadecimal }
    }

    /// Gives the file its final name.
    func keep(as path: String) throws(SystemError) {
        try Files.rename(self.path, to: path)
        content.withLock { $0.isKept = true }
    }
}
