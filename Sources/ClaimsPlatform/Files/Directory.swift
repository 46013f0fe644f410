// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Folders.
public enum Directory {
    /// Makes the folder and those above it that are missing; an existing one is left as it is.
    ///
    /// `permissions` are for the last one; those above get 0755.
    public static func create(_ path: String, permissions: UInt32 = 0o755) throws(SystemError) {
        if unsafe mkdir(path, mode_t(permissions)) == 0 {
            // Not what the umask left of it: what was asked for.
            guard unsafe chmod(path, mode_t(permissions)) == 0 else { throw .last("change the mode of \(path)") }
            return
        }
        let error = errno
        if error == EEXIST && Files.isDirectory(path) { return }
        let parent = Paths.parent(path)
        guard error == ENOENT, parent != path, !parent.isEmpty else {
            throw SystemError("make the folder \(path)", errno: error)
        }
        try create(parent)
        try create(path, permissions: permissions)
    }

    /// The names in a folder, in byte order, without `.` and `..`.
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

    /// Removes a folder and all that is in it, never following a link; what is not there is no error.
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

    /// Returns when the folder's entries are on disk.
    public static func sync(_ path: String) throws(SystemError) {
        let folder = try FileDescriptor.open(path, .directory)
        do { try folder.syncDirectory() } catch { throw SystemError("sync \(path)", errno: error.errno) }
    }

    /// Free bytes for us, and all bytes, of the file system that holds `path`.
    public static func space(_ path: String) throws(SystemError) -> (free: Int, total: Int) {
        var status = statvfs()
        guard unsafe statvfs(path, &status) == 0 else { throw .last("look at the file system of \(path)") }
        let block = Int(status.f_frsize)
        return (Int(clamping: status.f_bavail) * block, Int(clamping: status.f_blocks) * block)
    }

    /// The bytes on disk of the files directly in a folder; 0 where there is none.
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

    /// A new folder of our own (0700) below `parent`.
    public static func temporary(in parent: String = "/tmp", prefix: String) throws(SystemError) -> String {
        while true {
            let path = Paths.join(parent, "\(prefix).\(RandomBytes.hexadecimal(8))")
            if unsafe mkdir(path, 0o700) == 0 { return path }
            guard errno == EEXIST else { throw .last("make a folder in \(parent)") }
        }
    }
}
