// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsBytes
import ClaimsPlatform
import ClaimsSnapshot
import Synchronization

/// The number of the last attempt to write to an upstream, in a small file of the cache folder, by which a state.db that
/// was put back from a copy is recognised.
///
/// state.db has the number before the file, and the file has it on disk before a request leaves. So a file that is ahead
/// of state.db tells of requests that state.db knows nothing of.
public final class AttemptMark: Sendable {
    static let fileName = "attempt"
    /// The key in `meta` of the number that state.db knows.
    static let key = "attempt"
    private static let size = 24
    private static let magic: UInt64 = 0x3154_5041_444D_4C43

    private let path: String?
    private let file = Mutex<FileDescriptor?>(nil)

    /// - Parameter directory: the cache folder; nil: nothing is kept.
    init(directory: String?) {
        path = directory.map { Paths.join($0, Self.fileName) }
    }

    /// Removes the file: what it says is of another state.db.
    static func remove(from directory: String) { Files.remove(Paths.join(directory, fileName)) }

    /// The number in the file; 0 where there is none, or it makes no sense.
    static func read(in directory: String) -> Int64 {
        guard let file = try? FileDescriptor.open(Paths.join(directory, fileName), .regular),
            let bytes = try? file.read(size, at: 0), bytes.count == size
        else { return 0 }
        let span = bytes.rawSpan
        guard span.u64(at: 0) == magic, span.u64(at: 16) == Checksum.of(span.part(0, 16)) else { return 0 }
        return Int64(bitPattern: span.u64(at: 8))
    }

    /// Writes the number of an attempt that state.db has, and waits until it is on disk. Without that nothing is sent.
    public func sync(_ number: Int64) throws(StoreError) {
        guard let path else { return }
        var bytes: [UInt8] = []
        for word in [Self.magic, UInt64(bitPattern: number)] { bytes.append(littleEndian: word) }
        bytes.append(littleEndian: Checksum.of(bytes.rawSpan))
        do throws(SystemError) {
            try file.withLock { file throws(SystemError) in
                // The folder may have been emptied, or made again.
                if file == nil || Files.names(of: path) == nil {
                    file = try FileDescriptor.replacingLink(path, permissions: 0o600)
                    try Directory.sync(Paths.parent(path))
                }
                try file?.write(bytes.rawSpan, at: 0)
                try file?.sync()
            }
        } catch { throw StoreError(error) }
    }
}
