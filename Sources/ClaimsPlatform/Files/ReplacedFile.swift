// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// A file that gets new content as a whole: readers see the old content or the new one, also after a crash.
///
/// ```swift
/// var file = try ReplacedFile("/srv/books.csv", suffix: ".new")
/// try write(to: file.descriptor)
/// _ = try file.commit(time: nil, keepsEqual: true)
/// ```
/// The new content is written beside it, to `.NAME` with the suffix, which no two processes write at once. A leftover of
/// a process that was killed is removed. Without a call of ``commit(time:keepsEqual:)`` the file stays as it was.
public struct ReplacedFile: ~Copyable {
    /// The outcome for the file.
    public enum Outcome: Sendable {
        case replaced
        /// It had the same bytes, and is the same file as before.
        case unchanged
    }

    /// The path of the file itself, if the given path was a symbolic link.
    public let path: String
    private let temporary: String
    private let file: FileDescriptor
    /// The permissions of a new file, whatever the umask; nil for the permissions that the umask leaves.
    private let permissions: UInt32?
    /// The mode and group of the file before; nil if there was none.
    private var original: Attributes?
    /// Whether the name of the new content is still to be removed.
    private var isPending = true

    private struct Attributes {
        let mode: UInt32
        let group: UInt32

        init(_ status: stat) {
            mode = UInt32(status.st_mode) & 0o7777
            group = status.st_gid
        }
    }

    /// The size of the pieces in which two files are compared, in bytes.
    private static let pieceSize = 64 * 1024
    /// The number of times that a leftover is removed before the name is given up.
    private static let maxAttempts = 4

