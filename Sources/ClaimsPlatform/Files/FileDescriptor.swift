// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// The sole owner of one file descriptor, which it closes exactly once, when it is released.
public struct FileDescriptor: ~Copyable, Sendable {
    /// The number of the descriptor, which stays owned by this value.
    public let raw: Int32

    /// Becomes the owner of an open descriptor, which the caller must not close any more.
    public init(owning raw: Int32) {
        self.raw = raw
    }

    deinit {
        if raw >= 0 { _ = close(raw) }
    }

    /// Gives up ownership without closing. The caller must close the returned descriptor.
    public consuming func release() -> Int32 {
        let raw = raw
        discard self
        return raw
    }

    /// Makes a second, close-on-exec descriptor of the same open file (F_DUPFD_CLOEXEC, fcntl(2)).
    public borrowing func duplicate() throws(SystemError) -> FileDescriptor {
        let copy = linux_fcntl(raw, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { throw .last("duplicate a file descriptor") }
        return FileDescriptor(owning: copy)
    }

    /// Sets or clears O_NONBLOCK on the open file, which all its descriptors share.
    public borrowing func setNonblocking(_ on: Bool) throws(SystemError) {
        let flags = linux_fcntl(raw, F_GETFL, 0)
        guard flags >= 0, linux_fcntl(raw, F_SETFL, on ? flags | O_NONBLOCK : flags & ~O_NONBLOCK) >= 0 else {
            throw .last("change a file descriptor's flags")
        }
    }
}

extension FileDescriptor {
    /// The way in which a file is opened. Every mode is close-on-exec.
    public enum Mode: Sendable {
        case read
        /// Opens a regular file for reading: ELOOP for a link, EINVAL for any other kind. Nothing is waited for.
        case regular
        /// Opens an existing file for reading and writing.
        case update
        /// Makes a file for reading and writing; EEXIST if the name is taken, even by a dangling link.
        case create(permissions: UInt32)
        /// Makes a file, or empties the existing one, for reading and writing.
        case replace(permissions: UInt32)
        /// Makes a file, or opens the existing one, so that every write goes to its end.
        case append(permissions: UInt32)
        /// Makes a file of this program's own, or opens the existing one, for reading and writing; ELOOP if the name is
        /// a link's, EINVAL if it is a pipe's or a device's.
        case own(permissions: UInt32)
        /// Opens a folder, so that it can be synced.
        case directory

        fileprivate var isOfRegularFiles: Bool {
            switch self {
            case .regular, .own: true
            case .read, .update, .create, .replace, .append, .directory: false
            }
        }
    }

    /// Opens `path`, and tries again when a signal interrupts the call (open(2)).
    public static func open(_ path: String, _ mode: Mode) throws(SystemError) -> FileDescriptor {
        let (flags, permissions): (Int32, UInt32) =
            switch mode {
            case .read: (O_RDONLY, 0)
            case .regular: (O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0)
            case .update: (O_RDWR, 0)
            case .create(let permissions): (O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, permissions)
            case .replace(let permissions): (O_RDWR | O_CREAT | O_TRUNC, permissions)
            case .append(let permissions): (O_WRONLY | O_CREAT | O_APPEND, permissions)
            case .own(let permissions): (O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, permissions)
            case .directory: (O_RDONLY | O_DIRECTORY, 0)
            }
        while true {
            let raw = unsafe linux_open(path, flags, permissions)
            if raw >= 0 {
                let file = FileDescriptor(owning: raw)
                if mode.isOfRegularFiles, !file.isRegular { throw SystemError("open \(path)", errno: EINVAL) }
                return file
            }
            guard errno == EINTR else { throw .last("open \(path)") }
        }
    }

    /// Makes a file of this program's own, or opens the existing one, for reading and writing. A link of that name is
    /// removed, and never followed.
    public static func replacingLink(_ path: String, permissions: UInt32) throws(SystemError) -> FileDescriptor {
        if Files.readLink(path) != nil { Files.remove(path) }
        return try open(path, .own(permissions: permissions))
    }

