// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Reads files that only their owner may read, such as keys.
public enum PrivateFile {
    /// The contents of a file, or what keeps it from being private.
    public enum Reading: Sendable, Equatable {
        case contents([UInt8])
        /// It is no regular file.
        case special
        /// It belongs to another user.
        case foreign(owner: UInt32)
        /// Its group or others may do something with it.
        case open(permissions: UInt32)
    }

    /// Reads a regular file of `user` with no permission for group and others; a larger one than `cap` throws EFBIG.
    ///
    /// A symbolic link is followed. The opened file itself is checked, so it cannot be exchanged in between; and the
    /// call does not wait for a pipe.
    public static func read(_ path: String, of user: UInt32, cap: Int) throws(SystemError) -> Reading {
        var raw: Int32
        repeat {
            raw = unsafe linux_open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0)
        } while raw < 0 && errno == EINTR
        guard raw >= 0 else { throw .last("open \(path)") }
        let file = FileDescriptor(owning: raw)
        var status = stat()
        guard unsafe fstat(file.raw, &status) == 0 else { throw .last("look at \(path)") }
        guard status.st_mode & S_IFMT == S_IFREG else { return .special }
        guard status.st_uid == user else { return .foreign(owner: status.st_uid) }
        guard status.st_mode & 0o077 == 0 else { return .open(permissions: status.st_mode & 0o7777) }
        let bytes = try file.read(cap + 1, at: 0)
        guard bytes.count <= cap else { throw SystemError("read \(path)", errno: EFBIG) }
        return .contents(bytes)
    }
}
