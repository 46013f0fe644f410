// SPDX-FileCopyrightText: 2026 The claimsd authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A descriptor that another owner closes, such as standard input: single reads and writes that end as the kernel ends
/// them.
///
/// ```swift
/// switch try BorrowedDescriptor(1).write(bytes, in: sent..<bytes.count) {
/// case .bytes(let count): sent += count
/// case .wouldBlock: // wait(for: .write, before: deadline)
/// case .closed: // the reader has gone
/// }
/// ```
public struct BorrowedDescriptor: Sendable {
    /// The number of the descriptor. Its owner keeps it open while this value is used.
    public let raw: Int32

    public init(_ raw: Int32) { self.raw = raw }

    /// Reads at most as many bytes as fit into `buffer`, which must have room for one (read(2)).
    ///
    /// - Returns: `wouldBlock` if a nonblocking descriptor has no bytes, `closed` at the end of the input.
    public func read(into buffer: inout [UInt8]) throws(SystemError) -> Transfer {
        precondition(!buffer.isEmpty, "there must be room")
        while true {
            // The call writes at most `room.count` bytes, all of them the array's.
            let count = unsafe buffer.withUnsafeMutableBytes { room in
                unsafe Glibc.read(raw, room.baseAddress, room.count)
            }
            if count > 0 { return .bytes(count) }
            if count == 0 { return .closed }
            switch errno {
            case EINTR: continue
            case EAGAIN: return .wouldBlock
            default: throw .last("read")
            }
        }
    }

    /// Writes `bytes[range]` as far as the descriptor accepts them (write(2)).
    ///
    /// - Returns: `wouldBlock` if a nonblocking descriptor accepts no byte, `closed` if its reader has gone.
    public func write(_ bytes: [UInt8], in range: Range<Int>) throws(SystemError) -> Transfer {
        let part = unsafe bytes.span.extracting(range).bytes
        while true {
            // The call reads the bytes of the span, which the array keeps.
            let count = unsafe part.withUnsafeBytes { unsafe Glibc.write(raw, $0.baseAddress, $0.count) }
            if count >= 0 { return .bytes(count) }
            switch errno {
            case EINTR: continue
            case EAGAIN: return .wouldBlock
            case EPIPE: return .closed
            default: throw .last("write")
            }
        }
    }

    /// Waits until the descriptor is ready for one of `events` or has failed, or until a time of the monotonic clock.
    ///
    /// - Parameter deadline: nanoseconds; nil waits without end, and a time that has passed does not wait.
    /// - Returns: whether it is ready. A failure shows in the next read or write.
    public func wait(for events: EventMask, before deadline: UInt64?) throws(SystemError) -> Bool {
        var entries = [Readiness.entry(raw, events)]
        return try Readiness.wait(for: &entries, before: deadline)
    }
}
