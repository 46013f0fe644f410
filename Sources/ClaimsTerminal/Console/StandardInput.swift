// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Glibc

/// Standard input, read as a whole.
enum StandardInput {
    /// The bytes up to the end of the input; nil if there are more than `maxBytes`.
    ///
    /// - Throws: the error of read(2).
    static func read(maxBytes: Int) throws(SystemError) -> [UInt8]? {
        var input: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        while input.count <= maxBytes {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe Glibc.read(0, $0.baseAddress, $0.count) }
            if count == 0 { return input }
            if count > 0 {
                input += chunk[..<count]
                continue
            }
            guard errno == EINTR || errno == EAGAIN else { throw .last("read standard input") }
            if errno == EAGAIN {
                var entry = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
                _ = unsafe poll(&entry, 1, -1)
            }
        }
        return nil
    }

    /// Copies what a descriptor has, to its end, into a file.
    ///
    /// - Throws: the error of a call; EFBIG where there are more than `maxBytes`.
    static func copy(
        _ descriptor: Int32, to file: borrowing FileDescriptor, maxBytes: Int
    ) throws(SystemError) {
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        var total = 0
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count == 0 { return }
            if count > 0 {
                total += count
                guard total <= maxBytes else { throw SystemError("read the input", errno: EFBIG) }
                try file.write(Array(chunk[..<count]))
                continue
            }
            guard errno == EINTR || errno == EAGAIN else { throw .last("read the input") }
            if errno == EAGAIN {
                var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                _ = unsafe poll(&entry, 1, -1)
            }
        }
    }
}
