// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Operations on whole files by path. Each throws or reports the failure of one system call.
public enum Files {
    /// Reads a whole file of at most `cap` bytes.
    ///
    /// A larger file throws EFBIG, before it is read if its size is known. Files of unknown size, such as those below
    /// /proc, are read to their end.
    public static func readAll(_ path: String, cap: Int) throws(SystemError) -> [UInt8] {
        let file = try FileDescriptor.open(path, .read)
        let size = try file.size()
        guard size <= cap else { throw SystemError("read \(path)", errno: EFBIG) }
        // Files below /proc and pipes give 0, so they are read to the end.
        var buffer = [UInt8](repeating: 0, count: max(size + 1, 4096))
        var count = 0
        while true {
            let part: Int
            do { part = try file.read(into: &buffer, at: count) } catch {
                throw SystemError("read \(path)", errno: error.errno)
            }
            if part == 0 { break }
            count += part
            guard count <= cap else { throw SystemError("read \(path)", errno: EFBIG) }
            if count == buffer.count { buffer.append(contentsOf: repeatElement(0, count: buffer.count)) }
        }
        buffer.removeLast(buffer.count - count)
        return buffer
    }

    /// Reads a whole file of at most `cap` bytes as UTF-8, with U+FFFD for invalid sequences; a larger one throws
    /// EFBIG.
    public static func readText(_ path: String, cap: Int) throws(SystemError) -> String {
        String(decoding: try readAll(path, cap: cap), as: UTF8.self)
    }

    /// Replaces the file at `path` atomically, and returns once the new content and name are on disk.
    ///
    /// A crash leaves either the old file or the new one. After an error the old file is in place, unless only the
    /// folder could not be synced.
    public static func writeAtomically(
        _ path: String, _ bytes: [UInt8], permissions: UInt32 = 0o644
    ) throws(SystemError) {
        let temporary = "\(path).\(RandomBytes.hexadecimal(8)).new"
        do {
            let file = try FileDescriptor.open(temporary, .create(permissions: permissions))
            try file.write(bytes)
            try file.sync()
            try rename(temporary, to: path)
            try Directory.sync(Paths.parent(path))
        } catch {
            remove(temporary)
            throw SystemError("write \(path)", errno: error.errno)
        }
    }

    /// Renames a file within its file system and atomically replaces a file that has the new name (rename(2)).
    public static func rename(_ path: String, to other: String) throws(SystemError) {
        guard unsafe Glibc.rename(path, other) == 0 else { throw .last("rename \(path) to \(other)") }
    }

    /// Gives a file a second name in the same file system (link(2)). EEXIST is thrown if the name is taken.
    public static func link(_ path: String, to other: String) throws(SystemError) {
        guard unsafe Glibc.link(path, other) == 0 else { throw .last("link \(path) to \(other)") }
    }

    /// The number of names, or hard links, of a file; nil if the file cannot be looked at.
    public static func names(of path: String) -> Int? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Int(status.st_nlink) : nil
    }

    /// Cuts a file to `size` bytes; leaves a shorter or missing one alone, and ignores errors.
    ///
    /// A process that has mapped the bytes behind `size` gets a bus error when it reads them (mmap(2)).
    public static func shorten(_ path: String, to size: Int) {
        guard let before = self.size(path), before > size else { return }
        _ = unsafe truncate(path, size)
    }

    /// Removes a name of a file (unlink(2)); false if there was none or it could not be removed.
    @discardableResult
    public static func remove(_ path: String) -> Bool {
        unsafe unlink(path) == 0
    }

    /// Whether anything has that name. Links are followed, so a dangling one counts as missing.
    public static func exists(_ path: String) -> Bool {
        unsafe access(path, F_OK) == 0
    }

    /// Whether the path is a folder, or a link to one.
    public static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether the path is a regular file, or a link to one; not a folder, a pipe or a device.
    public static func isRegular(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// The size of a file in bytes; nil if the file cannot be looked at.
    public static func size(_ path: String) -> Int? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Int(status.st_size) : nil
    }

    /// The time of the last write, in milliseconds since 1970 (UTC); nil if the file cannot be looked at.
    public static func modified(_ path: String) -> Int64? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        return Int64(status.st_mtim.tv_sec) * 1000 + Int64(status.st_mtim.tv_nsec) / 1_000_000
    }

    /// Sets the time of a file's last change, in milliseconds since 1970.
    public static func setModified(_ path: String, _ time: Int64) throws(SystemError) {
        let moment = timespec(tv_sec: Int(time / 1000), tv_nsec: Int(time % 1000) * 1_000_000)
        guard unsafe utimensat(AT_FDCWD, path, [moment, moment], 0) == 0 else {
            throw SystemError("date \(path)", errno: errno)
        }
    }

    /// The permission bits of a file; nil if it cannot be looked at.
    public static func permissions(_ path: String) -> UInt32? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? UInt32(status.st_mode) & 0o7777 : nil
    }

    /// The user and the group that a file belongs to; nil if it cannot be looked at.
    public static func owner(_ path: String) -> (user: UInt32, group: UInt32)? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? (status.st_uid, status.st_gid) : nil
    }

    /// Whether the path is a folder of this process's user that no other user can enter (0700).
    public static func isPrivateDirectory(_ path: String) -> Bool {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return false }
        return status.st_uid == geteuid() && status.st_mode & 0o777 == 0o700
    }

    /// Sets the permission bits of a file, regardless of the umask (chmod(2)).
    public static func setPermissions(_ path: String, _ permissions: UInt32) throws(SystemError) {
        guard unsafe chmod(path, mode_t(permissions)) == 0 else { throw .last("change the mode of \(path)") }
    }
}

