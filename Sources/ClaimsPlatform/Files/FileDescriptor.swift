// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// The sole owner of one file descriptor; it is closed exactly once.
public struct FileDescriptor: ~Copyable, Sendable {
    public let raw: Int32

    /// Takes over a descriptor that nobody else will close.
    public init(owning raw: Int32) {
        self.raw = raw
    }

    deinit {
        if raw >= 0 { _ = close(raw) }
    }

    /// Gives the descriptor away; the caller closes it.
    public consuming func release() -> Int32 {
        let raw = raw
        discard self
        return raw
    }

    /// A second descriptor of the same open file, close-on-exec.
    public borrowing func duplicate() throws(SystemError) -> FileDescriptor {
        let copy = linux_fcntl(raw, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { throw .last("duplicate a file descriptor") }
        return FileDescriptor(owning: copy)
    }

    /// Sets or clears O_NONBLOCK on the open file.
    public borrowing func setNonblocking(_ on: Bool) throws(SystemError) {
        let flags = linux_fcntl(raw, F_GETFL, 0)
        guard flags >= 0, linux_fcntl(raw, F_SETFL, on ? flags | O_NONBLOCK : flags & ~O_NONBLOCK) >= 0 else {
            throw .last("change a file descriptor's flags")
        }
    }
}

extension FileDescriptor {
    /// How a file is opened; close-on-exec always.
    public enum Mode: Sendable {
        case read
        /// For reading and writing, where it exists.
        case update
        /// A new file; an error where the name is taken.
        case create(permissions: UInt32)
        /// A new or emptied file, for reading and writing.
        case replace(permissions: UInt32)
        /// A new or existing file, written at its end.
        case append(permissions: UInt32)
        /// A folder, to sync it.
        case directory
    }

    /// Opens `path`.
    public static func open(_ path: String, _ mode: Mode) throws(SystemError) -> FileDescriptor {
        let (flags, permissions): (Int32, UInt32) =
            switch mode {
            case .read: (O_RDONLY, 0)
            case .update: (O_RDWR, 0)
            case .create(let permissions): (O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, permissions)
            case .replace(let permissions): (O_RDWR | O_CREAT | O_TRUNC, permissions)
            case .append(let permissions): (O_WRONLY | O_CREAT | O_APPEND, permissions)
            case .directory: (O_RDONLY | O_DIRECTORY, 0)
            }
        while true {
            let raw = unsafe linux_open(path, flags, permissions)
            if raw >= 0 { return FileDescriptor(owning: raw) }
            guard errno == EINTR else { throw .last("open \(path)") }
        }
    }

    /// An unlinked file in `directory`: it vanishes with its last descriptor and mapping.
    public static func temporary(in directory: String) throws(SystemError) -> FileDescriptor {
        let raw = unsafe linux_open_temporary(directory)
        guard raw >= 0 else { throw .last("make a temporary file in \(directory)") }
        return FileDescriptor(owning: raw)
    }

    /// The two ends of a pipe, close-on-exec.
    public static func pipe() throws(SystemError) -> Pipe {
        var ends: [Int32] = [-1, -1]
        guard unsafe linux_pipe(&ends) == 0 else { throw .last("make a pipe") }
        return Pipe(reading: FileDescriptor(owning: ends[0]), writing: FileDescriptor(owning: ends[1]))
    }
}

/// The two ends of one pipe.
public struct Pipe: ~Copyable, Sendable {
    public var reading: FileDescriptor
    public var writing: FileDescriptor

    /// Keeps the reading end and closes the other.
    public consuming func keepReading() -> FileDescriptor { reading }
    /// Keeps the writing end and closes the other.
    public consuming func keepWriting() -> FileDescriptor { writing }
}
