// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import ClaimsPlatform
import Glibc

/// Standard output or standard error: gathers what is printed and writes it in large pieces.
public final class Output {
    /// Where it goes; `nil` keeps it, for tests.
    private var descriptor: Int32?
    public private(set) var bytes: [UInt8] = []

    /// What is written at once, in bytes.
    private static let pieceSize = 64 * 1024

    public init(descriptor: Int32?) {
        self.descriptor = descriptor
    }

    public func write(_ text: String) throws(OutputError) {
        bytes += text.utf8
        try flushIfLarge()
    }

    public func write(_ more: [UInt8]) throws(OutputError) {
        bytes += more
        try flushIfLarge()
    }

    /// Lets `append` add to what is gathered.
    public func write(_ append: (inout [UInt8]) -> Void) throws(OutputError) {
        append(&bytes)
        try flushIfLarge()
    }

    private func flushIfLarge() throws(OutputError) {
        if descriptor != nil, bytes.count >= Self.pieceSize { try flush() }
    }

    /// Sends what is written from now on to another descriptor.
    public func redirect(to descriptor: Int32) throws(OutputError) {
        try flush()
        self.descriptor = descriptor
    }

    /// Writes all that was gathered.
    public func flush() throws(OutputError) {
        guard let descriptor else { return }
        var done = 0
        defer { bytes.removeAll(keepingCapacity: true) }
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(descriptor, buffer.baseAddress.map { unsafe $0 + done }, buffer.count - done)
            }
            if count >= 0 {
                done += count
            } else if errno == EPIPE {
                throw .closed
            } else if errno == EAGAIN {
                var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&entry, 1, -1)
            } else if errno != EINTR {
                throw .failed(.last("write the output"))
            }
        }
    }
}
