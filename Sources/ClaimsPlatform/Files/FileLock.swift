// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A lock that one process at a time holds, until this value is released or the process ends (flock(2)).
///
/// The lock file stays. It contains the process id of the present or last holder, in decimal.
public struct FileLock: ~Copyable, Sendable {
    private let file: FileDescriptor

    /// Locks without waiting, and makes the file at `path` if it is missing.
    ///
    /// If another process holds the lock, EWOULDBLOCK is thrown with that process in `detail`; ELOOP if the path is a
    /// link, which is not followed.
    public init(path: String) throws(SystemError) {
        // Not truncated on opening: another process's id may be in there.
        let file = try FileDescriptor.open(path, .own(permissions: 0o600))
        guard flock(file.raw, LOCK_EX | LOCK_NB) == 0 else {
            let error = errno
            guard error == EWOULDBLOCK else { throw SystemError("lock \(path)", errno: error) }
            let bytes = (try? file.read(20, at: 0)) ?? []
            let holder = String(decoding: bytes.prefix { $0 >= 0x30 && $0 <= 0x39 }, as: UTF8.self)
            let detail = holder.isEmpty ? "another process holds it" : "process \(holder) holds it"
            throw SystemError("lock \(path)", errno: error, detail: detail)
        }
        try file.truncate(to: 0)
        try unsafe file.write(Array("\(getpid())\n".utf8).span.bytes, at: 0)
        self.file = file
    }

    deinit {
        // Closing alone is not enough if another thread has just forked: until its child has begun the program that
        // it is for, the child holds the same open file.
        _ = flock(file.raw, LOCK_UN)
    }

    /// Releases the lock now, as `deinit` does otherwise.
    public consuming func unlock() {}
}