extension Files {
    /// The target of a symbolic link, as it is written there; nil if `path` is no link.
    public static func readLink(_ path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe buffer.withUnsafeMutableBytes {
            unsafe linux_read_link(path, $0.baseAddress, $0.count)
        }
        return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
    }

    /// The path that a chain of at most 8 symbolic links ends with, whether anything is there or not; `path` itself if it
    /// is no link. Links of folders on the way stay as they are.
    public static func linkTarget(_ path: String) -> String {
        var target = path
        for _ in 0..<8 {
            guard let link = readLink(target) else { break }
            target = Paths.join(Paths.parent(target), link)
        }
        return target
    }

    /// The path of a file without links in it; nil if it does not exist, or if a folder on the way cannot be entered.
    public static func resolved(_ path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// The path of the running program's file, from /proc/self/exe; nil if that cannot be read.
    public static var executable: String? { readLink("/proc/self/exe") }
}

/// Operations on folders by path.
public enum Directory {
    /// Makes a folder and the missing ones above it; leaves an existing one as it is.
    ///
    /// The last folder gets exactly `permissions`, regardless of the umask; those above it get 0755.
    public static func create(_ path: String, permissions: UInt32 = 0o755) throws(SystemError) {
        if unsafe mkdir(path, mode_t(permissions)) == 0 {
            // The umask may have removed some of the requested permissions.
            guard unsafe chmod(path, mode_t(permissions)) == 0 else { throw .last("change the mode of \(path)") }
            return
        }
        let error = errno
        if error == EEXIST && Files.isDirectory(path) { return }
        let parent = Paths.parent(path)
        guard error == ENOENT, parent != path, !parent.isEmpty, !Files.isDirectory(parent) else {
            throw SystemError("make the folder \(path)", errno: error)
        }
        try create(parent)
        try create(path, permissions: permissions)
    }

    /// The names in a folder, sorted by their bytes, without `.` and `..`.
    public static func list(_ path: String) throws(SystemError) -> [String] {
        guard let stream = unsafe opendir(path) else { throw .last("list \(path)") }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        errno = 0
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        guard errno == 0 else { throw .last("list \(path)") }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Removes a file, or a folder with everything in it. Links are removed, not followed.
    ///
    /// A missing path is no error. After another error a part may be gone.
    public static func remove(_ path: String) throws(SystemError) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            if errno == ENOENT { return }
            throw .last("remove \(path)")
        }
        if status.st_mode & S_IFMT == S_IFDIR {
            for name in try list(path) { try remove(Paths.join(path, name)) }
            guard unsafe rmdir(path) == 0 || errno == ENOENT else { throw .last("remove \(path)") }
        } else {
            guard unsafe unlink(path) == 0 || errno == ENOENT else { throw .last("remove \(path)") }
        }
    }

    /// Waits until the folder's entries are on disk, so that names made or removed in it survive a crash (fsync(2)).
    public static func sync(_ path: String) throws(SystemError) {
        let folder = try FileDescriptor.open(path, .directory)
        do { try folder.syncDirectory() } catch { throw SystemError("sync \(path)", errno: error.errno) }
    }

    /// The bytes that this user can still write, and all bytes, of the file system that holds `path` (statvfs(3)).
    public static func space(_ path: String) throws(SystemError) -> (free: Int, total: Int) {
        var status = statvfs()
        guard unsafe statvfs(path, &status) == 0 else { throw .last("look at the file system of \(path)") }
        let block = Int(status.f_frsize)
        return (Int(clamping: status.f_bavail) * block, Int(clamping: status.f_blocks) * block)
    }

    /// The bytes on disk of the regular files directly in a folder; 0 if it cannot be listed.
    public static func size(_ path: String) -> Int {
        guard let names = try? list(path) else { return 0 }
        var total = 0
        for name in names {
            var status = stat()
            if unsafe lstat(Paths.join(path, name), &status) == 0, status.st_mode & S_IFMT == S_IFREG {
                total += Int(status.st_blocks) * 512
            }
        }
        return total
    }

    /// Makes a folder with a random name below `parent`, with permissions 0700, and returns its path.
    public static func temporary(in parent: String = "/tmp", prefix: String) throws(SystemError) -> String {
        while true {
            let path = Paths.join(parent, "\(prefix).\(RandomBytes.hexadecimal(8))")
            if unsafe mkdir(path, 0o700) == 0 { return path }
            guard errno == EEXIST else { throw .last("make a folder in \(parent)") }
        }
    }
}

/// Operations on paths as text, without access to the disk.
public enum Paths {
    /// Joins two paths with one slash between them; returns `b` alone if it is absolute or `a` is empty.
    public static func join(_ a: String, _ b: String) -> String {
        if b.utf8.first == UInt8(ascii: "/") || a.isEmpty { return b }
        return a.utf8.last == UInt8(ascii: "/") ? a + b : a + "/" + b
    }

    /// The path up to its last slash: `.` without any slash, `/` for a name directly below the root.
    public static func parent(_ path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The part of a path after its last slash.
    public static func name(_ path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return String(path[path.utf8.index(after: slash)...])
    }
}
