// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// A descriptor from which arriving signals are read, in place of signal handlers (signalfd(2)).
///
/// Make it on the first thread before any other thread starts, because threads inherit the blocked signals.
public struct SignalReader: ~Copyable, Sendable {
    private let file: FileDescriptor

    /// Blocks `signals`, by number, in the calling thread, and collects them from now on.
    public init(_ signals: [Int32]) throws(SystemError) {
        let raw = linux_signalfd(signals.reduce(0) { $0 | 1 << UInt64($1) })
        guard raw >= 0 else { throw .last("make a signalfd") }
        file = FileDescriptor(owning: raw)
    }

    /// The descriptor for an event loop or `poll`; it is readable while a signal is pending. The reader still owns it.
    public var raw: Int32 { file.raw }

    /// Takes the next pending signal and returns its number; nil if none is pending. The call does not wait.
    public borrowing func next() -> Int32? {
        let number = linux_signalfd_read(file.raw)
        return number > 0 ? number : nil
    }
}