    private var isRegular: Bool {
        var status = stat()
        return unsafe fstat(raw, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Makes an unnamed file in `directory`, which vanishes with its last descriptor and mapping.
    public static func temporary(in directory: String) throws(SystemError) -> FileDescriptor {
        let raw = unsafe linux_open_temporary(directory)
        guard raw >= 0 else { throw .last("make a temporary file in \(directory)") }
        return FileDescriptor(owning: raw)
    }

    /// Makes a file in memory without a name in any folder, which vanishes with its last descriptor and mapping.
    ///
    /// - Parameter name: shown among the open files of the process.
    public static func memory(name: String) throws(SystemError) -> FileDescriptor {
        let raw = unsafe linux_open_memory(name)
        guard raw >= 0 else { throw .last("make a file in memory") }
        return FileDescriptor(owning: raw)
    }

    /// Makes a pipe whose two ends are close-on-exec (pipe(2)).
    public static func pipe() throws(SystemError) -> Pipe {
        var ends: [Int32] = [-1, -1]
        guard unsafe linux_pipe(&ends) == 0 else { throw .last("make a pipe") }
        return Pipe(reading: FileDescriptor(owning: ends[0]), writing: FileDescriptor(owning: ends[1]))
    }
}

/// Two connected descriptors: the ends of a pipe or of a pair of sockets.
public struct Pipe: ~Copyable, Sendable {
    /// The end that is read from; of a socket pair, the first socket.
    public var reading: FileDescriptor
    /// The end that is written to; of a socket pair, the second socket.
    public var writing: FileDescriptor

    /// Returns the reading end and closes the other.
    public consuming func keepReading() -> FileDescriptor { reading }
    /// Returns the writing end and closes the other.
    public consuming func keepWriting() -> FileDescriptor { writing }
}

extension FileDescriptor {
    /// Reads at most `span.byteCount` bytes and returns their number; 0 at the end of the file.
    ///
    /// An interrupted call is repeated (read(2)).
    public borrowing func read(into span: inout MutableRawSpan) throws(SystemError) -> Int {
        while true {
            let count = unsafe span.withUnsafeMutableBytes { unsafe Glibc.read(raw, $0.baseAddress, $0.count) }
            if count >= 0 { return count }
            guard errno == EINTR else { throw .last("read") }
        }
    }

    /// Reads into `buffer[start...]` with one successful read(2) and returns the number of bytes; 0 at the end of the
    /// file or if there is no room.
    ///
    /// `start` must not exceed the size of the buffer.
    public borrowing func read(into buffer: inout [UInt8], at start: Int = 0) throws(SystemError) -> Int {
        precondition(start <= buffer.count)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes {
                unsafe Glibc.read(raw, $0.baseAddress.map { unsafe $0 + start }, $0.count - start)
            }
            if count >= 0 { return count }
            guard errno == EINTR else { throw .last("read") }
        }
    }

    /// Reads `count` bytes from byte `offset` on, fewer only at the end of the file (pread(2)).
    ///
    /// The file's position does not move, so several threads may read at once.
    public borrowing func read(_ count: Int, at offset: Int) throws(SystemError) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: count)
        buffer.removeLast(count - (try read(into: &buffer, from: offset)))
        return buffer
    }

    /// Fills `buffer` from byte `offset` of the file on, and returns the number of bytes, fewer only at the end of the
    /// file (pread(2)).
    ///
    /// The file's position does not move, so several threads may read at once.
    public borrowing func read(into buffer: inout [UInt8], from offset: Int) throws(SystemError) -> Int {
        var done = 0
        while done < buffer.count {
            let part = unsafe buffer.withUnsafeMutableBytes {
                unsafe pread(raw, $0.baseAddress.map { unsafe $0 + done }, $0.count - done, off_t(offset + done))
            }
            if part < 0 && errno == EINTR { continue }
            guard part >= 0 else { throw .last("read") }
            if part == 0 { break }
            done += part
        }
        return done
    }

    /// Writes all of `bytes` at the file's position, in as many calls as it takes (write(2)).
    ///
    /// If an error is thrown, an unknown part of the bytes has been written.
    public borrowing func write(_ bytes: RawSpan) throws(SystemError) {
        var done = 0
        while done < bytes.byteCount {
            let part = unsafe bytes.withUnsafeBytes {
                unsafe Glibc.write(raw, $0.baseAddress.map { unsafe $0 + done }, $0.count - done)
            }
            if part < 0 && errno == EINTR { continue }
            guard part >= 0 else { throw .last("write") }
            done += part
        }
    }

    /// Writes all of `bytes` at the file's position. If an error is thrown, an unknown part of them has been written.
    public borrowing func write(_ bytes: [UInt8]) throws(SystemError) {
        try unsafe write(bytes.span.bytes)
    }

    /// Writes all of `bytes` from byte `offset` on, without moving the file's position (pwrite(2)).
    ///
    /// If an error is thrown, an unknown part of the bytes has been written.
    public borrowing func write(_ bytes: RawSpan, at offset: Int) throws(SystemError) {
        var done = 0
        while done < bytes.byteCount {
            let part = unsafe bytes.withUnsafeBytes {
                unsafe pwrite(raw, $0.baseAddress.map { unsafe $0 + done }, $0.count - done, off_t(offset + done))
            }
            if part < 0 && errno == EINTR { continue }
            guard part >= 0 else { throw .last("write") }
            done += part
        }
    }

    /// The present size of the file in bytes (fstat(2)).
    public borrowing func size() throws(SystemError) -> Int {
        var status = stat()
        guard unsafe fstat(raw, &status) == 0 else { throw .last("look at a file") }
        return Int(status.st_size)
    }

    /// Cuts the file to `size` bytes, or extends it with zeros (ftruncate(2)).
    public borrowing func truncate(to size: Int) throws(SystemError) {
        guard ftruncate(raw, off_t(size)) == 0 else { throw .last("resize a file") }
    }

    /// Asks the kernel to begin writing a range of the file to disk, so that a later `sync` waits for less; only a
    /// hint.
    public borrowing func beginWriting(_ range: Range<Int>) {
        linux_begin_writing(raw, Int64(range.lowerBound), Int64(range.count))
    }

    /// Waits until the file's bytes and size are on disk (fdatasync(2)).
    public borrowing func sync() throws(SystemError) {
        guard fdatasync(raw) == 0 else { throw .last("sync a file") }
    }

    /// Waits until the folder's entries are on disk (fsync(2)).
    public borrowing func syncDirectory() throws(SystemError) {
        guard fsync(raw) == 0 else { throw .last("sync a folder") }
    }

    /// Waits until the descriptor is ready for one of `events` or has failed; returns false after `timeout`.
    ///
    /// A failure shows in the next read or write. A `timeout` of nil waits without end. An interruption by a signal
    /// does not end the wait (poll(2)).
    public borrowing func wait(for events: EventMask, timeout: Duration?) throws(SystemError) -> Bool {
        let deadline = timeout.map { SystemClock.monotonic &+ $0.wholeNanoseconds }
        return try BorrowedDescriptor(raw).wait(for: events, before: deadline)
    }
}
