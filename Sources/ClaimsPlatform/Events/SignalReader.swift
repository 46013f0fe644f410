// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Signals as something to read, instead of handlers that may do next to nothing (signalfd(2)).
///
/// Make it on the first thread before any other starts: threads inherit the blocked signals.
public struct SignalReader: ~Copyable, Sendable {
    private let file: FileDescriptor

    /// Blocks these signals in the calling thread, and reports them from now on.
    public init(_ signals: [Int32]) throws(SystemError) {
        let raw = linux_signalfd(signals.reduce(0) { $0 | 1 << UInt64($1) })
        guard raw >= 0 else { throw .last("make a signalfd") }
        file = FileDescriptor(owning: raw)
    }

    /// For an event loop, or `poll`: ready for reading when a signal waits.
    public var raw: Int32 { file.raw }

    /// The next signal that waits, without waiting for it.
    public borrowing func next() -> Int32? {
        let number = linux_signalfd_read(file.raw)
        return number > 0 ? number : nil
    }
}
