// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

extension FileDescriptor {
    /// Reads at most `span.byteCount` bytes; 0 at the end of the file. An interruption is tried again.
    public borrowing func read(into span: inout MutableRawSpan) throws(SystemError) -> Int {
        while true {
            let count = unsafe span.withUnsafeMutableBytes { unsafe Glibc.read(raw, $0.baseAddress, $0.count) }
            if count >= 0 { return count }
            guard errno == EINTR else { throw .last("read") }
        }
    }

    /// Reads into `buffer[start...]`, as far as it goes; 0 at the end of the file.
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

    /// Reads at most `count` bytes from `offset`, without moving the file's position; fewer only at the end.
    public borrowing func read(_ count: Int, at offset: Int) throws(SystemError) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let part = unsafe buffer.withUnsafeMutableBytes {
                unsafe pread(raw, $0.baseAddress.map { unsafe $0 + done }, $0.count - done, off_t(offset + done))
            }
            if part < 0 && errno == EINTR { continue }
            guard part >= 0 else { throw .last("read") }
            if part == 0 { break }
            done += part
        }
        buffer.removeLast(count - done)
        return buffer
    }

    /// Writes all of `bytes`, in as many calls as it takes.
    ///
    /// On an error an unknown part has been written.
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

    /// Writes all of `bytes`.
    public borrowing func write(_ bytes: [UInt8]) throws(SystemError) {
        try unsafe write(bytes.span.bytes)
    }

    /// Writes all of `bytes` at `offset`, without moving the file's position.
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

    /// The size of the file in bytes.
    public borrowing func size() throws(SystemError) -> Int {
        var status = stat()
        guard unsafe fstat(raw, &status) == 0 else { throw .last("look at a file") }
        return Int(status.st_size)
    }

    /// Cuts or extends the file to `size` bytes.
    public borrowing func truncate(to size: Int) throws(SystemError) {
        guard ftruncate(raw, off_t(size)) == 0 else { throw .last("resize a file") }
    }

    /// Has the kernel begin to write a range to the disk, so that a later `sync` has less to wait for; only a hint.
    public borrowing func beginWriting(_ range: Range<Int>) {
        linux_begin_writing(raw, Int64(range.lowerBound), Int64(range.count))
    }

    /// Returns when the file's bytes and size are on disk.
    public borrowing func sync() throws(SystemError) {
        guard fdatasync(raw) == 0 else { throw .last("sync a file") }
    }

    /// Returns when the folder's entries are on disk.
    public borrowing func syncDirectory() throws(SystemError) {
        guard fsync(raw) == 0 else { throw .last("sync a folder") }
    }

    /// Waits until the descriptor is ready (or has failed, which the next read or write tells); false after `timeout`.
    ///
    /// `nil` waits for ever. An interruption by a signal counts as readiness only of the signal: the wait goes on.
    public borrowing func wait(for events: EventMask, timeout: Duration?) throws(SystemError) -> Bool {
        let deadline = timeout.map { Clocks.monotonic &+ $0.wholeNanoseconds }
        var entry = pollfd(fd: raw, events: Int16(truncatingIfNeeded: events.rawValue & 0xff), revents: 0)
        while true {
            var milliseconds: Int32 = -1
            if let deadline {
                let now = Clocks.monotonic
                milliseconds = now >= deadline ? 0 : Int32(clamping: (deadline - now + 999_999) / 1_000_000)
            }
            let count = unsafe poll(&entry, 1, milliseconds)
            if count > 0 { return true }
            if count == 0 {
                if let deadline, Clocks.monotonic < deadline { continue }
                return false
            }
            guard errno == EINTR else { throw .last("wait for a file descriptor") }
        }
    }
}
