// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Whole files at once.
public enum Files {
    /// The file's bytes. More than `cap` of them is EFBIG, before they are read.
    public static func readAll(_ path: String, cap: Int) throws(SystemError) -> [UInt8] {
        let file = try FileDescriptor.open(path, .read)
        let size = try file.size()
        guard size <= cap else { throw SystemError("read \(path)", errno: EFBIG) }
        // Files below /proc and pipes say 0: read on until the end.
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

    /// The file's bytes as text; what is not UTF-8 is repaired.
    public static func readText(_ path: String, cap: Int) throws(SystemError) -> String {
        String(decoding: try readAll(path, cap: cap), as: UTF8.self)
    }

    /// Replaces `path` with these bytes, on disk, such that a crash leaves the old file or the new one.
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

    /// Gives a file another name in the same file system, replacing what has it.
    public static func rename(_ path: String, to other: String) throws(SystemError) {
        guard unsafe Glibc.rename(path, other) == 0 else { throw .last("rename \(path) to \(other)") }
    }

    /// Gives a file a second name in the same file system (link(2)); EEXIST where something has it.
    public static func link(_ path: String, to other: String) throws(SystemError) {
        guard unsafe Glibc.link(path, other) == 0 else { throw .last("link \(path) to \(other)") }
    }

    /// How many names a file has; nil where there is none.
    public static func names(of path: String) -> Int? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Int(status.st_nlink) : nil
    }

    /// Shortens a file to `size` bytes; a longer or missing one is left alone. What others have mapped behind is lost.
    public static func shorten(_ path: String, to size: Int) {
        guard let before = self.size(path), before > size else { return }
        _ = unsafe truncate(path, size)
    }

    /// Removes a file's name; false where there was none, or it could not be removed.
    @discardableResult
    public static func remove(_ path: String) -> Bool {
        unsafe unlink(path) == 0
    }

    /// True where anything has that name, links followed.
    public static func exists(_ path: String) -> Bool {
        unsafe access(path, F_OK) == 0
    }

    /// True where a folder has that name.
    public static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The size of a file in bytes, nil where there is none.
    public static func size(_ path: String) -> Int? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Int(status.st_size) : nil
    }

    /// When a file was last written, in milliseconds since 1970; nil where there is none.
    public static func modified(_ path: String) -> Int64? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        return Int64(status.st_mtim.tv_sec) * 1000 + Int64(status.st_mtim.tv_nsec) / 1_000_000
    }

    /// Sets a file's permission bits.
    public static func setPermissions(_ path: String, _ permissions: UInt32) throws(SystemError) {
        guard unsafe chmod(path, mode_t(permissions)) == 0 else { throw .last("change the mode of \(path)") }
    }
}

extension Files {
    /// Where a symbolic link points; nil where it is none.
    public static func readLink(_ path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe buffer.withUnsafeMutableBytes {
            unsafe linux_read_link(path, $0.baseAddress, $0.count)
        }
        return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
    }

    /// The running program's own file.
    public static var executable: String? { readLink("/proc/self/exe") }
}
