// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The failure of a system call.
///
/// `operation` is a verb phrase that names the object of the call, as in "open /run/x".
public struct SystemError: Error, Equatable, Sendable {
    /// The attempt that failed, as a verb phrase that follows "cannot".
    public let operation: String
    /// The kernel's error number (errno(3)).
    public let errno: Int32
    /// More about the cause, such as the holder of a lock; nil if nothing more is known.
    public let detail: String?

    public init(_ operation: String, errno: Int32, detail: String? = nil) {
        self.operation = operation
        self.errno = errno
        self.detail = detail
    }

    /// The error of the calling thread's last system call, read from `errno`. It must be the next thing done after that
    /// call.
    public static func last(_ operation: String) -> SystemError {
        SystemError(operation, errno: Glibc.errno)
    }

    /// The error as a phrase for people, such as "cannot open /run/x: Permission denied".
    public var message: String { "cannot \(operation): \(reason)" }

    /// The cause without the attempt, such as "Permission denied".
    public var reason: String { unsafe detail ?? String(cString: strerror(errno)) }

    /// Whether the file, or a folder on the way to it, does not exist (ENOENT, ENOTDIR).
    public var isNotFound: Bool { errno == ENOENT || errno == ENOTDIR }
    /// Whether the opened path is a link or no regular file (ELOOP, EINVAL, ENXIO).
    public var isOfOtherKind: Bool { errno == ELOOP || errno == EINVAL || errno == ENXIO }
    /// Whether the call was given up after its time (ETIMEDOUT).
    public var isTimeout: Bool { errno == ETIMEDOUT }
    /// Whether a file system or a quota is full (ENOSPC, EDQUOT).
    public var isOutOfSpace: Bool { errno == ENOSPC || errno == EDQUOT }
    /// Whether the permissions or the owner of a file forbid the call (EACCES, EPERM).
    public var isForbidden: Bool { errno == EACCES || errno == EPERM }
    /// Whether a link or a folder has the path of a file (ELOOP, EISDIR).
    public var isMisplaced: Bool { errno == ELOOP || errno == EISDIR }
    /// Whether the file system or its permissions forbid a change (EROFS, EACCES, EPERM).
    public var isReadOnly: Bool { errno == EROFS || errno == EACCES || errno == EPERM }
}

extension SystemError: CustomStringConvertible {
    public var description: String { message }
}
