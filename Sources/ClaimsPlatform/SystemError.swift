// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A system call that failed.
///
/// `operation` is a verb phrase that names the thing it was done to ("open /run/x"), `errno` the number from below.
public struct SystemError: Error, Equatable, Sendable {
    public let operation: String
    public let errno: Int32
    /// What else is known, such as who holds a lock.
    public let detail: String?

    public init(_ operation: String, errno: Int32, detail: String? = nil) {
        self.operation = operation
        self.errno = errno
        self.detail = detail
    }

    /// The error that the last system call of this thread left behind.
    public static func last(_ operation: String) -> SystemError {
        SystemError(operation, errno: Glibc.errno)
    }

    /// "cannot open /run/x: Permission denied"
    public var message: String {
        let reason = unsafe detail ?? String(cString: strerror(errno))
        return "cannot \(operation): \(reason)"
    }

    /// True where the file, or a folder on the way to it, is not there.
    public var isNotFound: Bool { errno == ENOENT || errno == ENOTDIR }
    /// True where a file system or a quota is full.
    public var isOutOfSpace: Bool { errno == ENOSPC || errno == EDQUOT }
    /// True where the file system, or its permissions, forbid a change.
    public var isReadOnly: Bool { errno == EROFS || errno == EACCES || errno == EPERM }
}

extension SystemError: CustomStringConvertible {
    public var description: String { message }
}