    /// Makes the file for the new content.
    ///
    /// - Parameters:
    ///   - suffix: the end of its name.
    ///   - permissions: the permissions of a new file, whatever the umask; nil for what the umask leaves of 0666.
    /// - Throws: EWOULDBLOCK while another process writes new content; EISDIR if the path is a folder, EINVAL if it is
    ///   a pipe, socket or device.
    public init(_ path: String, suffix: String, permissions: UInt32? = nil) throws(SystemError) {
        self.path = Files.linkTarget(path)
        self.permissions = permissions
        temporary = Paths.join(Paths.parent(self.path), ".\(Paths.name(self.path))\(suffix)")
        var status = stat()
        if unsafe stat(self.path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw SystemError("write \(path)", errno: status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL)
            }
            original = Attributes(status)
        }
        // Users who could not read the old content must not read the new one.
        let made: UInt32 = original == nil ? permissions ?? 0o666 : 0o600
        do throws(SystemError) {
            file = try Self.create(temporary, permissions: made)
        } catch {
            throw SystemError("write \(path)", errno: error.errno, detail: error.detail)
        }
        UnfinishedFile.set(temporary)
    }

    deinit {
        if isPending { Files.remove(temporary) }
        UnfinishedFile.set(nil)
    }

    /// The descriptor to write the content to, at its position.
    public var descriptor: Int32 { file.raw }

    /// Gives the file its new content, and returns once content and name are on disk.
    ///
    /// It keeps the mode and the group of the file before.
    ///
    /// - Parameters:
    ///   - time: its time of modification, in milliseconds since 1970; nil for the time of the writing.
    ///   - keepsEqual: whether a file with the same bytes stays, and only gets the time.
    /// - Throws: the error of the call that failed; the file is as it was, unless only its folder could not be synced.
    public consuming func commit(time: Int64?, keepsEqual: Bool) throws(SystemError) -> Outcome {
        if keepsEqual, try hasEqualContent(), setTime(of: path, time) { return .unchanged }
        try setAttributes()
        if let time { try setTime(time) }
        guard fsync(file.raw) == 0 else { throw .last("write \(path)") }
        try Files.rename(temporary, to: path)
        isPending = false
        try Directory.sync(Paths.parent(path))
        return .replaced
    }

    /// Removes the file, and the written part of its new content; returns once the names are gone from the disk.
    ///
    /// - Returns: whether there was a file.
    public consuming func remove() throws(SystemError) -> Bool {
        guard unsafe unlink(path) == 0 else {
            if errno == ENOENT { return false }
            throw .last("remove \(path)")
        }
        try Directory.sync(Paths.parent(path))
        return true
    }

    // MARK: - The name of the new content

    /// Makes the file and locks it. The lock shows whether a process still works on it or has left it.
    private static func create(_ path: String, permissions: UInt32) throws(SystemError) -> FileDescriptor {
        for _ in 0..<maxAttempts {
            do throws(SystemError) {
                let file = try FileDescriptor.open(path, .create(permissions: permissions))
                // Another process may have taken it for a leftover before it was locked.
                guard flock(file.raw, LOCK_EX | LOCK_NB) == 0, isFile(file, at: path) else { throw busy(path) }
                return file
            } catch {
                guard error.errno == EEXIST else { throw error }
            }
            try removeLeftover(path)
        }
        throw busy(path)
    }

    private static func busy(_ path: String) -> SystemError { SystemError("lock \(path)", errno: EWOULDBLOCK) }

    /// Removes a file that another process has left; throws EWOULDBLOCK if that process is still at work.
    private static func removeLeftover(_ path: String) throws(SystemError) {
        do throws(SystemError) {
            let file = try FileDescriptor.open(path, .regular)
            guard flock(file.raw, LOCK_EX | LOCK_NB) == 0 else { throw busy(path) }
            if isFile(file, at: path) { Files.remove(path) }
        } catch {
            if error.isNotFound { return }
            // A link, a pipe or the like: no process of ours has made it.
            guard error.isOfOtherKind, !Files.isDirectory(path) else { throw error }
            Files.remove(path)
        }
    }

    private static func isFile(_ file: borrowing FileDescriptor, at path: String) -> Bool {
        var (open, named) = (stat(), stat())
        return unsafe fstat(file.raw, &open) == 0 && lstat(path, &named) == 0
            && (open.st_dev, open.st_ino) == (named.st_dev, named.st_ino)
    }

    // MARK: - Content and attributes

    private borrowing func hasEqualContent() throws(SystemError) -> Bool {
        let old: FileDescriptor
        do throws(SystemError) {
            old = try FileDescriptor.open(path, .regular)
        } catch {
            // A file that cannot be read is replaced.
            return false
        }
        let size = try file.size()
        guard try old.size() == size else { return false }
        var (one, other) = ([UInt8](repeating: 0, count: Self.pieceSize), [UInt8](repeating: 0, count: Self.pieceSize))
        var offset = 0
        while offset < size {
            let count = try file.read(into: &one, from: offset)
            guard count > 0, try old.read(into: &other, from: offset) == count else { return false }
            guard one[..<count] == other[..<count] else { return false }
            offset += count
        }
        return true
    }

    /// Gives a file the time if it has another one; false if that is not allowed.
    private borrowing func setTime(of path: String, _ time: Int64?) -> Bool {
        guard let time, Files.modified(path) != time else { return true }
        var times = Self.times(time)
        return unsafe utimensat(AT_FDCWD, path, &times, AT_SYMLINK_NOFOLLOW) == 0
    }

    private borrowing func setTime(_ time: Int64) throws(SystemError) {
        var times = Self.times(time)
        guard unsafe futimens(file.raw, &times) == 0 else { throw .last("write \(path)") }
    }

    /// The time of access, which stays, and the time of modification.
    private static func times(_ ms: Int64) -> [timespec] {
        let seconds = ms >= 0 ? ms / 1000 : (ms - 999) / 1000
        return [
            timespec(tv_sec: 0, tv_nsec: 0x3FFF_FFFE),
            timespec(tv_sec: Int(seconds), tv_nsec: Int((ms - seconds * 1000) * 1_000_000)),
        ]
    }

    /// Gives the new content the mode and the group of the file before, which may have come meanwhile.
    private borrowing func setAttributes() throws(SystemError) {
        var status = stat()
        let wanted = unsafe stat(path, &status) == 0 ? Attributes(status) : original
        guard let wanted else {
            if let permissions { try setMode(permissions) }
            return
        }
        guard unsafe fstat(file.raw, &status) == 0 else { throw .last("write \(path)") }
        if status.st_gid != wanted.group, fchown(file.raw, uid_t.max, wanted.group) != 0 {
            let error = SystemError("write \(path)", errno: errno, detail: "its group cannot be kept")
            // A group whose members may do what all may is no loss.
            guard wanted.mode >> 3 & 7 == wanted.mode & 7 else { throw error }
        }
        try setMode(wanted.mode)
    }

    private borrowing func setMode(_ mode: UInt32) throws(SystemError) {
        guard fchmod(file.raw, mode_t(mode)) == 0 else { throw .last("write \(path)") }
    }
}

/// The name of the content that is being written, for the handler of a signal that ends the process.
public enum UnfinishedFile {
    /// The address of a copy of the path without other references; 0 if there is none.
    private static let path = Atomic<UInt>(0)

    /// Removes the file. A signal handler may call it: unlink(2) is safe there, and a load takes no lock.
    public static func remove() {
        let copy = unsafe UnsafeMutablePointer<CChar>(bitPattern: path.load(ordering: .acquiring))
        if let copy = unsafe copy { _ = unsafe unlink(copy) }
    }

    static func set(_ new: String?) {
        let copy = unsafe new.flatMap { unsafe strdup($0) }
        let old = path.exchange(UInt(bitPattern: copy), ordering: .acquiringAndReleasing)
        // The handler does not find it any more. It runs on this thread, so it is not in the middle of it.
        unsafe free(UnsafeMutablePointer<CChar>(bitPattern: old))
    }
}
