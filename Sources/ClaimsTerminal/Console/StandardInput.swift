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
            let count = try read(0, into: &chunk, "read standard input")
            if count == 0 { return input }
            input += chunk[..<count]
        }
        return nil
    }

    /// Reads once, and waits while a nonblocking descriptor has nothing; returns 0 at the end of the input.
    private static func read(
        _ raw: Int32, into chunk: inout [UInt8], _ operation: String
    ) throws(SystemError) -> Int {
        let descriptor = BorrowedDescriptor(raw)
        do throws(SystemError) {
            while true {
                switch try descriptor.read(into: &chunk) {
                case .bytes(let count): return count
                case .closed: return 0
                case .wouldBlock: _ = try descriptor.wait(for: .read, before: nil)
                }
            }
        } catch {
            throw SystemError(operation, errno: error.errno)
        }
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
            let count = try read(descriptor, into: &chunk, "read the input")
            if count == 0 { return }
            total += count
            guard total <= maxBytes else { throw SystemError("read the input", errno: EFBIG) }
            try file.write(Array(chunk[..<count]))
        }
    }
}
